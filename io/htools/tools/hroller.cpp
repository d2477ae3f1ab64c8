// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/exact_roll.hpp"
#include "actors/planning/roll/fast_roll.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/roll_text.hpp"
#include "io/htools/tools/tools.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// One run. Each part says whether the run goes on; `code_` is its end.
class hroller_run {
public:
  hroller_run(const tool_options& o, tool_output to) : o_(o), to_(to) {
    // nop
  }

  int all() {
    if (load() && check_master() && set_offline_nodes() && save()
        && choose_nodes())
      plan();
    return code_;
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> text, Ts&&... xs) {
    fmt::print(to_.out, text, std::forward<Ts>(xs)...);
  }

  bool stop(const std::string& why) {
    fmt::print(to_.err, "Error: {}\n", why);
    code_ = 1;
    return false;
  }

  bool load() {
    auto as_read = o_;
    as_read.offline.clear();
    auto c = load_for(as_read, to_);
    if (!c) {
      code_ = 1;
      return false;
    }
    c_ = std::move(*c);
    if (o_.save)
      as_read_ = write_text(c_);
    return true;
  }

  bool check_master() {
    std::vector<std::string> names;
    for (const auto& n : c_.nodes)
      if (n.master)
        names.push_back('"' + n.name + '"');
    if (names.size() > 1)
      return stop(
        fmt::format("Found more than one master node: [{}]", join(names, ',')));
    if (names.size() == 1)
      return true;
    constexpr auto* none
      = "No master node found (maybe not supported by backend).";
    if (!o_.roll.force)
      return stop(none);
    fmt::print(to_.err, "Warning: {}\n", none);
    return true;
  }

  bool set_offline_nodes() {
    auto unknown = set_offline(c_, o_.offline, common_suffix(c_));
    if (unknown.empty())
      return true;
    return stop(fmt::format("wrong node name(s) set as offline: {}\n",
                            join(unknown, ',')));
  }

  bool save() {
    if (!o_.save)
      return true;
    auto path = *o_.save + ".original";
    if (auto wrong = write_whole(path, as_read_))
      return stop(wrong->text);
    fmt::print(to_.err,
               "The cluster state before hroller run has been written to file "
               "'{}'\n",
               path);
    return true;
  }

  bool choose_nodes() {
    std::optional<int> group;
    if (o_.group) {
      auto found
        = std::find_if(c_.groups.begin(), c_.groups.end(), [&](const auto& g) {
            return g.name == *o_.group || g.uuid == *o_.group;
          });
      if (found == c_.groups.end())
        return stop("Cannot find target group.");
      group = static_cast<int>(found - c_.groups.begin());
    }
    wanted_.resize(c_.nodes.size());
    for (std::size_t n = 0; n < c_.nodes.size(); ++n) {
      const auto& x = c_.nodes[n];
      wanted_[n] = !x.offline && (!group || x.group == *group) && has_tag(x);
    }
    if (!o_.roll.skip_non_redundant)
      return true;
    for (const auto& i : c_.instances)
      if (i.primary >= 0 && !i.forthcoming && !has_mirror(i))
        wanted_[at(i.primary)] = false;
    return true;
  }

  bool has_tag(const node_spec& x) const {
    const auto& tags = o_.roll.node_tags;
    return !tags
           || std::any_of(x.tags.begin(), x.tags.end(), [&](const auto& t) {
                return std::find(tags->begin(), tags->end(), t) != tags->end();
              });
  }

  roll_rules rules() const {
    return {o_.roll.offline_maintenance, o_.roll.ignore_non_redundant,
            o_.roll.full_evacuation};
  }

  void plan() {
    if (std::find(wanted_.begin(), wanted_.end(), true) == wanted_.end())
      stop("Cannot create node graph");
    else if (o_.search.kind == search_kind::exact)
      plan_exactly();
    else
      plan_fast();
  }

  void plan_exactly() {
    auto graph = *graph_of(c_, wanted_, !o_.roll.offline_maintenance);
    if (o_.verbose > 2 && !o_.json)
      say("Node Graph: {}\n", text_of(graph));
    auto colours = all_colourings(graph);
    auto rounds = exact_roll(c_, wanted_, smallest_of(colours), rules());
    if (!rounds) {
      stop(rounds.why().text);
      return;
    }
    keep_first(*rounds);
    if (o_.verbose > 1 && !o_.json)
      say("{}\n", text_of(colours));
    if (o_.json)
      say("{}", rounds_json(c_, *rounds, {}, {}, nullptr));
    else
      say("{}", rounds_text(c_, *rounds, o_.roll, o_.headers));
  }

  void plan_fast() {
    placement p{c_, std::nullopt, o_.build};
    auto found = fast_roll(p, wanted_, rules(), o_.roll.effort_max);
    auto count = found.rounds.size();
    keep_first(found.rounds);
    auto pinned = pinned_of(found.rounds);
    if (o_.verbose > 1 && !o_.json)
      say("{} groups; there cannot be fewer than {} (clique {}, capacity "
          "{}).\n",
          count, found.bound.rounds(), found.bound.clique,
          found.bound.capacity);
    if (o_.json)
      say("{}",
          rounds_json(c_, found.rounds, found.stuck, pinned, &found.bound));
    else
      say("{}", rounds_text(c_, found.rounds, o_.roll, o_.headers));
    if (o_.verbose > 0)
      for (auto i : pinned)
        fmt::print(to_.err,
                   "Warning: {} is down while {} is, for its disks are on that "
                   "node alone\n",
                   c_.instances[at(i)].name,
                   c_.nodes[at(c_.instances[at(i)].primary)].name);
    for (const auto& x : found.stuck)
      stop(stuck_text(c_, x));
  }

  void keep_first(std::vector<reboot_round>& rounds) const {
    if (o_.roll.first_only && rounds.size() > 1)
      rounds.resize(1);
  }

  /// Instances that nobody can move off the nodes of the rounds.
  std::vector<int> pinned_of(const std::vector<reboot_round>& rounds) const {
    std::vector<int> result;
    if (o_.roll.offline_maintenance || o_.roll.ignore_non_redundant)
      return result;
    std::vector<bool> restarted(c_.nodes.size());
    for (const auto& r : rounds)
      for (auto n : r.nodes)
        restarted[at(n)] = true;
    for (std::size_t i = 0; i < c_.instances.size(); ++i) {
      const auto& x = c_.instances[i];
      if (x.primary >= 0 && restarted[at(x.primary)] && goes_down(x))
        result.push_back(static_cast<int>(i));
    }
    return result;
  }

  const tool_options& o_;
  tool_output to_;
  int code_ = 0;
  cluster c_;
  std::string as_read_; ///< what --save saves: without --offline
  std::vector<bool> wanted_;
};

} // namespace

int run_hroller(const tool_options& o, tool_output to) {
  return hroller_run{o, to}.all();
}

} // namespace orderly::io::htools
