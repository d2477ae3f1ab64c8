// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A server with routes over a made-up view, and a client that can misbehave:
// what the tests of io/http and io/console share.

#pragma once

#include "io/http/routes.hpp"
#include "io/http/server.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/views.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::test {

/// A socket whose user decides on every byte. Reads end after 5 s.
class raw_client {
public:
  explicit raw_client(std::uint16_t port) {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    join(reinterpret_cast<sockaddr*>(&at), sizeof(at));
  }

  explicit raw_client(const std::string& path) {
    fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path.c_str(), sizeof(at.sun_path) - 1);
    join(reinterpret_cast<sockaddr*>(&at), sizeof(at));
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

private:
  void join(const sockaddr* at, socklen_t size) {
    REQUIRE(fd_ >= 0);
    timeval limit{5, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    REQUIRE(::connect(fd_, at, size) == 0);
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
  bool closed_ = false;
  std::string pending_;
};

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

  [[nodiscard]] view_answer answer(const view_query& what) const {
    view_answer x;
    x.status = all.status;
    switch (what.subject) {
    case view_subject::status:
      break;
    case view_subject::nodes:
      x.nodes = all.nodes;
      break;
    case view_subject::instances:
      x.instances = all.instances;
      break;
    case view_subject::decisions:
      for (const auto& entry : all.decisions)
        if (entry.seq > what.after && about(entry, what.object))
          x.decisions.push_back(entry);
      while (x.decisions.size() > what.limit)
        x.decisions.erase(x.decisions.begin());
      break;
    case view_subject::explain:
      explain(what.object, x);
      break;
    }
    return x;
  }

  static bool about(const journal_entry& x, const std::string& object) {
    return object.empty() || x.object == object
           || x.object == node_object(object)
           || x.object == instance_object(object);
  }

  void explain(const std::string& object, view_answer& x) const {
    for (const auto& row : all.nodes)
      if (row.name == object || node_object(row.name) == object)
        x.nodes.push_back(row);
    for (const auto& row : all.instances)
      if (row.name == object || instance_object(row.name) == object) {
        x.instances.push_back(row);
        x.nodes = all.nodes;
      }
    x.found = !x.nodes.empty() || !x.instances.empty();
    if (x.found)
      x.decisions = all.decisions;
  }

  io::http::backend backend() {
    io::http::backend x;
    x.ask
      = [this](view_query what, std::function<void(result<view_answer>)> done) {
          if (!silent)
            done(answer(what));
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
    x.errands = [this](std::function<void(result<errand_list_answer>)> done) {
      done(errand_list);
    };
    x.balance = [this](balance_query what,
                       std::function<void(result<balance_sheet>)> done) {
      balance_queries.push_back(what);
      done(balancer(what));
    };
    x.metrics_extra = [] { return std::string{}; };
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
    start(bounds, io::http::make_routes(on, actors.backend(), rules));
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

inline bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

/// The body of a whole answer.
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
