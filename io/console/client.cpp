// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/client.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::io::console {

namespace {

using clock = std::chrono::steady_clock;

std::string system_text(int code) {
  return std::system_category().message(code);
}

/// A socket on its way through one request.
class wire {
public:
  explicit wire(const client_rules& rules)
    : rules_(rules), end_(clock::now() + rules.deadline) {
    // nop
  }

  ~wire() {
    if (fd_ >= 0)
      ::close(fd_);
  }

  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;

  result<bool> open() {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    if (rules_.socket.empty() || rules_.socket.size() >= sizeof(at.sun_path))
      return fault{fault_kind::unreachable,
                   "this is no possible path of a unix socket"};
    std::memcpy(at.sun_path, rules_.socket.data(), rules_.socket.size());
    fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd_ < 0)
      return fault{fault_kind::io, system_text(errno)};
    // A full backlog is EAGAIN here, and nothing to poll for.
    while (::connect(fd_, reinterpret_cast<sockaddr*>(&at), sizeof(at)) != 0) {
      auto code = errno;
      if (code == EINTR)
        continue;
      if (code == EACCES || code == EPERM)
        return fault{fault_kind::refused, system_text(code)};
      if (code != EAGAIN)
        return fault{fault_kind::unreachable, system_text(code)};
      if (clock::now() >= end_)
        return late();
      ::poll(nullptr, 0, 20);
    }
    return true;
  }

  result<bool> send(const std::string& text) {
    for (size_t done = 0; done < text.size();) {
      auto n
        = ::send(fd_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (n >= 0) {
        done += static_cast<size_t>(n);
      } else if (errno == EPIPE) {
        return true; // it may have answered already: read on
      } else if (auto x = wait_or_fail(errno, POLLOUT); !x) {
        return x;
      }
    }
    return true;
  }

  /// Everything until the other side closes.
  result<std::string> receive() {
    std::string all;
    std::array<char, 65536> room{};
    for (;;) {
      auto n = ::recv(fd_, room.data(), room.size(), 0);
      if (n == 0 || (n < 0 && errno == ECONNRESET && !all.empty()))
        return all;
      if (n > 0) {
        all.append(room.data(), static_cast<size_t>(n));
        if (all.size() > rules_.answer_max)
          return fault{fault_kind::bad_input,
                       fmt::format("the answer is larger than {} bytes",
                                   rules_.answer_max)};
      } else if (auto x = wait_or_fail(errno, POLLIN); !x) {
        return x.why();
      }
    }
  }

private:
  [[nodiscard]] fault late() const {
    return {
      fault_kind::timed_out,
      fmt::format("no complete answer within {} s",
                  std::chrono::duration<double>(rules_.deadline).count())};
  }

  result<bool> wait_or_fail(int code, short events) {
    if (code == EINTR)
      return true;
    if (code != EAGAIN && code != EWOULDBLOCK)
      return fault{fault_kind::unreachable, system_text(code)};
    auto left = std::chrono::ceil<millis>(end_ - clock::now()).count();
    if (left <= 0)
      return late();
    pollfd what{fd_, events, 0};
    ::poll(&what, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
    return true;
  }

  const client_rules& rules_;
  clock::time_point end_;
  int fd_ = -1;
};

fault no_http(const std::string& why) {
  return {fault_kind::bad_input, "the answer is no HTTP: " + why};
}

/// The value of header `name` (lower case), or empty.
std::string header_value(const std::string& head, const std::string& name) {
  size_t at = head.find("\r\n");
  while (at != head.npos) {
    at += 2;
    auto end = head.find("\r\n", at);
    auto line = head.substr(at, end == head.npos ? head.npos : end - at);
    auto colon = line.find(':');
    auto same = colon == name.size()
                && std::equal(
                  name.begin(), name.end(), line.begin(), [](char x, char y) {
                    return x == (y >= 'A' && y <= 'Z' ? y - 'A' + 'a' : y);
                  });
    if (same) {
      auto from = line.find_first_not_of(" \t", colon + 1);
      return from == line.npos ? "" : line.substr(from);
    }
    at = end;
  }
  return "";
}

} // namespace

result<client_answer> parse_answer(const std::string& raw) {
  auto split = raw.find("\r\n\r\n");
  if (split == raw.npos)
    return no_http(raw.empty() ? "it is empty" : "its header does not end");
  auto head = raw.substr(0, split);
  client_answer into;
  // "HTTP/1.1 200"
  if (head.size() < 12 || head.compare(0, 7, "HTTP/1.") != 0 || head[8] != ' '
      || std::from_chars(&head[9], &head[12], into.status).ptr != &head[12]
      || into.status < 100)
    return no_http("its first line has no status");
  into.body = raw.substr(split + 4);
  auto length = header_value(head, "content-length");
  if (length.empty())
    return no_http("its length is missing");
  size_t size = 0;
  auto end = length.data() + length.size();
  auto read = std::from_chars(length.data(), end, size);
  if (read.ec != std::errc{} || read.ptr != end)
    return no_http("its length is no number");
  if (into.body.size() < size)
    return no_http("it ends too early");
  into.body.resize(size);
  return into;
}

result<client_answer> ask(const client_rules& rules, const std::string& method,
                          const std::string& target, const std::string& body,
                          bool acts) {
  wire to{rules};
  if (auto x = to.open(); !x)
    return x.why();
  // From its first byte on it may have been heard, whoever is gone by then.
  auto lost = [acts](fault why) {
    if (acts)
      why.kind = fault_kind::unknown_outcome;
    return why;
  };
  auto text = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n"
                          "Accept: application/json\r\nConnection: close\r\n"
                          "Content-Length: {}\r\n\r\n{}",
                          method, target, body.size(), body);
  if (auto x = to.send(text); !x)
    return lost(x.why());
  auto raw = to.receive();
  if (!raw)
    return lost(raw.why());
  auto answer = parse_answer(*raw);
  return answer ? answer : lost(answer.why());
}

} // namespace orderly::io::console
