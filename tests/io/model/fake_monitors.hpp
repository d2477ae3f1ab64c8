// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The monitors of several nodes, for tests: one port on all loopback
// addresses, and by the last number of the address that was called, what the
// node answers. One thread a connection.

#pragma once

#include <catch2/catch.hpp>

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace orderly::test {

/// As Ganeti's monitor says it.
inline std::string cpu_report(double busy) {
  auto body = fmt::format(
    R"({{"name":"cpu-avg-load","version":"B","format_version":1,)"
    R"("timestamp":1795155774480185000,"category":null,"kind":0,)"
    R"("data":{{"cpu_number":2,"cpus":[0.5,0.5],"cpu_total":{}}}}})",
    busy);
  return fmt::format("HTTP/1.1 200 OK\r\nserver: Snap/1.1.2.0\r\n"
                     "transfer-encoding: chunked\r\n\r\n{:x}\r\n{}\r\n0\r\n"
                     "\r\n",
                     body.size(), body);
}

class fake_monitors {
public:
  /// What node 127.0.0.N sends; none: it accepts and is silent.
  std::map<int, std::string> answers;
  std::chrono::milliseconds pause{0}; ///< before it sends
  std::atomic<int> most_at_once{0};

  fake_monitors() {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_ANY);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof at;
    auto* raw = reinterpret_cast<sockaddr*>(&at);
    REQUIRE(::bind(listener_, raw, size) == 0);
    REQUIRE(::getsockname(listener_, raw, &size) == 0);
    REQUIRE(::listen(listener_, 64) == 0);
    port = ntohs(at.sin_port);
    acceptor_ = std::thread{[this] { accept_all(); }};
  }

  ~fake_monitors() {
    stopping_ = true;
    acceptor_.join();
    for (auto& x : servers_)
      x.join();
    ::close(listener_);
  }

  fake_monitors(const fake_monitors&) = delete;
  fake_monitors& operator=(const fake_monitors&) = delete;

  /// First lines of all requests, in order.
  std::vector<std::string> requests() {
    std::lock_guard<std::mutex> hold{mutex_};
    return requests_;
  }

  std::uint16_t port = 0;

private:
  static bool readable(int what) {
    pollfd x{what, POLLIN, 0};
    return ::poll(&x, 1, 20) == 1;
  }

  void accept_all() {
    while (!stopping_) {
      if (!readable(listener_))
        continue;
      auto client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client >= 0)
        servers_.emplace_back([this, client] { serve(client); });
    }
  }

  void serve(int client) {
    auto now = ++open_;
    for (auto most = most_at_once.load();
         most < now && !most_at_once.compare_exchange_weak(most, now);)
      continue;
    auto text = listen_to(client);
    --open_; // before the client knows that it may go on
    if (text)
      (void)::send(client, text->data(), text->size(), MSG_NOSIGNAL);
    ::close(client);
  }

  /// What is to be answered; nothing if the client or we have gone.
  std::optional<std::string> listen_to(int client) {
    sockaddr_in at{};
    socklen_t size = sizeof at;
    ::getsockname(client, reinterpret_cast<sockaddr*>(&at), &size);
    auto found
      = answers.find(static_cast<int>(ntohl(at.sin_addr.s_addr) & 255U));
    std::string heard;
    while (!stopping_) {
      char chunk[4096];
      if (!readable(client))
        continue;
      auto n = ::recv(client, chunk, sizeof chunk, 0);
      if (n <= 0)
        return std::nullopt;
      heard.append(chunk, static_cast<std::size_t>(n));
      if (heard.find("\r\n\r\n") == std::string::npos)
        continue;
      {
        std::lock_guard<std::mutex> hold{mutex_};
        requests_.push_back(heard.substr(0, heard.find('\r')));
      }
      if (found == answers.end())
        continue;
      std::this_thread::sleep_for(pause);
      return found->second;
    }
    return std::nullopt;
  }

  int listener_ = -1;
  std::atomic<bool> stopping_{false};
  std::atomic<int> open_{0};
  std::thread acceptor_;
  std::vector<std::thread> servers_;
  std::mutex mutex_;
  std::vector<std::string> requests_;
};

} // namespace orderly::test
