// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Table A.5 of the specification of host HA, written down apart from the code
// that it judges: what the two say differently is a mistake of one of them.

#pragma once

#include "messages/standing.hpp"
#include "sim/walk/guards.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace orderly::sim::walking {

struct specified_row {
  std::optional<ha_phase> from; ///< nullopt: any
  std::string_view event;
  ha_phase to;
  /// What must be so for it. What we permit besides stands behind "ours".
  std::string_view condition;
  guard holds;
};

std::span<const specified_row> specified();

/// That row; null: there is none.
const specified_row* specified(ha_phase from, std::string_view event,
                               ha_phase to);

/// By what event of the table the machine stays where it is; empty: by none of
/// it.
std::string_view name_of_stay(const machine_step& step);

} // namespace orderly::sim::walking
