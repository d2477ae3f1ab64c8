// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The job submitter: the only holder of the job port. Writes an intent down,
// sends the job, watches it to its end or to our deadline, and tells the
// owner. An intent is never sent twice: when it is unknown whether a
// submission arrived, the queue is searched for its reason trail first, and
// what may be done but once is not sent again even if it is not found. One that
// is called back is not sent, and is cancelled where it got there.
//
// Right before each submission, and after every wait, the owner is asked
// whether everything still speaks for it (ADR 0026).
//
//   new -> writing -> ready -> asking -> sending -> watching -> ended
//                      ^  ^      |          | unknown  ^
//                      |  '------'          v          |
//                      '-- not found --- matching -----'

#pragma once

#include "actors/shell/shell.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/ports.hpp"

#include <map>

namespace orderly {

struct job_submitter_state {
  static inline const char* name = "job_submitter";

  enum class stage {
    writing,
    ready,
    asking,
    sending,
    matching,
    watching,
    ended
  };

  struct item {
    job_order order;
    job_client client;
    job_submitter_state::stage stage = stage::writing;
    bool may_send = true; ///< false: known from before, the order is not
    job_event last;
    bool told = false;        ///< the owner was sent `last`
    bool untried = false;     ///< refused by us: compare `jobs::is_untried`
    bool called_back = false; ///< what gets into the queue is cancelled
    bool overdue = false; ///< its owner heard that, and counts on it no more
    bool warned = false;  ///< a person heard that it cannot be stopped
    bool usurped = false; ///< another was master while it was under way
    instant canceled_at;  ///< when that was heard first; `never`: it was not
    job_id id = 0;
    job_status status = job_status::queued;
    instant deadline;
    instant not_before; ///< of the next attempt
    /// That a search finds no job of it means something from then on.
    instant absent_from;
    std::uint32_t tries = 0;
    std::uint32_t refusals = 0;
    std::string refused_for;      ///< the last of them
    std::uint32_t absences = 0;   ///< answered searches that found no job of it
    std::vector<node_name> joins; ///< its places, if the order is not known
    std::optional<op_kind> main;  ///< what it is there for, likewise
  };

  /// Is sent for a job whose cancelling was not answered.
  static constexpr std::uint32_t cancel_tick = 1;

  context_ptr ctx;
  job_port port;
  journal_actor journal;
  lease right;
  bool recovered = false;
  bool sending = false;
  bool send_alone = false; ///< a batch was refused: one at a time
  std::map<intent_id, item> items;
  /// Cancelled, and not heard yet: how often that was said in vain.
  std::map<job_id, std::uint32_t> cancels;
  std::vector<std::pair<job_order, job_client>> early; ///< before recovery
  std::map<intent_id, job_withdraw> early_back;        ///< before recovery
};

job_submitter_actor::behavior_type
job_submitter(job_submitter_actor::stateful_pointer<job_submitter_state> self,
              context_ptr ctx, job_port port, journal_actor journal);

} // namespace orderly
