// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/options/option_table.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using options = tool_options;
using t = takes;

std::string set_search(options& o, const std::string& text) {
  auto& to = o.search.kind;
  if (text == "better")
    to = search_kind::better;
  else if (text == "fast")
    to = search_kind::fast;
  else if (text == "exact")
    to = search_kind::exact;
  else
    return fmt::format("search: '{}' is not better, fast or exact", text);
  return {};
}

/// `2`, `2s`, `500ms` or `1m`, in seconds.
std::optional<double> seconds_of(const std::string& text) {
  auto number
    = [&text](std::size_t unit, double each) -> std::optional<double> {
    auto x = decimal_number(text.substr(0, text.size() - unit));
    if (!x || !(*x > 0))
      return std::nullopt;
    return *x * each;
  };
  auto ends = [&text](std::string_view with) {
    return text.size() > with.size()
           && text.compare(text.size() - with.size(), with.size(), with) == 0;
  };
  if (ends("ms"))
    return number(2, 1e-3);
  if (ends("s"))
    return number(1, 1);
  if (ends("m"))
    return number(1, 60);
  return number(0, 1);
}

std::string set_deadline(options& o, const std::string& text) {
  o.search.deadline_seconds = seconds_of(text);
  if (o.search.deadline_seconds)
    return {};
  return fmt::format("deadline: '{}' is no time like 2s, 500ms or 1m", text);
}

std::string set_move_cost(options& o, const std::string& text) {
  auto x = decimal_number(text);
  if (!x || *x < 0)
    return fmt::format("move cost: '{}' is no number from 0 up", text);
  o.search.fast.move_cost = *x;
  return {};
}

std::string set_effort(options& o, const std::string& text) {
  auto x = whole_number(text);
  if (!x || *x < 1)
    return fmt::format("max effort: '{}' is no number from 1 up", text);
  o.search.fast.effort_max = *x;
  o.search.effort_max = *x;
  o.roll.effort_max = *x;
  return {};
}

std::string set_shared_n1(options& o, const std::string& text) {
  using use = planning::shared_n1_use;
  auto& to = o.search.fast.shared_n1;
  if (text == "off")
    to = use::off;
  else if (text == "term")
    to = use::term;
  else if (text == "constraint")
    to = use::constraint;
  else
    return fmt::format("shared N+1: '{}' is not off, term or constraint", text);
  return {};
}

} // namespace

std::vector<option> search_options() {
  return {
    {0, "search", t::value, "better|fast|exact",
     "good plans, the reference's moves, or the better of both [better]; but "
     "for hbal the third is the first",
     set_search},
    {0, "deadline", t::value, "TIME",
     "have a plan by then, as good as it is: 2s, 500ms, 1m", set_deadline},
    {0, "max-effort", t::value, "N",
     "try about N moves at most; unlike a deadline, the same everywhere",
     set_effort},
    {0, "move-cost", t::value, "X",
     "what a move must gain for each unit of its cost, times nodes [0.05]",
     set_move_cost},
    {0, "shared-n1", t::value, "off|term|constraint",
     "what the N+1 of shared storage is to the fast search [constraint]",
     set_shared_n1},
    {0, "explain", t::value, "INSTS",
     "say why these instances move, or what holds them",
     set_text([](options& o, const std::string& x) {
       for (auto& name : split_words(x, ','))
         o.search.explained.push_back(std::move(name));
     })},
  };
}

} // namespace orderly::io::htools
