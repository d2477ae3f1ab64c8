// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/luxi_line.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::io::htools {

namespace {

constexpr char end_mark = '\x03';
constexpr std::size_t line_most = std::size_t{256} << 20;

} // namespace

luxi_line::luxi_line(std::string socket, std::chrono::milliseconds patience,
                     bool overall)
  : socket_(std::move(socket)), patience_(patience) {
  if (overall)
    end_ = std::chrono::steady_clock::now() + patience;
}

luxi_line::~luxi_line() {
  if (fd_ >= 0)
    ::close(fd_);
}

fault luxi_line::trouble(const std::string& doing) const {
  auto late = errno == ETIMEDOUT;
  auto kind = late ? fault_kind::timed_out : fault_kind::unreachable;
  auto why = late
               ? fmt::format("no answer within {} s",
                             std::chrono::duration<double>(patience_).count())
               : std::string{std::strerror(errno)};
  return {kind, fmt::format("{}: cannot {}: {}", socket_, doing, why)};
}

std::optional<fault> luxi_line::open() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() >= sizeof address.sun_path)
    return fault{
      fault_kind::bad_input,
      fmt::format("{}: this path is too long for a socket", socket_)};
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0)
    return trouble("connect");
  // A daemon that accepts nobody lets callers wait while its queue is full.
  using namespace std::chrono;
  auto left
    = duration_cast<microseconds>(end_of_question() - steady_clock::now());
  left = std::max(left, microseconds{1});
  timeval limit{};
  limit.tv_sec = left.count() / 1'000'000;
  limit.tv_usec = left.count() % 1'000'000;
  ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address),
                sizeof address)
      == 0)
    return std::nullopt;
  if (errno == EAGAIN) // so it says that the time is up
    errno = ETIMEDOUT;
  return trouble("connect");
}

std::chrono::steady_clock::time_point luxi_line::end_of_question() const {
  auto end = std::chrono::steady_clock::now() + patience_;
  return end_ ? std::min(end, *end_) : end;
}

bool luxi_line::wait(short events,
                     std::chrono::steady_clock::time_point end) const {
  using namespace std::chrono;
  for (;;) {
    auto left = duration_cast<milliseconds>(end - steady_clock::now()).count();
    if (left <= 0) {
      errno = ETIMEDOUT;
      return false;
    }
    pollfd p{fd_, events, 0};
    auto ready = ::poll(&p, 1, static_cast<int>(left));
    if (ready > 0)
      return true;
    if (ready < 0 && errno != EINTR)
      return false;
  }
}

std::optional<fault> luxi_line::send(const std::string& text) {
  auto end = end_of_question();
  std::size_t done = 0;
  while (done < text.size()) {
    if (!wait(POLLOUT, end))
      return trouble("ask");
    auto n = ::send(fd_, text.data() + done, text.size() - done,
                    MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EINTR && errno != EAGAIN)
      return trouble("ask");
    done += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  return std::nullopt;
}

result<std::string> luxi_line::receive() {
  auto end = end_of_question();
  std::array<char, 65536> buffer;
  std::size_t seen = 0;
  for (;;) {
    auto mark = rest_.find(end_mark, seen);
    if (mark != std::string::npos) {
      auto answer = rest_.substr(0, mark);
      rest_.erase(0, mark + 1);
      return answer;
    }
    seen = rest_.size();
    if (seen > line_most)
      return fault{
        fault_kind::bad_input,
        fmt::format("{}: an answer is longer than 256 MiB", socket_)};
    if (!wait(POLLIN, end))
      return trouble("read the answer");
    auto n = ::recv(fd_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n == 0)
      return fault{fault_kind::unreachable,
                   fmt::format("{}: the connection was closed before the "
                               "answer",
                               socket_)};
    if (n < 0 && errno != EINTR && errno != EAGAIN)
      return trouble("read the answer");
    if (n > 0)
      rest_.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

result<json_value> luxi_line::ask(const std::string& method,
                                  const std::string& arguments) {
  if (fd_ < 0)
    if (auto wrong = open())
      return *wrong;
  auto question = fmt::format("{{\"method\":{},\"args\":{}}}{}",
                              json_text(method), arguments, end_mark);
  if (auto wrong = send(question))
    return *wrong;
  auto text = receive();
  if (!text)
    return text.why();
  auto reply = read_json(*text, socket_);
  if (!reply)
    return reply.why();
  json_reader r{*reply, fmt::format("{}: the answer to {}", socket_, method)};
  auto good = r.flag("success");
  const auto* answer = reply->member("result");
  if (!answer)
    r.complain("key 'result' not found");
  if (r.trouble())
    return *r.trouble();
  if (!good)
    return fault{fault_kind::refused,
                 fmt::format("{}: Ganeti refuses {}; look into the log of its "
                             "query daemon",
                             socket_, method)};
  return *answer;
}

} // namespace orderly::io::htools
