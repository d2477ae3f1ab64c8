// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The time that a node has to boot after a person had it switched on, or after
// a reset whose treatment a person ended.

#include "actors/policy/base/intents.hpp"
#include "actors/policy/host_ha/machine.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::host_ha {

namespace {

/// No machine boots in less: what answers sooner was asked before.
constexpr auto boot_least = seconds{10};

/// By then its power reads on, if the command worked.
constexpr auto power_back = seconds{30};

/// So often it is read while it boots.
constexpr auto power_grain = minutes{1};

/// Mains that flap, or people who try, switch a node on a few times; a
/// controller that says now this and now that does so for ever.
constexpr std::uint32_t boots_max = 3;

bool is_raised_lately(const state& s, const rules& r, instant now) {
  return s.raised != never && now - s.raised < 2 * r.recovery_wait;
}

bool has_booted_enough(const state& s, const rules& r, instant now) {
  return is_raised_lately(s, r, now) && s.boots >= boots_max;
}

} // namespace

bool would_boot(const state& s, const rules& r, instant now) {
  return s.went_off && !has_booted_enough(s, r, now);
}

bool machine::may_boot_yet() const {
  return s_.raised != never && s_.raised <= now_
         && now_ - s_.raised < r_.recovery_wait;
}

/// A person had it switched on a moment ago: it may boot in peace, as after a
/// reset of ours.
void machine::await_boot(const std::string& reason) {
  s_.recoveries = 0;
  s_.fence_dispatched = s_.fence_sent = s_.stuck_alerted = false;
  s_.fence_tries = 0;
  s_.maintenance = false;
  open_incident();
  s_.power = power_state::unknown;
  s_.went_off = false;
  auto raised = s_.raise_guessed
                  ? std::string{"it may have been switched on meanwhile"}
                  : fmt::format("it was switched on {} s ago",
                                (now_ - s_.raised) / seconds{1});
  become_recovered(fmt::format("{}; {}, and gets the time that a boot may take",
                               reason, raised));
  s_.due = s_.raised + r_.recovery_wait;
}

void machine::count_boot() {
  s_.boots = is_raised_lately(s_, r_, now_) ? s_.boots + 1 : 1;
}

/// After a restart the wait may begin again, but not for ever.
bool machine::may_wait_again() const {
  return !has_booted_enough(s_, r_, now_);
}

/// It was read off and is on: somebody switched it on, and it may boot. False
/// if it gets none.
bool machine::see_boot(const std::string& evidence) {
  if (has_booted_enough(s_, r_, now_))
    return false;
  count_boot();
  s_.raised = now_;
  s_.raise_unsure = s_.raise_guessed = false;
  give_back();
  await_boot(evidence);
  return true;
}

/// What a command read of its power counts like any other reading.
void machine::note_read(power_state read) {
  auto treated
    = s_.phase == ha_phase::recovering || s_.phase == ha_phase::fencing;
  if (!treated || read != power_state::off)
    return;
  s_.power = read;
  s_.went_off = true;
}

/// Its treatment ends here, and what its reset began does not.
void machine::keep_boot() {
  s_.raise_unsure = s_.recovery_dispatched;
  if (s_.recovery_dispatched || s_.phase == ha_phase::recovered)
    s_.raise_guessed = false;
  if (s_.recovery_dispatched)
    s_.raised = now_;
  else if (s_.phase == ha_phase::recovered && s_.came_back)
    s_.booted = std::max(s_.booted, s_.since); // that one is over
  else if (s_.phase == ha_phase::recovered && s_.recoveries > 0)
    s_.raised = s_.raised == never ? s_.since : std::max(s_.raised, s_.since);
}

/// People may have worked on it, and it is treated again. It is silent, or was
/// not looked at yet, and may boot after what was done to it; unless it is
/// known when it was switched on, or there was no time for that.
void machine::guess_boot(bool silent, bool read) {
  if (silent && now_ - s_.since >= boot_least)
    presume_boot(true, read);
}

/// Where nobody watched, whatever is known of its boots is old.
void machine::presume_boot(bool watched, bool read) {
  // That it was switched on says nothing of what was done to it later, and
  // where its power was read, little of what was much later.
  auto known = read && s_.raised != never && s_.raised >= s_.since
               && now_ - s_.raised < 3 * r_.recovery_wait;
  auto sure = watched && (known || may_boot_yet()) && !s_.raise_guessed;
  if (sure || has_booted_enough(s_, r_, now_))
    return;
  count_boot();
  s_.raised = now_;
  s_.raise_unsure = false;
  s_.raise_guessed = true;
}

/// Host HA looks after it again: who worked on it meanwhile may have left it in
/// the middle of a boot.
void machine::take(const enabled& e) {
  if (s_.phase != ha_phase::disabled)
    return;
  guess_boot(e.silent);
  become_available("host HA was enabled");
}

/// The reset for which it may boot never left.
void machine::take_boot_back() {
  auto waits = s_.phase == ha_phase::recovered && s_.recoveries == 0
               && may_boot_yet() && s_.last_health == health::unhealthy;
  s_.raised = never;
  if (waits)
    become_suspect("the reset for which it was given the time of a boot never "
                   "left");
}

/// With each health check.
void machine::watch_boot(bool passed, instant asked) {
  // An answer from before the command says nothing; a guess ends with any.
  auto least = s_.raise_guessed ? millis{0} : millis{boot_least};
  if (passed && asked - s_.raised >= least) {
    s_.booted = std::max(s_.booted, s_.raised);
    s_.raised = never;
    s_.boots = 0;
  }
  auto waits = s_.phase == ha_phase::recovered && may_boot_yet()
               && now_ - s_.raised >= power_back;
  // Mains that come back may go again.
  auto old = s_.boot_read == never || now_ - s_.boot_read >= power_grain;
  if (waits && (s_.power == power_state::unknown || old)) {
    s_.boot_read = now_;
    emit(read_power{});
  }
}

/// Whether there is power at all is seen before the time is over.
bool machine::has_no_power(const power_seen& e) const {
  auto begun = may_boot_yet() ? s_.raised : s_.since;
  return s_.phase == ha_phase::recovered && e.power == power_state::off
         && !e.commanded && e.at - begun >= power_back;
}

} // namespace orderly::host_ha
