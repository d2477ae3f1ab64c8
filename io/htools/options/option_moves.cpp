// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/options/option_table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using options = tool_options;
using rules = planning::search_rules;
using t = takes;

setter rule(bool rules::*field, bool to) {
  return [=](options& o, const std::string&) {
    o.rules.*field = to;
    return std::string{};
  };
}

void append(std::vector<std::string>& to, const std::string& text) {
  for (auto& x : split_words(text, ','))
    to.push_back(std::move(x));
}

std::string set_length(options& o, const std::string& text) {
  auto x = whole_number(text);
  if (!x)
    return fmt::format("max solution length: cannot parse string '{}'", text);
  o.rules.max_length
    = static_cast<int>(std::clamp<std::int64_t>(*x, -1, 2'000'000'000));
  return {};
}

std::string set_priority(options& o, const std::string& text) {
  if (text != "low" && text != "normal" && text != "high")
    return fmt::format("Unknown priority '{}'", text);
  o.priority = text == "low" ? 10 : text == "high" ? -10 : 0;
  return {};
}

std::string set_monitors(options& o, const std::string& text) {
  if (!text.empty() && text != "yes" && text != "no")
    return fmt::format("Invalid choice '{}', pass one of 'yes' or 'no'", text);
  o.ask_monitors = text != "no";
  return {};
}

} // namespace

std::vector<option> move_options() {
  return {
    {'E', "evac-mode", t::nothing, "",
     "only move instances away from offline and drained nodes",
     rule(&rules::evacuate, true)},
    {0, "restricted-migration", t::nothing, "",
     "no moves that migrate twice; off online nodes none at all",
     rule(&rules::restricted_migration, true)},
    {0, "no-disk-moves", t::nothing, "", "only failovers and migrations",
     rule(&rules::disk_moves, false)},
    {0, "no-instance-moves", t::nothing, "", "only changes of secondaries",
     rule(&rules::instance_moves, false)},
    {0, "ignore-soft-errors", t::nothing, "",
     "ignore soft restrictions in balancing", rule(&rules::ignore_soft, true)},
    {0, "select-instances", t::value, "INSTS", "move only these instances",
     set_text([](options& o, const std::string& x) { append(o.selected, x); })},
    {0, "exclude-instances", t::value, "INSTS", "do not move these instances",
     set_text([](options& o, const std::string& x) { append(o.excluded, x); })},
  };
}

std::vector<option> limit_options() {
  return {
    {'l', "max-length", t::value, "N", "make at most N moves", set_length},
    {'e', "min-score", t::value, "EPSILON",
     "how far above the best possible score is good enough",
     set_number("min score",
                [](options& o, double x) { o.rules.min_score = x; })},
    {'g', "min-gain", t::value, "DELTA", "what a step must gain",
     set_number("min gain",
                [](options& o, double x) { o.rules.min_gain = x; })},
    {0, "min-gain-limit", t::value, "SCORE",
     "the score below which --min-gain is asked for",
     set_number("min gain limit",
                [](options& o, double x) { o.rules.min_gain_limit = x; })},
    {0, "max-cpu", t::value, "RATIO",
     "at most so many virtual CPUs for each real one",
     set_number("parsing max-cpu",
                [](options& o, double x) { o.build.vcpu_ratio = x; })},
    {0, "min-disk", t::value, "RATIO",
     "part of each disk that stays free, 0 to 1",
     set_part("min free disk space",
              [](options& o, double x) { o.build.min_disk = x; })},
  };
}

/// Options about jobs and monitors: a text file has neither.
std::vector<option> live_options() {
  return {
    {'X', "exec", t::nothing, "", "execute the moves, over LUXI",
     set_flag(&options::execute)},
    {0, "first-job-group", t::nothing, "", "execute the first set of jobs only",
     set_flag(&options::first_set_only)},
    {0, "reason", t::value, "REASON", "the reason for the jobs",
     set_text([](options& o, const std::string& x) { o.reason = x; })},
    {0, "priority", t::value, "PRIO", "low, normal or high", set_priority},
    {0, "mond", t::maybe, "CHOICE",
     "ask the monitors of all nodes for the CPU load: yes or no", set_monitors},
    {0, "mond-data", t::value, "FILE",
     "what monitors said, for --mond: they are not asked then",
     set_text([](options& o, const std::string& x) { o.monitor_file = x; })},
    {0, "mond-xen", t::nothing, "",
     "with --mond, the load of each instance as Xen's collector tells it",
     set_flag(&options::xen_load)},
    {0, "exit-on-missing-mond-data", t::nothing, "",
     "end with 1 if a monitor does not answer; without it no load is used",
     set_flag(&options::need_monitors)},
  };
}

} // namespace orderly::io::htools
