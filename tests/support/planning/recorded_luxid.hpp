// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A query daemon of Ganeti's for tests: it knows the answers of
// data/luxi.json, and whatever else a test gives it.

#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::io::htools {

using nlohmann::json;

/// What a query daemon answers to a method and its arguments; nothing: it
/// closes the connection.
using luxi_talk = std::function<std::optional<json>(const std::string& method,
                                                    const json& arguments)>;

/// Answers from what was recorded, and for other methods as `talk` does, one
/// connection after the other.
class recorded_luxid {
public:
  explicit recorded_luxid(json answers, luxi_talk talk = {})
    : answers_(std::move(answers)),
      talk_(std::move(talk)),
      path_((std::filesystem::temp_directory_path()
             / fmt::format("orderly-luxid-{}", ::getpid()))
              .string()) {
    ::unlink(path_.c_str());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path_.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, path_.data(), path_.size());
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&address),
                   sizeof address)
            == 0);
    REQUIRE(::listen(listener_, 1) == 0);
    thread_ = std::thread{[this] { serve(); }};
  }

  ~recorded_luxid() {
    ::shutdown(listener_, SHUT_RDWR); // no more come
    thread_.join();
    ::close(listener_);
    ::unlink(path_.c_str());
  }

  recorded_luxid(const recorded_luxid&) = delete;
  recorded_luxid& operator=(const recorded_luxid&) = delete;

  std::string option() const { return "--luxi=" + path_; }

  const std::string& path() const { return path_; }

  /// From here on; only within `talk`, whose thread reads them.
  void become(json answers) { answers_ = std::move(answers); }

private:
  void serve() {
    for (;;) {
      auto fd = ::accept(listener_, nullptr, nullptr);
      if (fd < 0)
        return;
      converse(fd);
      ::close(fd);
    }
  }

  void converse(int fd) {
    std::string seen;
    std::array<char, 4096> buffer;
    for (;;) {
      auto n = ::recv(fd, buffer.data(), buffer.size(), 0);
      if (n <= 0)
        return;
      seen.append(buffer.data(), static_cast<std::size_t>(n));
      auto end = seen.find('\x03');
      if (end == std::string::npos)
        continue;
      auto reply = answer(json::parse(seen.substr(0, end)));
      seen.erase(0, end + 1);
      if (!reply)
        return;
      auto text = reply->dump() + '\x03';
      if (::send(fd, text.data(), text.size(), MSG_NOSIGNAL) < 0)
        return;
    }
  }

  std::optional<json> answer(const json& q) {
    auto key = q.at("method").get<std::string>();
    if (key == "QueryClusterInfo")
      return json{{"success", true}, {"result", answers_.at(key)}};
    if (key == "Query")
      return listed(q.at("args"));
    return talk_(key, q.at("args"));
  }

  /// Only if the fields are those that were recorded, in order.
  json listed(const json& arguments) const {
    const auto& found = answers_.at(arguments.at(0).get<std::string>());
    auto same = arguments.at(1).size() == found.at("fields").size();
    for (std::size_t k = 0; same && k < found.at("fields").size(); ++k)
      same = arguments.at(1).at(k) == found.at("fields").at(k).at("name");
    return {{"success", same}, {"result", found}};
  }

  json answers_;
  luxi_talk talk_;
  std::string path_;
  int listener_ = -1;
  std::thread thread_;
};

} // namespace orderly::io::htools
