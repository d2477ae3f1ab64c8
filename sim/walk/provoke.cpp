// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/provoke.hpp"

#include <algorithm>

namespace orderly::sim::walking {

namespace {

void silence(host& x) {
  x.daemons = health::unhealthy;
  x.refuses = false;
}

/// What would have to be so for the guards to be asked at all.
void lose(host& x, power_state power, bool reads = true) {
  silence(x);
  x.power = power;
  x.reads = reads;
  x.moves = activity::inactive;
  x.activity_hangs = false;
}

void see(host& x, activity what) {
  silence(x);
  x.power = power_state::on;
  x.reads = true;
  x.moves = what;
  x.activity_hangs = false;
}

void end_orders(host& x, order_end how) {
  if (x.daemons == health::healthy || x.refuses)
    lose(x, x.power, x.reads);
  x.guards = guard_mood::grants;
  x.orders = how;
}

void want_off(host& x, instant now) {
  x.wish = {power_state::off, "an operator", "to mend it", now, {}, {}};
  x.facts.wish = x.wish;
}

void want_on(host& x, instant now) {
  x.wish = {power_state::on, "an operator", "it is mended", now, {}, {}};
  x.facts.wish = x.wish;
}

/// Back into service, whatever kept it out.
void clear_record(host& x) {
  x.facts.record.offline = false;
  x.facts.record.vm_capable = true;
  x.facts.recorded_on = true;
  x.facts.held.clear();
  x.facts.is_master = false;
  x.facts.disabled.clear();
  x.facts.rising.clear();
  x.wish = {};
  x.facts.wish = {};
}

void make_unfit(host& x, dice& d) {
  switch (d.below(4)) {
  case 0:
    x.facts.record.vm_capable = false;
    break;
  case 1:
    x.facts.recorded_on = false;
    break;
  case 2:
    x.facts.held = "an operator works on it";
    break;
  default:
    x.facts.is_master = true;
  }
}

void pass_deadline_of(crowd& all, const host& x) {
  if (x.due != never && x.due > all.now())
    all.run_for(x.due - all.now() + millis{1});
}

void pass_deadline(crowd& all, host& x, dice& d) {
  if (x.phase == ha_phase::suspect)
    x.activity_hangs = d.chance(300);
  if (x.phase == ha_phase::recovering || x.phase == ha_phase::fencing)
    x.orders = d.chance(300) ? order_end::hangs : order_end::fails;
  pass_deadline_of(all, x);
}

/// Persons, and those whom it waits for.
void speak(crowd& all, host& x, input what, dice& d) {
  switch (what) {
  case input::permit_called:
    x.guards = guard_mood::holds;
    all.call(x);
    break;
  case input::eligible:
  case input::enabled:
    clear_record(x);
    break;
  case input::ineligible:
    make_unfit(x, d);
    break;
  case input::offline:
    x.facts.record.offline = true;
    break;
  case input::disabled:
    x.facts.disabled = d.chance(500) ? "disabled by an operator" : "disabled";
    break;
  case input::returned:
    x.facts.record.offline = !x.facts.record.offline;
    all.read(x);
    x.facts.record.offline = false;
    break;
  case input::vouched:
    lose(x, power_state::unknown, false);
    all.vouch(x);
    break;
  case input::ordered_on:
    x.facts.raised = all.now();
    if (d.chance(300))
      want_on(x, all.now());
    break;
  default:
    return;
  }
  if (x.actor)
    all.read(x);
}

void begin_anew(crowd& all, host& x, input what) {
  constexpr auto away = minutes{3};
  constexpr auto moment = seconds{1};
  if (what == input::restarted_unsent) {
    x.orders = order_end::hangs;
    x.guards = guard_mood::grants;
    pass_deadline_of(all, x);
  }
  all.restart(what == input::restarted_away ? millis{away} : millis{moment});
}

void order(host& x, input what, dice& d) {
  switch (what) {
  case input::reset_worked:
  case input::looked:
    lose(x, power_state::on);
    return end_orders(x, order_end::honest);
  case input::fence_confirmed:
    return end_orders(x, order_end::honest);
  case input::reset_failed:
  case input::fence_failed:
    return end_orders(x, order_end::fails);
  case input::reset_overruled:
  case input::fence_overruled:
    return end_orders(x, order_end::by_wish);
  default:
    constexpr order_end kinds[]
      = {order_end::held, order_end::answered, order_end::unread};
    return end_orders(x, kinds[d.below(3)]);
  }
}

void weigh(host& x, guard_mood mood, dice& d) {
  lose(x, d.chance(500) ? power_state::on : power_state::off);
  x.guards = mood;
}

void answer(host& x, input what, dice& d) {
  silence(x);
  if (what == input::health_passed)
    x.daemons = health::healthy;
  else if (what == input::health_unknown)
    x.daemons = d.chance(500) ? health::unknown : health::not_looked;
  x.refuses = what == input::health_refused;
}

void feed_power(crowd& all, host& x, input what) {
  switch (what) {
  case input::power_on:
    x.power = power_state::on;
    x.reads = true;
    if (x.phase == ha_phase::fenced)
      all.tell_on(x);
    break;
  case input::power_off:
    lose(x, power_state::off);
    x.wish = {};
    x.facts.wish = {};
    x.activity_hangs = x.phase == ha_phase::checking;
    break;
  case input::power_off_commanded:
    lose(x, power_state::off);
    want_off(x, all.now());
    break;
  default:
    lose(x, power_state::unknown, false);
  }
}

} // namespace

void provoke(crowd& all, host& x, input what, dice& d) {
  switch (what) {
  case input::health_passed:
  case input::health_failed:
  case input::health_refused:
  case input::health_unknown:
    return answer(x, what, d);
  case input::active:
    return see(x, activity::active);
  case input::inactive:
    return see(x, activity::inactive);
  case input::activity_unknown:
    return see(x, activity::unknown);
  case input::activity_refused:
    return see(x, activity::not_looked);
  case input::power_on:
  case input::power_off:
  case input::power_off_commanded:
  case input::power_unknown:
  case input::proof_expired:
    return feed_power(all, x, what);
  case input::permit_granted:
    return weigh(x, guard_mood::grants, d);
  case input::permit_held:
    return weigh(x, guard_mood::holds, d);
  case input::permit_storm:
    return weigh(x, guard_mood::storms, d);
  case input::due:
    return pass_deadline(all, x, d);
  case input::restarted:
  case input::restarted_unsent:
  case input::restarted_away:
    return begin_anew(all, x, what);
  case input::permit_called:
  case input::eligible:
  case input::ineligible:
  case input::offline:
  case input::enabled:
  case input::disabled:
  case input::returned:
  case input::vouched:
  case input::ordered_on:
    return speak(all, x, what, d);
  default:
    return order(x, what, d);
  }
}

void stir(host& x, dice& d) {
  switch (d.below(8)) {
  case 0:
    x.daemons = health::healthy;
    break;
  case 1:
  case 2:
    lose(x, d.chance(700) ? power_state::on : power_state::off);
    break;
  case 3:
    x.reads = d.chance(700);
    break;
  case 4:
    x.moves = d.chance(800) ? activity::inactive : activity::active;
    break;
  case 5:
    x.guards = d.chance(700) ? guard_mood::grants : guard_mood::silent;
    break;
  case 6:
    x.orders = d.chance(800) ? order_end::honest : order_end::hangs;
    break;
  default:
    x.marks_work = d.chance(700);
    clear_record(x);
  }
}

void settle_down(host& x) {
  clear_record(x);
  x.daemons = health::healthy;
  x.power = power_state::on;
  x.reads = true;
  x.guards = guard_mood::grants;
  x.orders = order_end::honest;
  x.activity_hangs = false;
}

void divert(crowd& all, host& x, dice& d) {
  constexpr auto moment = millis{50};
  constexpr auto little = millis{300};
  auto acts = x.phase == ha_phase::recovering || x.phase == ha_phase::fencing;
  if (acts && d.chance(500)) {
    constexpr order_end kinds[]
      = {order_end::honest, order_end::by_wish, order_end::held,
         order_end::fails, order_end::hangs};
    x.orders = kinds[d.below(5)];
    pass_deadline_of(all, x);
  }
  if (x.phase == ha_phase::suspect)
    x.activity_hangs = d.chance(500);
  if (x.phase == ha_phase::checking && d.chance(500)) {
    // The reading that is under way may come after the end of the window.
    weigh(x, guard_mood::grants, d);
    x.power = power_state::off;
    x.moves = activity::active;
    return;
  }
  switch (d.below(5)) {
  case 0:
    speak(all, x, input::ordered_on, d);
    break;
  case 1:
    speak(all, x, input::vouched, d);
    break;
  case 2:
    x.daemons = health::healthy;
    break;
  default:
    speak(all, x, input::disabled, d);
    all.run_for(moment);
    if (d.chance(600)) {
      speak(all, x, input::enabled, d);
      all.run_for(little);
    }
    constexpr input after[]
      = {input::ordered_on, input::vouched, input::ineligible,
         input::health_passed, input::health_failed};
    provoke(all, x, after[d.below(5)], d);
  }
}

} // namespace orderly::sim::walking
