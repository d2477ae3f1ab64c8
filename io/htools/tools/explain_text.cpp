// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/explain_text.hpp"

#include "io/htools/formats/fields.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

std::string terms_text(const std::vector<term_change>& terms) {
  std::string result;
  for (const auto& x : terms)
    result += fmt::format("    {:24} {:14.8f} -> {:14.8f}  {:+.8f}\n", x.name,
                          x.before, x.after, x.after - x.before);
  return result;
}

std::string reason_of(const standing& x) {
  auto gain = fixed_decimal(x.gain, 8);
  switch (x.why) {
  case hold::disks:
    return "no tool moves disks of its template";
  case hold::excluded:
    return "--select-instances or --exclude-instances keeps it there";
  case hold::split:
    return "its nodes lie in different groups";
  case hold::unbalanced:
    return "its auto_balance is off";
  case hold::untouched:
    return "it touches no offline node, and --evac-mode moves nothing else";
  case hold::no_copy:
    return "no node in service has a copy of its disks";
  case hold::options:
    return "the options leave it no kind of move";
  case hold::refused:
    return "no node takes it; " + tried_text(x);
  case hold::no_gain:
    return fmt::format("its best move changes the score by {}; {}",
                       fixed_decimal(-x.gain, 8), tried_text(x));
  case hold::cost:
    return fmt::format("its best move gains {}, less than the {} it costs; {}",
                       gain, fixed_decimal(x.cost, 8), tried_text(x));
  case hold::minimum:
    return fmt::format("its best move gains {}, less than --min-gain; {}", gain,
                       tried_text(x));
  case hold::search:
    return fmt::format("the search did not come to its best move, which gains "
                       "{}; {}",
                       gain, tried_text(x));
  }
  return {};
}

} // namespace

std::string explain_text(const told_plan& x, int instance,
                         const plan_names& names) {
  std::string result;
  std::vector<std::vector<term_change>> all;
  for (std::size_t k = 0; k < x.steps.size(); ++k) {
    const auto& s = x.steps[k];
    if (s.what.instance != instance)
      continue;
    if (all.empty())
      all = changes_of(x.before, x.steps, x.rules);
    result += fmt::format("{} moves in step {}, {} => {}:\n",
                          names.instance(instance), k + 1,
                          place_text(s.from, names), place_text(s.to, names));
    result += terms_text(all[k]);
  }
  if (!result.empty())
    return result;
  auto why = standing_of(x.after, instance, x.rules, x.rate);
  result = fmt::format(
    "{} stays on {}: {}\n", names.instance(instance),
    place_text(x.after.places[static_cast<std::size_t>(instance)], names),
    reason_of(why));
  if (why.best)
    result += fmt::format("  its best move is a={}:\n",
                          moves_text(why.best->what, names))
              + terms_text(why.terms);
  return result;
}

} // namespace orderly::io::htools
