// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The changes of state of host HA, as data: table A.5 of the specification, and
// those of ours by their names. `name_of_transition` says which one a step was.

#pragma once

#include "messages/standing.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace orderly::host_ha {

struct edge {
  std::optional<ha_phase> from; ///< nullopt: any other
  std::string_view event;
  ha_phase to = ha_phase::available;
  bool ours = false; ///< the specification does not have it
};

std::span<const edge> edges();

/// May that lead from one to the other?
bool is_edge(ha_phase from, std::string_view by, ha_phase to);

} // namespace orderly::host_ha
