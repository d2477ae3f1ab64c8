// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What one planned move touches and rests on, and how it is told.

#include "actors/policy/balance/balance.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::balance {

namespace {

bool has(const instance_place& x, const node_name& name) {
  return x.primary == name || x.secondary == name;
}

std::vector<node_name> missing(const instance_place& of,
                               const instance_place& in) {
  std::vector<node_name> result;
  for (const auto* name : {&of.primary, &of.secondary})
    if (!name->empty() && !has(in, *name))
      result.push_back(*name);
  return result;
}

void add(std::vector<node_name>& names, const node_name& name) {
  if (!name.empty()
      && std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(name);
}

/// The terms that change most, which come first; all are in the plan.
std::string shortened(const std::string& terms) {
  constexpr std::size_t shown_max = 2;
  std::size_t end = 0;
  for (std::size_t i = 0; i < shown_max; ++i) {
    end = terms.find(", ", i == 0 ? 0 : end + 1);
    if (end == std::string::npos)
      return terms;
  }
  return terms.substr(0, end) + ", ...";
}

} // namespace

std::vector<node_name> left_by(const planned_move& x) {
  auto result = missing(x.from, x.to);
  // A primary that changes is left by its load, wherever the mirror goes.
  if (x.from.primary != x.to.primary)
    add(result, x.from.primary);
  return result;
}

std::vector<node_name> filled_by(const planned_move& x) {
  auto result = missing(x.to, x.from);
  if (x.from.primary != x.to.primary)
    add(result, x.to.primary);
  return result;
}

std::vector<node_name> nodes_of(const planned_move& x) {
  std::vector<node_name> result;
  for (const auto* place : {&x.from, &x.to}) {
    add(result, place->primary);
    add(result, place->secondary);
  }
  return result;
}

bool rests_on_mirror(const planned_move& x) {
  return !x.from.secondary.empty();
}

std::string sentence_of(const planned_move& x) {
  auto text = [](const instance_place& p, bool both) {
    return both ? p.primary + " and " + p.secondary : p.primary;
  };
  std::string what;
  auto swap
    = x.from.primary == x.to.secondary && x.from.secondary == x.to.primary;
  if (x.from.primary == x.to.primary)
    what = fmt::format("moves the mirror of {} from {} to {}", x.instance,
                       x.from.secondary, x.to.secondary);
  else
    what = fmt::format("moves {} from {} to {}", x.instance,
                       text(x.from, !swap && !x.from.secondary.empty()),
                       text(x.to, !swap && !x.to.secondary.empty()));
  return fmt::format("{}: score {:.4f} -> {:.4f}{}{}", what, x.score + x.gain,
                     x.score, x.why.empty() ? "" : ", ", shortened(x.why));
}

} // namespace orderly::balance
