// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Repair commands of nodes in the simulated Ganeti: the job ends as the
// command does.

#include "sim/ganeti/ganeti.hpp"

namespace orderly::sim {

void ganeti::set_command(const node_name& node, const std::string& command,
                         int exit, const std::string& output) {
  auto& x = commands_[{node, command}];
  x.exit = exit;
  x.output = output;
}

ganeti::plan_of_op ganeti::plan_command(const opcode& op) {
  plan_of_op result{draw(habits.start_least, habits.start_most), {}, {}};
  if (!node(op.node))
    result.failure = "Node '" + op.node + "' not known";
  else if (node(op.node)->offline)
    result.failure = "Node is marked offline";
  else if (!answers(op.node))
    result = {habits.no_answer, "Node " + op.node + " does not answer", {}};
  return result;
}

std::string ganeti::do_command(const opcode& op) {
  auto& x = commands_[{op.node, op.command}];
  ++x.runs;
  truth_.tell("repair command " + op.command + " runs on " + op.node);
  if (x.exit == 0)
    return {};
  return "Restricted command '" + op.command
         + "' failed: exited with exit code " + std::to_string(x.exit)
         + "; output: " + x.output;
}

} // namespace orderly::sim
