// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/conformance.hpp"

#include "sim/conformance/maintd.hpp"
#include "sim/conformance/match.hpp"
#include "sim/conformance/power.hpp"
#include "sim/conformance/provider.hpp"
#include "sim/conformance/start.hpp"
#include "sim/timelines/play.hpp"

#include <fstream>
#include <map>
#include <ostream>
#include <sstream>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

/// What happens in the gap after run `i`: one list for all gaps, or a list
/// of lists, one a gap.
json steps_in_gap(const json& between, std::size_t i) {
  if (between.is_null())
    return json::array();
  if (!between.is_array())
    return json::array({between});
  auto one_each = !between.empty() && between.front().is_array();
  if (!one_each)
    return between;
  return i < between.size() ? between[i] : json::array();
}

/// The words of the command line; nullopt: they are none.
std::optional<std::vector<std::string>> words_of(const json& args) {
  std::vector<std::string> result;
  if (!args.is_array())
    return std::nullopt;
  for (const auto& x : args) {
    if (!x.is_string())
      return std::nullopt;
    result.push_back(x.get<std::string>());
  }
  return result;
}

/// Runs the tool as often as `when` says, with what lies between.
std::vector<difference> run_tool(const json& when, stage& on, played& into) {
  for (const auto& [key, value] : when.items())
    if (key != "tool" && key != "args" && key != "runs" && key != "between")
      return {
        trouble("when", fmt::format("key \"{}\" is not understood", key))};
  auto args = words_of(when.value("args", json::array()));
  auto runs = when.value("runs", json(1));
  if (!args || !runs.is_number_integer() || runs.get<int>() < 1)
    return {trouble("when", "key \"args\" or \"runs\" makes no sense")};
  auto count = runs.get<std::size_t>();
  for (std::size_t i = 0; i < count; ++i) {
    on.run_harep(*args, into);
    if (i + 1 == count)
      break;
    for (const auto& step : steps_in_gap(when.value("between", json{}), i))
      if (auto wrong = on.step(step); !wrong.empty())
        return {trouble("when.between", wrong)};
  }
  return {};
}

using judge_of_cases = std::vector<timelines::mismatch> (*)(const json&);

/// Host HA is judged on its machine alone: the kinds that are lists of cases.
const std::map<std::string, judge_of_cases>& case_kinds() {
  static const std::map<std::string, judge_of_cases> all{
    {"backoff", timelines::judge_backoff},
    {"nfs_activity", timelines::judge_nfs},
    {"pool_aggregation", timelines::judge_pools},
    {"restart_table", timelines::judge_restarts},
    {"provider_health", timelines::judge_health_cases},
    {"neighbour_choice", timelines::judge_neighbours},
    {"enable_hierarchy", timelines::judge_hierarchy},
    {"vm_ha_mapping", timelines::judge_views}};
  return all;
}

using player_of_cases = std::vector<difference> (*)(const json&, instant);

/// Those of providers, most of them played on the whole daemon.
const std::map<std::string, player_of_cases>& played_kinds() {
  static const std::map<std::string, player_of_cases> all{
    {"eligibility", judge_eligibility},
    {"settings_lookup", judge_lookups},
    {"provider_fence", play_fences},
    {"provider_recover", play_recoveries},
    {"api", play_admin}};
  return all;
}

std::vector<difference> told(const std::vector<timelines::mismatch>& found) {
  std::vector<difference> result;
  for (const auto& one : found)
    result.push_back({one.what, one.expected.dump(), one.got.dump()});
  return result;
}

/// Parts that are of another shape than the schema says fail their scenario
/// alone.
std::vector<difference> play_safely(const scenario& x, instant clock,
                                    std::string& said, enacted::player by) {
  try {
    return play(x, clock, &said, by);
  } catch (const json::exception& e) {
    return {trouble("its shape", e.what())};
  } catch (const std::invalid_argument& e) {
    return {trouble("its shape", e.what())};
  }
}

void print(const scenario& x, const std::vector<difference>& all,
           const std::string& said, std::ostream& out) {
  out << fmt::format("{} ({}) failed: {}\n", x.id, x.profile, x.title);
  for (const auto& one : all)
    out << fmt::format("  {}\n    expected: {}\n    got:      {}\n", one.what,
                       one.expected, one.got);
  std::istringstream lines{said};
  for (std::string line; std::getline(lines, line);)
    out << "    | " << line << "\n";
}

/// What a timeline showed, in the form of its `expect`; others show nothing
/// that has one.
void keep_seen(const scenario& x, enacted::player by, json& into) {
  if (x.tool != "timeline")
    return;
  try {
    json row{{"id", x.id}, {"expect", enacted::seen_as_expected(x.whole, by)}};
    into.push_back(std::move(row));
  } catch (const std::exception& e) {
    into.push_back({{"id", x.id}, {"refused", e.what()}});
  }
}

} // namespace

std::vector<difference> play(const scenario& x, instant clock,
                             std::string* said, enacted::player by) {
  if (x.tool == "cli" || x.tool == "opcode")
    return play_power(x, clock, said);
  if (x.tool == "maintd" || x.tool == "http")
    return play_maintd(x, clock, said);
  if (x.tool == "maintd-start")
    return play_start(x, said);
  if (x.tool == "timeline") {
    std::string note;
    auto wrong = told(enacted::judge(x.whole, by, note));
    if (said != nullptr)
      *said = note;
    return wrong;
  }
  if (auto i = case_kinds().find(x.tool); i != case_kinds().end())
    return told(i->second(x.whole.at("cases")));
  if (auto i = played_kinds().find(x.tool); i != played_kinds().end())
    return i->second(x.whole.at("cases"), clock);
  if (x.tool != "harep")
    return {{"tool", x.tool, "it is not built yet"}};
  auto world = read_world(x.given);
  if (!world)
    return {trouble("given", world.why().text)};
  stage on{*world, clock};
  outcome got;
  auto wrong = run_tool(x.when, on, got.runs);
  if (said != nullptr)
    *said = got.runs.out + got.runs.err;
  if (!wrong.empty())
    return wrong;
  got.jobs = on.sent();
  got.tags = comparable_tags(on.cluster().record());
  got.old_ids = ids_in(x.given.dump());
  return judge(x.expect, got);
}

int run_conformance(const std::string& path, const selection& which,
                    std::ostream& out) {
  std::ifstream in{path, std::ios::binary};
  if (!in) {
    out << path << ": cannot be read\n";
    return 2;
  }
  std::ostringstream text;
  text << in.rdbuf();
  auto all = read_suite(text.str(), path);
  if (!all) {
    out << all.why().text << "\n";
    return 2;
  }
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  auto seen = json::array();
  for (const auto& x : all->scenarios) {
    if (!selected(which, x)) {
      ++skipped;
      continue;
    }
    std::string said;
    auto found = play_safely(x, all->clock, said, which.on);
    ++(found.empty() ? passed : failed);
    if (!found.empty())
      print(x, found, said, out);
    else if (x.tool == "timeline" && !said.empty())
      out << fmt::format("{} ({}) passed; {}\n", x.id, x.profile, said);
    if (!which.emit.empty())
      keep_seen(x, which.on, seen);
  }
  if (!which.emit.empty()) {
    std::ofstream file{which.emit, std::ios::binary};
    file << json{{"scenarios", seen}}.dump(1) << "\n";
    if (!file.flush()) {
      out << which.emit << ": cannot be written\n";
      return 2;
    }
  }
  out << fmt::format("{} passed, {} failed, {} skipped\n", passed, failed,
                     skipped);
  if (passed + failed == 0) {
    out << path << ": "
        << (skipped == 0 ? "it has no scenarios, nothing was played\n"
                         : "no id is like --only and no profile like "
                           "--profile at once, nothing was played\n");
    return 2;
  }
  return failed == 0 ? 0 : 1;
}

} // namespace orderly::sim::conformance
