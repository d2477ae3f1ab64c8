// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The two actors behind the ports to Ganeti, for those who spawn them.

#pragma once

#include "io/ganeti/asking.hpp"
#include "io/ganeti/trouble_talk.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace orderly::io {

struct cluster_port_state {
  static inline const char* name = "ganeti_cluster_port";

  asking questions;
  std::unique_ptr<luxi_client> client;
  std::string own_name; ///< of this host
  job_port_actor jobs;
  trouble_talk talk;
  std::function<void(const std::string&)> tell;
  cluster_picture last;
  picture_replies last_replies; ///< what `last` was made of
  /// A person's pause of the watcher that ours took the place of.
  instant pause_before;
};

/// Asks luxid for pictures and shows each new one to `jobs`.
cluster_port_actor::behavior_type
ganeti_cluster_port(cluster_port_actor::stateful_pointer<cluster_port_state>,
                    loop* on, std::string socket_path, std::string own_name,
                    job_port_actor jobs,
                    std::function<void(const std::string&)> tell);

/// Sends a job that asks the nodes, waits for its end and answers with what
/// it found.
caf::typed_response_promise<mirrors_answer>
ask_mirrors(cluster_port_actor::stateful_pointer<cluster_port_state> self,
            const read_mirrors& order);

struct job_port_state {
  static inline const char* name = "ganeti_job_port";

  struct search {
    std::string needle;
    bool archived = false;
    caf::typed_response_promise<trail_answer> promise;
  };

  asking questions;
  std::unique_ptr<luxi_client> client;
  std::unique_ptr<luxi_client> waiter; ///< for calls that take their time
  /// For one short question: the setting in force when it is asked.
  std::function<millis()> time_limit;
  cluster_picture picture; ///< null: not known yet
  std::size_t watches = 0; ///< under way
  bool searching = false;
  std::vector<search> searches; ///< for the next reading of the whole queue
};

/// Submits, watches, finds and cancels jobs. `time_limit` says how long one
/// short question may take.
job_port_actor::behavior_type
ganeti_job_port(job_port_actor::stateful_pointer<job_port_state> self, loop* on,
                std::string socket_path, std::function<millis()> time_limit);

} // namespace orderly::io
