// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/start.hpp"

#include "actors/policy/guards/vote.hpp"
#include "io/cli/daemon_options.hpp"

namespace orderly::sim::conformance {

namespace {

struct members {
  std::vector<node_name> names;
  node_name master;
};

members members_of(const json& given) {
  members all;
  for (const auto& x : given.at("nodes")) {
    all.names.push_back(x.at("name").get<std::string>());
    if (x.value("master", false))
      all.master = all.names.back();
  }
  return all;
}

/// Where nothing is said of votes all name the master.
ballots votes_in(const json& given, const members& all) {
  ballots said;
  if (auto i = given.find("votes"); i != given.end())
    return i->get<ballots>();
  for (const auto& name : all.names)
    said[name] = all.master;
  return said;
}

/// Who is silent stays so while it is asked again.
start_verdict vote(const node_name& self, const members& all,
                   const ballots& said) {
  std::uint32_t repeats = 0;
  auto verdict = by_vote(self, all.names, said, repeats);
  while (verdict.what == start_step::ask_again)
    verdict = by_vote(self, all.names, said, ++repeats);
  return verdict;
}

} // namespace

std::vector<difference> play_start(const scenario& x, std::string* said) {
  auto all = members_of(x.given);
  auto self = x.when.at("on").get<std::string>();
  auto args = x.when.value("argv", std::vector<std::string>{});
  auto read = io::read_daemon_options(std::move(args), "");
  outcome got;
  if (const auto* end = std::get_if<io::daemon_end>(&read)) {
    got.runs.code = end->code;
    got.runs.err = end->text;
  } else {
    const auto& o = std::get<io::daemon_options>(read);
    auto verdict = by_own_record(self, all.master);
    if (verdict.what == start_step::go && !o.no_voting)
      verdict = vote(self, all, votes_in(x.given, all));
    auto leaves = verdict.what == start_step::leave && !o.standby;
    got.runs.code = leaves ? exit_not_master : 0;
    got.runs.err = verdict.why;
  }
  if (said != nullptr)
    *said = got.runs.err;
  return judge(x.expect, got);
}

} // namespace orderly::sim::conformance
