// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/outlook.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

/// Repair types in rising order of risk.
constexpr std::array types{"fix-storage", "migrate", "failover", "reinstall"};

/// True if a repair of type `wanted` is permitted up to `allowed`.
bool suffices(const std::string& allowed, const std::string& wanted) {
  auto rank = [](const std::string& x) {
    return std::find(types.begin(), types.end(), x) - types.begin();
  };
  return rank(allowed) < static_cast<std::ptrdiff_t>(types.size())
         && rank(wanted) <= rank(allowed);
}

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
  return s.phase == "healthy" && !s.broken;
}

std::string healthy_text(const instance_row& x,
                         const std::set<node_name>& out_of_service) {
  const auto& s = x.standing;
  if (!s.wrong.empty())
    return "healthy, although " + s.wrong;
  auto nodes = x.secondaries;
  nodes.insert(nodes.begin(), x.primary);
  std::string names;
  for (const auto& name : nodes) {
    if (name.empty() || out_of_service.count(name) > 0)
      return "healthy" + and_so(s.why, ": ");
    names += (names.empty() ? "" : " and ") + name;
  }
  return nodes.size() == 1
           ? fmt::format("healthy: its node {} is in service", names)
           : fmt::format("healthy: its nodes {} are in service", names);
}

/// What goes on, is next, or is waited for.
std::string progress(const instance_standing& s) {
  return and_so(s.next, "; next: ") + and_so(s.waits_for, "; waits for: ");
}

/// Why this orderlyd does nothing but look.
std::string idle_text(const status_row& s) {
  return s.autorepair_mode == "observe"
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
  auto no_step = s.allowed == "suspended"
                   ? "it is suspended" + and_so(s.permitted_by, ": ")
                 : status.autorepair_mode != "act" ? idle_text(status)
                                                   : hold_text(status);
  return {outlook::under_way, text + and_so(no_step, "; no new step because ")};
}

/// Why the tags do not permit what it takes, or nothing.
std::optional<forecast> refusal(const instance_standing& s) {
  auto source = and_so(s.permitted_by, ": ");
  if (s.allowed == "suspended")
    return forecast{outlook::suspended, nothing("it is suspended" + source)
                                          + and_so(s.waits_for, "; waits "
                                                                "for: ")};
  if (suffices(s.allowed, s.needed))
    return std::nullopt;
  auto why = s.allowed.empty() || s.allowed == "none"
               ? fmt::format("nothing permits {}{}", s.needed, source)
               : fmt::format("it takes {}, and no more than {} is permitted{}",
                             s.needed, s.allowed, source);
  return forecast{outlook::not_permitted,
                  fmt::format("{}; {}", nothing(why), wrong_text(s))};
}

forecast of_broken(const instance_standing& s, const status_row& status) {
  if (!s.broken)
    return {outlook::waits, wrong_text(s) + progress(s)};
  if (s.needed.empty())
    return {outlook::no_repair, nothing("no repair helps: " + wrong_text(s))
                                  + and_so(s.waits_for, "; waits for: ")};
  if (auto no = refusal(s))
    return *no;
  auto would = fmt::format("{}; it would: {}", wrong_text(s),
                           s.next.empty() ? s.needed : s.next);
  if (status.autorepair_mode != "act") {
    // A machine that only observes says so itself where it says why.
    auto waits = s.waits_for == s.why ? std::string{} : s.waits_for;
    return {outlook::would_act, nothing(idle_text(status)) + "; " + would
                                  + and_so(waits, "; waits for: ")};
  }
  // Pause and storm hold back what is destructive, and nothing else.
  auto destructive = s.needed == "failover" || s.needed == "reinstall";
  auto hold = hold_text(status);
  auto no_right
    = !status.right_to_act.held || status.right_to_act.until <= status.now;
  if (!hold.empty() && (destructive || no_right))
    return {outlook::held, nothing(hold) + "; " + wrong_text(s) + progress(s)};
  if (!s.waits_for.empty())
    return {outlook::waits, wrong_text(s) + progress(s)};
  return {outlook::will_act, fmt::format("{}; next: {}", wrong_text(s),
                                         s.next.empty() ? s.needed : s.next)};
}

} // namespace

const char* to_string(outlook x) {
  switch (x) {
  case outlook::unknown:
    return "unknown";
  case outlook::healthy:
    return "healthy";
  case outlook::under_way:
    return "under-way";
  case outlook::will_act:
    return "will-act";
  case outlook::waits:
    return "waits";
  case outlook::held:
    return "held";
  case outlook::would_act:
    return "would-act";
  case outlook::not_permitted:
    return "not-permitted";
  case outlook::suspended:
    return "suspended";
  case outlook::no_repair:
    return "no-repair";
  case outlook::failed:
    return "failed";
  }
  return "?";
}

forecast forecast_for(const instance_row& x, const status_row& s,
                      const std::set<node_name>& out_of_service) {
  const auto& is = x.standing;
  if (is.phase.empty())
    return {outlook::unknown, "not looked at yet"};
  if (is_healthy(is))
    return {outlook::healthy, healthy_text(x, out_of_service)};
  if (is.phase == "failed")
    return {outlook::failed,
            nothing("a repair of it failed" + and_so(is.why, ": "))
              + and_so(is.waits_for, "; waits for: ")};
  if (is.phase == "pending")
    return of_pending(is, s);
  return of_broken(is, s);
}

std::set<node_name> out_of_service(const std::vector<node_row>& all) {
  std::set<node_name> result;
  for (const auto& x : all)
    if (x.offline || x.drained || x.standing.troubled)
      result.insert(x.name);
  return result;
}

std::string hold_text(const status_row& s) {
  if (!s.right_to_act.held || s.right_to_act.until <= s.now)
    return "this orderlyd has no right to act"
           + and_so(s.right_to_act.text, ": ");
  if (s.guard.paused)
    return "it is paused" + and_so(s.guard.paused_by, " by ");
  if (s.guard.storm)
    return "of a storm" + and_so(s.guard.storm_text, ": ");
  return {};
}

} // namespace orderly::io::http
