// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Before and while an errand goes on: the question, and how far it is.

#include "actors/policy/base/natural_order.hpp"
#include "actors/policy/errand/nodes_hit.hpp"
#include "io/cli/power_sheets.hpp"
#include "io/cli/power_text.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::power {

namespace {

std::string joined(const std::vector<std::string>& names) {
  auto sorted = names;
  std::sort(sorted.begin(), sorted.end(), natural_less);
  for (auto& x : sorted)
    x = clean(x);
  return fmt::format("{}", fmt::join(sorted, ", "));
}

/// What is going to be done to the nodes, and to those that are left out.
struct deed {
  std::string verb;
  std::string effect;
};

deed deed_of(const errand_request& wanted) {
  if (const auto* power = std::get_if<power_errand>(&wanted.what)) {
    if (power->verb == power_verb::cycle)
      return {"Power-cycle", "What runs there is cut off."};
    return {"Power off",
            power->mark_offline
              ? "They are marked offline first. What runs there is cut off."
              : "What runs there is cut off."};
  }
  return {"Emergency power-off of",
          "Their instances are shut down first, and remembered as wanted up; "
          "then the nodes are marked offline and switched off."};
}

std::string node_line(const errand_row& x, std::size_t width) {
  auto name = clean(x.object);
  std::string what = x.primaries.empty() ? "no instances"
                                         : "instances: " + joined(x.primaries);
  if (x.master)
    what += "; is the master";
  if (is_final(x.state))
    what += "; stays as it is, only they are shut down";
  return fmt::format("  {:<{}}  {}\n", name, width, what);
}

/// Rows that will not be touched, with the reason.
std::string left_out(const errand_sheet& dry) {
  std::string text;
  for (const auto& x : dry.rows) {
    if (x.state != row_state::unsupported && x.state != row_state::skipped)
      continue;
    auto why = x.state == row_state::unsupported
                 ? "does not support OOB commands"
                 : x.text;
    text += fmt::format("  {}: {}\n", clean(x.object), clean(why));
  }
  return text.empty() ? text : "Left alone:\n" + text;
}

std::string instance_lines(const errand_sheet& dry) {
  std::vector<std::string> names;
  for (const auto& x : dry.rows)
    if (x.kind == row_kind::instance && x.state == row_state::waiting)
      names.push_back(x.object);
  if (names.empty())
    return {};
  return fmt::format("{} will be shut down: {}\n",
                     so_many(names.size(), "instance"), joined(names));
}

} // namespace

std::string question(const errand_sheet& dry, const errand_request& wanted) {
  auto nodes = nodes_hit(dry);
  std::set<std::string> instances;
  std::size_t width = 0;
  for (const auto* x : nodes) {
    width = std::max(width, clean(x->object).size());
    instances.insert(x->primaries.begin(), x->primaries.end());
  }
  auto what = deed_of(wanted);
  auto text = fmt::format(
    "{} {}, with {} on {}:\n", what.verb, so_many(nodes.size(), "node"),
    so_many(instances.size(), "instance"), nodes.size() == 1 ? "it" : "them");
  for (const auto* x : nodes)
    text += node_line(*x, width);
  text += instance_lines(dry);
  text += left_out(dry);
  for (const auto& x : dry.remarks)
    text += clean(x) + "\n";
  return text
         + fmt::format("{}\nGo on with {}? [y/N]: ", what.effect,
                       nodes.size() == 1
                         ? "this node"
                         : fmt::format("these {} nodes", nodes.size()));
}

std::string progress(const errand_sheet& sheet) {
  std::size_t counts[2] = {};
  for (const auto& x : sheet.rows) {
    counts[0] += x.state == row_state::done ? 1 : 0;
    counts[1] += x.state == row_state::failed ? 1 : 0;
  }
  auto text = fmt::format("{}: {} done, {} failed", ended_text(sheet),
                          counts[0], counts[1]);
  if (!sheet.doing.empty())
    text += "; " + sheet.doing;
  return clean(text);
}

} // namespace orderly::power
