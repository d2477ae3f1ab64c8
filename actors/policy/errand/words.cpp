// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What people read of an errand, and how its jobs are called.

#include "actors/policy/errand/words.hpp"

#include "actors/policy/base/commands.hpp"
#include "actors/policy/errand/asked.hpp"
#include "actors/policy/errand/grounds.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

/// Between an errand's id and its stamp; in no id.
constexpr char stamp_dot = '.';

std::string names_text(const errand_request& x) {
  struct {
    std::string operator()(const power_errand& p) const {
      return p.nodes.empty() ? "all nodes with power control"
                             : some_of(p.nodes);
    }

    std::string operator()(const modify_errand& m) const { return m.node; }

    std::string operator()(const info_errand& i) const {
      return i.nodes.empty() ? "all nodes" : some_of(i.nodes);
    }

    std::string operator()(const epo_errand& e) const {
      return e.all      ? "the whole cluster"
             : e.groups ? "node groups " + some_of(e.names)
                        : some_of(e.names);
    }

    std::string operator()(const verify_errand&) const {
      return "the power control of all nodes";
    }

    std::string operator()(const confirm_errand& c) const { return c.node; }

    std::string operator()(const ha_errand& h) const {
      return h.scope == ha_scope::cluster ? "the whole cluster"
             : h.names.empty()            ? "all nodes"
                                          : some_of(h.names);
    }

    std::string operator()(const setting_errand& c) const {
      return c.action == setting_action::list ? "all settings of the cluster"
             : c.value.empty()                ? c.key
                                              : c.key + " to " + c.value;
    }
  } words;

  return std::visit(words, x.what);
}

std::string step_text(const state& s, const row& r) {
  auto steps = steps_of(s, r);
  if (r.state != row_state::running || r.at >= steps.size())
    return {};
  if (waits_for_acts(s, r))
    return to_string(step_kind::wait);
  if (steps[r.at] == step_kind::power)
    return to_string(switch_verb(s));
  return to_string(steps[r.at]);
}

/// Which instances are where, worked out once for all rows.
struct lodging {
  std::map<node_name, std::vector<instance_name>> primaries;
  std::map<node_name, std::vector<instance_name>> secondaries;
};

lodging lodging_of(const surroundings& w) {
  lodging result;
  for (const auto& x : w.picture->instances) {
    result.primaries[x.primary].push_back(x.name);
    for (const auto& node : x.secondaries)
      result.secondaries[node].push_back(x.name);
  }
  return result;
}

void describe_node(errand_row& x, const surroundings& w, const lodging& where) {
  x.record = w.node(x.object);
  if (x.record)
    x.power_control = !w.levels(*x.record).empty();
  x.master = x.object == w.picture->master;
  if (auto i = where.primaries.find(x.object); i != where.primaries.end())
    x.primaries = i->second;
  if (auto i = where.secondaries.find(x.object); i != where.secondaries.end())
    x.secondaries = i->second;
  if (auto i = w.wishes->find(x.object); i != w.wishes->end())
    x.wish = i->second;
  if (auto i = w.rehearsals->find(x.object); i != w.rehearsals->end())
    x.power_check = i->second;
}

} // namespace

const char* to_string(step_kind x) {
  switch (x) {
  case step_kind::mark_offline:
    return "mark-offline";
  case step_kind::power:
    return "power";
  case step_kind::record:
    return "record";
  case step_kind::shutdown:
    return "shutdown";
  case step_kind::start:
    return "start";
  case step_kind::wait:
    return "wait";
  case step_kind::take_back:
    return "take-back";
  case step_kind::modify:
    return "modify";
  case step_kind::check:
    return "check";
  case step_kind::word:
    return "confirm";
  case step_kind::tag:
    return "tag";
  case step_kind::heed:
    return "heed";
  }
  return "?";
}

namespace {

struct kinds {
  errand_kind operator()(const power_errand& p) const {
    switch (p.verb) {
    case power_verb::on:
      return errand_kind::power_on;
    case power_verb::off:
      return errand_kind::power_off;
    case power_verb::cycle:
      return errand_kind::power_cycle;
    case power_verb::status:
      return errand_kind::power_status;
    case power_verb::health:
      return errand_kind::health;
    }
    return errand_kind::power_off;
  }

  errand_kind operator()(const modify_errand&) const {
    return errand_kind::node_modify;
  }

  errand_kind operator()(const info_errand&) const {
    return errand_kind::node_info;
  }

  errand_kind operator()(const epo_errand& e) const {
    return e.on ? errand_kind::epo_on : errand_kind::epo;
  }

  errand_kind operator()(const verify_errand&) const {
    return errand_kind::verify;
  }

  errand_kind operator()(const confirm_errand&) const {
    return errand_kind::confirm_off;
  }

  errand_kind operator()(const ha_errand& h) const {
    switch (h.action) {
    case ha_action::list:
      return errand_kind::ha_list;
    case ha_action::providers:
      return errand_kind::ha_providers;
    case ha_action::configure:
      return errand_kind::ha_configure;
    case ha_action::enable:
      return errand_kind::ha_enable;
    case ha_action::disable:
      return errand_kind::ha_disable;
    case ha_action::settings:
      return errand_kind::ha_settings;
    }
    return errand_kind::ha_list;
  }

  errand_kind operator()(const setting_errand& c) const {
    return c.action == setting_action::set     ? errand_kind::cluster_set
           : c.action == setting_action::unset ? errand_kind::cluster_unset
                                               : errand_kind::cluster_list;
  }
};

} // namespace

errand_kind kind_of(const errand_request& x) {
  return std::visit(kinds{}, x.what);
}

std::string request_text(const errand_request& x) {
  return fmt::format("{} of {} ({}{}{})", to_string(kind_of(x)), names_text(x),
                     x.who.empty() ? "somebody" : x.who,
                     x.reason.empty() ? "" : ": ", x.reason);
}

std::string doing(const state& s) {
  if (s.ended != never)
    return {};
  std::map<std::string, std::vector<std::string>> going;
  for (const auto& r : s.rows)
    if (auto step = step_text(s, r); !step.empty())
      going[step].push_back(r.object);
  std::vector<std::string> parts;
  for (const auto& [step, objects] : going)
    parts.push_back(
      objects.size() > 3
        ? fmt::format("{} of {}", step, objects.size())
        : fmt::format("{} of {}", step, fmt::join(objects, ", ")));
  if (parts.empty())
    return "waits for its turn";
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::map<node_name, accepted_order> orders_of(const state& s) {
  std::map<node_name, accepted_order> result;
  auto reads = std::holds_alternative<confirm_errand>(s.asked.what)
               || std::holds_alternative<modify_errand>(s.asked.what)
               || is_reading(s.asked);
  if (s.ended != never || reads)
    return result;
  for (const auto& r : s.rows) {
    if (r.kind != row_kind::node || is_final(r.state) || is_switched(s, r))
      continue;
    auto waits = waits_for_acts(s, r);
    result.emplace(r.object,
                   accepted_order{switch_verb(s), s.asked.who, s.asked.reason,
                                  s.id, r.state == row_state::running && !waits,
                                  step_text(s, r), s.began,
                                  waits ? r.text : std::string{}});
  }
  return result;
}

std::string again_text(const state& s, const row& r) {
  if (epo_of(s) != nullptr)
    return fmt::format("orderly epo {}{}", is_epo_on(s) ? "--on " : "",
                       r.object);
  if (const auto* x = std::get_if<modify_errand>(&s.asked.what)) {
    std::string text = "orderly node modify";
    if (x->offline)
      text += *x->offline ? " --offline=yes" : " --offline=no";
    if (x->powered)
      text += *x->powered ? " --powered=yes" : " --powered=no";
    if (x->program)
      text += " --oob-program=" + *x->program;
    if (x->auto_promote)
      text += " --auto-promote";
    return text + ' ' + r.object;
  }
  auto verb = switch_verb(s);
  return fmt::format("orderly power {} {}",
                     verb == power_verb::on    ? "on"
                     : verb == power_verb::off ? "off"
                                               : "cycle",
                     r.object);
}

std::string way_back(const row& r) {
  return r.was_drained ? drain_command(r.object)
                       : return_command(r.object, false);
}

std::string undo_text(const state& s, const row& r) {
  if (r.kind != row_kind::node || is_epo_off(s))
    return {};
  auto verb = switch_verb(s);
  auto back = way_back(r);
  auto worked = r.worked && r.power != power_state::on;
  if (!worked && !is_switched(s, r))
    return r.marked ? fmt::format("{} was marked offline: {}", r.object, back)
                    : std::string{};
  if (verb == power_verb::on && r.was_on)
    return {}; // it changed nothing
  if (verb == power_verb::on)
    return fmt::format("{0} was switched on: orderly power off {0}", r.object);
  if (verb == power_verb::off)
    return fmt::format("{0} was switched off: orderly power on {0}{1}{2}",
                       r.object, r.marked ? ", then " : "",
                       r.marked ? back : "");
  return {};
}

std::string account(const state& s) {
  std::map<row_state, std::size_t> counts;
  std::vector<std::string> bad;
  for (const auto& r : s.rows) {
    ++counts[r.state];
    if (r.state == row_state::failed)
      bad.push_back(fmt::format("{} ({})", r.object, r.text));
  }
  std::vector<std::string> parts;
  for (const auto& [how, n] : counts)
    parts.push_back(fmt::format("{} {}", n, orderly::to_string(how)));
  return fmt::format("{} ended, {}: {}{}{}", s.id, request_text(s.asked),
                     parts.empty() ? "nothing to do"
                                   : fmt::format("{}", fmt::join(parts, ", ")),
                     bad.empty() ? "" : "; failed: ", some_of(bad));
}

errand_sheet sheet_of(const state& s, const surroundings& w) {
  errand_sheet sheet;
  sheet.id = s.id;
  sheet.kind = kind_of(s.asked);
  sheet.who = s.asked.who;
  sheet.began = s.began;
  sheet.ended = s.ended;
  sheet.doing = doing(s);
  sheet.remarks = s.remarks;
  sheet.failed = !s.asked.dry && has_failed(s);
  lodging where;
  if (w.picture)
    where = lodging_of(w);
  for (const auto& r : s.rows) {
    errand_row x;
    x.object = r.object;
    x.kind = r.kind;
    x.state = r.state;
    x.step = step_text(s, r);
    x.text = r.text;
    x.power = r.power;
    x.items = r.items;
    if (r.kind == row_kind::node && w.picture)
      describe_node(x, w, where);
    sheet.rows.push_back(std::move(x));
  }
  return sheet;
}

errand_sheet sheet_of(const refusal& x, const errand_request& asked,
                      instant now) {
  errand_sheet sheet;
  sheet.kind = kind_of(asked);
  sheet.who = asked.who;
  sheet.began = now;
  sheet.ended = now;
  sheet.refusal = x.text;
  sheet.refusal_kind = x.kind;
  sheet.failed = true;
  return sheet;
}

intent_id intent_of(const state& s, const spot& at) {
  auto name = s.stamp.empty() ? s.id : s.id + stamp_dot + s.stamp;
  return fmt::format("{}/{}/{}/{}", name, at.row, at.step, at.tries);
}

bool split_intent(const intent_id& x, errand_id& id, spot& at) {
  std::uint32_t* parts[] = {&at.tries, &at.step, &at.row};
  auto end = x.size();
  for (auto* part : parts) {
    auto slash = x.rfind('/', end - 1);
    if (end == 0 || slash == std::string::npos)
      return false;
    const auto* from = x.data() + slash + 1;
    auto [stop, error] = std::from_chars(from, x.data() + end, *part);
    if (error != std::errc{} || stop != x.data() + end)
      return false;
    end = slash;
  }
  id = x.substr(0, std::min(end, x.find(stamp_dot)));
  return !id.empty();
}

} // namespace orderly::errand
