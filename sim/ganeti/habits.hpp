// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How long things take in the simulated Ganeti and what goes wrong there; a
// drill may change any of it at any time.

#pragma once

#include "messages/time.hpp"

#include <cstdint>

namespace orderly::sim {

/// What a job fails with for which the allocator found no place.
inline constexpr const char* no_room
  = "Can't compute nodes using iallocator 'hail': Request failed: "
    "No valid allocation solutions (insufficient_resources)";

/// Which part of a picture is older than the rest.
enum class tear { none, nodes, instances };

struct ganeti_habits {
  millis tags_least = seconds{1}, tags_most = millis{1500};
  millis flags_least = millis{1500}, flags_most = millis{2500};
  millis failover_least = seconds{4}, failover_most = seconds{7};
  millis migrate_least = seconds{10}, migrate_most = seconds{30};
  millis replace_least = seconds{30}, replace_most = seconds{60};
  millis recreate_least = seconds{5}, recreate_most = seconds{15};
  millis reinstall_least = seconds{10}, reinstall_most = seconds{30};
  millis start_least = seconds{2}, start_most = seconds{4};
  millis no_answer = seconds{36};   ///< until an operation gives a node up
  millis pickup = millis{50};       ///< from queued to waiting for locks
  std::uint32_t factor = 1;         ///< all of the above, so many times slower
  std::uint32_t running_max = 20;   ///< jobs at once
  std::uint32_t fail_per_mille = 0; ///< jobs that fail for no good reason
  std::uint32_t lose_per_mille = 0; ///< jobs whose process gets killed
  bool luxi_down = false;           ///< nothing answers
  /// Nothing is answered, and what was asked for is done once it goes on.
  bool luxi_stalled = false;
  millis luxi_slow{};        ///< until a question is read, and answered
  tear torn = tear::none;    ///< what pictures show as it was the time before
  bool drop_replies = false; ///< submissions: taken, but nobody is told
  bool drained = false;      ///< the queue refuses new jobs
  /// New disks on nodes that an allocator picks. Ganeti 3.0 moves the record
  /// and then fails.
  bool allocator_recreates = false;
  /// Instances may be moved to drained nodes. Ganeti refuses, also where the
  /// only other node of a mirror is drained.
  bool drained_targets = false;
  /// Ganeti's own watcher starts what is wanted up and does not run, every
  /// `watch_interval`, on nodes that are not offline.
  bool watcher = false;
  millis watch_interval = minutes{5};
  /// Tags are written even while another job works on their object. A real
  /// queue makes them wait for its lock.
  bool tags_overtake = false;

  /// Whoever asks now hears nothing within `limit`.
  [[nodiscard]] bool deaf(millis limit) const {
    return luxi_down || luxi_stalled || luxi_slow >= limit;
  }
};

/// Everything takes a millisecond or so, and what fails fails at once. Jobs
/// do what their sender meant: allocators recreate, drained mirrors take over.
ganeti_habits quick_habits();

} // namespace orderly::sim
