// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The one thread that waits for sockets, processes and their deadlines. Port
// actors hand work over by `post` and get results back as messages to
// themselves; no actor ever touches a socket.

#pragma once

#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
} // namespace boost::asio

namespace orderly::io {

class loop {
public:
  loop();  ///< starts the thread
  ~loop(); ///< stops it and waits for it

  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  /// For those who know Asio; used on the loop's thread only.
  boost::asio::io_context& context();

  /// Runs `work` on the loop's thread, soon. Safe from any thread.
  void post(std::function<void()> work);

  /// No handler runs after this returned. Not from the loop's own thread.
  void stop();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace orderly::io
