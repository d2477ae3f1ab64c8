// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/foresight/forecast.hpp"

#include "actors/policy/base/utc.hpp"
#include "messages/cluster.hpp"

#include <optional>

#include <fmt/format.h>

namespace orderly::foresight {

namespace {

std::string and_so(const std::string& text, const char* lead) {
  return text.empty() ? "" : lead + text;
}

std::string nothing(const std::string& why) {
  return "nothing will be done because " + why;
}

std::string wrong_text(const instance_standing& s) {
  if (!s.wrong.empty())
    return s.wrong;
  return s.why.empty() ? "it is not healthy" : s.why;
}

bool is_healthy(const instance_standing& s) {
  return s.phase == repair_phase::healthy && !s.broken;
}

std::string healthy_text(const instance_row& x, const node_words& words) {
  const auto& s = x.standing;
  if (!s.wrong.empty())
    return "healthy, although " + s.wrong;
  auto nodes = x.secondaries;
  nodes.insert(nodes.begin(), x.primary);
  std::string names;
  for (const auto& name : nodes) {
    auto word = words.find(name);
    if (name.empty() || (word != words.end() && !word->second.in_service))
      return "healthy" + and_so(s.why, ": ");
    names += (names.empty() ? "" : " and ") + name;
  }
  return nodes.size() == 1
           ? fmt::format("healthy: its node {} is in service", names)
           : fmt::format("healthy: its nodes {} are in service", names);
}

/// By the record nothing is wrong with it; but what runs on a node that is off
/// does not run.
std::optional<forecast> probably_down(const instance_row& x,
                                      const node_words& words) {
  auto word = words.find(x.primary);
  if (x.admin != to_string(admin_state::up) || word == words.end()
      || word->second.down.empty())
    return std::nullopt;
  return forecast{
    prospect::probably_down,
    fmt::format("probably down: its node {} {}; what may be done is "
                "judged once {} is proved off and marked offline",
                x.primary, word->second.down, x.primary)};
}

/// What goes on, is next, or is waited for.
std::string progress(const instance_standing& s) {
  return and_so(s.next, "; next: ") + and_so(s.waits_for, "; waits for: ");
}

/// Why this orderlyd does nothing but look.
std::string idle_text(const status_row& s) {
  return s.autorepair_mode == repair_mode::observe
           ? "auto-repair only observes (autorepair.mode)"
           : "auto-repair is off here (autorepair.enabled)";
}

forecast of_pending(const instance_standing& s, const status_row& status) {
  std::string jobs;
  for (auto id : s.jobs)
    jobs += fmt::format("{}{}", jobs.empty() ? "" : ", ", id);
  auto text = fmt::format("repair {} is under way{}{}", s.incident,
                          jobs.empty() ? std::string{} : " with job " + jobs,
                          progress(s));
  auto no_step
    = s.allowed.suspended ? "it is suspended" + and_so(s.permitted_by, ": ")
      : status.autorepair_mode != repair_mode::act ? idle_text(status)
                                                   : hold_text(status);
  return {prospect::under_way,
          text + and_so(no_step, "; no new step because ")};
}

/// The step that comes next, and what it costs.
std::string step_of(const instance_standing& s) {
  auto step = s.next.empty() ? std::string{to_string(*s.needed)} : s.next;
  if (s.needed == repair_type::reinstall)
    step += ", which destroys the data of " + s.instance;
  return step;
}

/// A reinstall would cost a copy that may live: nobody is led there.
bool would_cost_a_copy(const instance_standing& s) {
  return s.needed == repair_type::reinstall && !s.may_live.empty();
}

std::string copies_text(const instance_standing& s) {
  return fmt::format("{} may live and hold{} its data",
                     fmt::join(s.may_live, " and "),
                     s.may_live.size() == 1 ? "s" : "");
}

/// Why the tags do not permit what it takes, or nothing.
std::optional<forecast> refusal(const instance_standing& s) {
  auto source = and_so(s.permitted_by, ": ");
  auto waits = and_so(s.waits_for, "; waits for: ");
  if (s.allowed.suspended)
    return forecast{prospect::suspended,
                    nothing("it is suspended" + source) + waits};
  if (s.allowed.most && *s.needed <= *s.allowed.most)
    return std::nullopt;
  if (would_cost_a_copy(s))
    return forecast{
      prospect::not_permitted,
      fmt::format("{}; {}{}", nothing(copies_text(s)), wrong_text(s), waits)};
  auto needed = to_string(*s.needed);
  auto why = !s.allowed.most
               ? fmt::format("nothing permits {}{}", needed, source)
               : fmt::format("it takes {}, and no more than {} is permitted{}",
                             needed, to_string(s.allowed), source);
  if (s.needed == repair_type::reinstall)
    why += "; that would destroy the data of " + s.instance;
  return forecast{prospect::not_permitted,
                  fmt::format("{}; {}", nothing(why), wrong_text(s))};
}

/// What the guards would be asked for.
act_kind act_of(repair_type x) {
  switch (x) {
  case repair_type::fix_storage:
    return act_kind::fix_storage;
  case repair_type::migrate:
    return act_kind::migrate;
  case repair_type::failover:
    return act_kind::failover;
  case repair_type::reinstall:
    return act_kind::reinstall;
  }
  return act_kind::record;
}

forecast of_broken(const instance_standing& s, const status_row& status) {
  if (!s.broken)
    return {prospect::waits, wrong_text(s) + progress(s)};
  if (!s.needed)
    return {prospect::no_repair, nothing("no repair helps: " + wrong_text(s))
                                   + and_so(s.waits_for, "; waits for: ")};
  if (auto no = refusal(s))
    return *no;
  if (would_cost_a_copy(s))
    return {prospect::waits,
            fmt::format("{}; {}{}", wrong_text(s), copies_text(s),
                        and_so(s.waits_for, "; waits for: "))};
  if (status.autorepair_mode != repair_mode::act) {
    // A machine that only observes says so itself where it says why.
    auto waits = s.waits_for == s.why ? std::string{} : s.waits_for;
    return {prospect::would_act,
            fmt::format("{}; {}; it would: {}{}", nothing(idle_text(status)),
                        wrong_text(s), step_of(s),
                        and_so(waits, "; waits for: "))};
  }
  // Pause and storm hold back what is destructive, and nothing else.
  auto act = act_of(*s.needed);
  auto hold = hold_text(status, act);
  auto no_right = !in_force(status.right_to_act, status.now);
  if (!hold.empty() && (is_destructive(act) || no_right))
    return {prospect::held, nothing(hold) + "; " + wrong_text(s) + progress(s)};
  if (!s.waits_for.empty())
    return {prospect::waits, wrong_text(s) + progress(s)};
  return {prospect::will_act,
          fmt::format("{}; next: {}", wrong_text(s), step_of(s))};
}

} // namespace

const char* to_string(prospect x) {
  switch (x) {
  case prospect::unknown:
    return "unknown";
  case prospect::healthy:
    return "healthy";
  case prospect::probably_down:
    return "probably-down";
  case prospect::under_way:
    return "under-way";
  case prospect::will_act:
    return "will-act";
  case prospect::waits:
    return "waits";
  case prospect::held:
    return "held";
  case prospect::would_act:
    return "would-act";
  case prospect::not_permitted:
    return "not-permitted";
  case prospect::suspended:
    return "suspended";
  case prospect::no_repair:
    return "no-repair";
  case prospect::failed:
    return "failed";
  }
  return "?";
}

forecast forecast_for(const instance_row& x, const status_row& s,
                      const node_words& nodes) {
  const auto& is = x.standing;
  if (!is.phase)
    return {prospect::unknown, "not looked at yet"};
  if (is_healthy(is)) {
    if (auto down = probably_down(x, nodes))
      return *down;
    return {prospect::healthy, healthy_text(x, nodes)};
  }
  if (is.phase == repair_phase::failed)
    return {prospect::failed,
            nothing("a repair of it failed" + and_so(is.why, ": "))
              + and_so(is.waits_for, "; waits for: ")};
  if (is.phase == repair_phase::pending)
    return of_pending(is, s);
  return of_broken(is, s);
}

node_words words_of(const std::vector<node_row>& all, instant now) {
  node_words result;
  for (const auto& x : all) {
    const auto& s = x.standing;
    auto& word = result[x.name];
    auto unseen = !s.closed.empty() && s.unheard_since != never;
    word.in_service = !x.offline && !x.drained && !s.troubled && !unseen;
    if (s.proved_down)
      word.down = fmt::format("is off: {}, {} ago", s.proved_down->text,
                              age_text(now - s.proved_down->at));
    else if (s.power == power_state::off && s.phase != ha_phase::available)
      word.down = fmt::format("reads off for {}: {}",
                              age_text(now - s.power_since), s.power_text);
    else if (s.troubled)
      word.down = fmt::format("is {} for {}: {}", to_string(s.phase),
                              age_text(now - s.since), s.reason);
    else if (unseen && !x.offline)
      word.down = fmt::format("was not heard for {}, and automation leaves it "
                              "alone: {}",
                              age_text(now - s.unheard_since), s.closed);
  }
  return result;
}

std::string hold_text(const status_row& s) {
  if (!in_force(s.right_to_act, s.now))
    return "this orderlyd has no right to act"
           + and_so(s.right_to_act.text, ": ");
  if (s.guard.paused)
    return "it is paused" + and_so(s.guard.paused_by, " by ");
  if (s.guard.storm)
    return "of a storm" + and_so(s.guard.storm_text, ": ");
  return {};
}

std::string hold_text(const status_row& s, act_kind act) {
  if (auto text = hold_text(s); !text.empty())
    return text;
  if (!s.guard.budget)
    return {}; // nothing was refused for it
  auto switches = act == act_kind::fence || act == act_kind::reset;
  if (switches && s.guard.fences_left == 0)
    return "the budget of fences and resets of this hour is spent";
  auto starts = act == act_kind::failover || act == act_kind::reinstall;
  if (starts && s.guard.failovers_left == 0)
    return "the budget of failovers and reinstalls of this hour is spent";
  return {};
}

} // namespace orderly::foresight
