// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/balance/planner_words.hpp"

#include "actors/planning/search/explain.hpp"
#include "actors/planning/search/job_sets.hpp"
#include "actors/planning/search/net_form.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace orderly {

namespace {

using namespace planning;

const node_name& name_of_node(const placement& p, int node) {
  return p.source->nodes[at(p.node_index[at(node)])].name;
}

std::string place_text(const instance_place& x) {
  return x.secondary.empty() ? x.primary : x.primary + ":" + x.secondary;
}

/// The greatest changes first; what is too small to be shown is left out.
std::string terms_text(std::vector<term_change> terms) {
  constexpr double least = 0.00005;
  auto size = [](const term_change& x) { return std::abs(x.after - x.before); };
  std::stable_sort(
    terms.begin(), terms.end(),
    [&](const auto& a, const auto& b) { return size(a) > size(b); });
  std::string result;
  for (const auto& x : terms)
    if (size(x) >= least)
      result += fmt::format("{}{} {:+.4f}", result.empty() ? "" : ", ", x.name,
                            x.after - x.before);
  return result.empty() ? "many small changes" : result;
}

std::string reason_of(const standing& x, const search_rules& rules) {
  switch (x.why) {
  case hold::disks:
    return "disks of its template cannot be moved";
  case hold::excluded:
    return "it is left alone";
  case hold::split:
    return "its nodes lie in different groups";
  case hold::unbalanced:
    return "its auto_balance is off";
  case hold::no_copy:
    return "no node in service has a copy of its disks";
  case hold::untouched:
  case hold::options:
    return "no kind of move is left to it";
  case hold::refused:
    return "no node takes it; " + tried_text(x);
  case hold::no_gain:
    return fmt::format("its best move changes the score by {:+.4f}; {}",
                       -x.gain, tried_text(x));
  case hold::cost:
    return fmt::format("its best move gains {:.4f}, less than the {:.4f} it "
                       "costs; {}",
                       x.gain, x.cost, tried_text(x));
  case hold::minimum:
    return fmt::format("its best move gains {:.4f}, less than the {:.4f} that "
                       "a step must; {}",
                       x.gain, rules.min_gain, tried_text(x));
  case hold::search:
    return fmt::format("the search did not come to its best move, which gains "
                       "{:.4f}; {}",
                       x.gain, tried_text(x));
  }
  return {};
}

} // namespace

instance_place place_of(const placement& p, planning::place where) {
  instance_place result;
  if (where.primary >= 0)
    result.primary = name_of_node(p, where.primary);
  if (where.secondary >= 0)
    result.secondary = name_of_node(p, where.secondary);
  return result;
}

std::vector<opcode> opcodes_of(const placement& p, const move& m) {
  const auto& spec = spec_of(p, m.instance);
  auto runs = spec.status == instance_status::running
              || spec.status == instance_status::error_up;
  std::vector<opcode> result;
  for (const auto& x : parts_of(m)) {
    opcode op;
    op.instance = spec.name;
    op.kind = op_kind::instance_migrate;
    // As a failover, and off a home that is in service by then only: its disks
    // are opened first. What was started meanwhile goes on running.
    op.flag = !runs;
    if (x.kind == move_part::what::replace_disks) {
      op.kind = op_kind::replace_disks;
      op.flag = false;
    } else if (!runs) {
      opcode opens;
      opens.kind = op_kind::activate_disks;
      opens.instance = spec.name;
      opens.flag = true;
      result.push_back(std::move(opens));
    }
    if (x.node >= 0)
      op.target = name_of_node(p, x.node);
    result.push_back(std::move(op));
  }
  return result;
}

std::vector<planned_move> planned_moves(const balanced_group& x) {
  const auto& steps = x.plan.found.steps;
  auto terms = changes_of(x.before, steps, x.rules);
  auto score = x.plan.found.initial;
  std::vector<planned_move> result;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& s = steps[k];
    planned_move m;
    m.instance = spec_of(x.before, s.what.instance).name;
    m.from = place_of(x.before, s.from);
    m.to = place_of(x.before, s.to);
    m.ops = opcodes_of(x.before, s.what);
    m.wave = x.waves[k];
    m.score = s.score;
    m.gain = score - s.score;
    m.cost = cost_of(x.before, s.what);
    m.why = terms_text(terms[k]);
    score = s.score;
    result.push_back(std::move(m));
  }
  return result;
}

std::string explanation(const balanced_group& x,
                        const std::vector<planned_move>& moves, int instance,
                        const std::string& kept) {
  const auto& name = spec_of(x.before, instance).name;
  std::string result;
  for (const auto& m : moves)
    if (m.instance == name)
      result += fmt::format("{}{} goes from {} to {} in level {}, which gains "
                            "{:.4f} and costs {:.4g}: {}",
                            result.empty() ? "" : "; then ", name,
                            place_text(m.from), place_text(m.to), m.wave,
                            m.gain, m.cost, m.why);
  if (!result.empty())
    return result;
  auto here = place_text(place_of(x.after, x.after.places[at(instance)]));
  if (!kept.empty())
    return fmt::format("{} stays on {}: {}", name, here, kept);
  if (!x.scored)
    return fmt::format("{} stays on {}: the figures of its group give no score",
                       name, here);
  auto why = standing_of(x.after, instance, x.rules, x.rate);
  result
    = fmt::format("{} stays on {}: {}", name, here, reason_of(why, x.rules));
  if (why.best && !why.terms.empty()) {
    auto to = place_of(x.after, destination(x.after, why.best->what));
    result += fmt::format("; its best move is to {}: {}", place_text(to),
                          terms_text(why.terms));
  }
  return result;
}

} // namespace orderly
