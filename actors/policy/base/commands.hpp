// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Commands that several sentences tell people to give.

#pragma once

#include "messages/ids.hpp"

#include <string>

#include <fmt/format.h>

namespace orderly {

/// Takes a node back that lives. Our own mark records it off as well, and what
/// is recorded off is not taken back before that is put right; of what has no
/// power control there is no such record.
inline std::string return_command(const node_name& node, bool power_control) {
  return fmt::format("orderly node modify {}--offline=no {}",
                     power_control ? "--powered=yes " : "", node);
}

/// Takes a node back that was drained when it was marked offline, in one step,
/// so that nothing is placed there in between.
inline std::string drain_command(const node_name& node) {
  return fmt::format("gnt-node modify --drained=yes {}", node);
}

/// Takes a node back that may be off.
inline std::string revive_command(const node_name& node, bool power_control) {
  return power_control
           ? fmt::format("orderly power on {0}, then orderly node modify "
                         "--offline=no {0}",
                         node)
           : return_command(node, false);
}

} // namespace orderly
