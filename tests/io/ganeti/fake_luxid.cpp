// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/io/ganeti/fake_luxid.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::test {

fake_luxid::fake_luxid(script what, int backlog, bool accepting)
  : script_(std::move(what)), backlog_(backlog) {
  auto name
    = (std::filesystem::temp_directory_path() / "luxid-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error{"cannot make " + name};
  folder_ = name;
  listen();
  if (accepting)
    accept_now();
}

fake_luxid::~fake_luxid() {
  crash();
  std::filesystem::remove_all(folder_);
}

void fake_luxid::listen() {
  ::unlink(path().c_str());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path().c_str(), sizeof(address.sun_path) - 1);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, generic, sizeof(address)) != 0
      || ::listen(listener_, backlog_) != 0)
    throw std::runtime_error{"cannot listen at " + path()};
}

void fake_luxid::accept_now() {
  acceptor_ = std::thread([this] {
    for (;;) {
      auto fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0 || stopping_) {
        if (fd >= 0)
          ::close(fd);
        return;
      }
      ++connections_;
      std::lock_guard guard{mutex_};
      open_.push_back(fd);
      servers_.emplace_back([this, fd] { serve(fd); });
    }
  });
}

void fake_luxid::serve(int fd) {
  std::string buffer;
  char bytes[4096];
  for (;;) {
    auto end = buffer.find('\x03');
    if (end == std::string::npos) {
      auto n = ::recv(fd, bytes, sizeof(bytes), 0);
      if (n <= 0)
        break;
      buffer.append(bytes, static_cast<std::size_t>(n));
      continue;
    }
    auto request = buffer.substr(0, end);
    buffer.erase(0, end + 1);
    {
      std::lock_guard guard{mutex_};
      requests_.push_back(request);
    }
    auto x = script_(request);
    for (auto left = x.delay; left > millis{0} && !stopping_; left -= millis{5})
      std::this_thread::sleep_for(millis{5});
    auto piece = x.piece == 0 ? x.bytes.size() : x.piece;
    for (std::size_t at = 0; at < x.bytes.size(); at += piece)
      if (::send(fd, x.bytes.data() + at, std::min(piece, x.bytes.size() - at),
                 MSG_NOSIGNAL)
          < 0)
        break;
    if (x.close)
      break;
  }
  // Closed for good when the threads are joined: its number stays ours.
  ::shutdown(fd, SHUT_RDWR);
  ++ended_;
}

void fake_luxid::crash() {
  stopping_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  if (acceptor_.joinable())
    acceptor_.join();
  ::close(listener_);
  {
    std::lock_guard guard{mutex_};
    for (auto fd : open_)
      ::shutdown(fd, SHUT_RDWR);
  }
  for (auto& server : servers_)
    server.join();
  for (auto fd : open_)
    ::close(fd);
  servers_.clear();
  open_.clear();
}

void fake_luxid::restart() {
  stopping_ = false;
  listen();
  accept_now();
}

std::vector<std::string> fake_luxid::requests() {
  std::lock_guard guard{mutex_};
  return requests_;
}

} // namespace orderly::test
