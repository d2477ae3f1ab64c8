// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who may read what, and by which name.

#include "tests/io/http/site.hpp"

namespace orderly::http_access_test {

using namespace orderly::test;

namespace {

std::string asked_for(const std::string& host, const std::string& more = "") {
  return "GET /2/status HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n";
}

io::http::route_rules rules(bool show_all) {
  io::http::route_rules x;
  x.own_uid = ::geteuid();
  x.audience_now
    = io::http::always({show_all, {"node7", "orderly.example.com"}});
  return x;
}

} // namespace

TEST_CASE("a request for a stranger's name is refused, whatever it asks") {
  site at{{}, rules(true)};
  for (const auto* host :
       {"evil.example", "evil.example:1816", "localhost.evil",
        "node7.evil.example", "127.0.0.1.evil", "a b", ":1"})
    error_of(at.once(asked_for(host)), "421");
  for (const auto* host : {"localhost:1816", "127.0.0.1", "[::1]:1816", "node7",
                           "NODE7", "orderly.example.com:1816", "10.0.0.7"})
    CHECK(starts_with(at.once(asked_for(host)), "HTTP/1.1 200"));
  error_of(at.once("POST /2/pause HTTP/1.1\r\nHost: evil\r\n\r\n"), "421");
}

TEST_CASE("what is shown to everybody follows a reload") {
  auto who = std::make_shared<io::http::audience>(
    io::http::audience{true, {"node7", "old"}});
  io::http::route_rules x;
  x.audience_now = [&] { return who; };
  site at{{}, x};
  auto ask = [&](const std::string& host) {
    return at.once("GET /2/decisions HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  };
  CHECK(starts_with(ask("old"), "HTTP/1.1 200"));
  who = std::make_shared<io::http::audience>(
    io::http::audience{false, {"node7"}});
  error_of(ask("node7"), "403");
  error_of(ask("old"), "421");
}

TEST_CASE("who has what is shown to everybody has not what is shown to all") {
  auto who
    = std::make_shared<io::http::audience>(io::http::audience{true, {"node7"}});
  io::http::route_rules x;
  x.audience_now = [&] { return who; };
  site at{{}, x};
  auto ask = [&](const std::string& more) {
    return at.once("GET /2/status HTTP/1.1\r\nHost: node7\r\n" + more + "\r\n");
  };
  auto whole = ask("");
  auto tag = header(whole, "ETag");
  REQUIRE_FALSE(tag.empty());
  auto known = "If-None-Match: " + tag + "\r\n";
  CHECK(starts_with(ask(known), "HTTP/1.1 304"));
  who = std::make_shared<io::http::audience>(
    io::http::audience{false, {"node7"}});
  CHECK(starts_with(ask(known), "HTTP/1.1 200"));
}

TEST_CASE("names that the cluster has are our own as soon as it was read") {
  site at{{}, rules(true)};
  CHECK(starts_with(at.once(asked_for("localhost")), "HTTP/1.1 200"));
  CHECK(starts_with(at.once(asked_for("c1.example.com")), "HTTP/1.1 200"));
  CHECK(starts_with(at.once(asked_for("node1")), "HTTP/1.1 200")); // master
  error_of(at.once(asked_for("node2")), "421");
}

TEST_CASE("a page of another site may not ask") {
  site at{{}, rules(true)};
  for (const auto* origin :
       {"http://evil.example", "https://evil.example:1816", "null", "x",
        "http://10.0.0.1", "http://localhost:3", "http://localhost",
        "moz-extension://localhost:1816"})
    error_of(at.once(asked_for("localhost:1816",
                               "Origin: " + std::string{origin} + "\r\n")),
             "403");
  error_of(
    at.once(asked_for("localhost:1816", "Origin: http://localhost:1816\r\n"
                                        "Origin: http://localhost:1816\r\n")),
    "403");
  for (const auto* origin :
       {"http://localhost:1816", "https://orderly.example.com"})
    CHECK(
      starts_with(at.once(asked_for("localhost:1816",
                                    "Origin: " + std::string{origin} + "\r\n")),
                  "HTTP/1.1 200"));
}

TEST_CASE("at the sockets no name is asked for") {
  site at{{}, rules(true)};
  raw_client x{at.socket()};
  x.send(asked_for("whatever.example"));
  CHECK(starts_with(x.answer(), "HTTP/1.1 200"));
}

TEST_CASE(
  "over TCP there is what a monitor needs, without persons and reasons") {
  site at{{}, rules(false)};
  auto& s = at.actors.all.status;
  s.guard.paused = true;
  s.guard.paused_by = "zelda: because of quentin";
  s.guard.budget = true;
  s.guard.budget_text = "instance:web1 waits for zelda";
  s.power_mismatches = {{"node2", "zelda switched it"}};
  s.right_to_act.text = "zelda said so";
  s.poll_error = "/run/secret/place";
  s.journal_trouble = "/var/lib/secret/journal.db";
  for (const auto* path :
       {"/", "/status.html", "/2/status", "/metrics", "/healthz"}) {
    auto said = at.once("GET " + std::string{path}
                        + " HTTP/1.1\r\nHost: node7\r\n"
                          "Accept: text/html\r\n\r\n");
    INFO(path << said);
    CHECK(starts_with(said, "HTTP/1.1 200"));
    for (const auto* secret : {"zelda", "quentin", "secret", "node2", "web1"})
      CHECK_FALSE(contains(said, secret));
    CHECK((contains(said, "\norderly_power_mismatches 1\n")
           == (path == std::string_view{"/metrics"})));
  }
  auto unready = at.once("GET /readyz HTTP/1.1\r\nHost: node7\r\n\r\n");
  CHECK(starts_with(unready, "HTTP/1.1 503"));
  CHECK(contains(unready, "the journal cannot be written"));
  CHECK_FALSE(contains(unready, "secret"));
  for (const auto* path :
       {"/1/status", "/1/jobs", "/1/evacuated", "/2/incidents", "/2/agents",
        "/2/incidents/1", "/2/nodes", "/2/nodes/node1", "/2/instances",
        "/2/instances/web1", "/2/advice", "/2/decisions", "/2/explain/web1",
        "/2/plan", "/2/balance", "/2/errands", "/2/errands/1"}) {
    INFO(path);
    auto error = error_of(
      at.once("GET " + std::string{path} + " HTTP/1.1\r\nHost: node7\r\n\r\n"),
      "403");
    CHECK(contains(error["text"], "socket"));
  }
  // The sockets see all of it.
  raw_client x{at.socket()};
  x.send(get("/2/status"));
  CHECK(contains(x.answer(), "because of quentin"));
}

TEST_CASE("readers of the group's socket read all and order nothing") {
  if (::geteuid() != 0)
    return; // only root gives files to other groups
  scratch_folder folder;
  fake_actors actors;
  io::loop on;
  io::http::server_rules serve;
  serve.address = "";
  serve.reader_socket = folder.path("readers");
  serve.reader_group = "daemon";
  auto up = io::http::server::start(
    on, serve, io::http::make_routes(on, on, actors.backend(), rules(false)));
  REQUIRE(up);
  auto said = [&](const std::string& text) {
    raw_client x{serve.reader_socket};
    x.send(text);
    return x.answer();
  };
  CHECK(starts_with(said(get("/2/instances")), "HTTP/1.1 200"));
  CHECK(starts_with(said(get("/2/decisions")), "HTTP/1.1 200"));
  error_of(said(post("/2/pause", "")), "403");
  error_of(said(get("/2/errands")), "403");
  CHECK(actors.orders.empty());
}

} // namespace orderly::http_access_test
