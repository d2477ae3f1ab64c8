// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The life of one piece of work: from its permit to the end of its job. Used by
// the event's machine only.

#pragma once

#include "actors/policy/maintenance/situation.hpp"

namespace orderly::maintenance {

[[nodiscard]] bool has(const state& s, work_kind kind);

/// Adds a piece of work; it asks for its permit, or if it only writes tags it
/// is sent.
void add(verdict& v, const situation& x, work w);

void call_back(verdict& v, work& w);

/// All that may be is given up.
void call_back_all(verdict& v);

/// The same, and nobody of it hears how what runs ends: no permit is kept.
void let_go(verdict& v);

/// Work that waits asks again when it is due.
void nudge(verdict& v, const situation& x);

void take(verdict& v, const permit_answered& e, const situation& x);
void take(verdict& v, const permit_called& e, const situation& x);
void take(verdict& v, const job_event& e, const situation& x);

} // namespace orderly::maintenance
