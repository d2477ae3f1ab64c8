// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Calls to luxid over its Unix socket, many at a time, without ever blocking.
// A call has a connection for itself until its reply is there; more calls
// than connections wait in line, with their time running. Used by the ports.
//
//   queued -> connecting -> sending -> waiting -> done
//      |          |            |          |
//      '----------'            '----------'
//      unreachable: not sent    unknown outcome: broken, or too late

#pragma once

#include "io/ganeti/frame.hpp"
#include "messages/result.hpp"
#include "messages/time.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace orderly::io {

class loop;

struct luxi_limits {
  std::size_t connections_max = 24;
  std::size_t queued_max = 2000;
  std::size_t reply_bytes_max = frame_bytes_max;
  /// Of all replies that came in part: whoever says more than that at once
  /// would have us keep it all.
  std::size_t kept_bytes_max = frame_bytes_max;
  /// Luxid closes silent connections after a minute; we are earlier.
  millis idle_max = seconds{20};
  /// Pause after luxid's line of unaccepted connections was full.
  millis connect_retry = millis{20};
};

class luxi_client {
public:
  /// Gets the reply's text, be it success or not, or a fault: `unreachable`
  /// if luxid did not get the request, `unknown_outcome` if it may have.
  /// Runs on the loop's thread and must not throw.
  using done_function = std::function<void(result<std::string>)>;

  /// The loop must outlive the client.
  luxi_client(loop& on, std::string socket_path, luxi_limits limits = {});

  /// Calls that are still open are dropped; nothing is told of them.
  ~luxi_client();

  luxi_client(const luxi_client&) = delete;
  luxi_client& operator=(const luxi_client&) = delete;

  /// Calls `method`; `args` is the JSON text of its list of arguments. Safe
  /// from any thread. `done` is called once, unless the client is destroyed
  /// or the loop stopped before.
  void call(std::string method, std::string args, millis time_limit,
            done_function done);

private:
  class pool;
  std::shared_ptr<pool> pool_;
};

} // namespace orderly::io
