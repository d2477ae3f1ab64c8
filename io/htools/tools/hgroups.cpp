// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/compression.hpp"
#include "actors/planning/groups/crossed_steps.hpp"
#include "io/htools/formats/names.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/groups/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/jobs/run_jobs.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/tools.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// The index of the one with that name, which may be without its end.
template <class T>
int number_of(const std::vector<T>& all, const std::string& name,
              const std::string& suffix) {
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].name == name || all[k].name == name + suffix)
      return static_cast<int>(k);
  return -1;
}

int wrongly_called(tool_output to, const std::string& why) {
  fmt::print(to.err, "Command line error: {}\n\n{}", why, usage(tool::hgroups));
  return 2;
}

constexpr int not_reached = 3;
constexpr std::int64_t usual_effort = 2'000'000;
constexpr std::int64_t usual_load_effort = 200'000'000;

int stop(tool_output to, const std::string& why) {
  fmt::print(to.err, "Error: {}\n",
             shown(fault{fault_kind::bad_input, why}).text);
  return 1;
}

int show(const cluster& c, const tool_options& o, tool_output to) {
  std::vector<int> instances;
  auto suffix = common_suffix(c);
  for (std::size_t k = 1; k < o.words.size(); ++k) {
    auto i = number_of(c.instances, o.words[k], suffix);
    if (i < 0)
      return stop(to, "there is no instance '" + o.words[k]
                        + "' in this cluster; hgroups show without a name "
                          "shows the groups");
    instances.push_back(i);
  }
  auto told = tell_groups(c, o.build, o.groups.allowed, instances);
  fmt::print(to.out, "{}", o.json ? groups_json(told) : groups_text(told));
  return 0;
}

/// The cluster before and after, if somebody wants it; false: it could not be
/// written.
bool save(const tool_options& o, tool_output to, const cluster& c,
          const std::vector<step>& steps) {
  if (!o.save)
    return true;
  auto write = [&](const char* suffix, const cluster& x) {
    auto path = *o.save + "." + suffix;
    if (auto wrong = write_whole(path, write_text(x))) {
      fmt::print(to.err, "Error: {}\n", wrong->text);
      return false;
    }
    fmt::print(to.err, "The cluster has been written to file '{}'\n", path);
    return true;
  };
  return write("original", c) && write("after", crossed_cluster(c, steps));
}

/// What -X asks for: a round after the other, each crossing as one job, so
/// that no mirror stays between groups. The exit code.
int carry_out(const cluster& c, const tool_options& o, tool_output to,
              const std::vector<step>& steps, const move_rounds& rounds) {
  if (!o.execute || steps.empty())
    return 0;
  placement p{c, std::nullopt, o.build};
  auto meta = job_meta(tool::hgroups, "moving between groups", o);
  std::vector<move_set> sets(at(rounds.count));
  for (std::size_t k = 0; k < steps.size(); ++k)
    sets[at(rounds.of[k])].push_back(
      job_of(p, moves_of_crossings(c, {steps[k]}), meta));
  if (o.first_set_only)
    sets.resize(1);
  auto* where = o.json ? to.err : to.out;
  std::fflush(where);
  stop_signals signals{::fileno(where)};
  auto wrong = run_sets(*o.luxi, sets, watch_on(where, signals));
  return wrong.empty() ? 0 : stop(to, wrong);
}

/// Does `empty` choose the group itself?
bool takes_most_free(const tool_options& o) {
  return o.groups.most_free
         || (o.execute && o.words.size() == 1 && !o.groups.all);
}

/// Why `hgroups empty` is called wrongly; nothing if it is not.
std::string empty_misuse(const tool_options& o) {
  auto named = o.words.size() - 1;
  auto ways = (named > 0 ? 1 : 0) + (takes_most_free(o) ? 1 : 0)
              + (o.groups.all ? 1 : 0);
  if (ways != 1)
    return "empty takes one of GROUP, --most-free and --all, or -X";
  return named > 1 ? "empty takes one group; --all empties several" : "";
}

/// What is to be said where the plan is not what was wanted.
std::string why_not_emptied(const told_emptying& x) {
  if (x.chosen)
    return {};
  auto tried = x.verdicts.size();
  return tried == 1 ? "above is why"
                    : fmt::format("none of {} groups can be emptied", tried);
}

int empty(const cluster& c, const tool_options& o, tool_output to) {
  told_emptying told{c, o.groups.allowed, o.whatif, {}, {}, {}};
  auto group = -1;
  if (o.words.size() > 1) {
    group = number_of(c.groups, o.words[1], "");
    if (group < 0)
      return stop(to, "there is no group '" + o.words[1]
                        + "' in this cluster; hgroups show names them");
  }
  auto effort = o.search.effort_max.value_or(usual_effort);
  crossing_map map{c, {o.groups.allowed, crossing_cause::asked}};
  auto is_empty = [&](int g) {
    for (int i = 0; i < static_cast<int>(c.instances.size()); ++i)
      if (map.home(i) == g)
        return false;
    return true;
  };
  if (!permits(o.groups.allowed, crossing_cause::asked)
      && !(group >= 0 && is_empty(group))) {
    told.why = fmt::format("nothing crosses from group to group while "
                           "--group-moves is {}; {}",
                           name_of(o.groups.allowed),
                           permission_hint(crossing_cause::asked));
  } else {
    emptier judge{c, map, o.build, effort};
    if (group >= 0) {
      told.verdicts.push_back(judge.judge({group}));
      if (told.verdicts.back().is == empty_verdict::can)
        told.chosen = 0;
    } else {
      auto found = o.groups.all ? empty_all(c, judge, o.build)
                                : empty_most_free(c, judge, o.build);
      told.verdicts = std::move(found.verdicts);
      told.chosen = found.best;
    }
    told.why = why_not_emptied(told);
  }
  if (told.chosen && !save(o, to, c, told.verdicts[*told.chosen].steps))
    return 1;
  fmt::print(to.out, "{}",
             o.json ? emptying_json(told) : emptying_text(told, o.verbose > 0));
  if (!told.chosen)
    return told.why.empty() ? 0 : not_reached;
  const auto& plan = told.verdicts[*told.chosen];
  auto code = carry_out(c, o, to, plan.steps, plan.rounds);
  return code == 0 && !told.why.empty() ? not_reached : code;
}

int redistribute_groups(const cluster& c, const tool_options& o,
                        tool_output to) {
  auto effort = o.search.effort_max.value_or(usual_effort);
  auto found = redistribute(c, o.groups.allowed, o.build, effort);
  told_redistribution told{c, o.groups.allowed, o.whatif, found};
  if (!found.steps.empty() && !save(o, to, c, found.steps))
    return 1;
  fmt::print(to.out, "{}",
             o.json ? redistribution_json(told)
                    : redistribution_text(told, o.verbose > 0));
  auto code = carry_out(c, o, to, found.steps, found.rounds);
  return code == 0 && !found.is_reached() ? not_reached : code;
}

/// By what instances use, if somebody says it; else by memory alone.
int even_groups(const cluster& c, const tool_options& o, tool_output to) {
  load_rules rules;
  rules.disk_moves = o.groups.disk_moves;
  if (!o.load_file.empty())
    rules.measures = {load_measure::cpu, load_measure::memory};
  crossing_map map{c, {o.groups.allowed, crossing_cause::evenness}};
  auto effort = o.search.effort_max.value_or(usual_load_effort);
  auto found = even_load(c, map, rules, o.build, effort);
  told_load told{
    c, o.groups.allowed, o.whatif, rules.measures, rules.outlier, found};
  if (!found.steps.empty() && !save(o, to, c, found.steps))
    return 1;
  fmt::print(to.out, "{}",
             o.json ? load_json(told) : load_text(told, o.verbose > 0));
  auto code = carry_out(c, o, to, found.steps, found.rounds);
  return code == 0 && !why_not_even(told).empty() ? not_reached : code;
}

} // namespace

int run_hgroups(const tool_options& o, tool_output to) {
  auto command = o.words.empty() ? std::string{"show"} : o.words.front();
  std::string wrong;
  if (command == "empty")
    wrong = empty_misuse(o);
  else if (command == "redistribute" || command == "load")
    wrong = o.words.size() > 1 ? command + " takes no words" : "";
  else if (command != "show")
    wrong = fmt::format("there is no command '{}'", command);
  if (wrong.empty() && command == "show" && o.execute)
    wrong = "show has nothing to carry out";
  if (!wrong.empty())
    return wrongly_called(to, wrong);
  if (o.execute && !o.luxi)
    return stop(to, "Execution of commands possible only on LUXI");
  auto c = load_for(o, to);
  if (!c)
    return 1;
  if (command == "empty")
    return empty(*c, o, to);
  if (command == "redistribute")
    return redistribute_groups(*c, o, to);
  return command == "load" ? even_groups(*c, o, to) : show(*c, o, to);
}

} // namespace orderly::io::htools
