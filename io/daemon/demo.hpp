// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The demo: orderlyd on a cluster held in memory, in which something breaks
// every few minutes and somebody repairs it later. Time is real, the journal
// is a real file.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/protocol/ports.hpp"
#include "messages/result.hpp"

#include <caf/actor_system.hpp>

#include <chrono>
#include <string>

namespace orderly {

/// A new one, for its journal and its socket.
result<std::string> make_demo_folder();

/// Settings for watching rather than for running a cluster: quick.
settings demo_settings(const std::string& folder, std::uint16_t port);

/// The ports of a simulated cluster of 20 nodes and 200 instances, with
/// `journal` as its memory; starts breaking things.
ports spawn_demo(caf::actor_system& system, journal_port journal,
                 const settings& rules,
                 std::chrono::steady_clock::time_point clock_zero,
                 instant calendar_zero);

} // namespace orderly
