// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A plan as JSON: hbal's --output json.

#pragma once

#include "io/htools/tools/explain_text.hpp"
#include "io/htools/tools/hbal_search.hpp"

namespace orderly::io::htools {

/// One line with its end: scores, steps with what each term gains, and sets of
/// steps that may run at the same time.
std::string plan_json(const told_plan& x, const searched& how,
                      const plan_names& names,
                      const std::vector<int>& explained);

} // namespace orderly::io::htools
