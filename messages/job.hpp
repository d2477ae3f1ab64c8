// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words about the cluster's job queue.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <string>
#include <vector>

namespace orderly {

enum class op_kind {
  node_set_offline,  ///< node; marks it offline, recorded powered off
  node_set_drained,  ///< node; `flag` is the new value
  instance_failover, ///< instance; `target` empty: the cluster picks
  instance_migrate,  ///< instance; `target` empty: the cluster picks
  replace_disks,     ///< instance; new secondary, `target` empty: picked
  instance_startup,  ///< instance
  instance_shutdown, ///< instance
  tags_set,          ///< `tag_kind`, `tag_object`, `tags`
  tags_del,          ///< `tag_kind`, `tag_object`, `tags`
};

inline const char* to_string(op_kind x) {
  switch (x) {
  case op_kind::node_set_offline:
    return "node-set-offline";
  case op_kind::node_set_drained:
    return "node-set-drained";
  case op_kind::instance_failover:
    return "instance-failover";
  case op_kind::instance_migrate:
    return "instance-migrate";
  case op_kind::replace_disks:
    return "replace-disks";
  case op_kind::instance_startup:
    return "instance-startup";
  case op_kind::instance_shutdown:
    return "instance-shutdown";
  case op_kind::tags_set:
    return "tags-set";
  case op_kind::tags_del:
    return "tags-del";
  }
  return "?";
}

enum class tag_kind { cluster, group, node, instance };

struct opcode {
  op_kind kind = op_kind::tags_set;
  node_name node;
  instance_name instance;
  node_name target;
  bool flag = false;
  tag_kind tags_on = tag_kind::instance;
  std::string tag_object; ///< empty for the cluster
  std::vector<std::string> tags;

  friend bool operator==(const opcode&, const opcode&) = default;
};

/// `failover of web1`: for logs and transcripts.
std::string describe(const opcode& op);

enum class job_status {
  queued,
  waiting,
  canceling,
  running,
  canceled,
  success,
  error,
  lost, ///< the queue does not know it
};

inline bool is_final(job_status x) {
  return x >= job_status::canceled;
}

const char* to_string(job_status x);

/// One job to be sent. The reason goes into every opcode's reason trail with
/// source `gnt:daemon:maintd`.
struct job_spec {
  std::vector<opcode> ops;
  std::string reason; ///< made by `trail_text`
};

/// `incident=I intent=T`: what finds a job again after a crash.
std::string trail_text(const incident_id& incident, const intent_id& intent);

/// The intent named in a reason text, or empty.
intent_id intent_in_trail(const std::string& reason);

/// To the job port: send these jobs, in order, in one call.
struct job_submission {
  std::vector<job_spec> jobs;
};

enum class submit_outcome {
  accepted, ///< `ids` holds one id a job
  refused,  ///< nothing was sent; `text` says why
  unknown,  ///< the connection broke: some or none may be in the queue
};

struct submit_answer {
  submit_outcome outcome = submit_outcome::unknown;
  std::vector<job_id> ids;
  std::string text;
};

/// To the job port: answer as soon as the job's status differs from `known`,
/// or when the time limit is over.
struct job_watch {
  job_id id = 0;
  job_status known = job_status::queued;
  millis time_limit{};
};

struct job_state {
  job_id id = 0;
  bool answered = false; ///< false: the queue did not answer, status is stale
  job_status status = job_status::queued;
  std::string text; ///< error text of a failed job, or why no answer
};

/// To the job port: which jobs carry `needle` in their reason trail?
struct trail_query {
  std::string needle;
};

struct trail_answer {
  bool answered = false;

  struct found {
    job_id id = 0;
    job_status status = job_status::queued;
    std::string reason;
  };

  std::vector<found> jobs; ///< sorted by id
  std::string text;        ///< why there is no answer
};

/// To the job port: cancel it if it has not started.
struct job_cancel {
  job_id id = 0;
};

/// What an actor wants done by the cluster. One order is one job. Without
/// opcodes nothing is sent: it asks what became of an intent from before a
/// restart.
struct job_order {
  intent_id intent;
  incident_id incident;
  object_id owner; ///< whose workflow this is
  std::vector<opcode> ops;
  std::string why;
  millis deadline{}; ///< after that the job counts as failed
  /// If not sent by then it is refused: what it rests on is too old. Zero: no
  /// other bound than the deadline.
  millis fresh_for{};
};

enum class job_phase {
  submitted, ///< it is in the queue under `id`
  ended,     ///< final; `status` says how
  refused,   ///< it will never run; `text` says why
  overdue,   ///< our deadline passed; it may still end, outcome unknown
};

inline const char* to_string(job_phase x) {
  switch (x) {
  case job_phase::submitted:
    return "submitted";
  case job_phase::ended:
    return "ended";
  case job_phase::refused:
    return "refused";
  case job_phase::overdue:
    return "overdue";
  }
  return "?";
}

/// What the job submitter tells the owner.
struct job_event {
  intent_id intent;
  object_id owner;
  job_phase phase = job_phase::submitted;
  job_id id = 0;
  job_status status = job_status::queued;
  std::string text;
  instant at;
};

} // namespace orderly
