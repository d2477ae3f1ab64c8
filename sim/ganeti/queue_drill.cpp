// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a drill does in the simulated queue: jobs from before, jobs that are
// archived, jobs whose fate is told.

#include "sim/ganeti/ganeti.hpp"

#include <algorithm>

namespace orderly::sim {

void ganeti::hasten(job_id id) {
  if (open_.count(id) == 0)
    return;
  auto& x = at(id);
  if (agenda_.erase({x.due, id}) > 0)
    schedule(x, truth_.now());
}

bool is_bookkeeping(const job_spec& x) {
  return std::all_of(x.ops.begin(), x.ops.end(), [](const opcode& op) {
    return op.kind == op_kind::tags_set || op.kind == op_kind::tags_del
           || op.kind == op_kind::wait;
  });
}

bool ganeti::place_job(job_id id, job_status status, const job_spec& spec,
                       millis ago) {
  if (id == 0 || job_index_.count(id) > 0 || status == job_status::lost)
    return false;
  auto& x = add_job(id, spec);
  x.status = status;
  x.begun = truth_.now();
  if (is_final(status)) {
    x.ended = truth_.now() - ago;
  } else {
    open_.insert(id);
    if (status == job_status::running) {
      if (!spec.ops.empty())
        x.locks = locks_of(spec.ops.front());
      locks_.insert(x.locks.begin(), x.locks.end());
      ++running_;
    }
  }
  touch();
  for (const auto& tell : listeners_)
    tell();
  return true;
}

bool ganeti::end_job(job_id id, job_status status, const std::string& text) {
  const auto* x = job(id);
  if (!x || is_final(x->status) || !is_final(status))
    return false;
  finish(at(id), status, text);
  start_waiting();
  return true;
}

void ganeti::set_next_job(job_id id) {
  next_id_ = id == 0 ? 1 : id;
}

bool ganeti::archive(job_id id) {
  const auto* x = job(id);
  if (!x || !is_final(x->status) || x->archived)
    return false;
  at(id).archived = true;
  ++version_;
  return true;
}

std::size_t ganeti::archive_all(const instance_name& x) {
  std::size_t count = 0;
  for (auto& job : jobs_) {
    auto named
      = x.empty()
        || std::count(job.instances.begin(), job.instances.end(), x) > 0;
    if (named && archive(job.id))
      ++count;
  }
  return count;
}

std::vector<job_standing>
ganeti::standings(const std::vector<job_id>& ids) const {
  std::vector<job_standing> result;
  for (auto id : ids) {
    job_standing y;
    y.id = id;
    const auto* x = job(id);
    if (x && !x->archived) {
      y.status = x->status;
      y.ended = is_final(x->status) ? x->ended : never;
      y.text = x->status == job_status::error ? x->text : std::string{};
      auto has = [x](op_kind kind) {
        return std::any_of(
          x->spec.ops.begin(), x->spec.ops.end(),
          [kind](const opcode& op) { return op.kind == kind; });
      };
      y.renews_disks = has(op_kind::recreate_disks);
      y.needs_home
        = has(op_kind::instance_migrate) || has(op_kind::replace_disks);
    }
    result.push_back(y);
  }
  return result;
}

void ganeti::foretell(const instance_name& x, job_fate fate,
                      std::uint32_t count) {
  foretold_[x] = {fate, count};
}

/// Takes the job's fate from what was foretold for its instances.
void ganeti::draw_fate(sim_job& x) {
  if (foretold_.empty() || is_bookkeeping(x.spec))
    return;
  for (const auto& name : x.instances) {
    auto i = foretold_.find(name);
    if (i == foretold_.end() || i->second.second == 0)
      continue;
    x.fate = i->second.first;
    auto count = static_cast<std::uint64_t>(x.spec.ops.size());
    // Some opcodes before the fateful one may have done their work.
    x.doomed_at = static_cast<std::size_t>(dice_.below(count));
    while (x.spec.ops[x.doomed_at].kind == op_kind::wait)
      x.doomed_at = (x.doomed_at + 1) % x.spec.ops.size();
    if (--i->second.second == 0)
      foretold_.erase(i);
    return;
  }
}

} // namespace orderly::sim
