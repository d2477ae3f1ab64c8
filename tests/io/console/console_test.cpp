// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/client.hpp"
#include "tests/io/console/run.hpp"

#include <thread>

#include <sys/stat.h>

namespace orderly::console_test {

using namespace orderly::test;
using namespace orderly::io::console;
using nlohmann::json;

TEST_CASE("an HTTP answer is taken apart or refused") {
  auto good = parse_answer("HTTP/1.1 404 Not Found\r\nX: y\r\n"
                           "content-length:  2\r\n\r\nok");
  REQUIRE(good.ok());
  CHECK(good->status == 404);
  CHECK(good->body == "ok");
  for (const char* bad :
       {"", "HTTP/1.1 200 OK\r\n", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 \r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\nbody", "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"}) {
    INFO(bad);
    auto x = parse_answer(bad);
    REQUIRE_FALSE(x.ok());
    CHECK(x.why().kind == fault_kind::bad_input);
  }
}

TEST_CASE("a daemon that is not there is unreachable") {
  scratch_folder folder;
  auto x = orderly_cli(folder.path("none"), {"status"});
  CHECK(x.code == exit_unreachable);
  CHECK(x.out.empty());
  CHECK(starts_with(x.err, "orderly: cannot reach orderlyd at "));
  CHECK(contains(x.err, "is it running? see systemctl status orderlyd\n"));
  CHECK(orderly_cli(std::string(200, 'x'), {"status"}).code
        == exit_unreachable);
}

TEST_CASE("a daemon that says nothing is given up in time") {
  site at;
  at.actors.silent = true;
  auto start = std::chrono::steady_clock::now();
  auto x = orderly_cli(at.socket(), {"--timeout", "0.3", "nodes"});
  CHECK(x.code == exit_timed_out);
  CHECK(x.out.empty());
  CHECK(std::chrono::steady_clock::now() - start < seconds{3});
}

TEST_CASE("a daemon that cannot find out in time makes a time-out, too") {
  io::http::limits bounds;
  bounds.request_timeout = millis{100};
  site at{bounds};
  at.actors.silent = true;
  CHECK(orderly_cli(at.socket(), {"nodes"}).code == exit_timed_out);
}

TEST_CASE("an answer larger than the bound is refused") {
  site at;
  client_rules rules;
  rules.socket = at.socket();
  rules.answer_max = 100;
  auto x = ask(rules, "GET", "/2/nodes", "");
  REQUIRE_FALSE(x.ok());
  CHECK(contains(x.why().text, "larger than 100 bytes"));
}

TEST_CASE("status is told in lines of name and value") {
  site at;
  auto x = orderly_cli(at.socket(), {"status"});
  CHECK(x.code == exit_ok);
  CHECK(x.err.empty());
  CHECK(contains(x.out, "cluster            c1.example.com\n"));
  CHECK(contains(x.out, "yes: node1 is master\n"));
  CHECK(contains(x.out, "1 of 2 nodes that should live\n"));
  CHECK(contains(x.out, "available 1, fenced 1\n"));
  CHECK(contains(x.out, "2026-03-01T11:59:57.000Z (3s ago)\n"));
}

TEST_CASE("nodes and instances are tables, or fields for scripts") {
  site at;
  auto nodes = orderly_cli(at.socket(), {"nodes"});
  CHECK(starts_with(nodes.out, "NODE   GROUP  PHASE"));
  CHECK(contains(nodes.out, "node2  -      fenced     5m 0s  offline"));
  auto fields = orderly_cli(at.socket(),
                            {"instances", "--no-headers", "--separator", "|"});
  CHECK(fields.out
        == "web1|node2|node1|drbd|up|needs-repair|its node node2 is off\n");
}

TEST_CASE("a condition that is no number is no condition") {
  for (const auto* text : {"", "-1", "010", "7x", " 7"}) {
    auto x = orderly_cli("/nowhere", {"cancel", "u", "--serial-no", text});
    CHECK(x.code == 2);
    CHECK(x.err.find("is no number") != std::string::npos);
  }
  for (const auto* text : {"nan", "-nan"})
    CHECK(orderly_cli("/nowhere", {"--timeout", text, "status"}).code == 2);
}

TEST_CASE("JSON output is the daemon's") {
  site at;
  auto x = orderly_cli(at.socket(), {"--output", "json", "nodes"});
  CHECK(x.code == exit_ok);
  auto body = json::parse(x.out, nullptr, false);
  REQUIRE(body.is_object());
  CHECK(body["nodes"][1]["phase"] == "fenced");
}

TEST_CASE("explain tells state, since, why, what is waited for and the story") {
  site at;
  auto node = orderly_cli(at.socket(), {"explain", "node2"});
  CHECK(node.code == exit_ok);
  for (const char* part :
       {"fenced\n", "2026-03-01T11:55:00.000Z (5m 0s ago)\n",
        "power status off, read 11:55:00\n", "somebody to repair it\n",
        "proved down", "nothing moved in 10 checks\n"}) {
    INFO(part);
    CHECK(contains(node.out, part));
  }
  auto web = orderly_cli(at.socket(), {"explain", "instance:web1"});
  CHECK(contains(web.out, "last decision  2026-03-01T11:54:00.000Z"));
  CHECK(contains(web.out, "its node node2 is off\n"));
  auto none = orderly_cli(at.socket(), {"explain", "no such/thing?"});
  CHECK(none.code == exit_not_found);
  CHECK(none.out.empty());
  CHECK(contains(none.err, "'no such/thing?'"));
}

TEST_CASE("explain tells orders, readings and proofs with their age") {
  site at;
  auto& node = at.actors.all.nodes[1];
  node.standing.power = power_state::off;
  node.standing.power_since = noon - seconds{90};
  node.standing.power_text = "power status off by oob-ipmi";
  node.standing.proved_down->at = noon - seconds{12};
  accepted_order order;
  order.who = "root";
  order.why = "new memory";
  order.errand = "power-12";
  order.at = noon - seconds{20};
  node.ordered = order;
  auto x = orderly_cli(at.socket(), {"explain", "node2"});
  CHECK(x.code == 0);
  CHECK(contains(x.out, "power-off by root: new memory (power-12, waits for "
                        "its turn), 20s ago"));
  CHECK(contains(x.out, "off for 1m 30s: power status off by oob-ipmi"));
  CHECK(contains(x.out, "power status off (power-status), "
                        "2026-03-01T11:59:48.000Z (12s ago)"));
  CHECK(contains(orderly_cli(at.socket(), {"nodes"}).out, "ordered"));
  node.ordered->running = true;
  node.ordered->step = "mark-offline";
  CHECK(contains(orderly_cli(at.socket(), {"explain", "node2"}).out,
                 "(power-12, now: mark-offline)"));
}

TEST_CASE("decisions are limited, filtered and followed without repeats") {
  site at;
  auto one = orderly_cli(at.socket(), {"decisions", "--limit", "1"});
  CHECK_FALSE(contains(one.out, "node:node2"));
  CHECK(contains(one.out, "instance:web1"));
  auto node = orderly_cli(at.socket(), {"decisions", "--object", "node2"});
  CHECK(contains(node.out, "node:node2"));
  CHECK_FALSE(contains(node.out, "instance:web1"));
  int rounds = 0;
  auto go_on = [&] {
    auto next = at.actors.all.decisions.back();
    next.seq = 43;
    next.why = "news";
    if (++rounds == 2)
      at.actors.all.decisions.push_back(next);
    return rounds < 4;
  };
  auto all = orderly_cli(at.socket(),
                         {"--output", "json", "decisions", "--follow"}, go_on);
  CHECK(all.code == exit_ok);
  std::istringstream lines{all.out};
  std::vector<int> seqs;
  for (std::string line; std::getline(lines, line);)
    seqs.push_back(json::parse(line)["seq"].get<int>());
  CHECK(seqs == std::vector{41, 42, 43});
}

TEST_CASE("pause and resume say on stderr what was done, or was not") {
  site at;
  auto x = orderly_cli(at.socket(), {"pause", "--reason", "a \"move\""});
  CHECK(x.code == exit_ok);
  CHECK(x.out.empty());
  CHECK(x.err == "orderly: paused\n");
  REQUIRE(at.actors.orders.size() == 1);
  CHECK(at.actors.orders[0].reason == "a \"move\"");
  at.actors.pause_result = pause_answer{false, "was not paused"};
  auto refused = orderly_cli(at.socket(), {"resume"});
  CHECK(refused.code == exit_refused);
  CHECK(refused.err == "orderly: was not paused\n");
}

TEST_CASE("a daemon of another kind does not confuse the command") {
  site at{{}, [](io::http::request r, io::http::reply done) {
            done(answer_of(
              r.target == "/2/nodes" ? R"({"nodes":[1,{"name":2}]})" : "[1]"));
          }};
  auto nodes = orderly_cli(at.socket(), {"nodes", "--no-headers"});
  CHECK(nodes.code == exit_ok);
  CHECK(contains(nodes.out, "2  "));
  auto status = orderly_cli(at.socket(), {"status"});
  CHECK(status.code == exit_failed);
  CHECK(contains(status.err, "is it of another version?"));
}

TEST_CASE("an answer that is none ends the command with a sentence") {
  auto said = std::make_shared<std::string>();
  site at{{}, [said](io::http::request, io::http::reply done) {
            done(answer_of(*said));
          }};
  auto is_refused = [&](std::string answer, std::vector<const char*> words) {
    *said = std::move(answer);
    auto x = orderly_cli(at.socket(), std::move(words));
    CHECK(x.code == exit_failed);
    CHECK(contains(x.err, "is it of another version?"));
  };
  std::string deep(200'000, '[');
  is_refused("{\"a\":" + deep + std::string(deep.size(), ']') + "}",
             {"status", "--output", "json"});
  is_refused(R"({"planned":{"planned":"yes"},"plan":1,"asked":1})",
             {"balance", "--dry-run"});
  is_refused(R"({"something":"x"})", {"plan"});
  is_refused(R"({"balance":{"enabled":"yes"}})", {"plan"});
}

TEST_CASE("what does not say that it was done was not done") {
  for (const auto* said : {"{}", R"({"done":false})", R"({"done":"yes"})",
                           R"({"text":"paused"})"}) {
    site at{{}, [said](io::http::request, io::http::reply done) {
              done(answer_of(said));
            }};
    for (const auto* order : {"pause", "resume"}) {
      auto x = orderly_cli(at.socket(), {order});
      CHECK(x.code == exit_failed);
      CHECK(contains(x.err, "does not say that it is done"));
      CHECK(x.out.empty());
    }
  }
}

TEST_CASE("an object that says nothing is no answer, and no empty list") {
  for (const auto* said : {"{}", R"({"done":true})",
                           R"({"id":"power-13","uuid":"u2","rows":[]})"}) {
    site at{{}, [said](io::http::request, io::http::reply done) {
              done(answer_of(said));
            }};
    for (const auto& words : std::vector<std::vector<const char*>>{
           {"status"},
           {"nodes"},
           {"instances", "--output", "json"},
           {"explain", "web1"},
           {"decisions"},
           {"decisions", "--follow"},
           {"advice"},
           {"agents"},
           {"errands"},
           {"errand", "power-12"},
           {"errand", "power-12", "--stop"},
           {"incidents"},
           {"incident", "u1"},
           {"balance"},
           {"plan"}}) {
      INFO(words.front());
      auto x = orderly_cli(at.socket(), words);
      CHECK(x.code == exit_failed);
      CHECK(x.out.empty());
      CHECK(contains(x.err, "gave an answer that cannot be understood"));
    }
  }
}

TEST_CASE("who only reads asks a busy daemon again, an order is sent once") {
  std::atomic<int> asked = 0;
  site at{{}, [&](io::http::request, io::http::reply done) {
            auto x = answer_of(R"({"nodes":[]})");
            if (++asked < 3)
              x = io::http::busy_response("too many");
            done(x);
          }};
  auto read = orderly_cli(at.socket(), {"nodes"});
  CHECK(read.code == exit_ok);
  CHECK(asked == 3);
  asked = 0;
  auto order = orderly_cli(at.socket(), {"pause"});
  CHECK(order.code == exit_failed);
  CHECK(asked == 1);
}

TEST_CASE("wrong usage ends with 2 and help with 0") {
  for (auto words :
       std::vector<std::vector<const char*>>{{},
                                             {"fly"},
                                             {"status", "extra"},
                                             {"explain"},
                                             {"decisions", "--limit", "0"},
                                             {"--output", "xml", "status"},
                                             {"--timeout", "0", "status"}}) {
    auto x = parsed(words);
    CHECK_FALSE(x.line);
    CHECK(x.code == exit_usage);
    CHECK_FALSE(x.text.empty());
  }
  for (auto words : std::vector<std::vector<const char*>>{
         {"--help"}, {"pause", "--help"}, {"--version"}}) {
    auto x = parsed(words);
    CHECK_FALSE(x.line);
    CHECK(x.code == exit_ok);
    CHECK_FALSE(x.text.empty());
  }
  CHECK(contains(parsed({"--help"}).text, "orderly explain web1"));
}

TEST_CASE("a name that is empty is told before anything is sent") {
  for (auto words : std::vector<std::vector<const char*>>{
         {"repair", "", "--type", "failover"},
         {"repair", "  ", "--type", "failover"},
         {"explain", ""},
         {"cancel", ""},
         {"ack", ""},
         {"forget", ""},
         {"incident", ""},
         {"errand", "", "--stop"},
         {"decisions", "--object", ""},
         {"balance", "--dry-run", "--explain", ""},
         {"--socket", "", "status"}}) {
    INFO(words.front());
    auto x = parsed(words);
    CHECK_FALSE(x.line);
    CHECK(x.code == exit_usage);
    CHECK(contains(x.text, "it is empty; is a variable of your shell unset?"));
  }
}

TEST_CASE("the socket comes from the option, the environment or the default") {
  ::setenv("ORDERLY_SOCKET", "/from/environment", 1);
  CHECK(parsed({"status"}).line->socket == "/from/environment");
  CHECK(parsed({"--socket", "/x", "status"}).line->socket == "/x");
  CHECK(parsed({"status", "--socket", "/x"}).line->socket == "/x");
  ::unsetenv("ORDERLY_SOCKET");
  CHECK(parsed({"status"}).line->socket == "/run/orderly/orderly.sock");
}

TEST_CASE("a socket of the environment that is blank is not the usual one") {
  for (const char* blank : {"", " ", "\t"}) {
    ::setenv("ORDERLY_SOCKET", blank, 1);
    auto x = parsed({"status"});
    CHECK_FALSE(x.line);
    CHECK(x.code == exit_usage);
    CHECK(contains(x.text, "ORDERLY_SOCKET is set and empty"));
    // Whoever names one does not ask the environment.
    CHECK(parsed({"status", "--socket", "/x"}).line->socket == "/x");
    CHECK(parsed({"--help"}).code == exit_ok);
  }
  ::unsetenv("ORDERLY_SOCKET");
}

TEST_CASE("version needs no daemon") {
  auto x = orderly_cli("/nonexistent/socket", {"version"});
  CHECK(x.code == exit_ok);
  CHECK(x.out == "orderly 1.2.3\n");
}

} // namespace orderly::console_test
