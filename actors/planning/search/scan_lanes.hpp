// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The inner loops of the scan: each runs over all targets of one instance and
// is compiled for wide vectors. Only scan_instance.cpp uses them. What they
// compute are bounds; nothing is decided by their last bits.

#pragma once

#include <cstddef>

namespace orderly::planning::lanes {

/// A term's sums without the target's part, divided by the number of nodes.
struct spread {
  double change = 0; ///< of the target's value, times its `per`
  double mean = 0;
  double squares = 0;
  double nodes_inverse = 0;
  double weight = 0;
};

/// to[t] += weight * deviation if value[t] becomes value[t]+change*per[t].
void add_spread(double* to, const double* value, const double* per,
                std::size_t n, const spread& s);

/// A term whose root is taken for its tangent: what a target's change adds is
/// `slope * twice[t] + curve * square[t]`.
struct tangent {
  const double* twice;  ///< 2 * value * per
  const double* square; ///< per * per
  double slope = 0;
  double curve = 0;
};

/// to[t] = the sum of them.
void add_tangents(double* to, const tangent* terms, std::size_t count,
                  std::size_t n);

/// to[t] += part[t] + base.
void add_part(double* to, const double* part, double base, std::size_t n);

/// to[t] += what a reserve that grows by taken[t] adds, by its tangent.
void add_reserve(double* to, const double* value, const double* taken,
                 double slope, double weight, std::size_t n);

/// Columns of the nodes that are asked whether they take the instance.
struct takers {
  const double* unallocated;
  const double* reserved;
  const double* is_short;
  const double* held;
  const double* disk_left;
  const double* disk_soft;
  const double* spindles_left;
  const double* cpus_left;
  const double* closed;
  const double* per_memory;
};

struct demand {
  double memory = 0;
  double reserve = 0;
  double disk = 0;
  double spindles = 0;
  double cpus = 0;
  bool local = false;
  bool strict = true;
};

/// to[t] = what the target adds to the score beside spreads as a primary,
/// infinite if it cannot be one.
void ask_primary(double* to, const takers& x, std::size_t n, const demand& d);

/// The same as a secondary. `row[t]` is what t keeps for the primary already;
/// taken[t] becomes the change of its reserved part of memory.
void ask_secondary(double* to, double* taken, const takers& x,
                   const double* row, std::size_t n, const demand& d);

/// One known node that becomes secondary of a primary on the target.
struct keeper {
  double unallocated = 0;
  double reserved = 0;   ///< without the instance
  double before = 0;     ///< reserved now
  double per_memory = 0; ///< 0 if it is offline
  double held = 0;       ///< 0 if it is offline
  double reserve = 0;
  bool was_short = false;
  bool strict = true;
};

/// to[t] += its part beside spreads; `row[t]` is what it keeps for t.
void ask_keeper(double* to, double* taken, const double* row, std::size_t n,
                const keeper& k);

/// to[t] += b.
void raise(double* to, double b, std::size_t n);

/// to[t] += a[t] * b.
void add(double* to, const double* a, double b, std::size_t n);

/// Is any below the bound?
bool any_below(const double* x, double bound, std::size_t n);

} // namespace orderly::planning::lanes
