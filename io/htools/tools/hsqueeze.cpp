// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/placement.hpp"
#include "actors/planning/search/job_sets.hpp"
#include "actors/planning/squeeze/exact_squeeze.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/jobs/stop_signals.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/squeeze_jobs.hpp"
#include "io/htools/tools/tables.hpp"
#include "io/htools/tools/tools.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// So long may a node take to start before hsqueeze -X gives it up.
constexpr std::chrono::minutes longest_start{10};

class hsqueeze_run {
public:
  hsqueeze_run(const tool_options& o, tool_output to, cluster c)
    : o_(o), to_(to), c_(std::move(c)), suffix_(common_suffix(c_)) {
    // nop
  }

  int all() {
    if (!knows_master() || !save("original", "before hsqueeze run", c_))
      return 1;
    plan();
    placement before{c_, std::nullopt, o_.build};
    plan_names names{before, suffix_};
    names.instances.clear(); // commands name them in full
    for (const auto& i : c_.instances)
      names.instances.push_back(i.name);
    show(names);
    if (!show_commands(before, names) || !execute(before))
      return 1;
    auto changed = squeezed_cluster(c_, found_);
    placement after{changed, std::nullopt, o_.build};
    for (const auto& s : found_.steps)
      make_move(after, s.what, try_move(after, s.what, true));
    show_tables(before, after);
    auto when = found_.is_nothing()  ? "after hsqueeze doing nothing"
                : found_.off.empty() ? "after hsqueeze expansion"
                                     : "after hsqueeze run";
    return save("squeezed", when, moved_cluster(changed, after)) ? 0 : 1;
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> text, Ts&&... xs) {
    if (!o_.json) // then the plan is all that is printed
      fmt::print(to_.out, text, std::forward<Ts>(xs)...);
  }

  bool stop(const std::string& why) {
    fmt::print(to_.err, "Error: {}\n", why);
    return false;
  }

  /// Who does not know the master might switch it off.
  bool knows_master() {
    auto from_request = o_.sources == 0 && !o_.request_file.empty();
    auto known
      = std::any_of(c_.nodes.begin(), c_.nodes.end(), [](const node_spec& n) {
          return n.master || n.master_candidate;
        });
    if (!from_request || known)
      return true;
    return stop(fmt::format("{}: no node is a master_candidate, so nobody "
                            "knows which one must stay on",
                            o_.request_file));
  }

  bool save(const char* suffix, const char* when, const cluster& c) {
    if (!o_.save)
      return true;
    auto path = *o_.save + "." + suffix;
    if (auto wrong = write_whole(path, write_text(c)))
      return stop(wrong->text);
    fmt::print(to_.err, "The cluster state {} has been written to file '{}'\n",
               when, path);
    return true;
  }

  void plan() {
    found_.exact = o_.search.kind == search_kind::exact;
    if (o_.search.kind == search_kind::exact)
      plan_exactly();
    else
      plan_fast();
  }

  void plan_exactly() {
    copy_from_all(c_);
    auto x = squeeze_exactly(c_, o_.spare, o_.build);
    (x.kind == switch_plan::what::on ? found_.on : found_.off) = x.nodes;
    found_.is_short = x.kind == switch_plan::what::on;
    found_.enough = x.enough;
    found_.steps = std::move(x.steps);
    found_.sets = job_sets(found_.steps);
  }

  void plan_fast() {
    found_.groups = squeeze_groups(c_, o_.spare, o_.build);
    for (const auto& g : found_.groups) {
      found_.on.insert(found_.on.end(), g.on.begin(), g.on.end());
      found_.off.insert(found_.off.end(), g.off.begin(), g.off.end());
      found_.steps.insert(found_.steps.end(), g.steps.begin(), g.steps.end());
      found_.enough &= g.is_well;
    }
    found_.sets = job_waves(found_.steps);
  }

  std::string listed(const std::vector<int>& nodes) const {
    std::vector<std::string> names;
    for (auto n : nodes)
      names.push_back(c_.nodes[at(n)].name);
    return join(names, ',');
  }

  void show(const plan_names& names) {
    if (o_.json)
      fmt::print(to_.out, "{}", squeeze_json(c_, found_, names));
    if (o_.verbose > 1) {
      say("Offline candidates: {}\n", listed(nodes_to_switch_off(c_)));
      say("Online candidates: {}\n", listed(nodes_to_switch_on(c_)));
      say("{}", group_lines(c_, found_));
    }
    // The reference says so even where there is no node to switch on.
    if (found_.is_short || !found_.on.empty()
        || (found_.off.empty() && !found_.steps.empty()))
      show_nodes("'Nodes to online'", found_.on);
    if (!found_.off.empty())
      show_nodes("'Nodes to offline'", found_.off);
    if (o_.verbose > 1 && !found_.enough)
      say("Onlining all nodes will not yield enough capacity\n");
    if (found_.is_nothing() && o_.headers)
      say("'No action'\n");
  }

  void show_nodes(const char* header, const std::vector<int>& nodes) {
    if (o_.headers)
      say("{}\n", header);
    for (auto n : nodes)
      say("{}\n", c_.nodes[at(n)].name);
  }

  bool show_commands(const placement& p, const plan_names& names) {
    if (!o_.commands)
      return true;
    auto on_screen = o_.commands->empty();
    auto commands = squeeze_commands(
      p, found_, names, on_screen ? command_use::screen : command_use::script);
    if (on_screen) {
      say("\nCommands to run:\n{}", shown_commands(commands));
      return true;
    }
    if (auto wrong = write_whole(*o_.commands, command_script(commands)))
      return stop(wrong->text);
    say("The commands have been written to file '{}'\n", *o_.commands);
    return true;
  }

  void show_tables(const placement& before, const placement& after) {
    if (!o_.node_fields)
      return;
    fmt::print(to_.err, "\nInitial cluster status:\n{}\n",
               node_table(before, *o_.node_fields, suffix_));
    fmt::print(to_.err, "\nFinal cluster status:\n{}\n",
               node_table(after, *o_.node_fields, suffix_));
  }

  bool execute(const placement& p) {
    if (!o_.execute || found_.is_nothing())
      return true;
    if (!o_.luxi)
      return stop("hsqueeze: Execution of commands possible only on LUXI");
    auto purpose = found_.off.empty() ? "expanding" : "condensing";
    auto sets = sets_of(p, found_, job_meta(tool::hsqueeze, purpose, o_));
    // With --output=json the plan is all that is printed where it is.
    auto* to = o_.json ? to_.err : to_.out;
    std::fflush(to);
    stop_signals signals{::fileno(to)};
    auto wrong = run_squeeze(*o_.luxi, sets, watch_on(to, signals),
                             longest_start, [this] { return occupied(); });
    return wrong.empty() || stop("hsqueeze: " + wrong);
  }

  /// What is to go off and is not empty, as the cluster is now.
  std::string occupied() const {
    // What is wrong with the cluster was said when it was read first.
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> nobody{
      std::fopen("/dev/null", "w"), &std::fclose};
    auto now = load_for(o_, {nobody.get(), nobody.get(), false});
    if (!now)
      return "the cluster could not be read again; nothing more is switched "
             "off";
    for (const auto& x : now->instances)
      for (auto n : {x.primary, x.secondary})
        for (auto off : found_.off)
          if (n >= 0 && now->nodes[at(n)].name == c_.nodes[at(off)].name)
            return fmt::format("{} holds instance {} by now: nothing more is "
                               "switched off",
                               c_.nodes[at(off)].name, x.name);
    return {};
  }

  const tool_options& o_;
  tool_output to_;
  cluster c_;
  std::string suffix_;
  told_squeeze found_;
};

} // namespace

int run_hsqueeze(const tool_options& o, tool_output to) {
  auto c = load_for(o, to);
  if (!c)
    return 1;
  return hsqueeze_run{o, to, std::move(*c)}.all();
}

} // namespace orderly::io::htools
