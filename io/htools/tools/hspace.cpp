// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/placement.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/room_text.hpp"
#include "io/htools/tools/tables.hpp"
#include "io/htools/tools/tools.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

class hspace_run {
public:
  hspace_run(const tool_options& o, tool_output to, cluster c)
    : o_(o),
      to_(to),
      c_(std::move(c)),
      suffix_(common_suffix(c_)),
      text_(o, to) {
    // nop
  }

  int all() {
    if (c_.policy.templates.empty())
      return stop("null list of disk templates received from cluster");
    if (c_.policy.ranges.empty())
      return stop("Empty list of specs received from the cluster");
    c_.instances.push_back(pattern());
    placement p{c_, std::nullopt, o_.build};
    auto before = totals_of(p);
    text_.show_spindles(p.any_exclusive);
    show_start(p, before);
    choose_targets(p);
    auto tiered = fill(p, tiered_sizes(), true);
    if (!tiered)
      return 1;
    if (!o_.json)
      text_.show_tiered(*tiered, before);
    auto standard = fill(p, {standard_size()}, false);
    if (!standard)
      return 1;
    if (o_.json) {
      fmt::print(to_.out, "{}", room_json(before, *tiered, *standard));
      return 0;
    }
    text_.show_standard(*standard, before);
    text_.show_end();
    return 0;
  }

private:
  int stop(const std::string& why) {
    fmt::print(to_.err, "Error: {}\n", why);
    return 1;
  }

  void show_table(const placement& p, const char* what) {
    if (o_.node_fields)
      fmt::print(to_.err, "\n{} status:\n{}\n", what,
                 node_table(p, *o_.node_fields, suffix_));
  }

  void show_start(const placement& p, const totals& before) {
    if (!suffix_.empty() && o_.verbose > 1)
      fmt::print(to_.err, "Note: Stripping common suffix of '{}' from names\n",
                 suffix_);
    show_table(p, "Initial cluster");
    if (o_.verbose > 2)
      fmt::print(to_.err, "Initial coefficients: overall {}\n{}",
                 fixed_decimal(before.score, 8), score_table(p));
    if (!o_.json)
      text_.show_cluster(before, c_.nodes.size());
  }

  instance_spec sized(const wanted_size& s) const {
    auto x = instance_of(s, "new");
    x.disks = o_.disks.value_or(c_.policy.templates.front());
    x.spindle_use = o_.spindle_use.value_or(c_.policy.standard.spindles);
    return x;
  }

  static wanted_size wanted(const instance_size& s) {
    return {s.disk, s.memory, s.cpus, s.spindles};
  }

  /// The largest of each range of the policy, unless one is asked for.
  std::vector<instance_spec> tiered_sizes() const {
    if (o_.tiered)
      return {sized(*o_.tiered)};
    std::vector<instance_spec> result;
    for (const auto& range : c_.policy.ranges)
      result.push_back(sized(wanted(range.max)));
    return result;
  }

  instance_spec standard_size() const {
    return sized(o_.standard ? *o_.standard : wanted(c_.policy.standard));
  }

  instance_spec pattern() const { return standard_size(); }

  /// Nodes that may be used; with bad nodes there may be none at all.
  void choose_targets(const placement& p) {
    std::vector<int> bad_nodes;
    for (int n = 0; n < p.node_count(); ++n)
      if (p.facts[at(n)].online && p.states[at(n)].short_of_memory)
        bad_nodes.push_back(n);
    auto show = o_.verbose > 3;
    auto unsafe = o_.independent_groups || show
                    ? unsafe_groups(p)
                    : std::vector<bool>(c_.groups.size(), false);
    auto closed = unsafe;
    if (!o_.independent_groups)
      closed.assign(c_.groups.size(), false);
    if (!o_.accept_existing)
      for (auto n : bad_nodes)
        closed[at(c_.nodes[at(n)].group)] = true;
    auto is_open = [&](std::size_t g) {
      return !closed[g] && c_.groups[g].allocation != alloc_policy::unallocable;
    };
    auto any_open = false;
    for (std::size_t g = 0; g < c_.groups.size(); ++g)
      any_open |= is_open(g);
    stopped_ = !bad_nodes.empty() && !o_.accept_existing
               && (!o_.independent_groups || !any_open);
    for (int n = 0; n < p.node_count(); ++n) {
      auto g = at(c_.nodes[at(n)].group);
      if (is_open(g))
        targets_.push_back(n);
      if (is_guarded(p, n) && !(o_.independent_groups && unsafe[g]))
        guarded_.push_back(n);
    }
    if (show)
      show_targets(p, bad_nodes, unsafe);
  }

  /// A node that is lost already need not be able to be lost, if the user
  /// accepts what is wrong.
  bool is_guarded(const placement& p, int node) const {
    return !o_.accept_existing || p.facts[at(node)].online;
  }

  /// Groups of which any node could not be lost.
  std::vector<bool> unsafe_groups(const placement& p) const {
    std::vector<bool> result(c_.groups.size(), false);
    auto copy = p;
    global_n1 n1{copy};
    for (int n = 0; n < p.node_count(); ++n)
      if (is_guarded(p, n) && !n1.can_lose(n))
        result[at(c_.nodes[at(n)].group)] = true;
    return result;
  }

  void show_targets(const placement& p, const std::vector<int>& bad_nodes,
                    const std::vector<bool>& unsafe) {
    auto show = [this](const char* what, const std::vector<std::string>& all) {
      if (!all.empty())
        fmt::print(to_.err, "{}: [{}]\n", what, join(all, ','));
    };
    std::vector<std::string> names;
    for (auto n : bad_nodes)
      names.push_back(json_text(c_.nodes[at(n)].name));
    show("Bad nodes", names);
    names.clear();
    for (std::size_t g = 0; g < unsafe.size(); ++g)
      if (unsafe[g])
        names.push_back(json_text(c_.groups[g].name));
    show("Bad groups", names);
    names.clear();
    for (auto n : targets_)
      if (p.facts[at(n)].online)
        names.push_back(json_text(c_.nodes[at(n)].name));
    fmt::print(to_.err, "Allocatable nodes: [{}]\n", join(names, ','));
  }

  std::optional<room_found> fill(const placement& p,
                                 const std::vector<instance_spec>& sizes,
                                 bool tiered) {
    room_found r;
    r.size = sizes.front();
    r.nodes = nodes_needed(r.size.disks);
    auto words = tiered ? "Tiered allocation" : "Standard allocation";
    if (stopped_) {
      r.reasons = {{failure::n1, 1}};
      r.after = totals_of(p);
      return finish(p, r, words, tiered) ? std::optional{r} : std::nullopt;
    }
    filling_rules rules;
    rules.nodes = r.nodes;
    rules.targets = targets_;
    rules.guarded = guarded_;
    rules.capacity = o_.capacity_checks && r.nodes == 1;
    rules.capacity_of_smaller = o_.capacity_checks;
    if (o_.rules.max_length >= 0)
      rules.limit = o_.rules.max_length;
    filler f{p, rules};
    auto wrong = tiered ? f.fill_tiered(sizes) : f.fill(sizes.front());
    if (wrong) {
      stop("failure during allocation: " + wrong->text);
      return std::nullopt;
    }
    r.made = f.result().made;
    for (std::size_t k = 0; k < failure_kinds; ++k)
      r.reasons.emplace_back(static_cast<failure>(k), f.result().failures[k]);
    std::stable_sort(
      r.reasons.begin(), r.reasons.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
    r.after = totals_of(f.nodes());
    return finish(f.nodes(), r, words, tiered) ? std::optional{r}
                                               : std::nullopt;
  }

  /// Maps, tables and files of what was found.
  bool finish(const placement& p, const room_found& r, const char* words,
              bool tiered) {
    if (o_.verbose > 1)
      fmt::print(to_.err, "{} map\n{}", words, map_of(r));
    show_table(p, words);
    if (!o_.save)
      return true;
    auto c = moved_cluster(c_, p);
    c.instances.pop_back(); // the pattern
    for (std::size_t k = 0; k < r.made.size(); ++k) {
      auto x = r.made[k].spec;
      x.name = fmt::format("new-{}", k);
      x.primary = r.made[k].where.primary;
      x.secondary = r.made[k].where.secondary;
      c.instances.push_back(std::move(x));
    }
    auto path = *o_.save + (tiered ? ".tiered" : ".standard");
    if (auto wrong = write_whole(path, write_text(c))) {
      stop(wrong->text);
      return false;
    }
    fmt::print(to_.err,
               "The cluster state after {} allocation has been written to file "
               "'{}'\n",
               tiered ? "tiered" : "standard", path);
    return true;
  }

  std::string map_of(const room_found& r) const {
    cells rows;
    for (std::size_t k = 0; k < r.made.size(); ++k) {
      const auto& m = r.made[k];
      auto name
        = [&](int n) { return n < 0 ? std::string{} : c_.nodes[at(n)].name; };
      rows.push_back({fmt::format("new-{}", k), name(m.where.primary),
                      name(m.where.secondary), std::to_string(m.spec.memory),
                      std::to_string(m.spec.disk), std::to_string(m.spec.vcpus),
                      ""});
    }
    return layout(rows, {true, true, true, false, false, false, true});
  }

  const tool_options& o_;
  tool_output to_;
  cluster c_;
  std::string suffix_;
  room_text text_;
  std::vector<int> targets_;
  std::vector<int> guarded_; ///< all but those of groups that are not well
  bool stopped_ = false;
};

} // namespace

int run_hspace(const tool_options& o, tool_output to) {
  auto c = load_for(o, to);
  if (!c)
    return 1;
  return hspace_run{o, to, std::move(*c)}.all();
}

} // namespace orderly::io::htools
