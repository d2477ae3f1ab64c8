// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where all should go that is on nodes which are to be empty: one question for
// all of them, and each event gets the whole answer. Used by the intake only.

#pragma once

#include "actors/maintenance/standings.hpp"

namespace orderly::intake_parts {

/// One question for all who want to know.
void plan(self_ptr self);

} // namespace orderly::intake_parts
