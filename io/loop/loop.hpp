// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The one thread that waits for sockets, processes and their deadlines. Port
// actors hand work over by `post` and get results back as messages to
// themselves; no actor ever touches a socket.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace boost::asio {
class io_context;
} // namespace boost::asio

namespace orderly::io {

struct loop_rules {
  std::string name = "loop"; ///< of its thread; 15 bytes of it are shown
  int niceness = 0;          ///< how far it stands back for other threads
  /// Hears of exceptions that handlers let out; on the loop's thread.
  std::function<void(const std::string&)> failed;
};

class loop {
public:
  loop() : loop(loop_rules{}) {
    // nop
  }

  explicit loop(loop_rules rules); ///< starts the thread
  ~loop();                         ///< stops it and waits for it

  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  /// For those who know Asio; used on the loop's thread only.
  boost::asio::io_context& context();

  /// Runs `work` on the loop's thread, soon. Safe from any thread.
  void post(std::function<void()> work);

  /// Handlers that ended by an exception. The others went on.
  [[nodiscard]] std::uint64_t failures() const;

  /// No handler runs after this returned. Not from the loop's own thread.
  void stop();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace orderly::io
