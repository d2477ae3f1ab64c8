// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/agent/port.hpp"
#include "io/agent/prober.hpp"
#include "tests/io/agent/sockets.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <catch2/catch.hpp>

#include <filesystem>
#include <future>

#include <sys/resource.h>

namespace orderly::agent_test {

using namespace orderly::io::agent;
using test::accepting;
using test::black_hole;
using test::canned;
using test::refusing;

namespace {

using clock_type = std::chrono::steady_clock;

std::vector<finding> survey_of(io::loop& where, std::vector<check> checks,
                               millis limit, bool first = false,
                               const std::string& address = "127.0.0.1") {
  std::promise<std::vector<finding>> promised;
  look(
    where, {address, std::move(checks), limit, first},
    [&promised](std::vector<finding> x) { promised.set_value(std::move(x)); });
  return promised.get_future().get();
}

check tcp(std::uint16_t port) {
  return {check_kind::daemon, port, false};
}

check http(std::uint16_t port) {
  return {check_kind::monitor, port, true};
}

/// `text` behind the number of the port.
std::string behind_port(const finding& x) {
  return x.text.substr(x.text.find(' ') + 1);
}

/// Asks a server that gives this answer.
finding ask_monitor(std::vector<std::string> pieces, millis limit = seconds{5},
                    millis pause = {}) {
  io::loop where;
  canned server{std::move(pieces), pause};
  auto got = survey_of(where, {http(server.port)}, limit);
  REQUIRE(got.size() == 1);
  return got.front();
}

std::size_t open_descriptors() {
  std::size_t result = 0;
  for ([[maybe_unused]] auto& x :
       std::filesystem::directory_iterator{"/proc/self/fd"})
    ++result;
  return result;
}

struct rig {
  caf::actor_system_config config;
  io::loop where;
  caf::actor_system system{config};
  probe_port port;

  rig(std::uint16_t daemon, std::uint16_t monitor) {
    settings knobs;
    knobs.host_ha.daemon_port = daemon;
    knobs.host_ha.monitor_port = monitor;
    port = spawn_probe_port(system, where, knobs);
  }

  ~rig() { caf::anon_send_exit(port, caf::exit_reason::user_shutdown); }

  template <class Answer, class Request>
  Answer ask(Request request) {
    caf::scoped_actor self{system};
    Answer result;
    self->request(port, seconds{20}, std::move(request))
      .receive([&](const Answer& x) { result = x; },
               [&](const caf::error& x) { FAIL(system.render(x)); });
    return result;
  }

  sighting health_at(const std::string& address, millis limit = seconds{2}) {
    return ask<sighting>(probe_request{"node1", address, limit});
  }

  activity_answer activity_at(const std::string& address) {
    return ask<activity_answer>(
      activity_request{"node1", address, {}, {}, seconds{5}});
  }
};

constexpr auto good_answer
  = "HTTP/1.1 200 OK\r\nserver: Snap/1.1.2.0\r\n"
    "transfer-encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n";

} // namespace

TEST_CASE("a connection attempt tells listening, refusing and silent apart") {
  io::loop where;
  accepting open;
  refusing closed;
  black_hole hole;
  auto start = clock_type::now();
  auto got = survey_of(
    where, {tcp(open.port), tcp(closed.port), tcp(hole.port)}, millis{300});
  auto took = clock_type::now() - start;
  REQUIRE(got.size() == 3);
  CHECK(got[0].got == reply::good);
  CHECK(got[0].text == std::to_string(open.port) + " accepts connections");
  CHECK(got[1].got == reply::refused);
  CHECK(behind_port(got[1]) == "connection refused");
  CHECK(got[2].got == reply::silent);
  CHECK(behind_port(got[2]) == "no answer within 300 ms");
  CHECK(took >= millis{300});
  CHECK(took < seconds{2});
}

TEST_CASE("checks of one node run side by side") {
  io::loop where;
  black_hole one;
  black_hole two;
  auto start = clock_type::now();
  survey_of(where, {tcp(one.port), tcp(two.port), http(one.port)}, seconds{1});
  CHECK(clock_type::now() - start < millis{1900});
}

TEST_CASE("one sign of life is enough where it is said so") {
  io::loop where;
  black_hole hole;
  refusing closed;
  auto start = clock_type::now();
  auto got
    = survey_of(where, {tcp(hole.port), tcp(closed.port)}, seconds{10}, true);
  CHECK(clock_type::now() - start < seconds{3});
  REQUIRE(got.size() == 1);
  CHECK(got.front().got == reply::refused);
}

TEST_CASE("an address that is none is not tried") {
  io::loop where;
  accepting open;
  auto address
    = GENERATE("", "node1", "0.0.0.0", "::", "127.0.0.1:80", "224.0.0.1");
  auto got = survey_of(where, {tcp(open.port)}, seconds{1}, false, address);
  REQUIRE(got.size() == 1);
  CHECK(got.front().got == reply::untried);
  CHECK(got.front().text.find("is not the IP address") != std::string::npos);
}

TEST_CASE("a check without a descriptor is not tried") {
  io::loop where;
  accepting open;
  CHECK(survey_of(where, {tcp(open.port)}, seconds{1}).front().got
        == reply::good);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit none{3, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  auto got = survey_of(where, {tcp(open.port), http(open.port)}, seconds{1});
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  REQUIRE(got.size() == 2);
  CHECK(got[0].got == reply::untried);
  CHECK(behind_port(got[0]) == "not tried: Too many open files");
  CHECK(got[1].got == reply::untried);
}

TEST_CASE("a monitor that says [1] is good, chunked or not") {
  CHECK(ask_monitor({good_answer}).got == reply::good);
  CHECK(ask_monitor({"HTTP/1.0 200 OK\r\n\r\n[1]\n"}).got == reply::good);
  CHECK(ask_monitor({"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "[", "1]"},
                    seconds{5}, millis{20})
          .got
        == reply::good);
}

TEST_CASE("a monitor is asked for its root, politely") {
  io::loop where;
  canned server{{good_answer}};
  survey_of(where, {http(server.port)}, seconds{5});
  auto heard = server.heard();
  CHECK(heard.rfind("GET / HTTP/1.1\r\n", 0) == 0);
  CHECK(heard.find("Host: 127.0.0.1\r\n") != std::string::npos);
  CHECK(heard.find("Connection: close\r\n") != std::string::npos);
}

TEST_CASE("a monitor with another answer is bad and the text says how") {
  auto [answer, why] = GENERATE(table<std::string, std::string>({
    {"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "answers HTTP 500"},
    {"HTTP/1.1 404 Not found\r\nContent-Length: 3\r\n\r\n[1]",
     "answers HTTP 404"},
    {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[2]", "not with [1]"},
    {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "not with [1]"},
    {"SSH-2.0-OpenSSH_9.2\r\n", "no proper answer"},
    {std::string(20000, 'x'), "no proper answer"},
    {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1]", "no proper answer"},
    {"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n[1]",
     "no proper answer"},
    {"HTTP/1.0 200 OK\r\n\r\n" + std::string(300000, '1'), "no proper answer"},
    {"", "closes the connection without an answer"},
  }));
  auto got = ask_monitor({answer});
  CAPTURE(answer.substr(0, 60), got.text);
  CHECK(got.got == reply::bad);
  CHECK(got.text.find(why) != std::string::npos);
}

TEST_CASE("a body in chunks may come in any pieces, also an empty one") {
  const std::string head
    = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string bodies[] = {"0\r\n\r\n", "3\r\n[1]\r\n0\r\n\r\n"};
  for (const auto& body : bodies)
    for (std::size_t cut = 1; cut < body.size(); ++cut) {
      CAPTURE(body, cut);
      auto got = ask_monitor(
        {head + body.substr(0, cut), body.substr(cut, 1), body.substr(cut + 1)},
        seconds{5}, millis{5});
      CHECK((got.got == reply::good) == (&body == &bodies[1]));
    }
  // It ends before there is a body at all.
  CHECK(ask_monitor({head + "0\r\n"}).got == reply::bad);
}

TEST_CASE("a monitor whose head is too long is bad, wherever its pieces end") {
  const std::string line = "A: " + std::string(395, 'a') + "\r\n";
  std::vector<std::string> pieces{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nA"};
  for (std::size_t sent = 0; sent < 6000; sent += line.size())
    pieces.push_back(line.substr(1) + "A");
  pieces.push_back(": b\r\n\r\n[1]");
  auto got = ask_monitor(pieces, seconds{5}, millis{5});
  CHECK(got.got == reply::bad);
  CHECK(got.text.find("no proper answer") != std::string::npos);
}

TEST_CASE("a monitor that dribbles or says nothing is cut off in time") {
  auto start = clock_type::now();
  auto slow = ask_monitor({"HTTP/1.1 200 OK\r\n", "a: b\r\n", "c: d\r\n",
                           "e: f\r\n", "g: h\r\n", "\r\n", "[1]"},
                          millis{500}, millis{200});
  CHECK(slow.got == reply::bad);
  CHECK(behind_port(slow) == "accepts, but no answer within 500 ms");
  io::loop where;
  accepting mute;
  auto got = survey_of(where, {http(mute.port)}, millis{300});
  CHECK(got.front().got == reply::bad);
  CHECK(clock_type::now() - start < seconds{4});
}

TEST_CASE("probes leave no descriptor behind") {
  io::loop where;
  accepting open;
  refusing closed;
  survey_of(where, {tcp(open.port)}, seconds{1});
  auto before = open_descriptors();
  for (int i = 0; i < 50; ++i)
    survey_of(where, {tcp(open.port), tcp(closed.port)}, seconds{1},
              i % 2 == 0);
  for (int i = 0; i < 50 && open_descriptors() > before; ++i)
    std::this_thread::sleep_for(millis{20});
  CHECK(open_descriptors() == before);
}

TEST_CASE("the probe port finds a node with both daemons healthy") {
  accepting daemon;
  canned monitor{{good_answer}};
  rig x{daemon.port, monitor.port};
  auto got = x.health_at("127.0.0.1");
  CHECK(got.node == "node1");
  CHECK(got.verdict == health::healthy);
  CHECK(got.evidence
        == std::to_string(daemon.port) + " accepts connections, "
             + std::to_string(monitor.port) + " monitor answers");
}

TEST_CASE("the probe port finds a node without its daemon unhealthy") {
  refusing daemon;
  black_hole hole;
  rig x{daemon.port, hole.port};
  auto got = x.health_at("127.0.0.1", millis{300});
  CHECK(got.verdict == health::unhealthy);
  CHECK(got.evidence
        == std::to_string(daemon.port) + " connection refused, "
             + std::to_string(hole.port) + " no answer within 300 ms");
  canned monitor{{good_answer}};
  rig y{daemon.port, monitor.port};
  auto broken = y.health_at("127.0.0.1");
  CHECK(broken.verdict == health::unhealthy);
  CHECK(broken.evidence.find("its node daemon is broken") != std::string::npos);
}

TEST_CASE("the probe port does not guess about a bad address or no check") {
  rig x{1811, 1815};
  CHECK(x.health_at("node1.example.com").verdict == health::unknown);
  CHECK(x.activity_at("").verdict == activity::unknown);
  rig none{0, 0};
  CHECK(none.health_at("127.0.0.1").verdict == health::unknown);
}

TEST_CASE("the probe port sees activity in a refusal") {
  black_hole hole;
  refusing closed;
  rig x{hole.port, closed.port};
  auto got = x.activity_at("127.0.0.1");
  CHECK(got.node == "node1");
  CHECK(got.verdict == activity::active);
  CHECK_FALSE(got.evidence.empty());
}

TEST_CASE("the probe port admits two thousand sockets and no more") {
  rlimit files{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
  files.rlim_cur = files.rlim_max;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0);
  black_hole hole;
  rig x{hole.port, hole.port};
  caf::scoped_actor self{x.system};
  for (int i = 0; i < 1100; ++i)
    self->send(x.port, probe_request{"node1", "127.0.0.1", seconds{2}});
  int refused = 0;
  for (int i = 0; i < 1100; ++i)
    self->receive([&](const sighting& got) {
      if (got.evidence.rfind("not admitted", 0) == 0)
        refused += got.verdict == health::not_looked;
      else
        CHECK(got.verdict == health::unhealthy);
    });
  CHECK(refused == 100);
  CHECK(x.health_at("127.0.0.1", millis{50}).verdict == health::unhealthy);
}

} // namespace orderly::agent_test
