// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/explain.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/tools/hbal.hpp"
#include "tests/support/planning/samples.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace orderly::tools_hbal_fast_test {

using namespace orderly::planning;
using orderly::io::htools::says;

namespace {

/// hbal on the small cluster with these words.
io::htools::outcome hbal(std::vector<std::string> words,
                         const std::string& text = samples::small_text) {
  auto path = std::filesystem::temp_directory_path()
              / ("orderly-fast-" + std::to_string(::getpid()));
  std::ofstream{path} << text;
  words.insert(words.begin(), {"-t", path.string()});
  auto r = io::htools::outcome_of(
    [&](auto to) { return io::htools::run_hbal(words, to); });
  std::filesystem::remove(path);
  return r;
}

} // namespace

namespace {

/// The score that hbal says it ends with.
double final_score(const io::htools::outcome& x) {
  auto at = x.out.find(" to ", x.out.find("improved from"));
  REQUIRE(at != std::string::npos);
  return std::stod(x.out.substr(at + 4));
}

} // namespace

TEST_CASE("hbal takes the better of both searches unless it is told which") {
  auto exact = hbal({"--search", "exact"});
  CHECK(says(exact.out, "    1. i5 n4:n2 => n2:n3   3.52180394 a=f r:n3\n"));
  auto fast = hbal({"--search=fast"});
  auto better = hbal({});
  CHECK(better.out == hbal({"--search=better"}).out);
  CHECK(final_score(better) <= final_score(exact));
  CHECK(final_score(better) <= final_score(fast));
  // Without any effort the exact search finds nothing.
  CHECK(hbal({"--max-effort=1"}).out
        == hbal({"--max-effort=1", "--search=fast"}).out);
  CHECK(says(fast.out, "Cluster score improved from 23.22632783 to "));
  CHECK(fast.code == 0);
  // What costs nothing may go on to where the exact search ends, and further.
  auto free = hbal({"--move-cost=0", "--shared-n1=off"});
  CHECK(says(free.out, "Solution length="));
}

TEST_CASE("hbal refuses searches, times, costs and efforts that are none") {
  for (const auto* word :
       {"--search=slow", "--deadline=soon", "--deadline=0s", "--deadline=-1",
        "--move-cost=x", "--move-cost=-1", "--shared-n1=maybe",
        "--max-effort=0", "--max-effort=many", "--output=xml"}) {
    INFO(word);
    auto r = hbal({word});
    CHECK(r.code == 1);
    CHECK(says(r.err, "Error while parsing command line arguments"));
  }
  for (const auto* word :
       {"--deadline=5s", "--deadline=5000ms", "--deadline=1m", "--deadline=5",
        "--max-effort=9", "--move-cost=0.5", "--shared-n1=term"}) {
    INFO(word);
    CHECK(hbal({word}).code == 0);
  }
}

TEST_CASE("a deadline that is too short gives no plan, and says so") {
  for (const auto* search : {"--search=fast", "--search=exact"}) {
    auto r = hbal({search, "--deadline=0.000001ms"});
    CHECK(r.code == 0);
    CHECK(says(r.out, "No solution found\n"));
    CHECK(says(r.out, "The search was cut short"));
  }
}

TEST_CASE("hbal prints its plan as JSON, with what each term gains") {
  auto r = hbal({"--search=exact", "--output=json", "--explain=i1,i5"});
  CHECK(r.code == 0);
  auto read = io::htools::read_json(r.out, "output");
  REQUIRE(read);
  const auto& steps = read->member("steps")->items;
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].member("instance")->text == "i5.x");
  CHECK(steps[0].member("from")->items[0].text == "n4.x");
  CHECK(steps[0].member("to")->items[1].text == "n3.x");
  CHECK(steps[0].member("moves")->text == "f r:n3");
  CHECK(steps[0].member("score")->real == Approx(3.52180394));
  CHECK(steps[0].member("cost")->real > 2);
  double gained = 0;
  for (const auto& s : steps)
    for (const auto& t : s.member("terms")->items)
      gained += t.kind == io::htools::json_value::is::whole
                  ? static_cast<double>(t.whole)
                  : t.real;
  CHECK(gained == Approx(3.48665966 - 23.22632783).margin(1e-7));
  CHECK(read->member("job_sets")->items.size() == 2);
  CHECK(read->member("explained")->items.size() == 2);
  CHECK_FALSE(read->member("cut")->yes);
  auto idle = hbal({"-e", "100", "--output=json"});
  auto nothing = io::htools::read_json(idle.out, "output");
  REQUIRE(nothing);
  CHECK(nothing->member("steps")->items.empty());
}

TEST_CASE("hbal says which rule holds an instance, and why one moves") {
  auto r = hbal({"--search=exact", "--explain", "i1,i4,i5.x"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "i4 stays on n3:n2: its auto_balance is off\n"));
  CHECK(says(r.out, "i5 moves in step 1, n4:n2 => n2:n3:\n"));
  CHECK(says(r.out, "offline_pri_cnt"));
  CHECK(says(r.out, "i1 stays on n1: its best move changes the score by "));
  CHECK(says(r.out, "  its best move is a=fa:"));
  r = hbal({"--explain=nobody"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "no such instance to explain in the group: nobody"));
  r = hbal({"--exclude-instances=i1", "--explain=i1"});
  CHECK(says(r.out, "--select-instances or --exclude-instances keeps it"));
  r = hbal({"-E", "--explain=i1"});
  CHECK(says(r.out, "it touches no offline node"));
  r = hbal({"--no-instance-moves", "--explain=i1"});
  CHECK(says(r.out, "the options leave it no kind of move"));
}

TEST_CASE("the rule that holds an instance is the first that does") {
  auto c = samples::small();
  search_rules rules;
  placement p{c, 0, {}};
  CHECK(standing_of(p, 3, rules, 0).why == hold::unbalanced);
  CHECK(standing_of(p, 0, rules, 0).why == hold::no_gain);
  auto offline = standing_of(p, 4, rules, 0); // its primary is offline
  CHECK(offline.why == hold::search);
  CHECK(offline.gain > 15);
  CHECK(offline.best);
  CHECK_FALSE(offline.terms.empty());
  CHECK(standing_of(p, 4, rules, 1e6).why == hold::cost);
  rules.min_gain = 1e6;
  rules.min_gain_limit = 1e6;
  CHECK(standing_of(p, 4, rules, 0).why == hold::minimum);
  c.instances[0].disks = disk_template::plain;
  CHECK(standing_of(placement{c, 0, {}}, 0, {}, 0).why == hold::disks);
  auto tight = samples::small();
  for (auto& n : tight.nodes)
    n.free_memory = 0;
  tight.instances[0].memory = 9'000;
  CHECK(standing_of(placement{tight, 0, {}}, 0, {}, 0).why == hold::refused);
}

TEST_CASE("commands of a fast plan come in waves") {
  auto r = hbal({"-C"});
  CHECK(says(r.out, "echo jobset 1, "));
  CHECK(says(r.out, "gnt-instance "));
}

} // namespace orderly::tools_hbal_fast_test
