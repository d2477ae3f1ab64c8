// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How balancing stands, for people.

#include "actors/policy/balance/balance.hpp"
#include "actors/policy/base/utc.hpp"

#include <fmt/format.h>

namespace orderly::balance {

balance_sheet sheet_of(const state& s, const facts& seen, const rules& r,
                       instant now) {
  balance_sheet sheet;
  sheet.phase = s.phase;
  sheet.text = s.text;
  sheet.enabled = r.enabled;
  sheet.round = s.round;
  auto idle
    = s.phase == balance_phase::resting || s.phase == balance_phase::held;
  if (idle && r.enabled)
    sheet.next_round = s.due;
  for (const auto& m : s.open)
    sheet.open.push_back({m.what, m.job, m.text});
  sheet.remarks = s.remarks;
  auto t = taboo_of(s, seen, now);
  sheet.closed = std::move(t.closed);
  sheet.fixed = std::move(t.fixed);
  return sheet;
}

} // namespace orderly::balance
