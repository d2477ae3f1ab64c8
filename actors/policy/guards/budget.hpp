// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The budget of destructive acts in a sliding hour. It is kept in the journal
// so that restarts do not refill it (S6).

#pragma once

#include "messages/clock.hpp"
#include "messages/permit.hpp"

#include <cstdint>
#include <deque>
#include <string>

namespace orderly::budget {

struct rules {
  std::uint32_t fences_per_hour_max = 6;
  std::uint32_t failovers_per_hour_max = 400;
};

struct state {
  std::deque<instant> fences; ///< fences and resets, oldest first
  std::deque<instant> failovers;

  friend bool operator==(const state&, const state&) = default;
};

struct answer {
  bool go = true;
  std::string why;  ///< "budget: 6 of 6 fences used this hour"
  instant retry_at; ///< when the oldest leaves the window
};

answer may_act(const state& s, act_kind act, const rules& r, instant now);

/// `act` is granted now; forgets what left the window.
state spend(const state& s, act_kind act, instant now);

/// What was spent on `act` at `when` is there again: nobody acted.
state give_back(const state& s, act_kind act, instant when);

/// Of acts from a journal. Times that are not yet, because the calendar was set
/// back, count as of now: no hour is longer than that. Nor is any shorter where
/// it was set ahead. If they are `aged` (as in `recalled`), the last was just
/// now.
void date(state& s, instant now, bool aged, const set_ahead& calendar);

std::string to_text(const std::deque<instant>& acts);
std::deque<instant> from_text(const std::string& text);

} // namespace orderly::budget
