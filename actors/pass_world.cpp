// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/pass_world.hpp"

#include "actors/dry_cluster.hpp"
#include "actors/dry_jobs.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly {

namespace {

/// Never looked, never bad: no node comes under suspicion in a pass.
probe_port::behavior_type not_asked(probe_port::pointer) {
  constexpr auto text = "not asked in a single pass";
  return {
    [](const probe_request& what) {
      return sighting{what.node, health::unknown, text, {}};
    },
    [](const activity_request& what) {
      return activity_answer{what.node, activity::unknown, text, {}};
    },
  };
}

} // namespace

pass_world spawn_pass_world(caf::actor_system& system, const ports& real,
                            bool dry_run) {
  pass_world x;
  x.outside = real;
  x.sent = spawn_notebook(system);
  x.outside.probes = system.spawn(not_asked);
  if (dry_run) {
    x.outside.jobs = spawn_dry_jobs(system, real.jobs, x.sent);
    x.outside.cluster = spawn_dry_cluster(system, real.cluster, x.sent);
  } else {
    x.outside.jobs = spawn_noted_jobs(system, real.jobs, x.sent);
  }
  return x;
}

void end_pass_world(const pass_world& x, bool dry_run) {
  auto end = [](const auto& handle) {
    caf::anon_send_exit(handle, caf::exit_reason::user_shutdown);
  };
  end(x.outside.probes);
  end(x.outside.jobs);
  if (dry_run)
    end(x.outside.cluster);
  end(x.sent);
}

} // namespace orderly
