// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A simulated Ganeti master: the record, and a job queue whose jobs take
// time, wait for each other's locks and change record and world as the real
// ones do, mistakes included: a failover off an offline node starts the
// instance elsewhere even if the old node still runs it.

#pragma once

#include "messages/cluster.hpp"
#include "messages/job.hpp"
#include "sim/ganeti/habits.hpp"
#include "sim/ganeti/history.hpp"
#include "sim/ganeti/sim_job.hpp"
#include "sim/world/dice.hpp"
#include "sim/world/plan.hpp"
#include "sim/world/world.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

/// What a node has, and how much of it others than instances took.
struct node_stock {
  std::int64_t memory_mib = 0;
  std::int64_t disk_mib = 0;
  std::int64_t disk_used = 0; ///< by the instances that are placed there
  bool full = false;          ///< by other things, nothing is left
  std::int64_t cpus = 0;
};

class ganeti {
public:
  ganeti(const world_plan& plan, world& truth, std::uint64_t seed);

  ganeti_habits habits;

  /// Is called whenever a job has come into the queue.
  void on_enqueued(std::function<void()> f) {
    listeners_.push_back(std::move(f));
  }

  /// Another one over the same world, in which `master` is master. Open jobs
  /// are lost there: they were never copied to it.
  [[nodiscard]] std::unique_ptr<ganeti> split(const node_name& master) const;

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

  /// Since when it has been wanted up or down as it is now; `never`: it always
  /// was.
  [[nodiscard]] instant wanted_since(const instance_name& name) const;

  /// When it was wanted up, oldest first; the first stretch may begin `never`.
  [[nodiscard]] std::vector<stretch_of_time>
  wanted_up(const instance_name& name) const;

  /// Was it marked offline then?
  [[nodiscard]] bool offline_at(const node_name& name, instant when) const;

  /// Has it been marked drained, or offline, all the time from `when` to now?
  [[nodiscard]] bool drained_since(const node_name& name, instant when) const;
  [[nodiscard]] bool offline_since(const node_name& name, instant when) const;

  /// What is left on a node: of memory beside what really runs there, of disk
  /// beside what is recorded there.
  [[nodiscard]] node_room room(const node_name& name) const;

  /// What a node has; `name` must exist.
  [[nodiscard]] const node_stock& stock(const node_name& name) const {
    return stock_.at(name);
  }

  /// What is wrong with the mirror of `x`, as its nodes would say; empty: it
  /// is fine, heals by itself, or they do not answer.
  [[nodiscard]] std::vector<disk_fault>
  mirror_fault(const instance_record& x) const;

  /// The node answers the master, from where every job is carried out.
  [[nodiscard]] bool answers(const node_name& name) const {
    return truth_.answers(record_.master, name);
  }

  /// Grows with every change of record or queue.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// How many nodes and instances have come since the beginning.
  [[nodiscard]] std::uint64_t members_made() const { return members_made_; }

  // -- a person's doing, without jobs ----------------------------------------

  /// These return false if there is no such thing.
  bool set_tag(tag_kind kind, const std::string& name, const std::string& tag,
               bool add);
  bool set_offline(const node_name& name, bool offline);
  bool set_drained(const node_name& name, bool drained);
  bool set_vm_capable(const node_name& name, bool capable);
  bool set_admin(const instance_name& name, admin_state admin);
  bool set_master(const node_name& name);

  /// A machine, new or known, becomes a node of the cluster. The text says why
  /// not, here and below; empty: it is done.
  std::string add_node(const node_name& name);
  std::string remove_node(const node_name& name);
  std::string add_instance(const instance_name& name, const node_name& home);
  std::string remove_instance(const instance_name& name);
  std::string rename_instance(const instance_name& name,
                              const instance_name& to);

  /// Other things take all memory and disk of the node, or leave again.
  bool set_full(const node_name& name, bool full);

  /// How the repair command of that name ends there from now on; well, if
  /// nobody said.
  void set_command(const node_name& node, const std::string& command, int exit,
                   const std::string& output = {});

  /// Runs of repair commands, by node and command.
  [[nodiscard]] const std::map<std::pair<node_name, std::string>,
                               command_course>&
  commands() const {
    return commands_;
  }

  // -- the watcher -----------------------------------------------------------

  /// It runs from now on, first when an interval is over; or never again.
  void set_watcher(bool runs);

  /// It sits still until then.
  void pause_watcher(instant until);

  [[nodiscard]] instant watcher_paused_until() const { return pause_end_; }

  // -- the queue -------------------------------------------------------------

  /// Takes the jobs into the queue as the habits allow.
  submit_answer submit(const job_submission& what,
                       const node_name& sender = {});

  /// Its sender waited for no answer any more when it was read.
  void mark_unheard(job_id id);

  /// Null if there never was such a job.
  [[nodiscard]] const sim_job* job(job_id id) const;

  /// What a reader is told of jobs: `lost` if archived or never seen.
  [[nodiscard]] std::vector<job_standing>
  standings(const std::vector<job_id>& ids) const;

  /// All jobs ever, as they came.
  [[nodiscard]] const std::vector<sim_job>& jobs() const { return jobs_; }

  /// Ids of the jobs that are not final.
  [[nodiscard]] const std::set<job_id>& open() const { return open_; }

  /// Cancels a job that has not started. False: too late or unknown.
  bool cancel(job_id id, const node_name& by = {});

  [[nodiscard]] trail_answer find(const std::string& needle,
                                  bool archived = false) const;

  // -- what becomes of it with its master ------------------------------------

  /// Processes die: what runs ends as an error, half of it with its work done.
  /// How many there were.
  std::size_t interrupt_jobs();

  /// The newest open jobs were never copied to other nodes: nobody knows them
  /// any more. How many there were.
  std::size_t lose_jobs(std::size_t count);

  // -- a luxid that stalls ---------------------------------------------------

  /// Keeps for later what a stalled luxid was asked to do.
  void hold(std::function<void()> what) { held_.push_back(std::move(what)); }

  /// Stalls it, or lets it go on: then it does all that it was asked.
  void set_stalled(bool stalled);

  // -- a drill's doing in the queue ------------------------------------------

  /// A job from before, which never goes on by itself; if it is final it
  /// ended so long `ago`. A used id is refused.
  bool place_job(job_id id, job_status status, const job_spec& spec = {},
                 millis ago = millis{0});

  /// Ends a job here and now, without any effect. False: it has ended or
  /// never was.
  bool end_job(job_id id, job_status status, const std::string& text = {});

  /// Its opcode under way is done now; nothing happens to a job that waits in
  /// line or has ended.
  void hasten(job_id id);

  /// The id of the next job; ids that were used are passed over.
  void set_next_job(job_id id);

  /// The queue forgets a job that has ended. False: it has not, or never was.
  bool archive(job_id id);

  /// Archives all jobs that have ended and name `x`; empty: all.
  std::size_t archive_all(const instance_name& x = {});

  /// The next `count` jobs that do more to `x` than tag it have this fate.
  void foretell(const instance_name& x, job_fate fate, std::uint32_t count);

  // -- time ------------------------------------------------------------------

  /// Lets everything happen that is due at the world's time.
  void advance();

  /// When something will happen next; `never` if nothing is under way.
  [[nodiscard]] instant next_event() const;

private:
  ganeti(const ganeti&) = default;

  // the record: record.cpp
  node_record* node_at(const node_name& name);
  instance_record* instance_at(const instance_name& name);
  std::vector<std::string>* tags_of(tag_kind kind, const std::string& name);
  [[nodiscard]] const std::vector<std::string>*
  tags_of(tag_kind kind, const std::string& name) const;
  void index_record();
  void index_names();
  std::string fresh_uuid(const std::string& name);
  void touch();
  void mark(node_record& x, bool node_record::*place, bool value);
  void write_tags(tag_kind kind, const std::string& name,
                  std::vector<std::string> tags);

  // room: room.cpp
  void place(instance_record& x, const node_name& primary,
             const std::vector<node_name>& secondaries);
  void count_place(const instance_record& x, int sign);
  [[nodiscard]] bool lags(const instance_record& x, const node_name& to) const;
  [[nodiscard]] bool in_service(const node_name& name) const;
  [[nodiscard]] std::vector<node_name> pick(const instance_record& x,
                                            std::size_t count, bool memory,
                                            bool disks) const;
  [[nodiscard]] bool fits(const instance_record& x, const node_name& where,
                          bool memory, bool disks) const;

  // the queue: queue.cpp
  sim_job& at(job_id id) { return jobs_[job_index_.at(id)]; }

  sim_job& add_job(job_id id, const job_spec& spec);
  sim_job& enqueue(const job_spec& spec, const node_name& sender = {});
  void describe_effects(sim_job& x) const;
  void draw_fate(sim_job& x);
  [[nodiscard]] std::vector<std::string> locks_of(const opcode& op) const;
  void wait_in_line(sim_job& x);
  void start_waiting();
  void start(sim_job& x);
  void step(sim_job& x);
  void kill(sim_job& x);
  void finish(sim_job& x, job_status status, const std::string& text);
  void release(sim_job& x);
  void schedule(sim_job& x, instant when);

  // the watcher: watcher.cpp
  void watch();
  [[nodiscard]] bool is_tended(const instance_name& name) const;

  // what opcodes do: opcodes.cpp, op_nodes.cpp, op_moves.cpp, op_disks.cpp
  struct plan_of_op {
    millis takes{};
    std::string failure; ///< empty: it will work
    std::vector<node_name> targets;
    bool falls_over = false; ///< a migration that is a failover
  };

  plan_of_op plan(const opcode& op);
  void find_target(plan_of_op& result, const instance_record& x,
                   const opcode& op, bool memory, const char* moves);
  plan_of_op plan_failover(const opcode& op);
  plan_of_op plan_activate(const opcode& op);
  plan_of_op plan_migrate(const opcode& op);
  plan_of_op plan_replace(const opcode& op);
  plan_of_op plan_mirror_repair(const opcode& op);
  plan_of_op plan_recreate(const opcode& op);
  plan_of_op plan_reinstall(const opcode& op);
  plan_of_op plan_tags(const opcode& op);
  plan_of_op plan_command(const opcode& op);
  plan_of_op plan_flags(const opcode& op);
  plan_of_op plan_offline(const opcode& op);
  plan_of_op plan_modify(const opcode& op);
  [[nodiscard]] std::string refusal_of(const opcode& op) const;
  plan_of_op plan_startup(const opcode& op);
  plan_of_op plan_shutdown(const opcode& op);
  [[nodiscard]] bool falls_over(const opcode& op,
                                const instance_record& x) const;
  std::string carry_out(const sim_job& job);
  std::string do_failover(const sim_job& job, const node_name& target);
  std::string do_migrate(const opcode& op, const node_name& target);
  std::string do_replace(const opcode& op, const node_name& target);
  std::string do_recreate(const opcode& op,
                          const std::vector<node_name>& targets);
  std::string do_startup(const opcode& op);
  std::string do_shutdown(const opcode& op);
  std::string do_tags(const opcode& op);
  std::string do_command(const opcode& op);
  std::string do_offline(const opcode& op);
  std::string do_modify(const opcode& op);
  [[nodiscard]] std::string check_target(const instance_record& x,
                                         const node_name& to, bool memory);
  millis draw(millis least, millis most);

  world& truth_;
  dice dice_;
  std::vector<std::function<void()>> listeners_;
  cluster_record record_;
  std::map<node_name, std::size_t> node_index_;
  std::map<instance_name, std::size_t> instance_index_;
  std::map<group_name, std::size_t> group_index_;
  std::map<node_name, std::uint32_t> primaries_;
  std::map<node_name, node_stock> stock_;
  std::map<std::pair<node_name, std::string>, command_course> commands_;
  std::map<std::string, std::vector<tag_change>> tag_history_;
  mark_changes offline_history_;
  mark_changes drained_history_;
  std::map<instance_name, std::vector<wish_change>> wishes_; ///< oldest first
  std::uint64_t members_made_ = 0;
  std::vector<instant> reads_; ///< the newest few, oldest first
  instant master_since_;
  cluster_picture picture_;
  cluster_picture seen_; ///< the one before, for a torn one
  std::vector<std::function<void()>> held_;
  std::uint64_t version_ = 0;

  std::vector<sim_job> jobs_;
  std::map<job_id, std::size_t> job_index_;
  job_id next_id_ = 1;
  std::set<job_id> open_;
  std::set<std::pair<std::uint64_t, job_id>> waiting_; ///< turn and job
  std::uint64_t turns_ = 0;
  std::map<instance_name, std::pair<job_fate, std::uint32_t>> foretold_;
  std::set<std::string> locks_;
  std::uint32_t running_ = 0;
  instant watch_due_; ///< `never`: there is no watcher
  instant pause_end_;
  std::map<instance_name, std::uint32_t> starts_; ///< by the watcher, in vain
  std::set<std::pair<instant, job_id>> agenda_;
};

} // namespace orderly::sim
