// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What `orderly harep` says about a pass, as text in the layout of Ganeti's
// harep or as JSON for programs. Used by the program and by the conformance
// runner.

#pragma once

#include "actors/pass/notebook.hpp"
#include "actors/pass/pass.hpp"
#include "io/cli/harep_options.hpp"

#include <string>

namespace orderly {

struct harep_output {
  int code = 0; ///< 0: the pass is done, whatever it found; 1: it is not
  std::string out;
  std::string err;
};

harep_output make_harep_output(const harep_options& wanted,
                               const pass_report& report, const notes& sent);

} // namespace orderly
