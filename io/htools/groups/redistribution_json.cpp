// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/groups/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/groups/told_moves.hpp"
#include "io/htools/whatif/names.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

using namespace planning;

namespace {

std::string healed_json(const cluster& c, const healed_group& g) {
  std::vector<std::string> lacks;
  for (const auto& x : g.lacks)
    lacks.push_back(fmt::format("{{\"pool\":{},\"memory_mib\":{}}}",
                                x.pool ? json_text(text_of(*x.pool)) : "null",
                                x.memory));
  std::vector<std::string> pinned;
  for (const auto& x : g.pinned)
    pinned.push_back(
      fmt::format("{{\"instance\":{},\"kind\":\"{}\",\"why\":{}}}",
                  json_text(c.instances[at(x.instance)].name), name_of(x.kind),
                  json_text(x.why)));
  return fmt::format("{{\"group\":{},\"was\":\"{}\",\"healed\":{},"
                     "\"crossings\":{},\"cost\":{},\"lacks\":[{}],"
                     "\"pinned\":[{}]}}",
                     json_text(c.groups[at(g.group)].name), name_of(g.was),
                     g.is_healed, g.crossings, json_number(g.cost),
                     join(lacks, ','), join(pinned, ','));
}

} // namespace

std::string redistribution_json(const told_redistribution& x) {
  const auto& r = x.answer;
  std::vector<std::string> groups;
  for (const auto& g : r.groups)
    groups.push_back(healed_json(x.c, g));
  auto why = why_not_reached(x);
  return fmt::format(
    "{{\"group_moves\":\"{}\",\"reached\":{},\"why\":{},\"groups\":[{}],{}}}\n",
    name_of(x.allowed), r.is_reached(), why.empty() ? "null" : json_text(why),
    join(groups, ','),
    moves_members(x.c, {r.steps, r.rounds, r.moved}, x.link));
}

} // namespace orderly::io::htools
