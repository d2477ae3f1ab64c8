// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The states of host HA as a picture, drawn from the table of its changes:
// docs/pictures/host-ha-states.svg. Used by `orderly-sim picture`.

#pragma once

#include "actors/policy/host_ha/edges.hpp"
#include "messages/result.hpp"

#include <span>
#include <string>
#include <vector>

namespace orderly::sim::pictures {

/// A piece of text, and the room that it takes.
struct label {
  std::string text;
  double left = 0;
  double right = 0;
  double baseline = 0;
};

/// The picture as SVG; or the change that has no place in it, or the place that
/// has no change.
result<std::string> host_ha_states(std::span<const host_ha::edge> table);

/// All labels of the picture.
std::vector<label> host_ha_labels();

/// A label that lies on another one, on a state or on a line, as a sentence;
/// empty: all can be read.
std::string what_is_covered(const std::vector<label>& all);

} // namespace orderly::sim::pictures
