// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Read from the node's actor and its machine. A pair that stands here and is
// met all the same makes a walk fail, so that a reason that holds no more is
// found.

#include "sim/walk/inputs.hpp"

namespace orderly::sim::walking {

namespace {

using enum ha_phase;

bool is_of_check(input what) {
  return what == input::active || what == input::inactive
         || what == input::activity_unknown;
}

bool is_of_permit(input what) {
  return what == input::permit_granted || what == input::permit_held
         || what == input::permit_storm;
}

bool is_of_reset(input what) {
  return what >= input::reset_worked && what <= input::reset_held;
}

bool is_of_fence(input what) {
  return what >= input::fence_confirmed && what <= input::fence_held;
}

bool is_of_rule(input what) {
  return what == input::eligible || what == input::ineligible
         || what == input::offline;
}

const char* why_no_answer(ha_phase in, input what) {
  auto asks = in == checking || in == degraded;
  if (is_of_check(what) && (in == recovering || in == degraded))
    return "the check that led there was answered";
  if (is_of_permit(what) && in == fencing)
    return "the one that was asked for was answered";
  if (is_of_reset(what) && (asks || in == fencing))
    return "a newer check or order makes it stale";
  if (is_of_fence(what) && (asks || in == recovering))
    return "a newer check or order makes it stale";
  return nullptr;
}

} // namespace

bool comes_late(ha_phase in, input what) {
  auto watched = in == suspect || in == checking;
  if (is_of_check(what) || what == input::activity_refused)
    return in != checking;
  if (is_of_permit(what))
    return !watched && in != recovering;
  if (is_of_reset(what))
    return in != recovering;
  if (is_of_fence(what))
    return in != fencing;
  if (what >= input::power_on && what <= input::power_unknown)
    return in == degraded || in == available || in == disabled;
  return what == input::looked && in == fenced;
}

const char* why_never(ha_phase in, input what) {
  auto rests
    = in == disabled || in == ineligible || in == available || in == fenced;
  if (what == input::due && rests)
    return "no deadline runs";
  if (is_of_rule(what) && in == disabled)
    return "the rule is not run";
  if (what == input::power_off_commanded && in == available)
    return "the person's wish has made it ineligible";
  if (what == input::power_off_commanded && in == fencing)
    return "what is off in a fence is off by us";
  if (what == input::power_off_commanded && in == fenced)
    return "who was returned is read for its boots alone";
  if (what == input::enabled && in != disabled)
    return "it is enabled";
  if (what == input::returned && in != fenced)
    return "only a fenced one returns";
  if (what == input::proof_expired && in != fenced)
    return "only a fenced one is proved down";
  if (what == input::looked && in != recovering && in != fencing
      && in != fenced)
    return "no order is out";
  return why_no_answer(in, what);
}

} // namespace orderly::sim::walking
