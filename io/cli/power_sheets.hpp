// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Sheets of errands as text for a person, in the tables and words of the
// design. Pure; used by the program and by the conformance runner.

#pragma once

#include "messages/errand.hpp"

#include <string>
#include <vector>

namespace orderly::power {

struct printed {
  std::string out;
  std::string err;
  /// 0 all well; 1 something failed or was refused, as Ganeti's tools do it.
  int code = 0;
};

/// A sheet that has ended, or was refused.
printed print(const errand_sheet& sheet, const errand_request& wanted);

/// The question before off, cycle and epo, from a dry sheet: the exact list
/// of nodes with the instances that run there, ending in "[y/N]: ".
std::string question(const errand_sheet& dry, const errand_request& wanted);

/// One line about how far it is: "12 of 40 nodes: 11 done, 1 failed; ...".
std::string progress(const errand_sheet& sheet);

} // namespace orderly::power
