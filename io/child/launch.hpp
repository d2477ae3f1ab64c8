// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Starts one program with Boost.Process v2, in a clean room: own process
// group, no descriptor but its three streams and one that we share, what it is
// given to read or /dev/null, a fixed small environment or none, default
// signals; it ends with us, whatever ends us. Used by the runner, on the loop's
// thread.

#pragma once

#include "io/child/outcome.hpp"
#include "messages/result.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <sys/types.h>

namespace orderly::io::child {

/// Where helpers find programs.
inline constexpr const char* helper_path
  = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// A child of ours. Whoever holds this must reap it.
struct launched {
  pid_t pid = -1; ///< also the id of its process group
  boost::asio::posix::stream_descriptor leader; ///< pidfd
  boost::asio::readable_pipe out;
  boost::asio::readable_pipe err;
};

class launcher {
public:
  explicit launcher(boost::asio::io_context& loop) : loop_(loop) {
    // nop
  }

  /// Starts it with `mark`, a variable, in its environment, or says why it is
  /// not there. A program that could not be executed leaves nothing behind.
  result<launched> start(const command& what, const std::string& mark);

private:
  boost::asio::io_context& loop_;
  /// Asio forbids `notify_fork` on a context that other threads post to, and
  /// Boost.Process calls it; so it gets a context which nobody else knows.
  boost::asio::io_context forks_;
};

} // namespace orderly::io::child
