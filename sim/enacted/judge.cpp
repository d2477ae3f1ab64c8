// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/enacted/judge.hpp"

#include "sim/enacted/differs.hpp"
#include "sim/enacted/enact.hpp"
#include "sim/timelines/draw.hpp"

#include <map>
#include <ostream>

#include <fmt/format.h>

namespace orderly::sim::enacted {

namespace {

using timelines::mismatch;

/// What actors show otherwise than the machine is told if it is meant.
std::vector<mismatch> judge_actors(const json& scenario, std::string& said) {
  if (auto why = why_not_playable(scenario); !why.empty()) {
    said = fmt::format("not played on actors: {}", why);
    return {};
  }
  auto actors = watch(scenario);
  auto wrong = timelines::compare(scenario, actors);
  if (wrong.empty())
    return {};
  auto found = first_clash(timelines::watch(scenario), actors);
  const auto* meant
    = found ? explanation(timelines::timeline_of(scenario), *found, actors)
            : nullptr;
  if (meant == nullptr)
    return wrong;
  auto where = found->kind.empty() ? found->key
                                   : fmt::format("{} from second {} on",
                                                 found->kind, found->second);
  said = fmt::format("actors differ in {} ({}): {}", where, meant->name,
                     meant->why);
  return {};
}

} // namespace

std::vector<mismatch> judge(const json& scenario, player by,
                            std::string& said) {
  std::vector<mismatch> wrong;
  if (by != player::actors)
    wrong = timelines::play(scenario);
  if (by == player::machine || !wrong.empty())
    return wrong;
  wrong = judge_actors(scenario, said);
  for (auto& x : wrong)
    x.what += ", on actors";
  return wrong;
}

json seen_as_expected(const json& scenario, player by) {
  auto seen
    = by == player::actors ? watch(scenario) : timelines::watch(scenario);
  auto result = json::object();
  for (const auto& [key, value] : scenario.at("expect").items())
    result[key] = seen.value(key, json{});
  return result;
}

int judge_drawn(std::uint64_t seed, std::uint64_t count, std::ostream& out) {
  std::map<std::string, std::uint64_t> met;
  std::uint64_t played = 0;
  std::uint64_t equal = 0;
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto drawn = timelines::draw(seed, i);
    if (!why_not_playable(drawn).empty())
      continue;
    ++played;
    auto actors = watch(drawn);
    auto found = first_clash(timelines::watch(drawn), actors);
    if (!found) {
      ++equal;
    } else if (const auto* meant
               = explanation(timelines::timeline_of(drawn), *found, actors)) {
      ++met[meant->name];
    } else {
      ++failed;
      out << fmt::format("{}\n  {} {} in second {}: {} on the machine, {} on "
                         "actors\n",
                         drawn.dump(), found->key, found->kind, found->second,
                         found->machine, found->actors);
    }
  }
  for (const auto& [name, n] : met)
    out << fmt::format("{:5} differ as is meant: {}\n", n, name);
  out << fmt::format(
    "{} of {} timelines played on actors, {} equal, {} failed\n", played, count,
    equal, failed);
  return failed == 0 ? 0 : 1;
}

} // namespace orderly::sim::enacted
