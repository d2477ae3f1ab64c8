// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Switches for defects: the mutated copies of real sources that are built for
// test_mutants (see mutants.cmake) ask here whether a defect is on. Nothing
// that is shipped knows of it.

#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace orderly::mutants {

/// Is this defect on? Remembers that it was asked for.
bool on(const std::string& name);

/// Another number in each run of the program and at each call.
std::uint64_t real_chance();

/// Turns some defects on for a scope, and all others off.
class defects {
public:
  explicit defects(std::set<std::string> names);
  ~defects();

  defects(const defects&) = delete;
  defects& operator=(const defects&) = delete;

  /// Those whose code nobody has reached in this scope.
  [[nodiscard]] std::set<std::string> unreached() const;
};

} // namespace orderly::mutants
