// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words about repair events: what a node says of itself, and what is done
// about it. A report is read by policy/maintenance; an event is one thing that
// a node asks for, and lives until it is done and forgotten.

#pragma once

#include "messages/cluster.hpp"
#include "messages/ids.hpp"
#include "messages/plan.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orderly {

/// To a node's agent: what does your diagnosis say?
struct ask_diagnosis {
  node_name node;
  std::string uuid;    ///< of the node
  std::string address; ///< empty: by its name
  millis time_limit{};
  /// The keys of agents that may speak for the node; empty: whichever it has.
  std::vector<std::string> keys;
};

/// What became of the question.
enum class hearing {
  heard,      ///< `object` is what the node's script said
  silent,     ///< no answer
  unverified, ///< an answer whose origin or age cannot be relied upon
  failed,     ///< the node's own script could not be asked: a probe error
};

const char* to_string(hearing x);

struct diagnosis {
  node_name node;
  hearing how = hearing::silent;
  std::string object; ///< JSON text, exactly as it came
  std::string text;   ///< why nothing was heard
  instant at;         ///< when it was said; `never`: not known
  std::string key;    ///< the fingerprint of the agent that has said it
};

/// How the agent of a node stands, as its last question was answered.
struct agent_row {
  node_name node;
  hearing how = hearing::silent;
  std::string why; ///< it was not heard, or its script could not be asked
  std::string key; ///< the fingerprint of the agent that answered; or empty
  std::vector<std::string> tagged; ///< fingerprints that the node's tags name
  std::string met;                 ///< that of the first one there; or empty
  instant asked;                   ///< when the last question had ended
  instant heard;                   ///< when it was believed last, in this life
  std::uint64_t missed = 0;        ///< questions since then
};

/// To a node's agent: keep this for the job that will take it, once.
struct deposit_repair {
  node_name node;
  std::string uuid;    ///< of the node
  std::string address; ///< as in `ask_diagnosis`
  intent_id intent;
  std::string event; ///< its UUID
  std::string command;
  std::string object; ///< what the command reads
  millis time_limit{};
};

struct deposit_answer {
  bool deposited = false;
  std::string text; ///< why not
};

/// What a node asks for, in rising severity.
enum class event_action { live_repair, evacuate, evacuate_failover };

const char* to_string(event_action x);
std::optional<event_action> event_action_from(const std::string& text);

/// Where an event stands; see policy/maintenance/event.hpp.
enum class event_phase {
  noted,        ///< seen, nothing was begun
  repairing,    ///< the node's repair command is on its way, or runs
  draining,     ///< the node is to take nothing new
  evacuating,   ///< what is on the node moves away
  closing,      ///< it is empty and is marked offline
  tagging,      ///< it is done, and the node is told so by a tag
  failing,      ///< no further job: queued ones are called back, a tag follows
  completed,    ///< the tag is there
  acknowledged, ///< a person removed the tag, and it is still reported
  failed,       ///< the failure tag is there
  canceled,     ///< by a person
  forgotten,    ///< it is no more
};

const char* to_string(event_phase x);

/// `noted`, `pending`, `completed`, `failed` or `canceled`, as old readers
/// know it.
const char* repair_status(event_phase x);

/// Nothing more is done about it.
inline bool is_final(event_phase x) {
  return x >= event_phase::completed;
}

/// Where an instance was before a job moved it away, and when that ended. A
/// reading that shows it there tells of an earlier time than it says.
struct departure {
  instance_place from;
  instant at;

  friend bool operator==(const departure&, const departure&) = default;
};

/// How an event stands, told whenever that changed.
struct event_standing {
  std::string uuid;
  node_name node;
  std::string node_uuid;
  event_action action = event_action::live_repair;
  std::string original; ///< JSON text, as the node said it
  std::string identity; ///< the same in canonical form
  event_phase phase = event_phase::noted;
  std::vector<job_id> jobs;    ///< all of them, in the order of sending
  std::string tag;             ///< that its node bears at its end
  instant ctime;               ///< of the first report that showed it
  instant mtime;               ///< when `serial_no` grew last
  std::uint64_t serial_no = 1; ///< one more with each change of state
  bool observed = false;       ///< the last answer of its node showed it
  bool ripe = false;           ///< it would begin, were it its turn
  bool willing = false;        ///< nothing of its own keeps it from beginning
  bool commands = false; ///< its repair command was sent, and has not ended
  bool late = false;     ///< ... by its deadline
  instant begun;         ///< when it began last; `never`: not yet
  /// The last reading of marks of its node that a person took away since.
  instant given_up;
  std::map<instance_name, std::string> blocked; ///< cannot leave just now; why
  std::map<instance_name, departure> left;      ///< not long ago, by its jobs
  std::vector<intent_id> open; ///< of jobs it waits for, or is about to send
  std::string why;             ///< what goes on, or what it waits for

  friend bool operator==(const event_standing&, const event_standing&)
    = default;
};

/// What a person wants of an event.
enum class event_verb {
  cancel, ///< nothing more is done about it
  ack,    ///< its tag goes from the node
  forget, ///< it is no more
};

const char* to_string(event_verb x);

struct event_order {
  std::string uuid;
  event_verb verb = event_verb::cancel;
  std::string who; ///< as the door says
  /// Only if it is this still; nullopt: whatever it is.
  std::optional<std::uint64_t> serial_no;
};

struct event_order_answer {
  enum class outcome {
    done,    ///< and on disk; what follows from it may go on
    unknown, ///< there is no such event
    refused  ///< nothing was done
  };

  outcome what = outcome::unknown;
  std::string text; ///< what follows, or why not
};

} // namespace orderly
