// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks a Ganeti monitor for its list of protocol versions: GET / must give
// 200 and [1]. One deadline for connection and answer, small bounds on what
// is read. Used by the prober, on the loop's thread.

#pragma once

#include "io/agent/tcp_probe.hpp"

namespace orderly::io::agent {

/// As `probe_tcp`. A monitor that accepts but does not answer is `bad`.
stopper probe_http(boost::asio::io_context& where,
                   const boost::asio::ip::tcp::endpoint& node,
                   const check& what, millis time_limit, finding_callback done);

} // namespace orderly::io::agent
