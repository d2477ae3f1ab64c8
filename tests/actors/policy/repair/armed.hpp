// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Repairs whose step takes a token, for the tests of tokens.

#pragma once

#include "actors/policy/repair/token.hpp"
#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::autorepair::lab {

inline std::vector<std::string> tokens_on(const rig& b) {
  std::vector<std::string> result;
  for (const auto& tag : b.record.tags)
    if (is_token(tag))
      result.push_back(tag);
  return result;
}

inline bool stands(const rig& b, const std::string& tag) {
  const auto& all = b.record.tags;
  return std::find(all.begin(), all.end(), tag) != all.end();
}

inline rig armed(rig b) {
  b.limits.tokens = true;
  b.look();
  b.answer_permit(true);
  REQUIRE(b.under_way);
  REQUIRE(b.machine.stage == stage::arming);
  return b;
}

/// Its failover is sent.
inline rig sent() {
  auto b = armed(broken());
  b.do_job();
  REQUIRE(b.repair_under_way());
  REQUIRE(b.under_way);
  return b;
}

/// Two searches found no job of it.
inline submit lose(rig& b) {
  job_event e;
  e.intent = b.machine.intent;
  e.phase = job_phase::refused;
  e.absent = true;
  e.text = "two searches found no job of it";
  auto before = b.seen();
  auto order = *b.under_way;
  b.now += millis{1};
  e.at = b.now;
  b.under_way.reset();
  b.apply(step(b.machine, job_ended{e, before}, b.limits, b.now));
  return order;
}

} // namespace orderly::autorepair::lab
