// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/groups/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/groups/told_moves.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

using namespace planning;

namespace {

const char* measure_name(load_measure x) {
  return x == load_measure::memory ? "memory" : "cpu";
}

bool has_outliers(const std::vector<load_state>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const load_state& x) { return !x.outliers.empty(); });
}

std::string state_json(const told_load& x, std::size_t m) {
  const auto& before = x.answer.before[m];
  const auto& after = x.answer.after[m];
  auto uses = [](const load_state& s) {
    std::vector<std::string> all;
    for (auto u : s.use)
      all.push_back(u < 0 ? "null" : json_number(u));
    return "[" + join(all, ',') + "]";
  };
  return fmt::format(
    "{{\"measure\":\"{}\",\"mean\":{},\"use_before\":{},\"use_after\":{},"
    "\"score_before\":{},\"score_after\":{},\"bound\":{},"
    "\"outliers_before\":{},\"outliers_after\":{}}}",
    measure_name(x.measures[m]), json_number(before.mean), uses(before),
    uses(after), json_number(before.score), json_number(after.score),
    json_number(before.bound), group_list(x.c, before.outliers),
    group_list(x.c, after.outliers));
}

} // namespace

std::string why_not_even(const told_load& x) {
  if (!has_outliers(x.answer.before))
    return {};
  if (!permits(x.allowed, crossing_cause::evenness))
    return fmt::format("load does not cross from group to group while "
                       "--group-moves is {}; {}",
                       name_of(x.allowed),
                       permission_hint(crossing_cause::evenness));
  std::vector<int> off;
  for (const auto& s : x.answer.after)
    off.insert(off.end(), s.outliers.begin(), s.outliers.end());
  std::sort(off.begin(), off.end());
  off.erase(std::unique(off.begin(), off.end()), off.end());
  return off.empty() ? ""
                     : fmt::format("{} stay{} more than {} off the mean",
                                   group_words(x.c, off),
                                   off.size() == 1 ? "s" : "", x.outlier);
}

std::string load_text(const told_load& x, bool with_moves) {
  std::string text;
  for (std::size_t m = 0; m < x.measures.size(); ++m) {
    const auto& before = x.answer.before[m];
    const auto& after = x.answer.after[m];
    text += fmt::format("Use of {}: mean {:.3f}, score {:.4f}, after the plan "
                        "{:.4f}, never below {:.4f}\n",
                        measure_name(x.measures[m]), before.mean, before.score,
                        after.score, before.bound);
    for (std::size_t g = 0; g < before.use.size(); ++g) {
      if (before.use[g] < 0)
        continue;
      auto group = static_cast<int>(g);
      auto is_off
        = std::find(before.outliers.begin(), before.outliers.end(), group)
          != before.outliers.end();
      text += fmt::format("  {}: {:.3f} => {:.3f}{}\n", x.c.groups[g].name,
                          before.use[g], after.use[g],
                          is_off ? " (an outlier)" : "");
    }
  }
  if (!has_outliers(x.answer.before))
    text += "No group is an outlier: there is nothing to do.\n";
  if (!x.answer.steps.empty()) {
    told_moves told{x.answer.steps, x.answer.rounds, x.answer.moved};
    text += fmt::format("Plan: {}\n", moves_summary(told, x.link));
    if (with_moves)
      text += moves_lines(x.c, told);
  }
  if (auto why = why_not_even(x); !why.empty())
    text += fmt::format("Not reached: {}.\n", why);
  return text;
}

std::string load_json(const told_load& x) {
  std::vector<std::string> measures;
  for (std::size_t m = 0; m < x.measures.size(); ++m)
    measures.push_back(state_json(x, m));
  std::vector<int> all;
  for (int g = 0; g < static_cast<int>(x.c.groups.size()); ++g)
    all.push_back(g);
  auto why = why_not_even(x);
  return fmt::format(
    "{{\"group_moves\":\"{}\",\"reached\":{},\"why\":{},\"groups\":{},"
    "\"measures\":[{}],{}}}\n",
    name_of(x.allowed), why.empty(), why.empty() ? "null" : json_text(why),
    group_list(x.c, all), join(measures, ','),
    moves_members(x.c, {x.answer.steps, x.answer.rounds, x.answer.moved},
                  x.link));
}

} // namespace orderly::io::htools
