// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The scheduler: who may act, on what, and when. Shell of the reservation
// table, the storm guard and the budget; the pause switch is here too. A
// guard holds only new destructive acts, and says why.

#pragma once

#include "actors/policy/guards/budget.hpp"
#include "actors/policy/guards/census.hpp"
#include "actors/policy/guards/reservations.hpp"
#include "actors/policy/guards/storm.hpp"
#include "actors/policy/guards/waiting.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/scheduler.hpp"
#include "messages/protocol/view.hpp"

#include <caf/typed_response_promise.hpp>

#include <utility>
#include <vector>

namespace orderly {

/// A pause, or the end of one, that is not on disk yet.
struct pause_asked {
  pause_order order;
  caf::typed_response_promise<pause_answer> promise;
  instant at;
};

struct scheduler_state {
  static inline const char* name = "scheduler";

  context_ptr ctx;
  journal_actor journal;
  guard_viewer view;

  /// What a permit in the table took from the budget.
  struct price {
    act_kind act = act_kind::record;
    instant at;
    bool on_disk = false;
    incident_id incident = {};
  };

  /// Somebody whom the spent budget holds back.
  struct queued {
    std::string why;
    instant until; ///< it asks again by then, or is forgotten
  };

  bool recovered = false;
  instant started;
  instant read_at;         ///< when its last life was read from the journal
  instant cluster_read_at; ///< first; from then on there are instances
  instant adopted;         ///< of the journal, as in `journal_contents`
  instant damage;          ///< likewise
  lease right;
  instant right_until; ///< when it was held last; `never`: not yet
  /// Another node was master until then: permits from before are outdated.
  instant another_until;
  reservations::table table;
  storm::state storm;
  budget::state budget;
  std::map<object_id, price> prices; ///< by who holds the permit
  std::map<object_id, queued> held_by_budget;
  std::uint64_t next_permit = 0;
  waiting_list waiting;
  std::map<object_id, permit_client> clients; ///< of those who wait
  bool paused = false;
  std::string paused_by;
  census nodes;
  guard_standing shown;
  lease shown_right;
  bool storm_told = false;
  bool pause_told = false; ///< that it holds a fence
  /// Pauses and ends of them, one after the other: none counts before it is on
  /// disk, but for a pause that is being written, which holds already.
  std::deque<pause_asked> orders;
  std::optional<pause_order> writing; ///< the first of them
  bool budget_told = false;
};

scheduler_actor::behavior_type
scheduler(scheduler_actor::stateful_pointer<scheduler_state> self,
          context_ptr ctx, journal_actor journal, guard_viewer view);

} // namespace orderly
