// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/eligibility.hpp"

#include <fmt/format.h>

namespace orderly {

eligibility_answer eligible(const eligibility_input& in) {
  if (in.is_self)
    return {false, "orderly runs on it: never fence own node"};
  if (in.is_master)
    return {false, "it is the master node: fail the master over before it is "
                   "treated"};
  if (!in.held.empty())
    return {false, in.held};
  if (in.node.offline && !in.ha_maintenance)
    return {false, "marked offline"};
  if (!in.recorded_on && !in.ha_maintenance)
    return {false, fmt::format("recorded powered off: switch it on (orderly "
                               "power on {0}), or if it is on correct the "
                               "record (orderly node modify --powered=yes {0})",
                               in.node.name)};
  if (!in.node.vm_capable)
    return {false, "not vm_capable: it runs no instances"};
  if (in.program.empty() && in.node.oob_program == "!")
    return {false, "no power control: it is switched off for this node by "
                   "oob_program \"!\""};
  if (in.program.empty())
    return {false,
            fmt::format("no power control: set oob_program (gnt-node modify "
                        "--node-parameters oob_program=PATH {}) or "
                        "power.program in /etc/orderly/orderly.toml",
                        in.node.name)};
  if (!in.unprotected.empty())
    return {false, "unprotected: " + in.unprotected};
  if (in.neighbours == 0)
    return {false, "no other node of the cluster is online: nobody could say "
                   "whether it is active or take its instances"};
  return {};
}

} // namespace orderly
