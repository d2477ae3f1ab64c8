// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A simulated Ganeti master: the record, and a job queue whose jobs take
// time, wait for each other's locks and change record and world as the real
// ones do, mistakes included: a failover off an offline node starts the
// instance elsewhere even if the old node still runs it.

#pragma once

#include "messages/cluster.hpp"
#include "messages/job.hpp"
#include "sim/dice.hpp"
#include "sim/world.hpp"
#include "sim/world_plan.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace orderly::sim {

/// How long things take and what goes wrong; a drill may change any of it.
struct ganeti_habits {
  millis tags_least = seconds{1}, tags_most = millis{1500};
  millis flags_least = millis{1500}, flags_most = millis{2500};
  millis failover_least = seconds{4}, failover_most = seconds{7};
  millis migrate_least = seconds{10}, migrate_most = seconds{30};
  millis replace_least = seconds{30}, replace_most = seconds{60};
  millis start_least = seconds{2}, start_most = seconds{4};
  millis no_answer = seconds{36};   ///< until an operation gives a node up
  millis pickup = millis{50};       ///< from queued to waiting for locks
  std::uint32_t factor = 1;         ///< all of the above, so many times slower
  std::uint32_t running_max = 20;   ///< jobs at once
  std::uint32_t fail_per_mille = 0; ///< jobs that fail for no good reason
  std::uint32_t lose_per_mille = 0; ///< jobs whose process gets killed
  bool luxi_down = false;           ///< nothing answers
  bool drop_replies = false;        ///< submissions: taken, but nobody is told
  bool drained = false;             ///< the queue refuses new jobs
};

struct sim_job {
  job_id id = 0;
  job_spec spec;
  job_status status = job_status::queued;
  std::string text; ///< of the error
  intent_id intent; ///< out of the reason trail; empty: not ours
  instant submitted;
  instant ended;
  bool dead = false; ///< its process was killed: "running" for ever
  // what was so when it was sent, for the laws
  node_name old_home;    ///< recorded primary of its instance
  bool home_ran = false; ///< the old home really ran it
  admin_state admin = admin_state::up;
  std::vector<instance_name> instances; ///< named by its opcodes
  std::vector<node_name> leaves;        ///< nodes left by it
  std::vector<node_name> joins; ///< nodes that take load, as far as known
  // how far it is
  std::vector<std::string> locks;
  std::size_t op = 0;  ///< the opcode that runs
  instant due;         ///< next time something happens to it
  bool doomed = false; ///< will fail by the dice
  std::string failure; ///< outcome of the opcode that runs; empty: success
  node_name target;    ///< chosen for the opcode that runs
};

/// Tags as they were before a change.
struct tag_change {
  instant at;
  std::vector<std::string> before;
};

class ganeti {
public:
  ganeti(const world_plan& plan, world& truth, std::uint64_t seed);

  ganeti_habits habits;

  /// Is called whenever a job has come into the queue.
  std::function<void()> on_enqueued;

  // -- the record ------------------------------------------------------------

  [[nodiscard]] const cluster_record& record() const { return record_; }

  /// Null if there is no such thing.
  [[nodiscard]] const node_record* node(const node_name& name) const;
  [[nodiscard]] const instance_record*
  instance(const instance_name& name) const;
  [[nodiscard]] const group_record* group(const group_name& name) const;

  /// The record as a shared picture; the same one until something changes.
  cluster_picture picture();

  /// A reader got the picture at this time: the laws ask what it could know.
  void note_read(instant at);

  [[nodiscard]] const std::vector<instant>& reads() const { return reads_; }

  /// Since when `record().master` is master.
  [[nodiscard]] instant master_since() const { return master_since_; }

  /// Tags of an object at an earlier time; `name` is empty for the cluster.
  [[nodiscard]] std::vector<std::string>
  tags_at(tag_kind kind, const std::string& name, instant when) const;

  /// Grows with every change of record or queue.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  // -- a person's doing, without jobs ----------------------------------------

  /// These return false if there is no such thing.
  bool set_tag(tag_kind kind, const std::string& name, const std::string& tag,
               bool add);
  bool set_offline(const node_name& name, bool offline);
  bool set_drained(const node_name& name, bool drained);
  bool set_admin(const instance_name& name, admin_state admin);
  bool set_master(const node_name& name);

  // -- the queue -------------------------------------------------------------

  /// Takes the jobs into the queue as the habits allow.
  submit_answer submit(const job_submission& what);

  /// Null if the queue does not know it.
  [[nodiscard]] const sim_job* job(job_id id) const;

  /// All jobs ever, by id without gaps.
  [[nodiscard]] const std::vector<sim_job>& jobs() const { return jobs_; }

  /// Ids of the jobs that are not final.
  [[nodiscard]] const std::set<job_id>& open() const { return open_; }

  /// Cancels a job that has not started. False: too late or unknown.
  bool cancel(job_id id);

  [[nodiscard]] trail_answer find(const std::string& needle) const;

  /// Lets everything happen that is due at the world's time.
  void advance();

  /// When something will happen next; `never` if nothing is under way.
  [[nodiscard]] instant next_event() const;

private:
  // the record: record.cpp
  node_record* node_at(const node_name& name);
  instance_record* instance_at(const instance_name& name);
  std::vector<std::string>* tags_of(tag_kind kind, const std::string& name);
  [[nodiscard]] const std::vector<std::string>*
  tags_of(tag_kind kind, const std::string& name) const;
  void index_record();
  void touch();
  void move_primary(instance_record& x, const node_name& to);
  void write_tags(tag_kind kind, const std::string& name,
                  std::vector<std::string> tags);

  // the queue: queue.cpp
  sim_job& enqueue(const job_spec& spec);
  void describe_effects(sim_job& x) const;
  void start_waiting();
  void start(sim_job& x);
  void step(sim_job& x);
  void finish(sim_job& x, job_status status, const std::string& text);
  void release(sim_job& x);
  void schedule(sim_job& x, instant when);

  // what opcodes do: opcodes.cpp
  struct plan_of_op {
    millis takes{};
    std::string failure; ///< empty: it will work
    node_name target;
  };

  plan_of_op plan(const opcode& op);
  plan_of_op plan_failover(const opcode& op);
  plan_of_op plan_migrate(const opcode& op);
  plan_of_op plan_replace(const opcode& op);
  plan_of_op plan_tags(const opcode& op);
  plan_of_op plan_flags(const opcode& op);
  plan_of_op plan_power(const opcode& op);
  std::string carry_out(const opcode& op, const node_name& target);
  std::string do_failover(const opcode& op, const node_name& target);
  std::string do_migrate(const opcode& op, const node_name& target);
  std::string do_tags(const opcode& op);
  [[nodiscard]] node_name least_loaded(const instance_record& x) const;
  millis draw(millis least, millis most);

  world& truth_;
  dice dice_;
  cluster_record record_;
  std::map<node_name, std::size_t> node_index_;
  std::map<instance_name, std::size_t> instance_index_;
  std::map<group_name, std::size_t> group_index_;
  std::map<node_name, std::uint32_t> primaries_;
  std::map<std::string, std::vector<tag_change>> tag_history_;
  std::vector<instant> reads_; ///< the newest few, oldest first
  instant master_since_;
  cluster_picture picture_;
  std::uint64_t version_ = 0;

  std::vector<sim_job> jobs_;
  std::set<job_id> open_;
  std::set<job_id> waiting_; ///< for locks or a free place
  std::set<std::string> locks_;
  std::uint32_t running_ = 0;
  std::set<std::pair<instant, job_id>> agenda_;
};

} // namespace orderly::sim
