// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// paced_client PORT TARGET RATE SECONDS CONNECTIONS [HEADER]...: offers so many
// requests a second, whatever becomes of them, and prints in one line of JSON
// how long they took. A request is late from the moment it was due, also where
// all connections were still busy: a server that stalls is not asked less.

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using wall = std::chrono::steady_clock;

struct line {
  int socket = -1;
  bool busy = false;
  wall::time_point due;
  std::string head;        ///< of the answer, until it is whole
  std::size_t missing = 0; ///< bytes of its body
};

class pacer {
public:
  pacer(std::uint16_t port, std::string request, int count)
    : request_(std::move(request)), poll_(::epoll_create1(EPOLL_CLOEXEC)) {
    lines_.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!join(i, port))
        ++failures;
  }

  /// Offers `total` requests, `pause` apart, and waits some seconds more.
  void run(std::size_t total, wall::duration pause) {
    auto begin = wall::now();
    auto end = begin + pause * static_cast<std::int64_t>(total)
               + std::chrono::seconds{5};
    std::size_t offered = 0;
    while (took.size() + failures < total && wall::now() < end) {
      for (auto now = wall::now();
           offered < total
           && begin + pause * static_cast<std::int64_t>(offered) <= now;
           ++offered)
        due_.push_back(begin + pause * static_cast<std::int64_t>(offered));
      send_due();
      std::array<epoll_event, 64> events{};
      auto count = ::epoll_wait(poll_, events.data(), events.size(), 1);
      for (int i = 0; i < count; ++i)
        receive(events[static_cast<std::size_t>(i)].data.u64);
    }
    seconds = std::chrono::duration<double>(wall::now() - begin).count();
  }

  std::vector<double> took; ///< milliseconds
  std::size_t failures = 0; ///< no answer, or none that is 200 or 304
  double seconds = 0;

private:
  bool join(std::size_t i, std::uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(s, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0)
      return false;
    lines_[i].socket = s;
    epoll_event want{};
    want.events = EPOLLIN;
    want.data.u64 = i;
    idle_.push_back(i);
    return ::epoll_ctl(poll_, EPOLL_CTL_ADD, s, &want) == 0;
  }

  void send_due() {
    while (!due_.empty() && !idle_.empty()) {
      auto& x = lines_[idle_.back()];
      idle_.pop_back();
      x.due = due_.front();
      due_.pop_front();
      x.busy = true;
      auto sent
        = ::send(x.socket, request_.data(), request_.size(), MSG_NOSIGNAL);
      if (sent != static_cast<ssize_t>(request_.size()))
        lose(x);
    }
  }

  void lose(line& x) {
    ::close(x.socket); // which takes it out of the poll
    x.socket = -1;
    ++failures;
  }

  void receive(std::size_t i) {
    auto& x = lines_[i];
    if (x.socket < 0)
      return;
    auto n = ::recv(x.socket, room_.data(), room_.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN)
      return;
    if (n <= 0 || !x.busy)
      return lose(x);
    std::string_view got{room_.data(), static_cast<std::size_t>(n)};
    if (x.missing == 0) {
      x.head += got;
      auto end = x.head.find("\r\n\r\n");
      if (end == x.head.npos)
        return;
      auto whole = end + 4 + length_of(x.head);
      got = {};
      x.missing = whole - std::min(whole, x.head.size());
    }
    x.missing -= got.size();
    if (x.missing == 0)
      finish(i);
  }

  static std::size_t length_of(const std::string& head) {
    constexpr std::string_view name = "Content-Length: ";
    auto at = head.find(name);
    return at == head.npos ? 0
                           : std::strtoul(&head[at + name.size()], nullptr, 10);
  }

  void finish(std::size_t i) {
    auto& x = lines_[i];
    auto status = x.head.substr(std::strlen("HTTP/1.1 "), 3);
    if (status == "200" || status == "304")
      took.push_back(
        std::chrono::duration<double, std::milli>(wall::now() - x.due).count());
    else
      ++failures;
    x.busy = false;
    x.head.clear();
    idle_.push_back(i);
  }

  std::string request_;
  int poll_;
  std::vector<line> lines_;
  std::vector<std::size_t> idle_;
  std::deque<wall::time_point> due_;
  std::array<char, 1 << 18> room_{};
};

} // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fputs("usage: paced_client PORT TARGET RATE SECONDS CONNECTIONS "
               "[HEADER]...\n",
               stderr);
    return 2;
  }
  auto rate = std::max(1.0, std::atof(argv[3]));
  std::string request
    = "GET " + std::string{argv[2]} + " HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 6; i < argc; ++i)
    request += std::string{argv[i]} + "\r\n";
  request += "\r\n";
  pacer x{static_cast<std::uint16_t>(std::atoi(argv[1])), request,
          std::atoi(argv[5])};
  x.run(static_cast<std::size_t>(rate * std::atof(argv[4])),
        std::chrono::nanoseconds{static_cast<std::int64_t>(1e9 / rate)});
  std::sort(x.took.begin(), x.took.end());
  auto at = [&](std::size_t permille) {
    return x.took.empty() ? -1.0
                          : x.took[(x.took.size() - 1) * permille / 1000];
  };
  std::printf("{\"answered\": %zu, \"failed\": %zu, \"rate\": %.0f, "
              "\"p50_ms\": %.2f, \"p99_ms\": %.2f, \"max_ms\": %.2f}\n",
              x.took.size(), x.failures,
              static_cast<double>(x.took.size()) / x.seconds, at(500), at(990),
              at(1000));
}
