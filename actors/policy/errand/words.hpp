// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Clauses that several files of the errand machine tell. Private to this
// folder.

#pragma once

#include "actors/policy/errand/errand.hpp"

#include <string>
#include <vector>

namespace orderly::errand {

void add_remark(state& s, std::string text);

/// "i1, i2 and 7 more"
std::string some_of(const std::vector<std::string>& names);

/// What a person types to take its node, which we marked offline and did not
/// switch off, back as it was.
std::string way_back(const row& r);

/// How to undo what was done of this row before its errand was stopped: "node3
/// was marked offline: orderly node modify --offline=no node3"; empty: nothing
/// was, or an epo of its own undoes it.
std::string undo_text(const state& s, const row& r);

/// What a person types to ask for the same of this row again.
std::string again_text(const state& s, const row& r);

} // namespace orderly::errand
