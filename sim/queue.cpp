// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The job queue half of the simulated Ganeti.

#include "sim/ganeti.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

void add_once(std::vector<std::string>& xs, const std::string& x) {
  if (!x.empty() && std::find(xs.begin(), xs.end(), x) == xs.end())
    xs.push_back(x);
}

bool moves_instance(op_kind x) {
  return x == op_kind::instance_failover || x == op_kind::instance_migrate
         || x == op_kind::replace_disks;
}

} // namespace

submit_answer ganeti::submit(const job_submission& what) {
  submit_answer result;
  if (habits.drained) {
    result.outcome = submit_outcome::refused;
    result.text = "Job queue is drained, refusing job";
    return result;
  }
  auto count = what.jobs.size();
  if (habits.drop_replies) {
    // Mostly all are taken, sometimes a part or nothing.
    auto part = dice_.below(4);
    if (part >= 2)
      count = part == 2 ? 0 : dice_.below(count + 1);
  }
  for (std::size_t i = 0; i < count; ++i)
    result.ids.push_back(enqueue(what.jobs[i]).id);
  if (habits.drop_replies) {
    result.ids.clear();
    result.outcome = submit_outcome::unknown;
    result.text = "luxi: the connection broke before the answer came";
    return result;
  }
  result.outcome = submit_outcome::accepted;
  return result;
}

sim_job& ganeti::enqueue(const job_spec& spec) {
  sim_job x;
  x.id = jobs_.size() + 1;
  x.spec = spec;
  x.intent = intent_in_trail(spec.reason);
  x.submitted = truth_.now();
  describe_effects(x);
  jobs_.push_back(std::move(x));
  auto& result = jobs_.back();
  open_.insert(result.id);
  schedule(result, truth_.now() + habits.pickup * habits.factor);
  touch();
  if (on_enqueued)
    on_enqueued();
  return result;
}

/// Whom a job names, moves and locks.
void ganeti::describe_effects(sim_job& x) const {
  for (const auto& op : x.spec.ops) {
    auto name = op.instance;
    if (op.kind == op_kind::tags_set || op.kind == op_kind::tags_del) {
      if (op.tags_on == tag_kind::instance)
        name = op.tag_object;
      else if (op.tags_on == tag_kind::node)
        add_once(x.locks, "node/" + op.tag_object);
    }
    if (!op.node.empty())
      add_once(x.locks, "node/" + op.node);
    if (name.empty())
      continue;
    add_once(x.instances, name);
    add_once(x.locks, "instance/" + name);
    const auto* inst = instance(name);
    if (!inst || !moves_instance(op.kind))
      continue;
    x.old_home = inst->primary;
    x.admin = inst->admin;
    x.home_ran = truth_.runs_on(name, inst->primary);
    auto replaces = op.kind == op_kind::replace_disks;
    if (!replaces)
      add_once(x.leaves, inst->primary);
    add_once(x.joins, op.target);
    add_once(x.locks, "node/" + inst->primary);
    if (!op.target.empty())
      add_once(x.locks, "node/" + op.target);
    for (const auto& other : inst->secondaries) {
      add_once(x.locks, "node/" + other);
      add_once(replaces ? x.leaves : x.joins, other);
    }
  }
}

const sim_job* ganeti::job(job_id id) const {
  return id == 0 || id > jobs_.size() ? nullptr : &jobs_[id - 1];
}

trail_answer ganeti::find(const std::string& needle) const {
  trail_answer result;
  result.answered = true;
  for (const auto& x : jobs_)
    if (x.spec.reason.find(needle) != std::string::npos)
      result.jobs.push_back({x.id, x.status, x.spec.reason});
  return result;
}

bool ganeti::cancel(job_id id) {
  if (id == 0 || id > jobs_.size())
    return false;
  auto& x = jobs_[id - 1];
  if (x.status != job_status::queued && x.status != job_status::waiting)
    return false;
  finish(x, job_status::canceled, "Job canceled by request");
  start_waiting();
  return true;
}

void ganeti::schedule(sim_job& x, instant when) {
  x.due = when;
  agenda_.emplace(when, x.id);
}

instant ganeti::next_event() const {
  return agenda_.empty() ? never : agenda_.begin()->first;
}

void ganeti::advance() {
  while (!agenda_.empty() && agenda_.begin()->first <= truth_.now()) {
    auto id = agenda_.begin()->second;
    agenda_.erase(agenda_.begin());
    step(jobs_[id - 1]);
  }
}

void ganeti::step(sim_job& x) {
  if (x.status == job_status::queued) {
    x.status = job_status::waiting;
    ++version_;
    waiting_.insert(x.id);
    start_waiting();
    return;
  }
  if (x.failure.empty() && dice_.chance(habits.lose_per_mille)) {
    // Killed right before or right after it did its work: says running for
    // ever, its locks are free.
    if (dice_.chance(500))
      carry_out(x.spec.ops[x.op], x.target);
    x.dead = true;
    truth_.tell("job " + std::to_string(x.id) + " lost");
    release(x);
    start_waiting();
    return;
  }
  auto last = x.op + 1 == x.spec.ops.size();
  if (x.failure.empty() && x.doomed && last)
    x.failure = "Failure prereq: unspecified trouble on the way";
  if (x.failure.empty())
    x.failure = carry_out(x.spec.ops[x.op], x.target);
  if (!x.failure.empty())
    finish(x, job_status::error, x.failure);
  else if (last)
    finish(x, job_status::success, {});
  else {
    ++x.op;
    start(x);
    return;
  }
  start_waiting();
}

void ganeti::start_waiting() {
  // Whoever waits keeps those behind it from overtaking.
  std::set<std::string> wanted;
  auto pending = waiting_;
  for (auto id : pending) {
    if (running_ >= habits.running_max)
      return;
    auto& x = jobs_[id - 1];
    auto taken = [&](const std::string& lock) {
      return locks_.count(lock) > 0 || wanted.count(lock) > 0;
    };
    if (std::any_of(x.locks.begin(), x.locks.end(), taken)) {
      wanted.insert(x.locks.begin(), x.locks.end());
      continue;
    }
    waiting_.erase(id);
    locks_.insert(x.locks.begin(), x.locks.end());
    ++running_;
    x.status = job_status::running;
    ++version_;
    x.doomed = dice_.chance(habits.fail_per_mille);
    start(x);
  }
}

/// Begins the opcode `x.op`.
void ganeti::start(sim_job& x) {
  if (x.spec.ops.empty()) {
    finish(x, job_status::success, {});
    return;
  }
  auto what = plan(x.spec.ops[x.op]);
  x.failure = what.failure;
  x.target = what.target;
  add_once(x.joins, what.target);
  schedule(x, truth_.now() + what.takes * habits.factor);
}

void ganeti::release(sim_job& x) {
  --running_;
  for (const auto& lock : x.locks)
    locks_.erase(lock);
  ++version_;
}

void ganeti::finish(sim_job& x, job_status status, const std::string& text) {
  if (x.status == job_status::running)
    release(x);
  agenda_.erase({x.due, x.id});
  waiting_.erase(x.id);
  open_.erase(x.id);
  x.status = status;
  x.text = text;
  x.ended = truth_.now();
  touch();
}

} // namespace orderly::sim
