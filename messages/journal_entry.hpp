// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words of the journal: what was decided, written before it is done. An entry
// is a line of the story and, in the same write, the object's new state.

#pragma once

#include "messages/fields.hpp"
#include "messages/ids.hpp"
#include "messages/job.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orderly {

enum class entry_kind {
  decision, ///< a machine changed its state, or decided to leave it
  intent,   ///< something irreversible is about to be done
  outcome,  ///< what came of an intent
  alert,    ///< a person should look
  note,     ///< state only, or a remark; not part of the story
};

inline const char* to_string(entry_kind x) {
  switch (x) {
  case entry_kind::decision:
    return "decision";
  case entry_kind::intent:
    return "intent";
  case entry_kind::outcome:
    return "outcome";
  case entry_kind::alert:
    return "alert";
  case entry_kind::note:
    return "note";
  }
  return "?";
}

/// Of the entries, and of the state, that say whether we may act.
inline constexpr const char* leader_object = "leader";

/// What an entry tells of a job.
struct job_note {
  std::optional<op_kind> kind; ///< what the job is there for, if it is known
  bool success = false;        ///< it ended, and well
};

struct journal_entry {
  std::uint64_t seq = 0; ///< given by the journal actor
  instant at;            ///< when it was decided, not when it was written
  entry_kind kind = entry_kind::note;
  object_id object;
  incident_id incident;
  intent_id intent;
  std::string code; ///< short: `suspect`, `power-off`, `failover`
  std::string why;  ///< the sentence; empty only for notes
  /// If set, the state kept under `state_key` is replaced by this; empty
  /// fields remove it.
  std::optional<fields> state;
  std::string state_key;       ///< defaults to `object`
  std::optional<job_note> job; ///< for counters; not kept
};

/// To the journal port: make these durable, all or none, in this order.
struct journal_batch {
  std::vector<journal_entry> entries;
};

struct journal_ack {
  bool durable = false;
  std::string text; ///< why not
  /// The path names our file no more: nothing that we write would be found
  /// again.
  bool lost = false;
};

/// To the journal port: what is known from before?
struct journal_read {
  std::uint32_t recent_max = 1000; ///< newest entries wanted
};

struct journal_contents {
  bool readable = false;
  std::string text;  ///< why not
  bool lost = false; ///< as in `journal_ack`
  /// What keeps it from being read may end by itself: a disk that is full, or
  /// not to be written. To be asked again.
  bool passing = false;
  std::uint64_t last_seq = 0;
  /// When a person put an older file in its place and had it taken (removed
  /// its `.epoch`): what it calls open may have ended since. `never`: nobody.
  instant adopted;
  /// When a life before this one was still on duty (`context`), to the minute;
  /// `never`: nobody knows, somebody else was, or this life has been since.
  instant worked = never;
  /// The machine was started anew since then: how long ago that was only its
  /// calendar tells, and that may have been set.
  bool reboot = false;
  /// A life before this one wrote in it, and died before anybody had noted who
  /// was on duty: none did for a minute yet. What it wrote last tells when.
  bool unnoted = false;
  /// When rows in it were found to be not as they were written; `never`: all
  /// are. What could not be relied on is not here, and the file was kept.
  instant damaged;
  std::string damage; ///< what was found, if that was in this life
  std::map<std::string, fields> states; ///< by state key
  std::vector<journal_entry> recent;    ///< oldest first, without `state`
};

} // namespace orderly
