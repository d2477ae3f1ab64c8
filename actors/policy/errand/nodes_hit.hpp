// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whom an errand strikes: what --count counts, and what the question lists.

#pragma once

#include "messages/errand.hpp"

#include <vector>

namespace orderly {

/// Nodes that lose their power or an instance, by a dry sheet, in natural
/// order. They point into `dry`.
std::vector<const errand_row*> nodes_hit(const errand_sheet& dry);

} // namespace orderly
