// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One TCP connection attempt to a node, closed again at once: does anybody
// listen there, does its kernel answer, is it silent? Used by the prober, on
// the loop's thread.

#pragma once

#include "actors/policy/checks/verdict.hpp"

#include <functional>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

namespace orderly::io::agent {

using namespace checks;

using finding_callback = std::function<void(finding)>;

/// Ends a check without an answer. May be called late or never.
using stopper = std::function<void()>;

/// Calls `done` once, never before this returned, unless stopped first.
stopper probe_tcp(boost::asio::io_context& where,
                  const boost::asio::ip::tcp::endpoint& node, const check& what,
                  millis time_limit, finding_callback done);

/// What an error while connecting says about the node. Trouble of our own
/// (no route from here, no descriptors, no local ports) is `untried`.
finding explain_connect(const check& what,
                        const boost::system::error_code& problem,
                        millis time_limit);

} // namespace orderly::io::agent
