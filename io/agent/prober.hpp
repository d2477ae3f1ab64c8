// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Makes several checks of one node side by side. Used by the probe port; what
// hides sockets from it.

#pragma once

#include "actors/policy/checks/verdict.hpp"
#include "io/loop/loop.hpp"

#include <functional>
#include <string>
#include <vector>

namespace orderly::io::agent {

using namespace checks;

struct survey {
  std::string address; ///< an IP address; names are not looked up
  std::vector<check> checks;
  millis time_limit{};             ///< for each, that is, for all
  bool first_sign_will_do = false; ///< stop when one proves activity
};

/// Calls `done` exactly once, on the loop's thread, with the findings in the
/// order of the checks; those that were stopped are missing. Safe from any
/// thread.
void look(loop& where, survey what,
          std::function<void(std::vector<finding>)> done);

} // namespace orderly::io::agent
