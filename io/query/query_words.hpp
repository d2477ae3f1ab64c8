// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Parameters that take one of a few words, and what is said to any other. Used
// by the readers of queries.

#pragma once

#include "messages/result.hpp"

#include <string>
#include <vector>

namespace orderly::io::http {

using words = std::vector<std::string>;

/// Phases of nodes, and of instances, as they are shown.
const words& node_phases();
const words& instance_phases();

bool is_one_of(const words& known, const std::string& value);

/// A sentence that names the parameter and what it takes.
fault unknown_word(const std::string& key, const std::string& value,
                   const words& known);

} // namespace orderly::io::http
