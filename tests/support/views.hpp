// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a view might tell: a small cluster with one instance that is broken.

#pragma once

#include "messages/view.hpp"

#include <string>

namespace orderly::test {

inline const instant noon = from_ms(1'772'366'400'000);

/// A cluster of two nodes, one of them fenced, and one broken instance.
inline view_answer small_cluster() {
  view_answer x;
  auto& s = x.status;
  s.version = "9.8.7";
  s.cluster = "c1.example.com";
  s.master = "node1";
  s.right_to_act = {true, noon + seconds{30}, "node1 is master"};
  s.guard.nodes = 2;
  s.guard.troubled = 1;
  s.guard.fences_left = 5;
  s.guard.failovers_left = 9;
  s.started = noon - hours{1};
  s.now = noon;
  s.polled = noon - seconds{3};
  s.autorepair = true;
  s.autorepair_mode = repair_mode::act;
  s.nodes_by_phase = {{"available", 1}, {"fenced", 1}};
  s.instances_by_phase = {{"healthy", 1}, {"needs-repair", 1}};
  s.repairs_needed = {{"failover", 1}};
  s.counters = {{"jobs_failed", 2}, {"power_confirmed", 1}};
  node_row good;
  good.name = "node1";
  good.power_control = true;
  good.standing.node = "node1";
  node_row bad = good;
  bad.name = "node2";
  bad.offline = true;
  bad.standing.node = "node2";
  bad.standing.phase = ha_phase::fenced;
  bad.standing.since = noon - minutes{5};
  bad.standing.reason = "power status off, read 11:55:00";
  bad.standing.waits_for = "somebody to repair it";
  bad.standing.incident = "n-1";
  bad.standing.troubled = true;
  bad.standing.proved_down
    = proof{"node2", proof_level::power_status, "power status off", noon};
  x.nodes = {good, bad};
  instance_row web;
  web.name = "web1";
  web.primary = "node2";
  web.secondaries = {"node1"};
  web.disks = "drbd";
  web.admin = "up";
  web.standing.instance = "web1";
  web.standing.phase = repair_phase::needs_repair;
  web.standing.why = "its node node2 is off";
  web.standing.broken = true;
  web.standing.wrong = "primary node2 is offline";
  web.standing.needed = repair_type::failover;
  web.standing.allowed = {false, repair_type::migrate};
  web.standing.permission = "enabled up to migrate by tag m on cluster";
  web.standing.permitted_by = "tag m on cluster";
  web.standing.waits_for = "somebody to permit failover";
  x.instances = {web};
  journal_entry first;
  first.seq = 41;
  first.at = noon - minutes{6};
  first.kind = entry_kind::decision;
  first.object = "node:node2";
  first.incident = "n-1";
  first.code = "fencing";
  first.why = "nothing moved in 10 checks";
  auto second = first;
  second.seq = 42;
  second.object = "instance:web1";
  second.code = "needs-repair";
  second.why = "its node node2 is off";
  x.decisions = {first, second};
  return x;
}

/// An instance on node1 alone with which nothing is wrong.
inline instance_row healthy_instance(const std::string& name) {
  instance_row x;
  x.name = name;
  x.primary = "node1";
  x.disks = "plain";
  x.admin = "up";
  x.standing.instance = name;
  x.standing.phase = repair_phase::healthy;
  x.standing.why = "its nodes are in service";
  x.standing.allowed = {};
  return x;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace orderly::test
