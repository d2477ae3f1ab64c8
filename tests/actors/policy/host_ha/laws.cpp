// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/host_ha/laws.hpp"

#include "actors/policy/host_ha/edges.hpp"

#include <set>
#include <utility>

namespace orderly::host_ha {

using namespace laws;

namespace {

/// Table A.5, written a second time.
bool is_in_table(ha_phase from, ha_phase to) {
  using enum ha_phase;
  static const std::set<std::pair<ha_phase, ha_phase>> table{
    {disabled, available},    {ineligible, available}, {available, ineligible},
    {available, suspect},     {suspect, ineligible},   {suspect, available},
    {suspect, checking},      {suspect, fencing},      {checking, ineligible},
    {checking, available},    {checking, suspect},     {checking, degraded},
    {checking, recovering},   {checking, fencing},     {degraded, ineligible},
    {degraded, available},    {degraded, suspect},     {degraded, fencing},
    {recovering, ineligible}, {recovering, recovered}, {recovering, fencing},
    {recovered, ineligible},  {recovered, available},  {recovered, suspect},
    {fencing, fenced},        {fenced, ineligible},
  };
  return from == to || to == disabled || table.count({from, to}) > 0;
}

bool grants(const event& e, act_kind act) {
  const auto* x = std::get_if<permit_answered>(&e);
  return x && x->granted && x->act == act;
}

bool confirms_fence(const event& e) {
  const auto* x = std::get_if<fence_ended>(&e);
  return x && x->confirmed;
}

bool reads_off(const event& e) {
  const auto* x = std::get_if<power_seen>(&e);
  return x && x->power == power_state::off;
}

bool gives_word(const event& e) {
  return std::holds_alternative<vouched>(e);
}

bool refused_by_wish(const event& e) {
  const auto* reset = std::get_if<recovery_ended>(&e);
  const auto* fence = std::get_if<fence_ended>(&e);
  return (reset && reset->by_wish) || (fence && fence->by_wish);
}

bool is_held(const event& e) {
  const auto* reset = std::get_if<recovery_ended>(&e);
  const auto* fence = std::get_if<fence_ended>(&e);
  return (reset && reset->held) || (fence && (fence->held || fence->answers));
}

bool is_answered(const event& e) {
  const auto* reset = std::get_if<recovery_ended>(&e);
  const auto* fence = std::get_if<fence_ended>(&e);
  return (reset && reset->answers) || (fence && fence->answers);
}

/// May an incident end and a new one begin with this?
bool begins_anew(const state& s, const event& e, const verdict& v,
                 instant now) {
  if (v.next.phase != ha_phase::suspect && v.next.phase != ha_phase::ineligible)
    return false;
  auto old
    = s.trouble_seen == never || now - s.trouble_seen > usual.evidence_max_age;
  auto lost_power
    = s.phase == ha_phase::fencing && s.fence_reason == "X.FENCED_POWER_OFF";
  // After minutes in which nobody looked; and where no reset is under way.
  const auto* start = std::get_if<restarted>(&e);
  auto watched = s.phase == ha_phase::suspect || s.phase == ha_phase::checking
                 || s.phase == ha_phase::degraded;
  auto idle = watched || s.phase == ha_phase::fencing
              || (s.phase == ha_phase::recovering && !s.recovery_dispatched);
  auto unwatched = start && idle && now - s.trouble_seen > minutes{2};
  auto unsent = start && start->unsent && s.phase == ha_phase::recovering
                && s.recovery_dispatched;
  const auto* health_check = std::get_if<health_seen>(&e);
  // While no command is out, a sign of life ends the treatment.
  auto waits = (s.phase == ha_phase::fencing && !s.fence_dispatched)
               || (s.phase == ha_phase::recovering && !s.recovery_dispatched);
  auto lives = health_check
               && (health_check->verdict == health::healthy
                   || (health_check->verdict == health::unhealthy
                       && health_check->lives));
  return refused_by_wish(e) || is_answered(e) || (waits && lives) || unwatched
         || unsent
         || (std::holds_alternative<restarted>(e) && (old || lost_power))
         || (health_check && health_check->verdict == health::unhealthy
             && s.phase == ha_phase::fenced && !s.maintenance);
}

} // namespace

bool laws::rests(ha_phase x) {
  return x == ha_phase::disabled || x == ha_phase::ineligible
         || x == ha_phase::available || x == ha_phase::fenced;
}

bool laws::may_prove(const event& e) {
  return confirms_fence(e) || reads_off(e) || gives_word(e);
}

bool laws::fences_unasked(const state& s, const event& e, const verdict& v) {
  return has<fence_power>(v) && s.phase != ha_phase::fencing
         && !grants(e, act_kind::fence);
}

const char* laws::broken_rule(const state& s, const event& e, const verdict& v,
                              instant now) {
  const auto& n = v.next;
  if (n.phase != s.phase && v.why.empty())
    return "a change of phase has a why";
  auto by_word = std::holds_alternative<vouched>(e)
                 && n.phase == ha_phase::fenced
                 && s.phase != ha_phase::disabled;
  auto boots = n.phase == ha_phase::recovered && n.raised != never;
  auto anew = begins_anew(s, e, v, now)
              || (std::holds_alternative<restarted>(e)
                  && n.phase == ha_phase::recovered)
              || boots;
  if (!is_in_table(s.phase, n.phase) && !by_word && !anew && !boots)
    return "transitions are those of the table";
  if (n.phase != s.phase
      && !is_edge(s.phase, name_of_transition(s, e, n), n.phase))
    return "each transition bears a name of the table";
  if (!rests(n.phase) && n.due == never)
    return "a state that does not rest has a deadline";
  if (fences_unasked(s, e, v))
    return "no fence without a permit";
  if (n.phase == ha_phase::fencing && s.phase != ha_phase::fencing
      && !has<enter_maintenance>(v))
    return "maintenance before the first power-off";
  if (has<reset_power>(v)
      && (!grants(e, act_kind::reset) || n.recoveries != s.recoveries + 1))
    return "no reset without a permit and without being counted first";
  if (n.recoveries > usual.recovery_attempts_max)
    return "resets never exceed their limit";
  if (n.recoveries < s.recoveries && n.incident == s.incident
      && !n.incident.empty() && n.phase != ha_phase::fenced && !anew
      && !is_held(e))
    return "resets are forgotten only with the incident";
  if (has<release_instances>(v) && !may_prove(e))
    return "nothing is released without a confirmed off";
  if (n.proved_down && !s.proved_down && !may_prove(e))
    return "a proof comes from a reading or a person's word";
  if (n.proved_down && n.phase != ha_phase::fenced)
    return "only a fenced node is proved down";
  if (s.suspect_since != never && n.suspect_since != s.suspect_since
      && n.suspect_since != never && !anew)
    return "the start of an incident never moves";
  if (is_held(e) && (has<reset_power>(v) || has<fence_power>(v)))
    return "what is held back is not sent with the same breath";
  if (std::holds_alternative<restarted>(e) && has<fence_power>(v)
      && now - s.trouble_seen > usual.evidence_max_age)
    return "after a restart nothing destroys on old evidence";
  return nullptr;
}

} // namespace orderly::host_ha
