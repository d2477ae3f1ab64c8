// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Instances as people type them. Used where an order names some.

#pragma once

#include "io/door/message.hpp"
#include "messages/view.hpp"

#include <string>
#include <vector>

namespace orderly::io::http {

/// The one instance that `typed` names in full, or by its first label if that
/// means one only; an order must never hit a namesake. Null if there is none.
const instance_row* only_one(const std::string& typed,
                             const std::vector<instance_row>& all);

/// There is no such instance; names those that may have been meant.
response no_instance(const std::string& name,
                     const std::vector<instance_row>& all);

} // namespace orderly::io::http
