// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Real loopback sockets that behave well or badly, for the tests of io/agent.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace orderly::test {

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  result.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return result;
}

/// A port that is bound; whoever wants it may listen there.
class bound {
public:
  bound() {
    auto wish = loopback(0);
    socklen_t size = sizeof wish;
    auto* raw = reinterpret_cast<sockaddr*>(&wish);
    if (::bind(fd, raw, size) == 0 && ::getsockname(fd, raw, &size) == 0)
      port = ntohs(wish.sin_port);
  }

  ~bound() { ::close(fd); }

  bound(const bound&) = delete;
  bound& operator=(const bound&) = delete;

  int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port = 0;
};

/// Refuses connections: bound by us, so that nobody else listens there.
struct refusing : bound {};

/// Accepts connections (the kernel does) and never says a word.
struct accepting : bound {
  accepting() { ::listen(fd, 64); }
};

/// Drops all attempts to connect: its backlog is full.
class black_hole : public bound {
public:
  black_hole() {
    ::listen(fd, 0);
    auto there = loopback(port);
    for (int i = 0; i < 3; ++i) {
      fillers_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      (void)::connect(fillers_.back(), reinterpret_cast<sockaddr*>(&there),
                      sizeof there);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
  }

  ~black_hole() {
    for (auto x : fillers_)
      ::close(x);
  }

private:
  std::vector<int> fillers_;
};

/// Answers each connection, whatever it says, with the given pieces, `pause`
/// apart, and closes it.
class canned : public bound {
public:
  explicit canned(std::vector<std::string> pieces,
                  std::chrono::milliseconds pause = {})
    : pieces_(std::move(pieces)), pause_(pause) {
    ::listen(fd, 64);
    thread_ = std::thread{[this] { serve(); }};
  }

  ~canned() {
    stopped_ = true;
    thread_.join();
  }

  /// What the last client said.
  [[nodiscard]] std::string heard() {
    stopped_ = true;
    if (thread_.joinable()) {
      thread_.join();
      thread_ = std::thread{[] {}};
    }
    return heard_;
  }

private:
  static bool readable(int what) {
    pollfd x{what, POLLIN, 0};
    return ::poll(&x, 1, 20) == 1;
  }

  void serve() {
    while (!stopped_) {
      if (!readable(fd))
        continue;
      auto client = ::accept(fd, nullptr, nullptr);
      if (client >= 0)
        answer(client);
      ::close(client);
    }
  }

  void answer(int client) {
    heard_.clear();
    while (!stopped_ && heard_.find("\r\n\r\n") == std::string::npos) {
      char chunk[4096];
      if (!readable(client))
        continue;
      auto size = ::recv(client, chunk, sizeof chunk, 0);
      if (size <= 0)
        return;
      heard_.append(chunk, static_cast<std::size_t>(size));
    }
    for (const auto& x : pieces_) {
      if (stopped_ || ::send(client, x.data(), x.size(), MSG_NOSIGNAL) < 0)
        return;
      std::this_thread::sleep_for(pause_);
    }
  }

  std::vector<std::string> pieces_;
  std::chrono::milliseconds pause_;
  std::atomic<bool> stopped_ = false;
  std::string heard_;
  std::thread thread_;
};

} // namespace orderly::test
