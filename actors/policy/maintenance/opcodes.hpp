// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a piece of work is: of which kind, in words, and in those of Ganeti.
// Used by the event's machine only.

#pragma once

#include "actors/policy/maintenance/event.hpp"

namespace orderly::maintenance {

[[nodiscard]] bool only_tags(work_kind x);

[[nodiscard]] bool moves(work_kind x);

/// A command that has not ended by its deadline: it moves nothing, and keeps
/// nobody else off its node.
[[nodiscard]] bool is_late(const work& w);

/// "drains node2"
std::string sentence_of(const state& s, const work& w);

std::vector<opcode> opcodes_of(const state& s, const work& w, const rules& r);

} // namespace orderly::maintenance
