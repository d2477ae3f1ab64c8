// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The job queue half of the simulated Ganeti.

#include "sim/ganeti/ganeti.hpp"

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

bool is_tagging(op_kind x) {
  return x == op_kind::tags_set || x == op_kind::tags_del;
}

/// The last opcode that is no wait.
std::size_t last_deed(const job_spec& x) {
  for (auto i = x.ops.size(); i > 0; --i)
    if (x.ops[i - 1].kind != op_kind::wait)
      return i - 1;
  return 0;
}

} // namespace

submit_answer ganeti::submit(const job_submission& what,
                             const node_name& sender) {
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
    result.ids.push_back(enqueue(what.jobs[i], sender).id);
  if (habits.drop_replies) {
    result.ids.clear();
    result.outcome = submit_outcome::unknown;
    result.text = "luxi: the connection broke before the answer came";
    return result;
  }
  result.outcome = submit_outcome::accepted;
  return result;
}

sim_job& ganeti::add_job(job_id id, const job_spec& spec) {
  sim_job x;
  x.id = id;
  x.spec = spec;
  x.intent = intent_in_trail(spec.reason);
  x.submitted = truth_.now();
  describe_effects(x);
  job_index_[id] = jobs_.size();
  jobs_.push_back(std::move(x));
  return jobs_.back();
}

sim_job& ganeti::enqueue(const job_spec& spec, const node_name& sender) {
  while (job_index_.count(next_id_) > 0)
    ++next_id_;
  auto& result = add_job(next_id_++, spec);
  result.sender = sender;
  draw_fate(result);
  open_.insert(result.id);
  schedule(result, truth_.now() + habits.pickup * habits.factor);
  touch();
  for (const auto& tell : listeners_)
    tell();
  return result;
}

/// Whom a job names and moves.
void ganeti::describe_effects(sim_job& x) const {
  for (const auto& op : x.spec.ops) {
    auto name = op.instance;
    if (is_tagging(op.kind) && op.tags_on == tag_kind::instance)
      name = op.tag_object;
    if (name.empty())
      continue;
    add_once(x.instances, name);
    const auto* inst = instance(name);
    if (!inst || is_tagging(op.kind))
      continue;
    x.old_home = inst->primary;
    x.admin = inst->admin;
    x.home_ran = truth_.runs_on(name, inst->primary);
    auto recreates = op.kind == op_kind::recreate_disks;
    if (recreates)
      for (const auto& to : op.nodes)
        add_once(x.joins, to);
    // Disks that are repaired where they are move nothing.
    if (!moves_instance(op.kind)
        || (op.kind == op_kind::replace_disks && op.flag))
      continue;
    auto replaces = op.kind == op_kind::replace_disks;
    if (!replaces)
      add_once(x.leaves, inst->primary);
    add_once(x.joins, op.target);
    for (const auto& other : inst->secondaries)
      add_once(replaces ? x.leaves : x.joins, other);
  }
}

std::vector<std::string> ganeti::locks_of(const opcode& op) const {
  std::vector<std::string> result;
  if (op.kind == op_kind::wait)
    return result;
  if (!op.node.empty())
    add_once(result, "node/" + op.node);
  if (is_tagging(op.kind)) {
    if (habits.tags_overtake)
      return result;
    if (op.tags_on == tag_kind::instance)
      add_once(result, "instance/" + op.tag_object);
    else if (op.tags_on == tag_kind::node)
      add_once(result, "node/" + op.tag_object);
    return result;
  }
  if (op.instance.empty())
    return result;
  add_once(result, "instance/" + op.instance);
  const auto* x = instance(op.instance);
  if (!x || (!moves_instance(op.kind) && op.kind != op_kind::recreate_disks))
    return result;
  add_once(result, "node/" + x->primary);
  if (!op.target.empty())
    add_once(result, "node/" + op.target);
  for (const auto* names : {&x->secondaries, &op.nodes})
    for (const auto& name : *names)
      add_once(result, "node/" + name);
  return result;
}

void ganeti::mark_unheard(job_id id) {
  auto i = job_index_.find(id);
  if (i != job_index_.end())
    jobs_[i->second].unheard = true;
}

const sim_job* ganeti::job(job_id id) const {
  auto i = job_index_.find(id);
  return i == job_index_.end() ? nullptr : &jobs_[i->second];
}

trail_answer ganeti::find(const std::string& needle, bool archived) const {
  trail_answer result;
  result.answered = true;
  for (const auto& x : jobs_)
    if ((archived || !x.archived)
        && x.spec.reason.find(needle) != std::string::npos)
      result.jobs.push_back(
        {x.id, x.status, x.spec.reason, x.archived, x.nodes()});
  return result;
}

bool ganeti::cancel(job_id id, const node_name& by) {
  if (!job(id))
    return false;
  auto& x = at(id);
  if (x.status != job_status::queued && x.status != job_status::waiting)
    return false;
  x.canceled_by = by;
  finish(x, job_status::canceled, "Job canceled by request");
  start_waiting();
  return true;
}

void ganeti::schedule(sim_job& x, instant when) {
  x.due = when;
  agenda_.emplace(when, x.id);
}

instant ganeti::next_event() const {
  if (agenda_.empty()
      || (watch_due_ != never && watch_due_ < agenda_.begin()->first))
    return watch_due_;
  return agenda_.begin()->first;
}

void ganeti::advance() {
  if (watch_due_ != never && watch_due_ <= truth_.now())
    watch();
  while (!agenda_.empty() && agenda_.begin()->first <= truth_.now()) {
    auto id = agenda_.begin()->second;
    agenda_.erase(agenda_.begin());
    step(at(id));
  }
}

void ganeti::wait_in_line(sim_job& x) {
  x.status = job_status::waiting;
  x.turn = ++turns_;
  ++version_;
  waiting_.emplace(x.turn, x.id);
  start_waiting();
}

/// Killed right before or right after it did its work: says running for ever,
/// its locks are free.
void ganeti::kill(sim_job& x) {
  if (dice_.chance(500))
    carry_out(x);
  x.dead = true;
  truth_.tell("job " + std::to_string(x.id) + " lost");
  release(x);
  start_waiting();
}

void ganeti::step(sim_job& x) {
  if (x.status == job_status::queued) {
    if (x.fate == job_fate::canceled)
      finish(x, job_status::canceled, "Job canceled by request");
    else
      wait_in_line(x);
    return;
  }
  const auto& op = x.spec.ops[x.op];
  auto fated = x.op == x.doomed_at && op.kind != op_kind::wait;
  if (x.failure.empty()
      && (dice_.chance(habits.lose_per_mille)
          || (fated && x.fate == job_fate::lost))) {
    kill(x);
    return;
  }
  if (x.failure.empty() && fated && x.fate == job_fate::error)
    x.failure = "Failure prereq: unspecified trouble on the way";
  if (x.failure.empty())
    x.failure = carry_out(x);
  if (!x.failure.empty()) {
    finish(x, job_status::error, x.failure);
  } else if (x.op + 1 == x.spec.ops.size()) {
    finish(x, job_status::success, {});
  } else {
    // Each opcode takes its own locks, behind whoever came in the meantime.
    release(x);
    ++x.op;
    wait_in_line(x);
    return;
  }
  start_waiting();
}

void ganeti::start_waiting() {
  // Whoever waits keeps those behind it from overtaking.
  std::set<std::string> wanted;
  auto pending = waiting_;
  for (const auto& place : pending) {
    if (running_ >= habits.running_max)
      return;
    auto& x = at(place.second);
    auto locks = x.spec.ops.empty() ? std::vector<std::string>{}
                                    : locks_of(x.spec.ops[x.op]);
    auto taken = [&](const std::string& lock) {
      return locks_.count(lock) > 0 || wanted.count(lock) > 0;
    };
    if (std::any_of(locks.begin(), locks.end(), taken)) {
      wanted.insert(locks.begin(), locks.end());
      continue;
    }
    waiting_.erase(place);
    locks_.insert(locks.begin(), locks.end());
    x.locks = std::move(locks);
    ++running_;
    x.status = job_status::running;
    ++version_;
    if (x.begun == never && x.fate == job_fate::natural
        && dice_.chance(habits.fail_per_mille)) {
      x.fate = job_fate::error;
      x.doomed_at = last_deed(x.spec);
    }
    if (x.begun == never)
      x.begun = truth_.now();
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
  x.targets = what.targets;
  x.falls_over = what.falls_over;
  const auto* moved = instance(x.spec.ops[x.op].instance);
  const auto* home = moved != nullptr ? node(moved->primary) : nullptr;
  x.home_out = home != nullptr && home->offline;
  // A wait was asked for as long as it is.
  auto slow = x.spec.ops[x.op].kind == op_kind::wait ? 1 : habits.factor;
  schedule(x, truth_.now() + what.takes * slow);
}

void ganeti::release(sim_job& x) {
  --running_;
  for (const auto& lock : x.locks)
    locks_.erase(lock);
  x.locks.clear();
  ++version_;
}

void ganeti::finish(sim_job& x, job_status status, const std::string& text) {
  if (x.status == job_status::running && !x.dead)
    release(x);
  agenda_.erase({x.due, x.id});
  waiting_.erase({x.turn, x.id});
  open_.erase(x.id);
  x.status = status;
  x.text = text;
  x.ended = truth_.now();
  touch();
}

} // namespace orderly::sim
