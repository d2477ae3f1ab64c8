// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Questions that Ganeti answers by asking its nodes: how much room they have,
// and how mirrors are. These take as long as the slowest node. Pure. Used by
// the cluster port.

#pragma once

#include "io/ganeti/decode.hpp"
#include "messages/protocol/ports.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::io {

/// Of these nodes only; there must be one.
luxi_question question_for_room(const std::vector<node_name>& nodes);
/// Sorted by name. Nodes that give no figure for their memory are left out;
/// one that gives none for its disks has no room there.
result<std::vector<node_room>> decode_room(std::string_view reply);

/// Submits a job that asks the nodes of these instances; there must be one.
luxi_question question_for_mirrors(const std::vector<instance_name>& instances,
                                   std::int64_t nanoseconds);
/// What the result of such a job says.
result<mirrors_answer> decode_mirrors(const json& found);

} // namespace orderly::io
