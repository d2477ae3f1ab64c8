// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where everything stands in the picture of host HA, in pixels. Private to the
// sources of pictures.

#pragma once

#include "messages/standing.hpp"

#include <optional>
#include <span>
#include <vector>

namespace orderly::sim::pictures {

struct point {
  double x = 0;
  double y = 0;
};

struct place {
  ha_phase phase;
  point middle;
};

/// Where a change leaves its state; nullopt: any other.
struct tap {
  std::optional<ha_phase> from;
  std::vector<point> way; ///< ends where its wire begins
};

/// A line with an arrow, which all changes by these events to one state share.
struct wire {
  std::vector<const char*> events;
  ha_phase to;
  std::vector<tap> taps;
  std::vector<point> way; ///< ends in the state
  point text;             ///< of the last event; others stand above it
  bool ends_here = false; ///< the text ends there, in place of beginning
  bool folded = false;    ///< long names take two lines
};

constexpr double box_width = 120;
constexpr double box_height = 44;
constexpr double width = 1420;
constexpr double height = 880;
constexpr double line_height = 14;

std::span<const place> places();
std::span<const wire> wires();
/// Where "any other" stands.
std::span<const point> any_others();
} // namespace orderly::sim::pictures
