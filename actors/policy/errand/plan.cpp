// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// From a request and a picture of the cluster to rows, or to a refusal.

#include "actors/policy/errand/plan.hpp"

#include "actors/policy/errand/asked.hpp"
#include "actors/policy/errand/nodes_hit.hpp"
#include "actors/policy/errand/words.hpp"
#include "actors/policy/settings/cluster_settings.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/policy/settings/strangers.hpp"
#include "messages/ascii.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

using answer = std::variant<state, refusal>;

refusal usage(std::string text) {
  return {std::move(text), refused_for::usage};
}

refusal refused(std::string text) {
  return {std::move(text), refused_for::state};
}

std::optional<refusal> master_named(const std::vector<node_record>& nodes,
                                    power_verb verb, const surroundings& w) {
  for (const auto& x : nodes) {
    if (x.name != w.picture->master)
      continue;
    auto levels = w.levels(x);
    auto how = levels.empty()
                 ? std::string{"it does not support out-of-band operations"}
                 : fmt::format("run '{} {} {}' if you want to operate on the "
                               "master regardless",
                               levels.front(), to_string(verb), x.name);
    return refused(fmt::format("Operating on the master node {} is not allowed "
                               "for {}; {}",
                               x.name, to_string(verb), how));
  }
  return std::nullopt;
}

answer plan_power(const power_errand& x, const surroundings& w) {
  auto costs = x.verb == power_verb::off || x.verb == power_verb::cycle;
  std::vector<node_record> nodes;
  if (x.nodes.empty()) {
    if (!is_reading(x.verb))
      return usage("Please provide at least one node for this command");
    nodes = all_nodes(w);
    std::erase_if(nodes, [&w](const auto& n) { return w.levels(n).empty(); });
  } else {
    auto named = nodes_named(x.nodes, w);
    if (auto* why = std::get_if<refusal>(&named))
      return std::move(*why);
    nodes = std::move(std::get<0>(named));
  }
  if (costs)
    if (auto why = master_named(nodes, x.verb, w))
      return std::move(*why);
  state s;
  for (const auto& node : nodes) {
    if (x.bare && x.verb == power_verb::off && x.mark_offline && !node.offline)
      return refused(fmt::format("Cannot power off node {} because it is not "
                                 "marked offline",
                                 node.name));
    auto r = row_of(node);
    if (w.levels(node).empty()) {
      r.state = row_state::unsupported;
      r.text = fmt::format("Node {} does not support OOB commands", node.name);
    } else if (x.verb == power_verb::on && w.holds->count(node.name) != 0) {
      add_remark(s, fmt::format("Node {} is in an emergency power-off: "
                                "'orderly epo --on {}' takes it back into "
                                "service",
                                node.name, node.name));
    }
    s.rows.push_back(std::move(r));
  }
  if (nodes.empty())
    add_remark(s, "No node of the cluster has power control: neither "
                  "oob_program nor the power settings of orderlyd name a "
                  "helper");
  return s;
}

answer plan_modify(const modify_errand& x, const surroundings& w) {
  if (!x.powered && !x.offline && !x.program)
    return usage("Please pass at least one modification: --powered, --offline "
                 "or --oob-program");
  auto named = nodes_named({x.node}, w);
  if (auto* why = std::get_if<refusal>(&named))
    return std::move(*why);
  const auto& node = std::get<0>(named).front();
  auto controlled = !w.levels(node).empty();
  if (x.program)
    if (auto wrong = why_no_program(*x.program); !wrong.empty())
      return usage(std::move(wrong));
  if (x.powered && !controlled)
    return refused(fmt::format("Unable to change powered state for node {} as "
                               "it does not support out-of-band handling",
                               node.name));
  if (controlled && x.offline == false && !node.powered && x.powered != true)
    return refused(fmt::format("Node {} needs to be turned on before its "
                               "offline status can be reset",
                               node.name));
  state s;
  s.rows.push_back(row_of(node));
  return s;
}

answer plan_info(const info_errand& x, const surroundings& w) {
  auto nodes = all_nodes(w);
  if (!x.nodes.empty()) {
    auto named = nodes_named(x.nodes, w);
    if (auto* why = std::get_if<refusal>(&named))
      return std::move(*why);
    nodes = std::move(std::get<0>(named));
  }
  state s;
  for (const auto& node : nodes) {
    auto r = row_of(node);
    r.state = row_state::done;
    r.met = true;
    s.rows.push_back(std::move(r));
  }
  return s;
}

/// A row for each setting that holds for nobody: nothing is left to be done.
void add_strangers(state& s, const surroundings& w) {
  std::vector<node_name> nodes;
  std::set<group_name> groups;
  for (const auto& node : w.picture->nodes) {
    nodes.push_back(node.name);
    groups.insert(node.group);
  }
  for (auto& x :
       keys_of_nobody(*w.rules, nodes, {groups.begin(), groups.end()})) {
    row r;
    r.object = std::move(x.key);
    r.kind = row_kind::setting;
    r.state = row_state::failed;
    r.text = std::move(x.why);
    s.rows.push_back(std::move(r));
  }
}

/// Tags that are not heeded: what their settings are is not what they say.
void add_unheeded(state& s, const surroundings& w) {
  for (auto& x : read_setting_tags(w.picture->tags, *w.rules, {}).unheeded) {
    row r;
    r.object = std::move(x.tag);
    r.kind = row_kind::setting;
    r.state = row_state::failed;
    r.text = std::move(x.why);
    s.rows.push_back(std::move(r));
  }
}

answer plan_verify(const surroundings& w) {
  state s;
  std::set<std::string> programs;
  auto nodes = all_nodes(w);
  for (const auto& node : nodes)
    for (const auto& program : w.levels(node))
      programs.insert(program);
  for (const auto& program : programs) {
    row r;
    r.object = program;
    r.kind = row_kind::program;
    s.rows.push_back(std::move(r));
  }
  for (const auto& node : nodes)
    if (!w.levels(node).empty())
      s.rows.push_back(row_of(node));
  add_strangers(s, w);
  add_unheeded(s, w);
  return s;
}

answer plan_confirm(const errand_request& asked, const confirm_errand& x,
                    const surroundings& w) {
  auto named = nodes_named({x.node}, w);
  if (auto* why = std::get_if<refusal>(&named))
    return std::move(*why);
  if (is_blank(asked.reason))
    return usage("Please give a reason with --reason: how is it known that the "
                 "node is off?");
  state s;
  s.rows.push_back(row_of(std::get<0>(named).front()));
  return s;
}

answer plan_setting(const setting_errand& x, const surroundings& w) {
  const auto* known = cluster_setting_named(x.key);
  if (known == nullptr)
    return usage(fmt::format("there is no setting {} of the cluster; 'orderly "
                             "cluster settings' lists them",
                             x.key));
  if (x.action == setting_action::list)
    return refused("a list of settings has no steps"); // the desk's own
  if (x.action == setting_action::set)
    if (auto wrong = why_not_set(*w.rules, known->key, x.value); !wrong.empty())
      return usage(fmt::format("{} {}", known->key, wrong));
  state s;
  row r;
  r.object = known->key;
  r.kind = row_kind::setting;
  r.had = tags_of_setting(w.picture->tags, known->key);
  s.rows.push_back(std::move(r));
  return s;
}

answer rows_for(const errand_request& asked, const surroundings& w) {
  if (const auto* x = std::get_if<power_errand>(&asked.what))
    return plan_power(*x, w);
  if (const auto* x = std::get_if<modify_errand>(&asked.what))
    return plan_modify(*x, w);
  if (const auto* x = std::get_if<info_errand>(&asked.what))
    return plan_info(*x, w);
  if (const auto* x = std::get_if<epo_errand>(&asked.what))
    return plan_epo(asked, *x, w);
  if (const auto* x = std::get_if<confirm_errand>(&asked.what))
    return plan_confirm(asked, *x, w);
  if (const auto* x = std::get_if<setting_errand>(&asked.what))
    return plan_setting(*x, w);
  if (std::holds_alternative<ha_errand>(asked.what))
    return refused("switches of host HA have no steps"); // the desk's own
  return plan_verify(w);
}

/// Must it be said how many nodes are meant?
bool is_counted(const errand_request& asked) {
  if (const auto* x = std::get_if<epo_errand>(&asked.what))
    return !x->on;
  auto verb = verb_of(asked);
  return verb == power_verb::off || verb == power_verb::cycle;
}

std::optional<refusal> count_is_wrong(const errand_request& asked,
                                      const state& s, const surroundings& w) {
  auto acts
    = epo_of(s) != nullptr || std::holds_alternative<power_errand>(asked.what);
  if (!is_counted(asked) && !(acts && asked.count))
    return std::nullopt;
  // As whoever asks counts them on the sheet.
  auto about = static_cast<std::int64_t>(nodes_hit(sheet_of(s, w)).size());
  auto given = asked.count ? static_cast<std::int64_t>(*asked.count) : -1;
  if (given == about
      || (given < 0 && about <= static_cast<std::int64_t>(count_needed_above)))
    return std::nullopt;
  const auto* epo = epo_of(s);
  auto verb = epo == nullptr ? verb_of(asked)
              : epo->on      ? power_verb::on
                             : power_verb::off;
  if (given < 0)
    return usage(fmt::format("This is the {} of {} nodes, more than {}: say "
                             "that you mean that many, with --count {}",
                             to_string(verb), about, count_needed_above,
                             about));
  return usage(fmt::format("This is the {} of {} nodes, not of {}: look at the "
                           "list again; if it is right, give --count {}",
                           to_string(verb), about, given, about));
}

std::optional<refusal> is_taken(const state& s, const surroundings& w) {
  if (is_reading(s.asked))
    return std::nullopt;
  for (const auto& r : s.rows)
    if (auto i = w.busy->find(r.object); i != w.busy->end())
      if (r.kind == row_kind::node || r.kind == row_kind::setting)
        return refused(fmt::format("{} {} is in the hands of errand {}, which "
                                   "goes on: wait for its end, or stop it",
                                   orderly::to_string(r.kind), r.object,
                                   i->second));
  return std::nullopt;
}

} // namespace

row row_of(const node_record& node) {
  row r;
  r.object = node.name;
  r.kind = row_kind::node;
  r.was_offline = node.offline;
  r.serial = node.serial_no;
  r.uuid = node.uuid;
  return r;
}

std::variant<state, refusal> plan(const errand_request& asked,
                                  const surroundings& w, instant now) {
  if (!w.picture)
    return refused("the cluster was not read yet; ask again in a moment");
  auto found = rows_for(asked, w);
  auto* s = std::get_if<state>(&found);
  if (s == nullptr)
    return found;
  s->asked = asked;
  s->began = now;
  if (s->rows.size() > rows_max)
    return refused(fmt::format("this would be {} rows, more than {}: ask for "
                               "fewer nodes at once",
                               s->rows.size(), rows_max));
  if (asked.dry || std::holds_alternative<info_errand>(asked.what)) {
    s->ended = now;
    return found;
  }
  if (auto why = count_is_wrong(asked, *s, w))
    return std::move(*why);
  if (auto why = is_taken(*s, w))
    return std::move(*why);
  // What a person wants done is not held up by those who only ask.
  auto reads = is_reading(asked);
  if (!reads && !w.no_right.empty())
    return refused(fmt::format("nothing may be done now: {}", w.no_right));
  auto open = reads ? w.reading : w.acting;
  if (open >= open_max)
    return refused(fmt::format("{} errands that {} go on already, no more are "
                               "taken: wait until one ends, or stop one",
                               open, reads ? "only ask" : "act"));
  return found;
}

} // namespace orderly::errand
