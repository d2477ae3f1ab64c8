// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Random events into real node actors until the machine was told enough, each
// step held against the table of its changes. Used by `orderly-sim walk`.

#pragma once

#include "actors/policy/host_ha/edges.hpp"
#include "sim/walk/tally.hpp"

#include <functional>
#include <iosfwd>
#include <span>

namespace orderly::sim::walking {

struct walk_wish {
  walk_wish();

  std::uint64_t seed = 1;
  std::uint64_t events = 200'000;
  /// See `tally_rules`.
  std::uint64_t least = 0;
  std::size_t nodes = 3;
  std::ostream* trace = nullptr; ///< for a line a step
  std::span<const host_ha::edge> table = host_ha::edges();
  limits by; ///< what the guards go by
  /// Called now and then, with the events so far.
  std::function<void(std::uint64_t)> progress;
};

tally walk(const walk_wish& what);

/// Prints what was met. 0: all is well.
int report(const tally& all, const walk_wish& what, bool json,
           std::ostream& out);

} // namespace orderly::sim::walking
