// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The journal actor: what was decided, before it is done. Orders appends,
// commits them in groups, answers after the commit, and keeps the latest
// state of every object for those who (re)start. A commit that failed is
// unknown: it reads back, and writes again only what is not there; while that
// lasts the trouble is in the context, for all who tell it. A file that
// was taken away ends all acknowledgements, and after a while the daemon.

#pragma once

#include "actors/journal/kept_states.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/ports.hpp"
#include "messages/protocol/recollection.hpp"
#include "messages/protocol/view.hpp"

#include <deque>
#include <set>

namespace orderly {

struct journal_state {
  static inline const char* name = "journal";

  struct waiting {
    std::vector<journal_entry> entries;
    caf::typed_response_promise<journal_ack> promise;
  };

  context_ptr ctx;
  journal_port port;
  story_listener view;
  bool loaded = false;
  bool busy = false;   ///< a commit or a read is under way
  bool lost = false;   ///< its file is not ours any more: for ever
  bool unsure = false; ///< nobody knows yet whether `flight` is on disk
  std::uint64_t seq = 0;
  std::uint64_t flight_seq = 0; ///< last seq of the batch under way
  std::uint32_t tries = 0;
  instant stuck_since = never; ///< nothing could be written since
  std::size_t queued = 0;      ///< entries in `queue`
  std::deque<waiting> queue;
  std::vector<waiting> flight;
  instant adopted;             ///< as in `journal_contents`
  instant damaged;             ///< likewise
  instant worked = never;      ///< likewise
  bool reboot = false;         ///< likewise
  bool unnoted = false;        ///< likewise
  instant written = never;     ///< last, by a life before this one
  std::set<std::string> known; ///< the keys that were asked for
  kept_states states;
  std::vector<journal_entry> recent;
  std::vector<std::pair<recall, caf::typed_response_promise<recalled>>> asked;
  std::vector<std::pair<recall_keys, caf::typed_response_promise<recalled>>>
    asked_keys;
};

recalling_journal::behavior_type
journal(recalling_journal::stateful_pointer<journal_state> self,
        context_ptr ctx, journal_port port, story_listener view);

} // namespace orderly
