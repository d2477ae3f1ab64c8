// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who watches the cluster: whoever has the right to act in it.

#pragma once

#include <cstdint>

namespace orderly {

enum class duty : std::uint8_t {
  unknown, ///< nothing was heard of it since the core began
  ours,
  others, ///< another master's daemon, if any
};

} // namespace orderly
