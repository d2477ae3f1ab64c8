// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Table A.5 of the specification of host HA, written down apart from the code
// that it judges: what the two say differently is a mistake of one of them.

#pragma once

#include "messages/incident.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace orderly::sim::walking {

struct specified_row {
  std::optional<ha_phase> from; ///< nullopt: any
  std::string_view event;
  ha_phase to;
  std::string_view guard;
};

std::span<const specified_row> specified();

bool is_specified(ha_phase from, std::string_view event, ha_phase to);

} // namespace orderly::sim::walking
