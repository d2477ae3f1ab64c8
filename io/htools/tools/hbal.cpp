// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/hbal.hpp"

#include "actors/planning/moves/placement.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/jobs/run_jobs.hpp"
#include "io/htools/jobs/stop_signals.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/hbal_search.hpp"
#include "io/htools/tools/plan_json.hpp"
#include "io/htools/tools/read_pools.hpp"
#include "io/htools/tools/tables.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// One run. Each part says whether the run goes on; `code_` is its end.
class hbal_run {
public:
  hbal_run(const hbal_options& o, tool_output to) : o_(o), to_(to) {
    // nop
  }

  int all() {
    if (load() && check_cluster() && save("original", "before", cluster_)
        && choose_group())
      plan_group();
    return code_;
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> text, Ts&&... xs) {
    if (!o_.json) // then the plan is all that is printed
      fmt::print(to_.out, text, std::forward<Ts>(xs)...);
  }

  template <class... Ts>
  void warn(fmt::format_string<Ts...> text, Ts&&... xs) {
    fmt::print(to_.err, text, std::forward<Ts>(xs)...);
  }

  bool stop(const std::string& why) {
    warn("Error: {}\n", why);
    code_ = 1;
    return false;
  }

  bool load();
  bool check_cluster();
  bool save(const char* suffix, const char* when, const cluster& c);
  bool choose_group();
  void check_group(const placement& p);
  void plan_group();
  void show_result(const placement& p, const plan& found);
  bool find_explained(const placement& p);
  bool show_commands(const placement& p, const searched& how,
                     const plan_names& names);
  void show_reasons(const placement& before, const placement& after,
                    const searched& how, const plan_names& names);
  void show_room(const char* when, const placement& p);
  void show_tables(const placement& p, const char* when);
  bool execute(const placement& p, const searched& how);

  const hbal_options& o_;
  tool_output to_;
  int code_ = 0;
  cluster cluster_;
  std::string suffix_;
  int group_ = 0;
  std::vector<int> explained_; ///< instances of the group
  std::chrono::steady_clock::time_point begin_
    = std::chrono::steady_clock::now();
};

bool hbal_run::load() {
  if (o_.sources > 1)
    return stop(
      "Only one of the rapi, luxi, and data files options should be given.");
  auto c = load_cluster(o_);
  if (!c)
    return stop("failed to load data, aborting: " + c.why().text);
  if (auto wrong = add_pools(*c, o_, to_.err))
    return stop("failed to load data, aborting: " + wrong->text);
  cluster_ = std::move(*c);
  suffix_ = common_suffix(cluster_);
  auto unknown = set_offline(cluster_, o_.offline, suffix_);
  if (auto wrong = add_monitored_load(cluster_, o_, to_.err))
    return stop(wrong->text);
  auto odd = oddities(cluster_);
  if (!odd.empty() && o_.verbose > 0) {
    warn("Warning: cluster has inconsistent data:\n");
    for (const auto& x : odd)
      warn("  - {}\n", x);
    warn("\n");
  }
  if (o_.verbose > 1)
    say("Loaded cluster tags: {}\n", join(cluster_.tags, ','));
  if (!unknown.empty())
    return stop(fmt::format("wrong node name(s) set as offline: {}\n",
                            join(unknown, ',')));
  if (o_.search.kind == search_kind::exact)
    copy_from_all(cluster_);
  return true;
}

bool hbal_run::check_cluster() {
  if (cluster_.instances.empty()) {
    say("Cluster is empty, exiting.\n");
    if (o_.json)
      fmt::print(to_.out, "{{\"nodes\":{},\"instances\":0,\"steps\":[]}}\n",
                 cluster_.nodes.size());
    return false;
  }
  auto split = split_instances(cluster_);
  if (!split.empty() && o_.verbose > 1) {
    warn("Found instances belonging to multiple node groups:\n");
    for (auto i : split)
      warn("  {}\n", cluster_.instances[static_cast<std::size_t>(i)].name);
    warn("These instances will not be moved.\n");
  }
  say("Loaded {} nodes, {} instances\n", cluster_.nodes.size(),
      cluster_.instances.size());
  if (!suffix_.empty() && o_.verbose > 1)
    say("Note: Stripping common suffix of '{}' from names\n", suffix_);
  return true;
}

bool hbal_run::save(const char* suffix, const char* when, const cluster& c) {
  if (!o_.save)
    return true;
  auto path = *o_.save + "." + suffix;
  if (auto wrong = write_whole(path, write_text(c)))
    return stop(wrong->text);
  warn("The cluster state {} balancing has been written to file '{}'\n", when,
       path);
  return true;
}

bool hbal_run::choose_group() {
  auto list = [this] {
    for (const auto& g : cluster_.groups)
      warn("  {}\n", g.name);
    return stop("Aborting.");
  };
  const auto& groups = cluster_.groups;
  if (!o_.group) {
    if (groups.size() == 1)
      return true;
    warn("Found multiple node groups:\n");
    return list();
  }
  auto found
    = std::find_if(groups.begin(), groups.end(), [this](const node_group& g) {
        return g.name == *o_.group || g.uuid == *o_.group;
      });
  if (found == groups.end()) {
    warn("Node group {} not found. Node group list is:\n", *o_.group);
    return list();
  }
  group_ = static_cast<int>(found - groups.begin());
  return true;
}

void hbal_run::check_group(const placement& p) {
  say("Group size {} nodes, {} instances\n", p.node_count(),
      p.instance_count());
  say("Selected node group: {}\n",
      cluster_.groups[static_cast<std::size_t>(group_)].name);
  int nodes = 0;
  int instances = 0;
  auto bad = [&p](int n) {
    return n >= 0 && p.facts[static_cast<std::size_t>(n)].online
           && p.states[static_cast<std::size_t>(n)].short_of_memory;
  };
  for (int n = 0; n < p.node_count(); ++n)
    nodes += bad(n) ? 1 : 0;
  for (std::size_t i = 0; i < p.places.size(); ++i)
    if (!p.instances[i].forthcoming)
      instances += bad(p.places[i].primary) || bad(p.places[i].secondary);
  if (o_.verbose > 0)
    say("Initial check done: {} bad nodes, {} bad instances.\n", nodes,
        instances);
  if (nodes > 0)
    say("Cluster is not N+1 happy, continuing but no guarantee that the "
        "cluster will end N+1 happy.\n");
  auto dense = std::count_if(
    p.states.begin(), p.states.end(), [&p](const node_state& s) {
      const auto& f = p.facts[static_cast<std::size_t>(&s - p.states.data())];
      if (f.online && s.short_of_memory)
        return false; // that is said already
      return static_cast<double>(s.cpus) / f.total_cpus > f.vcpu_ratio
             || static_cast<double>(s.spindles) > f.high_spindles;
    });
  if (dense > 0)
    say("The cluster contains {} policy-violating nodes.\n{}\n", dense,
        o_.rules.ignore_soft
          ? "Continuing, ignoring soft errors."
          : "Continuing, but the set of moves might be too restricted; "
            "consider using the --ignore-soft-errors option.");
}

void hbal_run::show_tables(const placement& p, const char* when) {
  if (o_.print_instances)
    warn("\n{} instance map:\n{}", when, instance_table(p));
  if (o_.node_fields)
    warn("\n{} cluster status:\n{}\n", when,
         node_table(p, *o_.node_fields, suffix_));
}

void hbal_run::plan_group() {
  placement p{cluster_, group_, o_.build};
  plan_names names{p, suffix_};
  if (!find_explained(p))
    return;
  check_group(p);
  show_tables(p, "Initial");
  auto initial = exact_score(p);
  auto lowest = lowest_score(p);
  if (o_.verbose > 2)
    say("Initial coefficients: overall {}\n{}", fixed_decimal(initial, 8),
        score_table(p));
  else
    say("Initial score: {}\n", fixed_decimal(initial, 8));
  if (initial - lowest < o_.rules.min_score) {
    say("Cluster is already well balanced (initial score {},\n"
        "optimum score due to N+1 reservations {},\nminimum score {}).\n"
        "Nothing to do, exiting\n",
        general_decimal(initial), general_decimal(lowest),
        general_decimal(o_.rules.min_score));
    searched nothing;
    nothing.exact = o_.search.kind == search_kind::exact;
    nothing.found.initial = nothing.found.final = initial;
    nothing.found.lowest = lowest;
    show_reasons(p, p, nothing, names);
    return;
  }
  say("Trying to minimize the CV...\n");
  auto before = p;
  std::size_t number = 0;
  auto how = search_moves(p, o_, begin_, to_, [&](const step& s) {
    say("{}", step_line(++number, s, names));
    std::fflush(to_.out);
  });
  show_result(p, how.found);
  if (how.cut && o_.verbose > 0)
    say("The search was cut short; more time or effort may find more.\n");
  show_reasons(before, p, how, names);
  if (!show_commands(p, how, names)
      || !save("balanced", "after", moved_cluster(cluster_, p)))
    return;
  show_tables(p, "Final");
  if (o_.execute && !how.found.steps.empty() && !execute(p, how))
    return;
  if (o_.verbose <= 3)
    return;
  show_room("Original:", before);
  show_room("Final:   ", p);
}

void hbal_run::show_room(const char* when, const placement& p) {
  mib memory = 0;
  mib disk = 0;
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& s = p.states[static_cast<std::size_t>(n)];
    memory += p.unallocated(n, s);
    disk += s.free_disk;
  }
  say("{} mem={} disk={}\n", when, memory, disk);
}

bool hbal_run::find_explained(const placement& p) {
  std::vector<std::string> unknown;
  for (const auto& name : o_.search.explained) {
    auto found = std::find_if(
      p.instance_index.begin(), p.instance_index.end(), [&](int i) {
        const auto& full = cluster_.instances[static_cast<std::size_t>(i)].name;
        return full == name || short_name(full, suffix_) == name;
      });
    if (found == p.instance_index.end())
      unknown.push_back(name);
    else
      explained_.push_back(static_cast<int>(found - p.instance_index.begin()));
  }
  return unknown.empty()
         || stop(fmt::format("no such instance to explain in the group: {}",
                             join(unknown, ',')));
}

void hbal_run::show_reasons(const placement& before, const placement& after,
                            const searched& how, const plan_names& names) {
  told_plan told{before, after, how.found.steps, o_.rules,
                 cost_rate(before, o_)};
  for (auto i : explained_)
    say("{}", explain_text(told, i, names));
  if (o_.json)
    fmt::print(to_.out, "{}", plan_json(told, how, names, explained_));
}

void hbal_run::show_result(const placement& p, const plan& found) {
  if (found.steps.empty())
    say("No solution found\n");
  else if (o_.verbose > 2)
    say("Final coefficients:   overall {}\n{}", fixed_decimal(found.final, 8),
        score_table(p));
  else
    say("Cluster score improved from {} to {}\n",
        fixed_decimal(found.initial, 8), fixed_decimal(found.final, 8));
  if (o_.verbose > 0)
    say("Solution length={}\n", found.steps.size());
}

bool hbal_run::show_commands(const placement& p, const searched& how,
                             const plan_names& names) {
  if (!o_.commands)
    return true;
  auto on_screen = o_.commands->empty();
  auto commands
    = command_lines(p, how.found.steps, sets_of(how), names,
                    on_screen ? command_use::screen : command_use::script);
  if (on_screen) {
    say("\nCommands to run to reach the above solution:\n{}",
        shown_commands(commands));
    return true;
  }
  if (auto wrong = write_whole(*o_.commands, command_script(commands)))
    return stop(wrong->text);
  say("The commands have been written to file '{}'\n", *o_.commands);
  return true;
}

bool hbal_run::execute(const placement& p, const searched& how) {
  if (!o_.luxi)
    return stop("hbal: Execution of commands possible only on LUXI");
  auto sets = move_sets(p, how.found.steps, sets_of(how),
                        job_meta(tool::hbal, "rebalancing", o_));
  if (o_.first_set_only)
    sets.resize(1);
  // With --output=json the plan is all that is printed where it is.
  auto* to = o_.json ? to_.err : to_.out;
  std::fflush(to);
  stop_signals signals{::fileno(to)};
  auto wrong = run_sets(*o_.luxi, sets, watch_on(to, signals));
  return wrong.empty() || stop("hbal: " + wrong);
}

} // namespace

int run_hbal(const std::vector<std::string>& arguments, tool_output to) {
  auto read = read_hbal_options(arguments);
  if (const auto* wrong = std::get_if<option_fault>(&read)) {
    fmt::print(to.err, "{}", wrong->text);
    return wrong->code;
  }
  const auto& o = std::get<hbal_options>(read);
  if (o.help) {
    fmt::print(to.out, "{}", hbal_usage());
    return 0;
  }
  if (o.version) {
    fmt::print(to.out, "hbal (orderly) version {}\n", ORDERLY_VERSION);
    return 0;
  }
  return hbal_run{o, to}.all();
}

} // namespace orderly::io::htools
