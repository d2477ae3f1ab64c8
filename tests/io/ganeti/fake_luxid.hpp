// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A luxid for tests: listens on a Unix socket in a folder of its own and
// reacts to every request as its script says. One thread a connection.

#pragma once

#include "messages/time.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace orderly::test {

struct reaction {
  std::string bytes;     ///< sent as they are, with the end byte if wanted
  bool close = false;    ///< afterwards
  std::size_t piece = 0; ///< so many bytes at a time; 0: all at once
  millis delay{0};       ///< before the first byte
};

/// A whole reply with its end byte.
inline reaction reply(std::string text) {
  return {text + '\x03', false, 0, millis{0}};
}

class fake_luxid {
public:
  using script = std::function<reaction(const std::string& request)>;

  /// `backlog` is the length of the line before accept; with `accepting`
  /// false nobody takes from it.
  explicit fake_luxid(script what, int backlog = 64, bool accepting = true);
  ~fake_luxid();

  fake_luxid(const fake_luxid&) = delete;
  fake_luxid& operator=(const fake_luxid&) = delete;

  [[nodiscard]] std::string path() const { return folder_ + "/socket"; }

  /// From now on connections are accepted.
  void accept_now();

  /// Closes the listening socket and all connections, as a crash does.
  void crash();

  /// Listens again at the same path.
  void restart();

  [[nodiscard]] std::size_t connections() const { return connections_; }

  /// Connections that were ended, by whichever side.
  [[nodiscard]] std::size_t ended() const { return ended_; }

  std::vector<std::string> requests();

private:
  void listen();
  void serve(int fd);

  script script_;
  int backlog_;
  std::string folder_;
  int listener_ = -1;
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> connections_{0};
  std::atomic<std::size_t> ended_{0};
  std::thread acceptor_;
  std::mutex mutex_; ///< for what follows
  std::vector<std::thread> servers_;
  std::vector<int> open_;
  std::vector<std::string> requests_;
};

} // namespace orderly::test
