// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A server with routes over a made-up view, and a client that can misbehave:
// what the tests of io/http and io/console share.

#pragma once

#include "io/door/server.hpp"
#include "io/http/routes.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/views.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::test {

/// A socket whose user decides on every byte. Reads end after
/// half a minute.
class raw_client {
public:
  /// Has a socket, and calls nobody before `join`.
  struct unconnected {};

  explicit raw_client(std::uint16_t port) : raw_client(port, unconnected{}) {
    join();
  }

  explicit raw_client(const std::string& path)
    : raw_client(path, unconnected{}) {
    join();
  }

  raw_client(std::uint16_t port, unconnected)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::memcpy(&at_, &at, sizeof(at));
    size_ = sizeof(at);
  }

  raw_client(const std::string& path, unconnected)
    : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path.c_str(), sizeof(at.sun_path) - 1);
    std::memcpy(&at_, &at, sizeof(at));
    size_ = sizeof(at);
  }

  ~raw_client() { ::close(fd_); }

  raw_client(const raw_client&) = delete;
  raw_client& operator=(const raw_client&) = delete;

  void send(const std::string& text) {
    size_t done = 0;
    while (done < text.size()) {
      auto n
        = ::send(fd_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (n <= 0)
        return;
      done += static_cast<size_t>(n);
    }
  }

  /// One answer with its header; a HEAD answer has no body.
  std::string answer(bool to_head = false) {
    while (pending_.find("\r\n\r\n") == pending_.npos)
      if (!more())
        return std::exchange(pending_, "");
    auto size = pending_.find("\r\n\r\n") + 4;
    auto mark = pending_.find("Content-Length: ");
    if (!to_head && mark < size)
      size += std::stoul(pending_.substr(mark + 16));
    while (pending_.size() < size && more())
      continue;
    auto one = pending_.substr(0, size);
    pending_.erase(0, size);
    return one;
  }

  /// Everything until the other side closes; "(open)" is added if it does
  /// not.
  std::string rest() {
    while (more())
      continue;
    auto all = std::exchange(pending_, "");
    return closed_ ? all : all + "(open)";
  }

  /// Waits for the first bytes of an answer, and reads no more of it.
  bool begins() {
    patience(minutes{1});
    return more();
  }

  void join() {
    REQUIRE(fd_ >= 0);
    patience(seconds{30});
    REQUIRE(::connect(fd_, reinterpret_cast<sockaddr*>(&at_), size_) == 0);
  }

  /// As `answer`, or what came of it by then.
  std::string answer_within(millis limit) {
    patience(limit);
    auto got = answer();
    patience(seconds{30});
    return got;
  }

private:
  void patience(millis limit) const {
    timeval for_one{limit.count() / 1000, limit.count() % 1000 * 1000};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &for_one, sizeof(for_one));
  }

  bool more() {
    char room[4096];
    auto n = ::recv(fd_, room, sizeof(room), 0);
    if (n > 0)
      pending_.append(room, static_cast<size_t>(n));
    else
      closed_ = n == 0 || errno == ECONNRESET;
    return n > 0;
  }

  int fd_ = -1;
  sockaddr_storage at_{};
  socklen_t size_ = 0;
  bool closed_ = false;
  std::string pending_;
};

/// Waits until `what` holds, for as long as a very slow machine takes.
inline bool holds_soon(const std::function<bool()>& what) {
  for (int i = 0; i < 6000 && !what(); ++i)
    std::this_thread::sleep_for(millis{10});
  return what();
}

inline std::string get(const std::string& target,
                       const std::string& headers = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n";
}

inline std::string post(const std::string& target, const std::string& body) {
  return "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
         + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// Answers like the view, the scheduler and the cluster actor would.
struct fake_actors {
  view_answer all = small_cluster();
  bool silent = false;
  result<pause_answer> pause_result = pause_answer{true, "paused"};
  std::vector<pause_order> orders;
  result<repair_answer> repair_result
    = repair_answer{true, "0f3a", "the pending tag is written"};
  std::vector<repair_request> repairs;
  /// The power desk: what it answers to a word about an errand.
  std::function<result<errand_sheet>(const io::http::errand_word&)> desk;
  result<errand_list_answer> errand_list = errand_list_answer{};
  std::vector<io::http::errand_word> errand_words; ///< in order
  /// The balancer: what it answers to a query.
  std::function<result<balance_sheet>(const balance_query&)> balancer
    = [](const balance_query&) { return balance_sheet{}; };
  std::vector<balance_query> balance_queries;

  std::vector<event_standing> events;
  std::shared_ptr<const std::vector<agent_row>> agents;
  std::vector<event_order> event_orders;
  result<event_order_answer> event_result
    = event_order_answer{event_order_answer::outcome::done, "it is so"};

  /// All of it as the view would show it.
  [[nodiscard]] std::shared_ptr<const scene> picture() const {
    auto x = std::make_shared<scene>();
    x->status = all.status;
    for (const auto& row : all.nodes)
      x->nodes.push_back(std::make_shared<const node_row>(row));
    for (const auto& row : all.instances)
      x->instances.push_back(std::make_shared<const instance_row>(row));
    for (const auto& entry : all.decisions)
      x->decisions.push_back(std::make_shared<const journal_entry>(entry));
    x->events = events;
    x->agents = agents;
    return x;
  }

  io::http::backend backend() {
    io::http::backend x;
    x.source.scene
      = [this](std::function<void(result<io::http::scene_ptr>)> done) {
          if (!silent)
            done(picture());
        };
    x.pause = [this](pause_order what,
                     std::function<void(result<pause_answer>)> done) {
      orders.push_back(what);
      done(pause_result);
    };
    x.repair = [this](repair_request what,
                      std::function<void(result<repair_answer>)> done) {
      repairs.push_back(what);
      done(repair_result);
    };
    x.errand = [this](io::http::errand_word what,
                      std::function<void(result<errand_sheet>)> done) {
      errand_words.push_back(what);
      done(desk(what));
    };
    x.event = [this](event_order what,
                     std::function<void(result<event_order_answer>)> done) {
      event_orders.push_back(what);
      done(event_result);
    };
    x.errands = [this](std::function<void(result<errand_list_answer>)> done) {
      done(errand_list);
    };
    x.balance = [this](balance_query what,
                       std::function<void(result<balance_sheet>)> done) {
      balance_queries.push_back(what);
      done(balancer(what));
    };
    x.source.balance = x.balance;
    return x;
  }
};

/// A running daemon's front door. The fake actors run on the loop's thread:
/// set them up before the first request.
class site {
public:
  explicit site(const io::http::limits& bounds = {}) {
    io::http::route_rules rules;
    rules.own_uid = ::geteuid();
    rules.health_limit = millis{150};
    rules.audience_now = io::http::always({true, {"x"}});
    start(bounds, io::http::make_routes(on, on, actors.backend(), rules));
  }

  site(const io::http::limits& bounds, const io::http::route_rules& rules) {
    start(bounds, io::http::make_routes(on, on, actors.backend(), rules));
  }

  site(const io::http::limits& bounds, io::http::handler handle) {
    start(bounds, std::move(handle));
  }

  [[nodiscard]] std::uint16_t port() const { return up->port(); }

  [[nodiscard]] std::string socket() const {
    return folder.path("run/orderly.sock");
  }

  /// One request over TCP on a connection of its own.
  [[nodiscard]] std::string once(const std::string& text) const {
    raw_client x{port()};
    x.send(text);
    return x.answer();
  }

  scratch_folder folder;
  fake_actors actors;
  io::loop on;
  std::unique_ptr<io::http::server> up;

private:
  void start(const io::http::limits& bounds, io::http::handler handle) {
    io::http::server_rules rules;
    rules.socket = socket();
    rules.bounds = bounds;
    auto made = io::http::server::start(on, rules, std::move(handle));
    REQUIRE(made.ok());
    up = std::move(*made);
  }
};

/// A request that a user of this machine makes at the socket for orders.
inline io::http::request made_by(std::uint32_t uid, const std::string& method,
                                 const std::string& target,
                                 const std::string& body = "") {
  io::http::request x;
  x.method = method;
  x.target = target;
  x.body = body;
  x.local = true;
  x.uid = uid;
  return x;
}

/// The status that `handle` answers with, on its loop; 0 if it does not.
inline unsigned status_of(io::loop& on, const io::http::handler& handle,
                          io::http::request what) {
  auto said = std::make_shared<std::promise<unsigned>>();
  auto got = said->get_future();
  on.post([&handle, what = std::move(what), said] {
    handle(what,
           [said](const io::http::response& x) { said->set_value(x.status); });
  });
  return got.wait_for(millis{300}) == std::future_status::ready ? got.get() : 0;
}

inline io::http::response answer_of(const std::string& body) {
  io::http::response x;
  x.body = body;
  return x;
}

inline bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

/// The body of a whole answer.
/// Empty if it has none of that name.
inline std::string header(const std::string& answer, const std::string& name) {
  auto at = answer.find("\r\n" + name + ": ");
  if (at == answer.npos)
    return "";
  at += name.size() + 4;
  return answer.substr(at, answer.find("\r\n", at) - at);
}

inline std::string body_of(const std::string& answer) {
  auto split = answer.find("\r\n\r\n");
  REQUIRE(split != answer.npos);
  return answer.substr(split + 4);
}

inline nlohmann::json json_of(const std::string& answer) {
  INFO(answer);
  REQUIRE(starts_with(answer, "HTTP/1.1 200"));
  auto x = nlohmann::json::parse(body_of(answer), nullptr, false);
  REQUIRE_FALSE(x.is_discarded());
  return x;
}

inline nlohmann::json error_of(const std::string& answer,
                               const std::string& status) {
  INFO(answer);
  REQUIRE(starts_with(answer, "HTTP/1.1 " + status + " "));
  return nlohmann::json::parse(body_of(answer))["error"];
}

/// One request over the unix socket.
inline std::string locally(const site& at, const std::string& text) {
  raw_client x{at.socket()};
  x.send(text);
  return x.answer();
}

} // namespace orderly::test
