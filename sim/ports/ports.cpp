// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports/ports.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

namespace orderly::sim {

ports spawn_sim_ports(caf::actor_system& sys, const lab_pointer& lab,
                      const checks::check_judge& judge) {
  ports result;
  result.cluster = spawn_cluster_port(sys, lab);
  result.jobs = spawn_job_port(sys, lab);
  result.power = spawn_power_port(sys, lab);
  result.probes = spawn_probe_port(sys, lab, judge);
  result.journal = spawn_journal_port(sys, lab);
  // Worlds without events are as they were before there were any.
  if (lab->rules.maintenance.mode == repair_mode::act)
    result.agents = spawn_agent_port(sys, lab);
  result.model = spawn_model_port(sys, lab);
  return result;
}

void stop_ports(const ports& x) {
  auto stop = [](const auto& port) {
    if (port)
      caf::anon_send_exit(port, caf::exit_reason::kill);
  };
  stop(x.cluster);
  stop(x.jobs);
  stop(x.power);
  stop(x.probes);
  stop(x.journal);
  stop(x.model);
  stop(x.planner);
  stop(x.placer);
  stop(x.agents);
}

} // namespace orderly::sim
