// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/groups/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/groups/told_moves.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

std::string kept_json(const cluster& c, const kept_instance& x) {
  std::vector<std::string> groups;
  for (std::size_t g = 0; g < x.into.size(); ++g)
    groups.push_back(fmt::format(
      "{}:\"{}\"", json_text(c.groups[g].name),
      x.into[g] == barrier::none ? "too_large" : name_of(x.into[g])));
  return fmt::format("{{\"instance\":{},\"groups\":{{{}}}}}",
                     json_text(c.instances[at(x.instance)].name),
                     join(groups, ','));
}

std::string lacks_json(const cluster& c, const shortage& x) {
  std::vector<std::string> pools;
  for (const auto& p : x.pools)
    pools.push_back(p ? json_text(text_of(*p)) : "null");
  return fmt::format("{{\"resource\":\"{}\",\"missing\":{},\"wanted\":{},"
                     "\"room\":{},\"groups\":{},\"pools\":[{}]}}",
                     name_of(x.of), x.missing, x.wanted, x.room,
                     group_list(c, x.groups), join(pools, ','));
}

std::string verdict_json(const told_emptying& t, const emptying& x) {
  std::vector<std::string> kept;
  for (const auto& k : x.kept)
    kept.push_back(kept_json(t.c, k));
  return fmt::format(
    "{{\"groups\":{},\"verdict\":\"{}\",\"kept\":[{}],\"lacks\":{},"
    "\"left\":{},\"left_mib\":{},{}}}",
    group_list(t.c, x.groups), name_of(x.is), join(kept, ','),
    x.lacks ? lacks_json(t.c, *x.lacks) : "null", instance_list(t.c, x.left),
    x.left_memory, moves_members(t.c, {x.steps, x.rounds, x.moved}, t.link));
}

} // namespace

std::string emptying_json(const told_emptying& x) {
  std::vector<std::string> verdicts;
  for (const auto& v : x.verdicts)
    verdicts.push_back(verdict_json(x, v));
  return fmt::format(
    "{{\"group_moves\":\"{}\",\"reached\":{},\"why\":{},\"chosen\":{},"
    "\"verdicts\":[{}]}}\n",
    name_of(x.allowed), x.why.empty(),
    x.why.empty() ? "null" : json_text(x.why),
    x.chosen ? group_list(x.c, x.verdicts[*x.chosen].groups) : "null",
    join(verdicts, ','));
}

} // namespace orderly::io::htools
