// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What Debian's htools 3.0.2 printed where other golden cases have none: the
// terms that are 0 there, and every kind of move with its commands and opcodes.

#include "actors/planning/score/score.hpp"
#include "io/htools/formats/opcode_text.hpp"
#include "tests/support/planning/samples.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>

namespace orderly::score_golden_test {

using namespace orderly::planning;
using namespace orderly::io::htools;

TEST_CASE("each term is the reference's where it is not 0") {
  auto c = samples::read(
    "g|u|preferred||\n\n"
    "n1|16000|1000|4000|90000|50000|8|M|u|8|rack:a,power:x\n"
    "n2|16000|1000|7000|90000|60000|8|N|u|8|rack:a,power:y\n"
    "n3|16000|1000|11000|90000|70000|8|N|u|8|rack:b,power:y\n"
    "n4|16000|1000|15000|90000|90000|8|Y|u|8|rack:b\n\n"
    "a|6000|10000|2|running|Y|n1|n2|drbd|svc:1,power:y\n"
    "b|5000|10000|2|running|Y|n1|n3|drbd|svc:1\n"
    "c|4000|10000|1|running|Y|n2|n1|drbd|svc:2\n"
    "d|4000|10000|1|running|Y|n2|n1|drbd|svc:2,rack:b\n"
    "e|4000|10000|1|running|Y|n3|n1|drbd|svc:1,power:x\n"
    "f|0|0|1|ADMIN_down|Y|n4||ext|svc:1\n\n"
    "htools:iextags:svc\nhtools:nlocation:rack\nhtools:nlocation:power\n"
    "htools:desiredlocation:power\nhtools:desiredlocation:rack\n");
  build_options old;
  old.n1 = initial_n1::reported;
  placement p{c, 0, old};
  const double expected[] = {
    0.17921511, 0.09072184, 5,          0.07795120, 1, 1,          0.15590239,
    0.47140452, 0.47140452, 1.24721913, 0.47140452, 2, 0.00487195, 0.17921511,
    0.09072184, 0.15590239, 0.00487195, 6,          4, 1.18750000};
  auto lines = score_lines(p);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    INFO(lines[k].name);
    CHECK(lines[k].value > 0);
    CHECK(std::abs(lines[k].value - expected[k]) < 5.1e-9);
  }
  CHECK(std::abs(exact_score(p) - 42.46697018) < 5.1e-9);
}

TEST_CASE("each kind of move is found, shown and commanded as by the "
          "reference") {
  auto r = run_as_reference(tool::hbal,
                            {"-t", data("moves.txt"), "-C", "--search=exact"});
  CHECK(r.code == 0);
  CHECK(r.out == text_of("moves-hbal.txt"));
  for (const auto* kind : {"a=f\n", "a=fa:node", "a=r:node"})
    CHECK(says(r.out, kind));
  std::set<std::string> parts;
  for (std::size_t at = 0; (at = r.out.find("a=", at)) != std::string::npos;
       ++at) {
    auto text = r.out.substr(at + 2, r.out.find('\n', at) - at - 2);
    for (std::size_t n = 0; (n = text.find("node", n)) != std::string::npos;)
      text.replace(n, 8, "t");
    parts.insert(text);
  }
  CHECK(
    parts
    == std::set<std::string>{"f", "fa:t", "r:t", "r:t f", "f r:t", "f r:t f"});
}

TEST_CASE("each kind of move is these opcodes, to these places") {
  auto c = samples::small();
  placement p{c, 0, {}};
  int i = 0;
  while (!p.instances[at(i)].mirrored)
    ++i;
  auto old = p.places[at(i)];
  auto p0 = old.primary;
  auto s0 = old.secondary;
  int t = 0;
  while (t == p0 || t == s0)
    ++t;
  using k = move_kind;
  auto name = c.nodes[at(t)].name;
  const std::string to_mirror = "OP_INSTANCE_MIGRATE";
  const auto to_target = to_mirror + " target_node " + name;
  const auto replace = "OP_INSTANCE_REPLACE_DISKS remote_node " + name;
  using list = std::vector<std::string>;
  for (const auto& [kind, where, opcodes] :
       {std::tuple{k::failover, place{s0, p0}, list{to_mirror}},
        std::tuple{k::failover_to, place{t, s0}, list{to_target}},
        std::tuple{k::replace_secondary, place{p0, t}, list{replace}},
        std::tuple{k::replace_and_failover, place{t, p0},
                   list{replace, to_mirror}},
        std::tuple{k::failover_and_replace, place{s0, t},
                   list{to_mirror, replace}},
        std::tuple{k::replace_primary, place{t, s0},
                   list{to_mirror, replace, to_mirror}}}) {
    move m{i, kind, kind == k::failover ? -1 : t};
    CHECK(destination(p, m) == where);
    list found;
    for (const auto& part : parts_of(m)) {
      auto op = nlohmann::json::parse(opcode_text(p, i, part));
      CHECK(op.at("instance_name") == c.instances[at(i)].name);
      auto text = op.at("OP_ID").get<std::string>();
      for (const auto* key : {"target_node", "remote_node"})
        if (op.contains(key))
          text += fmt::format(" {} {}", key, op.at(key).get<std::string>());
      if (text == to_mirror || text == to_target)
        CHECK((op.at("allow_failover") && op.at("ignore_hvversions")));
      else
        CHECK(op.at("mode") == "replace_new_secondary");
      found.push_back(text);
    }
    CHECK(found == opcodes);
  }
}

} // namespace orderly::score_golden_test
