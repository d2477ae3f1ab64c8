// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/pass/world.hpp"

#include "actors/pass/dry_cluster.hpp"
#include "actors/pass/dry_jobs.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly {

namespace {

/// No node comes under suspicion in a pass, but an "off" is checked against
/// the node's daemons as ever.
probe_port::behavior_type looks_only(probe_port::pointer self,
                                     const probe_port& real) {
  constexpr auto text = "not asked in a single pass";
  return {
    [self, real](probe_request& what) -> caf::result<sighting> {
      if (what.last_look && real)
        return self->delegate(real, std::move(what));
      return sighting{what.node, health::not_looked, text, {}};
    },
    [](const activity_request& what) {
      return activity_answer{what.node, activity::not_looked, text, {}};
    },
  };
}

} // namespace

pass_world spawn_pass_world(caf::actor_system& system, const ports& real,
                            bool dry_run) {
  pass_world x;
  x.outside = real;
  x.sent = spawn_notebook(system);
  x.outside.probes = system.spawn(looks_only, real.probes);
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
