// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Names as people sort them: numbers inside a name count as numbers.

#pragma once

#include <string>

namespace orderly {

/// "node2" before "node10". A strict order of all names: "node01" and "node1"
/// are two.
bool natural_less(const std::string& a, const std::string& b);

} // namespace orderly
