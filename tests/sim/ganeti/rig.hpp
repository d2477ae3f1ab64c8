// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A simulated Ganeti without any daemon, and opcodes for it. For the tests
// that send jobs by hand.

#pragma once

#include "sim/state/lab_state.hpp"

#include <string>

namespace orderly::sim {

struct cluster_rig {
  lab_state lab{*plan_named("small-5n", 1)};
  instant t = lab.epoch_wall;

  void wait(millis d) {
    t += d;
    lab.advance(t);
  }

  [[nodiscard]] const instance_record& inst(const std::string& name) const {
    return *lab.cluster.instance(name);
  }
};

inline opcode on_instance(op_kind kind, const instance_name& name) {
  opcode op;
  op.kind = kind;
  op.instance = name;
  return op;
}

inline opcode on_node(op_kind kind, const node_name& name) {
  opcode op;
  op.kind = kind;
  op.node = name;
  return op;
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

inline opcode tagging(const instance_name& name, const std::string& tag) {
  return tagging(op_kind::tags_set, name, tag);
}

} // namespace orderly::sim
