// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the machine's state is kept in the journal, and what is said about it.

#include "actors/policy/host_ha/host_ha.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace orderly::host_ha {

namespace {

std::uint32_t count_from(const fields& f, const char* name) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(
    std::clamp(f.number(name), std::int64_t{0}, most));
}

bool flag_from(const fields& f, const char* name, bool fallback = false) {
  return f.number(name, fallback ? 1 : 0) != 0;
}

health health_from(const std::string& text) {
  return text == "healthy"     ? health::healthy
         : text == "unhealthy" ? health::unhealthy
                               : health::unknown;
}

std::optional<act_kind> act_from(const std::string& text) {
  if (text == to_string(act_kind::fence))
    return act_kind::fence;
  if (text == to_string(act_kind::reset))
    return act_kind::reset;
  return std::nullopt;
}

std::string clock_text(instant t) {
  auto of_day = (to_unix(t) % 86400 + 86400) % 86400;
  return fmt::format("{:02}:{:02}:{:02} UTC", of_day / 3600, of_day / 60 % 60,
                     of_day % 60);
}

} // namespace

fields to_fields(const state& s) {
  fields f;
  f.put("phase", to_string(s.phase));
  f.put("since", s.since);
  f.put("reason", s.reason);
  f.put("incident", s.incident);
  f.put("suspect_since", s.suspect_since);
  f.put("trouble_seen", s.trouble_seen);
  f.put("checks", s.checks);
  f.put("failures", s.failures);
  f.put("unknowns", s.unknowns);
  f.put("sampled", s.sampled);
  f.put("window_first", s.window_first);
  f.put("due", s.due);
  if (s.wants)
    f.put("wants", to_string(*s.wants));
  f.put("held", s.held);
  f.put("unseen_since", s.unseen_since);
  f.put_known("unread_fences", std::int64_t{s.unread_fences});
  f.put("recoveries", s.recoveries);
  f.put("came_back", s.came_back);
  f.put("recovery_dispatched", s.recovery_dispatched);
  f.put("fence_tries", s.fence_tries);
  f.put("fence_dispatched", s.fence_dispatched);
  f.put("fence_sent", s.fence_sent);
  f.put("stuck_alerted", s.stuck_alerted);
  f.put("healthy_again_told", s.healthy_again_told);
  f.put("returned", s.returned);
  f.put("raised", s.raised);
  f.put("raise_unsure", s.raise_unsure);
  f.put("reread", s.reread);
  f.put("booted", s.booted);
  f.put("maintenance", s.maintenance);
  f.put("power", to_string(s.power));
  f.put_known("went_off", std::int64_t{s.went_off});
  f.put_known("raise_guessed", std::int64_t{s.raise_guessed});
  f.put_known("boots", std::int64_t{s.boots});
  f.put_known("boot_read", s.boot_read);
  f.put("lived", s.lived);
  f.put("given_up", s.given_up);
  f.put("fence_reason", s.fence_reason);
  if (s.proved_down) {
    auto by_word = s.proved_down->level == proof_level::operator_word;
    f.put("proof", by_word ? "operator_word" : "power_status");
    f.put("proof_node", s.proved_down->node);
    f.put("proof_text", s.proved_down->text);
    f.put("proof_at", s.proved_down->at);
  }
  if (s.word) {
    f.put("word_text", s.word->text);
    f.put("word_at", s.word->at);
  }
  f.put("last_health", to_string(s.last_health));
  f.put("eligible", s.eligible);
  f.put("ineligible_why", s.ineligible_why);
  f.put("taken", s.taken);
  f.put("guard_told", s.guard_told);
  f.put("outcome_unknown", s.outcome_unknown);
  return f;
}

state from_fields(const fields& f) {
  state s;
  s.phase = ha_phase_from(f.text("phase"), ha_phase::available);
  s.since = f.when("since");
  s.reason = f.text("reason");
  s.incident = f.text("incident");
  s.suspect_since = f.when("suspect_since");
  s.trouble_seen = f.when("trouble_seen");
  s.checks = count_from(f, "checks");
  s.failures = count_from(f, "failures");
  s.unknowns = count_from(f, "unknowns");
  s.sampled = f.when("sampled");
  s.window_first = flag_from(f, "window_first");
  s.due = f.when("due");
  s.wants = act_from(f.text("wants"));
  s.held = f.text("held");
  s.unseen_since = f.when("unseen_since");
  s.unread_fences = count_from(f, "unread_fences");
  s.recoveries = count_from(f, "recoveries");
  s.came_back = flag_from(f, "came_back");
  s.recovery_dispatched = flag_from(f, "recovery_dispatched");
  s.fence_tries = count_from(f, "fence_tries");
  s.fence_dispatched = flag_from(f, "fence_dispatched");
  s.fence_sent = flag_from(f, "fence_sent");
  s.stuck_alerted = flag_from(f, "stuck_alerted");
  s.healthy_again_told = flag_from(f, "healthy_again_told");
  s.returned = f.when("returned");
  s.raised = f.when("raised");
  s.raise_unsure = flag_from(f, "raise_unsure");
  s.reread = flag_from(f, "reread");
  s.booted = f.when("booted");
  s.maintenance = flag_from(f, "maintenance");
  s.power = power_state_from(f.text("power"));
  s.went_off = f.number("went_off") != 0;
  s.raise_guessed = f.number("raise_guessed") != 0;
  s.boots = count_from(f, "boots");
  s.boot_read = f.when("boot_read");
  s.lived = f.when("lived");
  s.given_up = f.when("given_up");
  s.fence_reason = f.text("fence_reason");
  auto level = f.text("proof");
  // A level that a later version knows is no proof to this one.
  if (level == "operator_word" || level == "power_status")
    s.proved_down = proof{f.text("proof_node"),
                          level == "operator_word" ? proof_level::operator_word
                                                   : proof_level::power_status,
                          f.text("proof_text"), f.when("proof_at")};
  if (f.has("word_text"))
    s.word = proof{f.text("proof_node"), proof_level::operator_word,
                   f.text("word_text"), f.when("word_at")};
  s.last_health = health_from(f.text("last_health"));
  s.eligible = flag_from(f, "eligible", true);
  s.ineligible_why = f.text("ineligible_why");
  s.taken = flag_from(f, "taken");
  s.guard_told = flag_from(f, "guard_told");
  s.outcome_unknown = flag_from(f, "outcome_unknown");
  return s;
}

void date(state& s, bool aged, instant adopted, instant now) {
  auto unsure = [&](instant t) {
    return aged || t > now || (adopted != never && t <= adopted);
  };
  if (unsure(s.trouble_seen))
    s.trouble_seen = never;
  s.suspect_since = std::min(s.suspect_since, now);
  s.sampled = unsure(s.sampled) ? never : s.sampled;
  s.returned = std::min(s.returned, now);
  s.lived = std::min(s.lived, now);
  s.given_up = std::min(s.given_up, now);
  s.raised = std::min(s.raised, now);
  s.unseen_since = std::min(s.unseen_since, now);
  s.booted = std::min(s.booted, now);
  s.boot_read = std::min(s.boot_read, now);
  if (aged) {
    // No boot of then is one of now, and they are no series with it.
    s.raised = never;
    s.booted = now;
    s.boots = 0;
  }
  if (s.since <= now)
    return;
  if (s.due != never)
    s.due -= s.since - now;
  s.since = now;
}

bool is_troubled(const state& s) {
  switch (s.phase) {
  case ha_phase::suspect:
  case ha_phase::checking:
  case ha_phase::degraded:
  case ha_phase::recovering:
  case ha_phase::recovered:
  case ha_phase::fencing:
  case ha_phase::fenced: // until somebody returns it (S5: in flight counts)
    return true;
  case ha_phase::disabled:
  case ha_phase::ineligible:
  case ha_phase::available:
    return false;
  }
  return false;
}

std::string waits_for(const state& s) {
  auto at = clock_text(s.due);
  if (s.wants && s.held.empty())
    return fmt::format("a permit to {}", to_string(*s.wants));
  if (s.wants)
    return fmt::format("a permit to {}, asked again at {}; held: {}",
                       to_string(*s.wants), at, s.held);
  switch (s.phase) {
  case ha_phase::disabled:
    return "host HA to be enabled";
  case ha_phase::ineligible:
    return "eligibility: " + s.reason;
  case ha_phase::available:
    return "nothing; a failed health check would make it suspect";
  case ha_phase::suspect:
    return fmt::format("a passing health check, or activity check {} at {}",
                       s.checks + 1, at);
  case ha_phase::checking:
    return fmt::format("the answer to activity check {}, until {}",
                       s.checks + 1, at);
  case ha_phase::degraded:
    return fmt::format("a passing health check, or new activity checks at "
                       "{}",
                       at);
  case ha_phase::recovering:
    return s.recovery_dispatched
             ? fmt::format("the end of reset {}, until {}", s.recoveries, at)
             : fmt::format("reset {} at {}", s.recoveries + 1, at);
  case ha_phase::recovered:
    return fmt::format("the end of the recovery wait at {}", at);
  case ha_phase::fencing:
    return s.fence_dispatched
             ? fmt::format("a power status of off, until {}", at)
             : fmt::format("power-off try {} at {}", s.fence_tries + 1, at);
  case ha_phase::fenced:
    return s.maintenance ? "an operator to return it to service"
                         : "a passing health check";
  }
  return {};
}

} // namespace orderly::host_ha
