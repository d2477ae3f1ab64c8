// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// L8: nothing that should run and could be helped stays down in silence. Why it
// is not helped may be good; that nobody hears of it is not.

#include "sim/laws/entry_words.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/tag_words.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// As Ganeti's own tool tells it, and everybody who reads its tags.
bool is_refused(const instance_record& x) {
  return std::any_of(x.tags.begin(), x.tags.end(), [](const auto& tag) {
    return mark_of(tag).kind == mark_kind::enoperm;
  });
}

} // namespace

/// Since when it is wanted up and its home is dead, while we could do something
/// about it; `never`: that is not so.
instant laws::down_since(const instance_record& x) const {
  const auto& dead = lab_->truth.troubled();
  auto home = dead.find(x.primary);
  if (x.admin != admin_state::up || home == dead.end()
      || !lab_->truth.homes(x.name).empty())
    return never;
  // Before that we could do nothing about it, or were another life: which knew
  // of it if it lasted.
  constexpr auto lasted = minutes{10};
  auto since = std::max(home->second, lab_->cluster.wanted_since(x.name));
  auto ended = lab_->daemon_ended;
  auto known = ended != never && since + lasted <= ended;
  return std::max({since, known ? lab_->watched_since : lab_->daemon_since,
                   lab_->clocks_jumped, lab_->luxi_since, journal_since_,
                   lab_->journal.mood_since, lab_->master().since});
}

/// About the instance, one of its nodes, or all.
bool laws::told_since(const instance_record& x, instant when) const {
  std::set<object_id> own{"instance:" + x.name, "node:" + x.primary};
  for (const auto& name : x.secondaries)
    own.insert("node:" + name);
  return std::any_of(alerted_.begin(), alerted_.end(), [&](const auto& entry) {
    const auto& [object, at] = entry;
    auto of_one = is_of_one(object);
    return at + minutes{1} >= when && (!of_one || own.count(object) > 0);
  });
}

void laws::check_told(const liveness_bounds& bounds) {
  // Whoever only observes tells all the same.
  auto lives = lab_->daemon_wanted && lab_->journal.mood == disk_mood::ok;
  if (!lives || paused_ != never || storm_told_)
    return;
  auto excused = excused_instances();
  for (const auto& x : lab_->cluster.record().instances) {
    auto since = down_since(x);
    auto movable = x.disks == disk_template::drbd || is_external(x.disks);
    if (since == never || since + bounds.silence > now_ || !movable
        || x.primary == lab_->self() || left_alone(x.primary) || hold_told(x)
        || excused.count(x.name) > 0 || is_refused(x)
        || told_since(x, lab_->truth.troubled().at(x.primary)))
      continue;
    if (allowed_since(x, repair_risk("failover"), since))
      breach("L8", x.name + " should run, its home " + x.primary
                     + " is dead, and nobody has heard of it for "
                     + std::to_string((now_ - since) / minutes{1}) + " min");
  }
}

} // namespace orderly::sim
