// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A plan of two moves of which one can run at once, for the tests of io/http
// and io/console.

#pragma once

#include "messages/plan.hpp"
#include "tests/io/http/site.hpp"

namespace orderly::test {

inline planned_move sample_move(const std::string& name, std::uint32_t wave) {
  planned_move x;
  x.instance = name;
  x.from = {"node1", "node2"};
  x.to = {"node3", "node1"};
  opcode migrate;
  migrate.kind = op_kind::instance_migrate;
  migrate.instance = name;
  x.ops = {migrate};
  x.wave = wave;
  x.score = 1.5;
  x.gain = 0.25;
  x.cost = 1;
  x.why = "reserved_mem_cv -0.25";
  return x;
}

/// Resting, with a plan made three seconds before noon.
inline balance_sheet sample_sheet() {
  balance_sheet x;
  x.phase = balance_phase::resting;
  x.text = "the next round begins in five minutes";
  x.enabled = true;
  x.round = 7;
  x.next_round = noon + minutes{5};
  x.asked = 2;
  x.plan = 2;
  x.planned_at = noon - seconds{3};
  x.planned.planned = true;
  x.planned.moves = {sample_move("web1", 0), sample_move("db1", 1)};
  x.planned.groups = {{"default", 2, 1.5, 2, true}};
  x.planned.explained = {{"mail1", "it stays: no other node is better"}};
  x.remarks = {"no load data: the monitor of node2 does not answer in time"};
  x.closed = {{"node2", "it is in trouble"}};
  x.fixed = {{"web9", "a job of somebody else works on it"}};
  return x;
}

/// What the balancer answers, each time.
inline void answer_with(site& at, const result<balance_sheet>& x) {
  at.actors.balancer = [x](const balance_query&) { return x; };
}

} // namespace orderly::test
