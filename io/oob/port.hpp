// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The live power switch: one run of the helper program a request. Confirms
// nothing and retries nothing; that is the oob actor's work.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "io/loop/loop.hpp"
#include "messages/protocol/ports.hpp"

#include <string>

namespace orderly::io::oob {

/// `where` must outlive the actor. An answer comes at the latest
/// `time_limit` + `power.kill_delay` + 5 s after the request; `at` is left
/// empty. An exit message ends the port at once; helpers under way then go on
/// to their end, unheard. `scope` marks the helpers; empty: no later life looks
/// for what is left of them.
power_port spawn_power_port(caf::actor_system& system, loop& where,
                            const settings& knobs, std::string scope = {});

/// Ends what is left of helpers that an earlier life of `scope` started, which
/// is over for sure; how many.
unsigned end_earlier_helpers(const std::string& scope);

} // namespace orderly::io::oob
