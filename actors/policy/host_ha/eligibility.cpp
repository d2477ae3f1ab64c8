// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/eligibility.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

eligibility_answer no(criterion failed, std::string reason) {
  return {false, std::move(reason), failed};
}

std::string why_no_control(const node_record& node) {
  if (node.oob_program == "!")
    return "no power control: it is switched off for this node by oob_program "
           "\"!\"";
  return fmt::format("no power control: set oob_program (gnt-node modify "
                     "--node-parameters oob_program=PATH {}) or power.program "
                     "in /etc/orderly/orderly.toml",
                     node.name);
}

} // namespace

eligibility_answer eligible(const eligibility_input& in) {
  using enum criterion;
  using host_ha::serves;
  if (in.is_self)
    return no(self, "orderly runs on it: never fence own node");
  if (in.is_master)
    return no(master, "it is the master node: fail the master over before it "
                      "is treated");
  if (!in.held.empty())
    return no(held, in.held);
  if (in.node.offline && !in.ha_maintenance)
    return no(maintenance, "marked offline");
  if (!in.recorded_on && !in.ha_maintenance)
    return no(recorded_off,
              fmt::format("recorded powered off: switch it on (orderly power "
                          "on {0}), or if it is on correct the record (orderly "
                          "node modify --powered=yes {0})",
                          in.node.name));
  if (!in.node.vm_capable)
    return no(not_vm_capable, "not vm_capable: it runs no instances");
  if (in.program.empty())
    return no(no_power_control, why_no_control(in.node));
  if (!in.unprotected.empty())
    return no(unprotected, "unprotected: " + in.unprotected);
  if (in.provider != nullptr && !serves(*in.provider, in.family))
    return no(hypervisor, fmt::format("its provider {} is for hosts of another "
                                      "hypervisor",
                                      in.provider->name));
  if (!in.unwatched.empty())
    return no(criterion::unwatched,
              "nobody could say whether it is active: " + in.unwatched);
  if (in.neighbours == 0)
    return no(no_neighbour, "no other node of the cluster is online: nobody "
                            "could say whether it is active or take its "
                            "instances");
  return {};
}

criterion criterion_from(std::int64_t number) {
  constexpr auto last = static_cast<std::int64_t>(criterion::no_neighbour);
  return number > 0 && number <= last ? static_cast<criterion>(number)
                                      : criterion::none;
}

bool may_be_worked_on(criterion failed) {
  using enum criterion;
  return failed == held || failed == maintenance || failed == recorded_off
         || failed == not_vm_capable || failed == no_power_control
         || failed == unprotected;
}

} // namespace orderly
