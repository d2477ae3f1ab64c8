// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whole worlds, each looked at until nothing moves while repair jobs start
// and do not end: as the daemon does it, with a delay, and as `orderly harep`.
// Used by the tests that have such worlds in tables.

#pragma once

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::autorepair::lab {

inline texts sorted(texts all) {
  std::sort(all.begin(), all.end());
  return all;
}

using enum op_kind;

struct expectation {
  texts tags; ///< `{J}`: the id of the job that was sent
  std::vector<op_kind> jobs;
  autorepair::phase phase = phase::needs_repair;
};

struct given {
  const char* id;
  texts cluster;
  texts own;
  texts offline;
  texts drained;
  const char* primary = "n1";
  const char* secondary = "n2";
  disk_template disks = disk_template::drbd;
  admin_state admin = admin_state::up;
  std::vector<job_standing> jobs;
  expectation expect;
};

using js = job_status;

inline std::string ours(const std::string& type, const std::string& jobs) {
  return "pending:" + type + ":" + id1 + ":1699990000:" + jobs;
}

inline std::string ended(const std::string& type, const std::string& result,
                         const std::string& jobs) {
  return "result:" + type + ":" + id1 + ":1700000000:" + result + ":" + jobs;
}

inline const std::string started = ":u1:1700000000:";
inline const std::string no_perm = "result:failover:u1:1700000000:enoperm:";
inline constexpr auto up = admin_state::up;
inline constexpr auto down = admin_state::down;
inline constexpr auto drbd = disk_template::drbd;
inline constexpr auto plain = disk_template::plain;

inline rig made(const given& g, bool proved) {
  rig b;
  for (const auto& tag : g.cluster)
    b.cluster_tags.push_back(tagged(tag));
  for (const auto& tag : g.own)
    b.record.tags.push_back(tagged(tag));
  for (const auto& name : g.offline) {
    b.nodes[name].offline = true;
    if (proved)
      b.prove(name);
  }
  for (const auto& name : g.drained)
    b.nodes[name].drained = true;
  b.record.primary = g.primary;
  b.record.secondaries = {g.secondary};
  if (b.record.secondaries.front().empty())
    b.record.secondaries.clear();
  b.record.disks = g.disks;
  b.record.admin = g.admin;
  for (const auto& job : g.jobs)
    b.jobs[job.id] = job;
  return b;
}

/// `{J}` is the job that was sent, if its id is noted while it runs.
inline texts with_job(texts all, const std::string& job) {
  for (auto& text : all)
    if (auto at = text.find("{J}"); at != std::string::npos) {
      text.replace(at, 3, job);
      if (job.empty() && text.back() == '+')
        text.pop_back();
    }
  return sorted(std::move(all));
}

inline void check(const given& g, rig& b, bool noted) {
  b.run(false);
  auto job = noted ? std::to_string(b.last_job) : std::string{};
  CHECK(b.tags_now() == with_job(g.expect.tags, job));
  CHECK(b.kinds() == g.expect.jobs);
  CHECK(b.machine.phase == g.expect.phase);
  if (!g.expect.jobs.empty())
    CHECK(b.machine.jobs.back() == b.last_job);
}

inline void check_all(const std::vector<given>& all) {
  for (const auto& g : all) {
    INFO(g.id);
    {
      INFO("as the daemon does it");
      auto b = made(g, true);
      check(g, b, false);
    }
    {
      INFO("with a delay");
      auto b = made(g, true);
      b.limits.job_delay = seconds{10};
      check(g, b, true);
    }
    for (auto delay : {seconds{10}, seconds{0}}) {
      CAPTURE("as orderly harep", delay.count());
      auto b = made(g, false);
      b.be_harep(delay);
      check(g, b, true);
      CHECK(b.shown().settled);
    }
  }
}

} // namespace orderly::autorepair::lab
