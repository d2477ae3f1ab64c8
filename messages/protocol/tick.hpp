// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A timer of an actor itself.

#pragma once

#include <caf/allowed_unsafe_message_type.hpp>

#include <cstdint>

namespace orderly {

/// A timer of the actor itself. Late ticks of an older generation are stale.
struct tick {
  std::uint32_t what = 0;       ///< each actor has its own kinds
  std::uint64_t generation = 0; ///< of its alarm; 0 where there is none
};

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::tick)
