// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Lines to agents that answer without end, over TLS on loopback.

#include "io/loop/loop.hpp"
#include "io/node_reports/line.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <fmt/format.h>

namespace orderly::node_reports_test {

using namespace orderly::io;
using node_reports::allowance;

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// Whoever asks it gets these pieces of an answer, a moment apart.
class talker {
public:
  talker(const std::string& pem, std::vector<std::string> pieces)
    : pieces_(std::move(pieces)) {
    side_.use_certificate_chain_file(pem);
    side_.use_private_key_file(pem, asio::ssl::context::pem);
    taker_ = std::thread{[this] { take(); }};
  }

  ~talker() {
    over_ = true;
    boost::system::error_code none;
    tcp::socket{on_}.connect(door_.local_endpoint(), none);
    taker_.join();
    for (auto& x : talks_)
      x.join();
  }

  std::size_t met() const { return met_; }

  tcp::endpoint place() const { return door_.local_endpoint(); }

private:
  void take() {
    while (true) {
      auto socket = std::make_shared<tcp::socket>(on_);
      door_.accept(*socket);
      if (over_)
        return;
      ++met_;
      talks_.emplace_back([this, socket] { talk(std::move(*socket)); });
    }
  }

  void talk(tcp::socket socket) {
    boost::system::error_code e;
    asio::ssl::stream<tcp::socket> way{std::move(socket), side_};
    way.handshake(asio::ssl::stream_base::server, e);
    std::string asked;
    if (!e)
      asio::read_until(way, asio::dynamic_buffer(asked), "\r\n\r\n", e);
    for (const auto& piece : pieces_) {
      if (!e)
        asio::write(way, asio::buffer(piece), e);
      std::this_thread::sleep_for(millis{20});
    }
    char more = 0;
    if (!e)
      way.read_some(asio::buffer(&more, 1), e); // until it is left alone
  }

  asio::io_context on_;
  asio::ssl::context side_{asio::ssl::context::tls_server};
  tcp::acceptor door_{on_, {asio::ip::make_address("127.0.0.1"), 0}};
  std::vector<std::string> pieces_;
  std::atomic<bool> over_ = false;
  std::atomic<std::size_t> met_ = 0;
  std::vector<std::thread> talks_;
  std::thread taker_;
};

/// So many bytes of an answer of half a megabyte.
std::vector<std::string> long_answer(std::size_t bytes) {
  return {"HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n"
          + std::string(bytes, 'x')};
}

/// Lines to one talker, and what they heard.
struct switchboard {
  explicit switchboard(std::vector<std::string> pieces)
    : room(std::make_shared<allowance>(std::size_t{1024} * 1024)),
      pem(make_certificate(folder.path("all.pem"))),
      they(pem, std::move(pieces)) {
    std::ifstream file{pem};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    auto made = http::tls_side::make(
      text, [](const auto&) { return true; }, http::tls_role::client);
    REQUIRE(made);
    side = *made;
  }

  static std::string make_certificate(const std::string& path) {
    auto made
      = std::system(fmt::format("openssl req -x509 -newkey rsa:2048 -nodes "
                                "-days 2 -subj /CN=x -keyout {0}.key -out {0} "
                                "2>/dev/null && cat {0}.key >> {0}",
                                path)
                      .c_str());
    REQUIRE(made == 0);
    return path;
  }

  void ask(node_reports::line& way) {
    way.ask(they.place(), side, {"/"}, seconds{5},
            [this](const result<node_reports::line_answer>& x) {
              heard.push_back(x ? "all of it" : x.why().text);
            });
  }

  void run() {
    on.restart();
    on.run();
  }

  std::shared_ptr<allowance> room;
  scratch_folder folder;
  std::string pem;
  std::shared_ptr<http::tls_side> side;
  talker they;
  asio::io_context on;
  std::vector<std::string> heard;
};

} // namespace

TEST_CASE("answers of all nodes together have a bound of memory") {
  switchboard x{long_answer(400000)};
  std::vector<std::unique_ptr<node_reports::line>> lines;
  for (int i = 0; i < 8; ++i) {
    lines.push_back(std::make_unique<node_reports::line>(x.on, x.room));
    x.ask(*lines.back());
  }
  x.run();
  REQUIRE(x.heard.size() == 8);
  auto refused
    = std::count(x.heard.begin(), x.heard.end(),
                 "answers more than there is room for beside other nodes");
  CHECK(refused >= 5);
  CHECK(std::count(x.heard.begin(), x.heard.end(), "does not answer in time")
        == 8 - refused);
  CHECK(x.room->used() == 0);
}

TEST_CASE("a long report is heard to its end, if there is room") {
  switchboard x{long_answer(500000)};
  node_reports::line way{x.on, x.room};
  x.ask(way);
  x.run();
  CHECK(x.heard == std::vector<std::string>{"all of it"});
  CHECK(x.room->used() == 0);
}

TEST_CASE("a line that was hung up is not used again") {
  switchboard x{long_answer(500000)};
  node_reports::line way{x.on, x.room};
  x.ask(way);
  x.run();
  way.hang_up();
  x.ask(way);
  x.run();
  CHECK(x.heard == std::vector<std::string>{"all of it", "all of it"});
  CHECK(x.they.met() == 2);
}

TEST_CASE("a head that is too long is not heard, wherever its pieces end") {
  const std::string line = "A: " + std::string(395, 'a') + "\r\n";
  std::vector<std::string> pieces{"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nA"};
  for (std::size_t sent = 0; sent < 12000; sent += line.size())
    pieces.push_back(line.substr(1) + "A");
  pieces.push_back(": b\r\n\r\n1");
  switchboard x{pieces};
  node_reports::line way{x.on, x.room};
  x.ask(way);
  x.run();
  REQUIRE(x.heard.size() == 1);
  CHECK(x.heard.front().find("header limit") != std::string::npos);
}

TEST_CASE("an empty body in chunks may come in any pieces") {
  const std::string body = "0\r\n\r\n";
  for (std::size_t cut = 1; cut < body.size(); ++cut) {
    CAPTURE(cut);
    switchboard x{{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                     + body.substr(0, cut),
                   body.substr(cut, 1), body.substr(cut + 1)}};
    node_reports::line way{x.on, x.room};
    x.ask(way);
    x.run();
    CHECK(x.heard == std::vector<std::string>{"all of it"});
  }
}

} // namespace orderly::node_reports_test
