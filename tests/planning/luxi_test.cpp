// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The tools against a query socket. data/luxi.json holds what a real luxid
// 3.0.2 answered while one node was drained and one offline; the files beside
// it, what Debian's tools printed then.

#include "tests/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace orderly::io::htools;
using nlohmann::json;

namespace {

std::string text_of(const std::string& name) {
  auto text = read_whole(ORDERLY_SOURCE_DIR "/tests/planning/data/" + name);
  REQUIRE(text);
  return *text;
}

/// Answers on one connection from what was recorded, until that is closed.
class recorded_luxid {
public:
  explicit recorded_luxid(json answers)
    : answers_(std::move(answers)),
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
    ::shutdown(listener_, SHUT_RDWR); // if nobody has come
    thread_.join();
    ::close(listener_);
    ::unlink(path_.c_str());
  }

  recorded_luxid(const recorded_luxid&) = delete;
  recorded_luxid& operator=(const recorded_luxid&) = delete;

  std::string option() const { return "--luxi=" + path_; }

private:
  void serve() const {
    auto fd = ::accept(listener_, nullptr, nullptr);
    if (fd < 0)
      return;
    std::string seen;
    std::array<char, 4096> buffer;
    for (;;) {
      auto n = ::recv(fd, buffer.data(), buffer.size(), 0);
      if (n <= 0)
        break;
      seen.append(buffer.data(), static_cast<std::size_t>(n));
      auto end = seen.find('\x03');
      if (end == std::string::npos)
        continue;
      auto text = answer(seen.substr(0, end)) + '\x03';
      seen.erase(0, end + 1);
      if (::send(fd, text.data(), text.size(), MSG_NOSIGNAL) < 0)
        break;
    }
    ::close(fd);
  }

  /// Of a list, only if the fields are those that were recorded, in order.
  std::string answer(const std::string& question) const {
    auto q = json::parse(question);
    auto key = q.at("method").get<std::string>();
    if (key == "QueryClusterInfo")
      return json{{"success", true}, {"result", answers_.at(key)}}.dump();
    const auto& found = answers_.at(q.at("args").at(0).get<std::string>());
    auto same = q.at("args").at(1).size() == found.at("fields").size();
    for (std::size_t k = 0; same && k < found.at("fields").size(); ++k)
      same = q.at("args").at(1).at(k) == found.at("fields").at(k).at("name");
    return json{{"success", same}, {"result", found}}.dump();
  }

  json answers_;
  std::string path_;
  int listener_ = -1;
  std::thread thread_;
};

using change = std::function<void(json&)>;

/// `warp` may change the answers.
outcome run(
  tool of, std::vector<std::string> words, const change& warp = [](json&) {}) {
  auto answers = json::parse(text_of("luxi.json"));
  warp(answers);
  recorded_luxid luxid{answers};
  words.push_back(luxid.option());
  return outcome_of([&](auto to) { return run_tool(of, words, to); });
}

} // namespace

TEST_CASE("the tools print of a real luxid's answers what the reference does") {
  auto r = run(tool::hinfo, {"-p", "--print-instances"});
  CHECK(r.out == text_of("luxi-hinfo.txt"));
  CHECK(r.code == 0);
  r = run(tool::hbal, {"-G", "rack2", "-C", "-p", "--search=exact"});
  CHECK(r.out == text_of("luxi-hbal.txt"));
  CHECK(r.code == 0);
}

TEST_CASE("hinfo says first how much it has loaded, as the reference") {
  auto r = run(tool::hinfo, {"-v", "-v"});
  CHECK(r.out.find("Loaded cluster tags: \nLoaded 6 nodes, 17 instances, 2 "
                   "node groups\nNote: Stripping common suffix of "
                   "'.gnt.test' from names\n")
        == 0);
}

TEST_CASE("hbal -X refuses before it looks for moves, and says what to do") {
  auto r = run(tool::hbal, {"-G", "rack2", "-X"});
  CHECK(r.code == 1);
  CHECK(r.out.empty());
  CHECK(r.err
        == "Error: hbal -X is not there yet; print the commands with -C and "
           "run them\n");
}

TEST_CASE("a node that is silent and not offline is named, with what to do") {
  auto r = run(tool::hcheck, {}, [](json& answers) {
    auto& row = answers.at("node").at("data").at(1);
    for (std::size_t k = 1; k < 8; ++k)
      row.at(k) = json::array({2, nullptr});
  });
  CHECK(r.code == 1);
  CHECK(r.out.empty());
  CHECK(r.err
        == "Error: failed to load data, aborting: a node of LUXI: Ganeti has "
           "no 'mtotal' of node node2.gnt.test; if it is dead, mark it offline "
           "(gnt-node modify --offline=yes), or else see why its daemon is "
           "silent\n");
}
