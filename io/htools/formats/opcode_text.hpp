// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Opcodes of Ganeti for the parts of a move, as JSON. hail answers with them,
// hbal submits them.

#pragma once

#include "actors/planning/search/job_sets.hpp"

namespace orderly::io::htools {

/// `more` are further members, each with a comma before it.
std::string opcode_text(const planning::placement& p, int instance,
                        const planning::move_part& x,
                        const std::string& more = {});

} // namespace orderly::io::htools
