// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Repairs played by hand, for the laws about them.

#pragma once

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::sim::repair_test {

inline constexpr const char* prefix = "ganeti:watcher:autorepair:";

struct repairing : hand_played {
  using hand_played::hand_played;

  void tag(const std::string& object, const std::string& rest) {
    fault("tag " + object + " add " + prefix + rest);
  }

  /// The nodes are dead, fenced and marked offline.
  void lose(const std::vector<node_name>& nodes) {
    for (const auto& name : nodes) {
      fault("power " + name + " off");
      wait(seconds{40});
      fence(name);
      lab.cluster.set_offline(name, true);
    }
    REQUIRE(broken() == names{});
  }

  opcode recreate(const instance_name& name,
                  const std::vector<node_name>& nodes) {
    auto op = on_instance(op_kind::recreate_disks, name);
    op.nodes = nodes;
    return op;
  }

  job_id order_all(const std::vector<opcode>& ops, const incident_id& id) {
    auto intent = "many-" + std::to_string(++count);
    write(entry_kind::intent, "instance:x", "job", intent);
    return lab.cluster.submit({{{with_token(ops), trail_text(id, intent), {}}}})
      .ids.at(0);
  }

  std::set<std::string> at_the_end() {
    std::set<std::string> result;
    for (const auto& x : judge.check_liveness(lab, t))
      result.insert(x.name);
    return result;
  }
};

inline settings acting() {
  settings rules;
  rules.autorepair.enabled = true;
  return rules;
}

inline opcode tagging(op_kind kind, const instance_name& name,
                      const std::string& tag) {
  opcode op;
  op.kind = kind;
  op.tags_on = tag_kind::instance;
  op.tag_object = name;
  op.tags = {tag};
  return op;
}

inline opcode adding(const instance_name& name, const std::string& rest) {
  return tagging(op_kind::tags_set, name, prefix + rest);
}

inline opcode removing(const instance_name& name, const std::string& rest) {
  return tagging(op_kind::tags_del, name, prefix + rest);
}

} // namespace orderly::sim::repair_test
