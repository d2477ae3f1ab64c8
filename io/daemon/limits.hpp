// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the system grants this process, taken or found too little.

#pragma once

#include <string>

namespace orderly {

/// Takes all open files that are to be had, and has the allocator give big
/// blocks back. Why what there is is not enough; or empty.
std::string settle_limits();

} // namespace orderly
