// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words about the cluster's job queue.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace orderly {

enum class op_kind {
  /// node; marks it offline. With `flag` it is recorded powered off as well,
  /// which the cluster takes only for nodes with a helper program of its own.
  node_set_offline,
  node_modify,       ///< node; `offline`, `powered`, `program` as far as set
  node_set_drained,  ///< node; `flag` is the new value
  instance_failover, ///< instance; `target` empty: the cluster picks
  instance_migrate,  ///< instance; `target` as above; `flag`: stopped too
  /// instance; new secondary, `target` empty: picked. With `flag`: the disks
  /// that are faulty, where they are.
  replace_disks,
  instance_startup, ///< instance
  /// instance; with `flag` nodes offline do not matter. `keep_wanted`: it
  /// stays recorded as wanted up. `span`: how long it may take, zero: default.
  instance_shutdown,
  activate_disks,     ///< instance; `flag`: fails if its mirror lags behind
  recreate_disks,     ///< instance; on `nodes`, empty: the cluster picks
  instance_reinstall, ///< instance; the same operating system again
  wait,               ///< `span`; lets other jobs pass
  tags_set,           ///< `tag_kind`, `tag_object`, `tags`
  tags_del,           ///< `tag_kind`, `tag_object`, `tags`
  /// node; runs the command that is deposited there under `command`. The job
  /// ends
  /// as the command does. `input` is what it reads.
  repair_command,
};

inline const char* to_string(op_kind x) {
  switch (x) {
  case op_kind::node_set_offline:
    return "node-set-offline";
  case op_kind::node_modify:
    return "node-modify";
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
  case op_kind::activate_disks:
    return "activate-disks";
  case op_kind::recreate_disks:
    return "recreate-disks";
  case op_kind::instance_reinstall:
    return "instance-reinstall";
  case op_kind::wait:
    return "wait";
  case op_kind::tags_set:
    return "tags-set";
  case op_kind::tags_del:
    return "tags-del";
  case op_kind::repair_command:
    return "repair-command";
  }
  return "?";
}

enum class tag_kind { cluster, group, node, instance };

/// Which of its fields count, and what `flag` means, is said at its kind.
struct opcode {
  op_kind kind = op_kind::tags_set;
  node_name node;
  instance_name instance;
  node_name target;
  std::string allocator; ///< picks nodes where none is named; empty: default
  bool flag = false;
  std::vector<node_name> nodes; ///< primary first
  millis span{};
  std::optional<bool> offline;        ///< node_modify
  std::optional<bool> powered;        ///< node_modify: the record
  std::optional<std::string> program; ///< node_modify: oob_program of the node
  bool auto_promote = false; ///< node_modify: others may become candidates
  bool keep_wanted = false;  ///< instance_shutdown
  tag_kind tags_on = tag_kind::instance;
  std::string tag_object; ///< empty for the cluster
  std::vector<std::string> tags;
  /// instance_failover: whatever its mirror is, and if its home cannot stop it.
  bool ignore_consistency = false;
  bool early_release = false; ///< replace_disks: locks go before the copy
  std::string command{};      ///< repair_command
  std::string input{};        ///< repair_command

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
  std::string remark; ///< for people, a row of the trail of its own; or empty
};

/// `incident=I intent=T`: what finds a job again after a crash.
std::string trail_text(const incident_id& incident, const intent_id& intent);

/// The intent named in a reason text, or empty.
intent_id intent_in_trail(const std::string& reason);

/// The incident named in a reason text, or empty.
incident_id incident_in_trail(const std::string& reason);

/// To the job port: send these jobs, in order, in one call.
struct job_submission {
  std::vector<job_spec> jobs; ///< none: accepted, without ids
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

/// What is known of these jobs, whoever sent them?
struct job_lookup {
  std::vector<job_id> ids; ///< empty: none, never all
  /// To the job submitter: the repair jobs for an instance of one of these
  /// names with this incident in their trail, in queue and archive, instead of
  /// `ids`. Empty: not asked.
  incident_id trail = {};
  std::vector<instance_name> names = {};
};

struct job_standing {
  job_id id = 0;
  job_status status = job_status::lost; ///< `lost`: archived, or never was
  instant ended;                        ///< `never`: not final, or not known
  std::string text = {};     ///< the error of a failed one; empty: not known
  bool renews_disks = false; ///< it was to make new, empty disks
  bool needs_home = false;   ///< it migrates, or writes a mirror

  friend bool operator==(const job_standing&, const job_standing&) = default;
};

struct job_lookup_answer {
  bool answered = false;
  std::vector<job_standing> jobs; ///< one for each id, in that order
  std::string text;               ///< why there is no answer
};

/// To the job port: which jobs carry `needle` in their reason trail?
struct trail_query {
  std::string needle;
  bool archived = false; ///< look among those that were archived, too
};

struct trail_answer {
  bool answered = false;

  struct found {
    job_id id = 0;
    job_status status = job_status::queued;
    std::string reason;
    bool archived = false; ///< how it ended is known, and nothing more
    std::vector<node_name> nodes = {}; ///< named by its opcodes
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
  /// After that the job counts as failed; from when the submitter took it.
  millis deadline{};
  /// What speaks for it is too old by then: it is withdrawn, not sent. Counts
  /// from when that was seen, however long the way here was.
  instant send_before = instant::max();
  /// May ruin something if done twice: once it may have been sent it is never
  /// sent again under this intent, not even if it cannot be found.
  bool once = false;
  /// An earlier life may have sent it: one that the submitter does not know, as
  /// its journal is older, is searched for first.
  bool again = false;
};

/// To the owner, when all is written down and right before it leaves: does
/// everything still speak for it? Without an answer it does not leave.
struct ask_consent {
  intent_id intent;
};

struct consent {
  bool go = false;
  std::string why; ///< why not; it is withdrawn for that reason
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

/// The owner does not want it any more: it is cancelled if it has not started.
/// How it ended is told as ever, if the intent is known.
struct job_withdraw {
  intent_id intent;
  /// A job that this journal knows nothing of, because another master sent it;
  /// or zero. Nobody is told how it ended.
  job_id stray = 0;
  object_id owner = {}; ///< of the stray
};

/// What the job submitter tells the owner.
struct job_event {
  intent_id intent;
  object_id owner;
  job_phase phase = job_phase::submitted;
  job_id id = 0; ///< 0: it is not known to be in the queue
  job_status status = job_status::queued; ///< as it was heard last
  std::string text;     ///< why it failed or was refused; empty: not known
  instant at;           ///< when the submitter heard that
  bool untried = false; ///< refused by us: the queue was not even asked
  /// Refused because no job of it was found where it may have been sent. Of one
  /// that is sent but once: by two answered searches, the later one of the
  /// archive too.
  bool absent = false;
  /// Canceled, and not by us, since the cluster has named another master: who
  /// that is may have decided so, and goes on with it.
  bool by_another = false;
  /// The nodes that it fills, if they are known from before a restart only.
  std::vector<node_name> joins = {};
};

} // namespace orderly
