// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node's actor makes of what the journal kept of it. Private to node/.

#pragma once

#include "actors/node/carry_out.hpp"
#include "messages/protocol/recollection.hpp"

#include <string>
#include <vector>

namespace orderly::node_parts {

/// The keys of all that `remember` wants to know.
std::vector<std::string> keys_of_memory(const node_name& node);

/// Takes up where an earlier life left off. What is done about it waits for the
/// node's record.
void remember(self_ptr self, const recalled& before);

} // namespace orderly::node_parts
