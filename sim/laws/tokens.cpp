// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Law S39: what destroys can be kept from it however late luxid reads it.

#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/tag_words.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

using op_index = std::ptrdiff_t;

/// Its first opcode that does more than tags and waits.
op_index act_of(const sim_job& job) {
  const auto& ops = job.spec.ops;
  return std::find_if(ops.begin(), ops.end(),
                      [](const opcode& op) {
                        return op.kind != op_kind::tags_set
                               && op.kind != op_kind::tags_del
                               && op.kind != op_kind::wait;
                      })
         - ops.begin();
}

} // namespace

void laws::check_token(const sim_job& job) {
  if ((!destroys(job) && !is_step(job)) || job.instances.empty()
      || errand_of(job) || balances(job) || of_event(job))
    return;
  const auto& name = job.instances.front();
  auto act = act_of(job);
  const auto* before
    = act == 0 ? nullptr : &job.spec.ops[static_cast<std::size_t>(act - 1)];
  std::string token;
  if (before && before->kind == op_kind::tags_del && before->tag_object == name)
    for (const auto& tag : before->tags)
      if (is_token(tag))
        token = tag;
  if (token.empty())
    breach("S39", named(job) + " removes no token right before its act");
  else if (!tokens_.insert(name + " " + token).second)
    breach("S39", named(job) + " has the token of an earlier job, " + token);
  if (job.unheard && destroys(job))
    late_.insert(job.id);
}

/// A person had it switched on by us since then, and did not say that it shall
/// not wait.
bool laws::let_on_since(const node_name& node, instant when) const {
  auto i = nodes_.find(node);
  if (i == nodes_.end() || i->second.booted_by_person == never
      || i->second.booted_by_person <= when)
    return false;
  return std::none_of(errands_.begin(), errands_.end(), [&](const auto& entry) {
    const auto* asked = std::get_if<power_errand>(&entry.second.wanted.what);
    return asked && !asked->mark_offline
           && entry.second.targets.count(node) > 0;
  });
}

/// What relies on a node being off keeps it off until it can begin no more.
void laws::check_kept_off(const sim_job& job) {
  std::set<node_name> needed{job.old_home};
  if (has_op(job, op_kind::recreate_disks)) {
    const auto& x = *lab_->cluster.instance(job.instances.front());
    needed.insert(x.secondaries.begin(), x.secondaries.end());
  }
  for (const auto& node : needed)
    if (let_on_since(node, left_at(job)))
      breach("S39", named(job) + " is carried out although " + node
                      + " was switched on for a person after it was sent");
}

/// Whoever sends the next one has made certain that the one before is over.
void laws::check_late_jobs() {
  for (auto i = late_.begin(); i != late_.end();) {
    const auto& job = *lab_->cluster.job(*i);
    if (static_cast<op_index>(job.op) < act_of(job) && !is_final(job.status)) {
      ++i;
      continue;
    }
    auto began = static_cast<op_index>(job.op) >= act_of(job)
                 || job.status == job_status::success;
    if (began)
      check_kept_off(job);
    for (const auto& other : lab_->cluster.jobs())
      if (began && other.id != job.id && destroys(other) && ours(other)
          && !other.instances.empty()
          && other.instances.front() == job.instances.front()
          && left_at(other) > left_at(job) && !errand_of(other))
        breach("S39", named(job) + " is carried out although " + named(other)
                        + " was sent after it");
    i = late_.erase(i);
  }
}

} // namespace orderly::sim
