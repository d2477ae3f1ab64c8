// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The laws of auto-repair, written a second time and without the machine's
// own helpers. Used by the autorepair property tests.

#pragma once

#include "actors/policy/repair/token.hpp"
#include "tests/actors/policy/repair/world.hpp"

namespace orderly::autorepair::lab {

inline bool is_about_tags(const opcode& op) {
  return op.kind == op_kind::tags_set || op.kind == op_kind::tags_del;
}

/// The opcode that a job is there for; null if it is about tags only.
inline const opcode* core_of(const submit& order) {
  for (const auto& op : order.ops)
    if (!is_about_tags(op) && op.kind != op_kind::wait
        && op.kind != op_kind::instance_shutdown
        && op.kind != op_kind::activate_disks)
      return &op;
  return nullptr;
}

inline int risk_of(op_kind kind) {
  switch (kind) {
  case op_kind::replace_disks:
    return 0;
  case op_kind::instance_migrate:
    return 1;
  case op_kind::instance_failover:
    return 2;
  default:
    return 3;
  }
}

inline int risk_of(const std::string& type) {
  const std::vector<std::string> types{"fix-storage", "migrate", "failover",
                                       "reinstall"};
  auto i = std::find(types.begin(), types.end(), type);
  return i == types.end() ? -1 : static_cast<int>(i - types.begin());
}

/// Part number `n` of what follows the common prefix.
inline std::string part_of(const std::string& tag, int n) {
  if (tag.rfind(tagged(""), 0) != 0)
    return {};
  auto at = tagged("").size();
  for (; n > 0; --n) {
    at = tag.find(':', at);
    if (at == std::string::npos)
      return {};
    ++at;
  }
  return tag.substr(at, tag.find(':', at) - at);
}

inline bool is_pending(const std::string& tag) {
  return part_of(tag, 0) == "pending";
}

inline bool is_failure(const std::string& tag) {
  return part_of(tag, 0) == "result" && part_of(tag, 4) == "failure";
}

/// -2: suspended; -1: not enabled; else the risk that may be taken.
inline int permitted(const facts& shown, instant now) {
  for (const auto* all :
       {&shown.instance.tags, &shown.group_tags, &shown.cluster_tags}) {
    int least = 4;
    for (const auto& tag : *all) {
      auto until = part_of(tag, 1);
      if (part_of(tag, 0) == "suspend"
          && (until.empty() || std::stoll(until) * 1000 > to_ms(now)))
        return -2;
      if (auto risk = risk_of(part_of(tag, 0)); risk >= 0)
        least = std::min(least, risk);
    }
    if (least < 4)
      return least;
  }
  return -1;
}

/// What the machine did so far, and whether it may do the next thing.
class laws {
public:
  /// Of an order that is new. `shown` is the newest that it was shown.
  void judge(const state& before, const submit& order, const facts& shown,
             const rules& limits, instant now) {
    CAPTURE(order.intent, order.why, to_ms(now));
    REQUIRE(intents_.insert(order.intent).second);
    REQUIRE_FALSE(order.why.empty());
    REQUIRE(limits.enabled);
    REQUIRE_FALSE(limits.observe);
    REQUIRE_FALSE(shown.foreign_job);
    // A suspension keeps nobody from taking a token away.
    REQUIRE((permitted(shown, now) != -2 || only_removes_tokens(order.ops)));
    // Whoever left that mark was first at the token: no step was carried out.
    for (const auto& tag : shown.instance.tags)
      if (is_void_mark(tag))
        std::erase_if(burnt_, [&](const auto& id) {
          return tag.starts_with(void_text(id, 0).substr(0, 14 + id.size()));
        });
    judge_tags(order, shown);
    judge_order(order, limits);
    judge_token(order, limits);
    if (core_of(order) != nullptr)
      judge_repair(before, order, shown, limits, now);
  }

  /// Of a repair, also of one that a restart sends again.
  void judge_repair(const state& before, const submit& order,
                    const facts& shown, const rules& limits, instant now) {
    CAPTURE(order.intent);
    auto id = order.intent.substr(0, order.intent.find('/'));
    auto kind = core_of(order)->kind;
    for (const auto& tag : shown.instance.tags)
      REQUIRE_FALSE(is_failure(tag));
    for (const auto& [job, standing] : shown.jobs)
      if (std::find(before.jobs.begin(), before.jobs.end(), job)
          != before.jobs.end())
        REQUIRE(is_final(standing.status));
    judge_permission(before, order, id, shown, now);
    if (kind == op_kind::instance_failover || kind == op_kind::recreate_disks) {
      REQUIRE(burnt_.count(id) == 0);
      REQUIRE(shown.primary.offline);
      const auto& proved = shown.primary.proved_down;
      REQUIRE(proved);
      REQUIRE(proved->node == shown.instance.primary);
      REQUIRE(now - proved->at <= limits.proof_max_age);
    }
    if (kind == op_kind::recreate_disks) {
      REQUIRE_FALSE(is_external(shown.instance.disks));
      for (const auto& node : shown.secondaries)
        REQUIRE(node.offline);
      judge_reinstall(order, shown, limits);
    }
    REQUIRE(failures_[id][kind] < limits.tries_max);
  }

  void judge_note(const state& after, const submit& order) {
    REQUIRE(intents_.insert(order.intent).second);
    REQUIRE(after.stage == stage::repairing);
    REQUIRE(after.job != 0);
    REQUIRE(order.ops.front().kind == op_kind::tags_set);
    const auto& text = order.ops.front().tags.front();
    REQUIRE(is_pending(text));
    REQUIRE(part_of(text, 2) == after.repair);
    REQUIRE(text.find(std::to_string(after.job)) != std::string::npos);
  }

  void ended(const submit& order, const job_event& e) {
    auto id = order.intent.substr(0, order.intent.find('/'));
    // It was first at the token: that step was never carried out.
    if (only_removes_tokens(order.ops) && e.phase == job_phase::ended
        && e.status == job_status::success)
      burnt_.erase(id);
    const auto* core = core_of(order);
    if (core == nullptr)
      return;
    auto& all = failures_[id];
    std::erase_if(all, [&](const auto& x) { return x.first != core->kind; });
    if (e.phase == job_phase::refused)
      return;
    if (e.phase == job_phase::ended && e.status == job_status::success)
      all.clear();
    else if (e.text.empty())
      ++all[core->kind];
    auto risky = core->kind == op_kind::instance_failover
                 || core->kind == op_kind::recreate_disks;
    auto good = e.phase == job_phase::ended && e.status == job_status::success;
    if (risky && !good && e.text.empty())
      burnt_.insert(id);
  }

private:
  /// The pending tag stands, or comes first in the very job.
  void judge_permission(const state& before, const submit& order,
                        const incident_id& id, const facts& shown,
                        instant now) {
    auto risk = risk_of(core_of(order)->kind);
    int tag_risk = -1;
    for (const auto& tag : shown.instance.tags)
      if (is_pending(tag) && part_of(tag, 2) == id)
        tag_risk = std::max(tag_risk, risk_of(part_of(tag, 1)));
    // Ours, that the picture is too old to show.
    if (shown.read_at <= before.noted && part_of(before.written, 2) == id)
      tag_risk = std::max(tag_risk, risk_of(part_of(before.written, 1)));
    // The job that ended just now wrote it, and the step follows at once.
    if (before.stage == stage::arming)
      for (const auto& op : before.ops)
        for (const auto& tag : op.tags)
          if (op.kind == op_kind::tags_set && part_of(tag, 2) == id)
            tag_risk = std::max(tag_risk, risk_of(part_of(tag, 1)));
    const auto& head = order.ops.front();
    if (head.kind == op_kind::tags_set) {
      REQUIRE(head.tags.size() == 1);
      REQUIRE(is_pending(head.tags[0]));
      REQUIRE(part_of(head.tags[0], 2) == id);
      auto own = risk_of(part_of(head.tags[0], 1));
      if (tag_risk < 0)
        REQUIRE(permitted(shown, now) >= own);
      else
        REQUIRE(own == tag_risk);
      tag_risk = own;
    }
    REQUIRE(tag_risk >= risk);
    auto known = repair_of_.emplace(before.repair, id).first;
    REQUIRE(known->second == id);
  }

  static void judge_reinstall(const submit& order, const facts& shown,
                              const rules& limits) {
    std::vector<op_kind> kinds;
    for (const auto& op : order.ops)
      if (!is_about_tags(op) && op.kind != op_kind::wait)
        kinds.push_back(op.kind);
    std::vector<op_kind> wanted{op_kind::recreate_disks,
                                op_kind::instance_reinstall};
    if (shown.instance.admin == admin_state::up) {
      wanted.insert(wanted.begin(), op_kind::instance_shutdown);
      wanted.push_back(op_kind::instance_startup);
    }
    if (kinds.size() > wanted.size()
        && shown.instance.admin == admin_state::down)
      wanted.push_back(op_kind::instance_startup); // we had stopped it
    REQUIRE(kinds == wanted);
    const auto& nodes = core_of(order)->nodes;
    auto mirrored = shown.instance.disks == disk_template::drbd;
    REQUIRE(nodes.size() == (!limits.name_nodes ? 0U : mirrored ? 2U : 1U));
    for (const auto& name : nodes) {
      REQUIRE(name != shown.instance.primary);
      auto& room = shown.room->nodes;
      REQUIRE(std::any_of(room.begin(), room.end(), [&](const auto& x) {
        return x.name == name && x.memory_mib >= shown.instance.memory_mib;
      }));
    }
  }

  /// Right before its act, each step removes a token.
  static void judge_token(const submit& order, const rules& limits) {
    const auto* core = core_of(order);
    if (!limits.tokens || core == nullptr
        || (core->kind != op_kind::instance_failover
            && core->kind != op_kind::instance_migrate
            && core->kind != op_kind::replace_disks
            && core->kind != op_kind::recreate_disks))
      return;
    auto act
      = std::find_if_not(order.ops.begin(), order.ops.end(),
                         [](const auto& op) { return is_about_tags(op); });
    REQUIRE(act != order.ops.begin());
    const auto& last = *std::prev(act);
    REQUIRE(last.kind == op_kind::tags_del);
    REQUIRE(last.tags.front().starts_with("orderly:token:"));
    for (std::size_t i = 1; i < last.tags.size(); ++i)
      REQUIRE(is_unbegun_mark(last.tags[i]));
  }

  /// What permits is set only where what it replaces was there still; what
  /// permits nothing stands before that goes, but for the mark of who removed a
  /// token.
  static void judge_order(const submit& order, const rules& limits) {
    auto sets
      = std::find_if(order.ops.begin(), order.ops.end(), [](const opcode& op) {
          return op.kind == op_kind::tags_set;
        });
    if (sets == order.ops.end())
      return;
    auto permits
      = limits.tokens
        && std::any_of(sets->tags.begin(), sets->tags.end(), is_pending);
    auto last = permits || only_removes_tokens(order.ops);
    REQUIRE((sets == order.ops.begin() || last));
    if (last)
      REQUIRE(std::none_of(sets, order.ops.end(), [](const opcode& op) {
        return op.kind == op_kind::tags_del;
      }));
  }

  static void judge_tags(const submit& order, const facts& shown) {
    for (const auto& op : order.ops) {
      if (!is_about_tags(op))
        continue;
      REQUIRE(op.tags_on == tag_kind::instance);
      REQUIRE(op.tag_object == shown.instance.name);
      REQUIRE_FALSE(op.tags.empty());
      for (const auto& tag : op.tags) {
        if (is_token(tag) || is_void_mark(tag) || is_unbegun_mark(tag))
          continue;
        auto kind = part_of(tag, 0);
        if (op.kind == op_kind::tags_del) {
          REQUIRE((is_pending(tag) || kind == "result" || kind == "suspend"));
          REQUIRE_FALSE(is_failure(tag));
          continue;
        }
        REQUIRE((is_pending(tag) || kind == "result"));
        REQUIRE(tag.size() <= tags::length_max);
        auto read = tags::parse(tag);
        REQUIRE(read);
        REQUIRE(tags::format(*read) == tag);
      }
    }
  }

  std::set<intent_id> intents_;
  std::set<incident_id> burnt_; ///< their one dangerous step went wrong
  std::map<incident_id, std::map<op_kind, std::uint32_t>> failures_;
  std::map<incident_id, incident_id> repair_of_;
};

} // namespace orderly::autorepair::lab
