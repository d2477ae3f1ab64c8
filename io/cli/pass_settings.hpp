// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rules under which a tree of actors makes one pass over the cluster and
// is done: for `orderly harep` and its conformance runs.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "io/cli/harep_options.hpp"

namespace orderly {

/// Is there a journal file to write to? Not in a dry run: what that pretends
/// to have sent must not be taken up by a later pass.
bool keeps_journal(const harep_options& wanted);

/// `base` with what a pass needs: instances are repaired, nodes are left
/// alone, whoever marked a node offline is believed if nothing better can be
/// read, and nothing waits for what only a daemon would live to see.
settings pass_settings(settings base, const harep_options& wanted);

} // namespace orderly
