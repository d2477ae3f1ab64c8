// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node's marks can be set to in the simulated Ganeti: offline, drained,
// powered, and its helper program.

#include "sim/ganeti/ganeti.hpp"

namespace orderly::sim {

ganeti::plan_of_op ganeti::plan_flags(const opcode& op) {
  plan_of_op result{draw(habits.flags_least, habits.flags_most), {}, {}};
  if (!node(op.node))
    result.failure = "Node '" + op.node + "' not known";
  else if (op.node == record_.master)
    result.failure = "The master role can be changed only via master-failover";
  return result;
}

ganeti::plan_of_op ganeti::plan_offline(const opcode& op) {
  auto result = plan_flags(op);
  if (result.failure.empty() && op.flag && node(op.node)->oob_program.empty())
    result.failure = "Unable to change powered state for node " + op.node
                     + " as it does not support out-of-band handling";
  return result;
}

std::string ganeti::do_offline(const opcode& op) {
  auto* x = node_at(op.node);
  if (x == nullptr)
    return "Node '" + op.node + "' not known";
  mark(*x, &node_record::offline, true);
  if (op.flag)
    x->powered = false;
  touch();
  return {};
}

/// Why the marks of an existing node cannot be set so.
std::string ganeti::refusal_of(const opcode& op) const {
  const auto& x = *node(op.node);
  if (op.powered && x.oob_program.empty())
    return "Unable to change powered state for node " + op.node
           + " as it does not support out-of-band handling";
  if (op.offline == true && op.node == record_.master)
    return "The master role can be changed only via master-failover";
  if (op.offline == false && x.offline && !x.powered && op.powered != true)
    return "Node " + op.node
           + " needs to be turned on before its offline status can be reset";
  return {};
}

ganeti::plan_of_op ganeti::plan_modify(const opcode& op) {
  plan_of_op result{draw(habits.flags_least, habits.flags_most), {}, {}};
  if (!node(op.node)) {
    result.failure = "Node '" + op.node + "' not known";
    return result;
  }
  result.failure = refusal_of(op);
  // Nobody is taken back who does not answer.
  if (result.failure.empty() && op.offline == false && node(op.node)->offline
      && !answers(op.node))
    result = {habits.no_answer,
              "Node " + op.node
                + " is being de-offlined but fails to report its version",
              {}};
  return result;
}

std::string ganeti::do_modify(const opcode& op) {
  auto* x = node_at(op.node);
  if (x == nullptr)
    return "Node '" + op.node + "' not known";
  if (op.offline)
    mark(*x, &node_record::offline, *op.offline);
  else
    ++x->serial_no;
  if (op.powered)
    x->powered = *op.powered;
  if (op.program)
    x->oob_program = *op.program;
  touch();
  return {};
}

} // namespace orderly::sim
