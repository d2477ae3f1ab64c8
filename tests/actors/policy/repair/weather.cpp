// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What happens to the world of an autorepair storm.

#include "tests/actors/policy/repair/storm.hpp"

namespace orderly::autorepair::lab {

void storm::disturb() {
  auto& node = std::next(nodes.begin(), static_cast<long>(roll(4)))->second;
  switch (roll(5)) {
  case 0:
  case 1:
    return disturb_node(node);
  case 2:
    return disturb_rest();
  default:
    meddle();
  }
}

void storm::disturb_node(node_view& node) {
  switch (roll(8)) {
  case 0:
  case 1:
    node.offline = !node.offline;
    return;
  case 2:
    node.drained = !node.drained;
    return;
  case 3:
  case 4:
    prove(node.name);
    return;
  case 5:
    node.proved_down.reset();
    return;
  case 6:
    for (auto& [name, each] : nodes)
      each.offline = name == record.primary
                     || (!record.secondaries.empty()
                         && name == record.secondaries.front());
    prove(record.primary);
    return;
  default:
    node.offline = node.drained = false;
  }
}

void storm::disturb_rest() {
  switch (roll(12)) {
  case 0:
    foreign_job = roll(3) == 0 ? std::optional<job_id>{7} : std::nullopt;
    return;
  case 1:
    limits.enabled = roll(10) != 0;
    return;
  case 2:
    limits.observe = roll(10) == 0;
    return;
  case 3:
    limits.job_delay = seconds{roll(2) == 0 ? 10 : 0};
    return;
  case 4:
    cluster_tags = {tagged(random_type())};
    return;
  case 5:
    cluster_tags = {tagged("suspend:" + std::to_string(to_unix(now) + 90))};
    return;
  case 6:
    room_asked = roll(3) != 0;
    room_text = roll(4) == 0 ? "no answer" : "";
    return;
  case 7:
    memory_free = roll(4) == 0 ? 100 : 8192;
    return;
  case 8:
    mirror_fault.assign(roll(2) == 0 ? 1 : 0, {"disk/0", false, "n2"});
    return;
  case 9:
    mirror_late = roll(4) == 0;
    return;
  case 10:
    record.admin = static_cast<admin_state>(roll(3));
    return;
  default:
    if (zombie_ && roll(2) == 0) {
      jobs[*zombie_] = {
        *zombie_, roll(2) == 0 ? job_status::success : job_status::error, now};
      zombie_.reset();
    }
    if (stray_) {
      // One that ended well after a failure would have moved the instance.
      auto well = !machine.last_failed;
      jobs[*stray_]
        = {*stray_, well ? job_status::success : job_status::error, now};
      stray_.reset();
    }
    trails.clear();
  }
}

std::string storm::random_type() {
  return std::vector<std::string>{"fix-storage", "migrate", "failover",
                                  "failover", "reinstall"}[roll(5)];
}

/// People and other tools change the tags of the instance.
void storm::meddle() {
  auto& all = record.tags;
  auto id = "ext" + std::to_string(roll(1000000));
  auto time = std::to_string(to_unix(now));
  switch (roll(14)) {
  case 0:
    all.push_back(tagged("suspend:" + std::to_string(to_unix(now) + 60)));
    return;
  case 1:
    all.push_back(
      tagged("pending:" + random_type() + ":" + id + ":" + time + ":"));
    return;
  case 2:
    all.push_back(tagged("pending:" + random_type() + ":" + id + ":" + time
                         + ":" + std::to_string(roll(900))));
    return;
  case 3:
    all.push_back("web:" + id);
    return;
  case 4:
    if (all.size() > 20)
      all.clear();
    return;
  case 5:
    all.push_back(tagged(random_type()));
    return;
  case 6:
    if (!all.empty())
      all.erase(all.begin() + static_cast<long>(roll(all.size())));
    return;
  case 7:
    for (const auto& tag : all)
      if (is_pending(tag) && part_of(tag, 2).rfind("ext", 0) == 0 && !stray_) {
        stray_ = 900 + roll(90);
        jobs.erase(*stray_);
        trails.emplace_back(part_of(tag, 2), *stray_);
      }
    return;
  default:
    std::erase_if(all, is_failure);
  }
}

} // namespace orderly::autorepair::lab
