// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The live agent port: reports of nodes by `orderly-agent`, over TLS, in
// envelopes. Everything happens on the loop; the actor only waits.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "io/loop/loop.hpp"
#include "messages/protocol/ports.hpp"

#include <functional>

namespace orderly::io::node_reports {

/// `where` must outlive the actor. An answer comes at the latest `time_limit`
/// after the question. `tell` hears of trouble of our own, on the loop's
/// thread.
agent_port spawn_agent_port(caf::actor_system& system, loop& where,
                            const settings& rules,
                            std::function<void(const std::string&)> tell);

} // namespace orderly::io::node_reports
