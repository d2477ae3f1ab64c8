// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/io/http/site.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <new>
#include <stdexcept>
#include <thread>

#include <sys/stat.h>

namespace orderly::door_server_test {

using namespace orderly::test;
using io::http::handler;
using io::http::reply;
using io::http::request;
using io::http::response;

namespace {

response plain(const std::string& text) {
  response x;
  x.content_type = "text/plain";
  x.body = text;
  return x;
}

handler echo() {
  return [](request r, reply done) {
    done(plain(r.method + " " + r.target + " " + r.body));
  };
}

io::http::limits hurried() {
  io::http::limits x;
  x.request_timeout = millis{200};
  x.read_timeout = millis{200};
  x.write_timeout = millis{500};
  x.idle_timeout = millis{300};
  x.linger_timeout = millis{100};
  return x;
}

} // namespace

TEST_CASE("an exception in a handler of the loop ends nothing but itself") {
  std::vector<std::string> told;
  io::loop on{
    {"test", 0, [&](const std::string& why) { told.push_back(why); }}};
  std::promise<void> done;
  on.post([] { throw std::runtime_error{"oh no"}; });
  on.post([] { throw 7; });
  on.post([&] { done.set_value(); });
  REQUIRE(done.get_future().wait_for(seconds{5}) == std::future_status::ready);
  CHECK(on.failures() == 2);
  CHECK(told == std::vector<std::string>{"oh no", "unknown"});
}

TEST_CASE("a door stays open though memory is short for who comes") {
  std::atomic<int> came = 0;
  std::atomic<int> told = 0;
  io::loop on{{"test", 0, [&](const std::string&) { ++told; }}};
  io::http::server_rules rules;
  rules.tls = [&]() -> std::shared_ptr<io::http::tls_side> {
    ++came;
    throw std::bad_alloc{};
  };
  auto door = io::http::server::start(on, rules, [](request, reply) {});
  REQUIRE(door);
  for (int i = 0; i < 3; ++i) {
    raw_client x{(*door)->port()};
    CHECK(x.rest().empty());
  }
  CHECK(came == 3);
  // The socket closes while the exception is on its way to the loop.
  auto deadline = std::chrono::steady_clock::now() + seconds{10};
  while (told < 3 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(millis{1});
  CHECK(told == 3);
}

TEST_CASE("one connection serves several requests, one after the other") {
  site at{{}, echo()};
  raw_client x{at.port()};
  x.send(get("/one"));
  auto first = x.answer();
  CHECK(starts_with(first, "HTTP/1.1 200 OK\r\n"));
  CHECK(contains(first, "\r\n\r\nGET /one "));
  x.send(get("/two"));
  CHECK(contains(x.answer(), "\r\n\r\nGET /two "));
  // Both at once: the answers come in order.
  x.send(get("/three") + post("/four", "body"));
  CHECK(contains(x.answer(), "GET /three "));
  CHECK(contains(x.answer(), "POST /four body"));
}

TEST_CASE("a connection ends when the client wants it to") {
  site at{{}, echo()};
  raw_client x{at.port()};
  x.send(get("/", "Connection: close\r\n"));
  auto all = x.rest();
  CHECK(starts_with(all, "HTTP/1.1 200"));
  CHECK_FALSE(contains(all, "(open)"));
  raw_client old{at.port()};
  old.send("GET / HTTP/1.0\r\n\r\n");
  CHECK_FALSE(contains(old.rest(), "(open)"));
}

TEST_CASE("HEAD is answered with the header of GET and no body") {
  site at{{}, echo()};
  raw_client x{at.port()};
  x.send("HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n");
  auto head = x.answer(true);
  CHECK(starts_with(head, "HTTP/1.1 200"));
  CHECK(contains(head, "Content-Length: 10\r\n"));
  // Would there be a body, it would be in front of the next answer.
  x.send(get("/next"));
  CHECK(starts_with(x.answer(), "HTTP/1.1 200"));
}

TEST_CASE("a browser is told that no answer is a part of another page") {
  site at{{}, echo()};
  for (const auto& asked : {get("/abc"), std::string{"GET\r\n\r\n"}}) {
    raw_client x{at.port()};
    x.send(asked);
    auto all = x.answer();
    CHECK(contains(all, "X-Frame-Options: DENY\r\n"));
    CHECK(contains(all, "default-src 'none'"));
    CHECK(contains(all, "frame-ancestors 'none'\r\n"));
    CHECK(contains(all, "Cross-Origin-Resource-Policy: same-origin\r\n"));
    CHECK(contains(all, "X-Content-Type-Options: nosniff\r\n"));
  }
}

TEST_CASE("garbage is answered with 400 and the connection is closed") {
  site at{{}, echo()};
  for (const char* text : {"\x16\x03\x01\x02garbage\r\n\r\n", "GET\r\n\r\n",
                           "GET / HTTP/1.1\r\nno colon here\r\n\r\n",
                           "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"}) {
    raw_client x{at.port()};
    x.send(text);
    auto all = x.rest();
    INFO(text << " -> " << all);
    CHECK(starts_with(all, "HTTP/1.1 400"));
    CHECK(contains(all, R"({"error":{"code":"bad-request","text":)"));
    CHECK_FALSE(contains(all, "(open)"));
  }
}

TEST_CASE("an HTTP/1.1 request without a Host header is refused") {
  site at{{}, echo()};
  CHECK(starts_with(at.once("GET / HTTP/1.1\r\n\r\n"), "HTTP/1.1 400"));
}

TEST_CASE("a header that is too large is answered with 431") {
  site at{{}, echo()};
  raw_client x{at.port()};
  x.send(get("/", "X-Long: " + std::string(9000, 'a') + "\r\n"));
  auto all = x.rest();
  CHECK(starts_with(all, "HTTP/1.1 431"));
  CHECK_FALSE(contains(all, "(open)"));
}

TEST_CASE("a body that is too large is answered with 413 and not read") {
  site at{{}, echo()};
  raw_client announced{at.port()};
  announced.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n");
  CHECK(starts_with(announced.rest(), "HTTP/1.1 413"));
  raw_client sent{at.port()};
  sent.send(post("/", std::string(70000, 'a')));
  CHECK(starts_with(sent.rest(), "HTTP/1.1 413"));
  raw_client fits{at.port()};
  fits.send(post("/", std::string(65536, 'a')));
  CHECK(starts_with(fits.answer(), "HTTP/1.1 200"));
}

TEST_CASE("a client that asks first is told to go on with its body") {
  site at{{}, echo()};
  raw_client x{at.port()};
  x.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
         "Expect: 100-continue\r\n\r\n");
  CHECK(x.answer() == "HTTP/1.1 100 Continue\r\n\r\n");
  x.send("late");
  CHECK(contains(x.answer(), "POST / late"));
}

TEST_CASE("a client that sends byte by byte is cut by the deadline") {
  site at{hurried(), echo()};
  raw_client x{at.port()};
  auto start = std::chrono::steady_clock::now();
  for (char c : std::string{"GET / HT"}) {
    x.send(std::string(1, c));
    std::this_thread::sleep_for(millis{50});
  }
  auto all = x.rest();
  CHECK(starts_with(all, "HTTP/1.1 408"));
  CHECK_FALSE(contains(all, "(open)"));
  CHECK(std::chrono::steady_clock::now() - start < seconds{3});
}

TEST_CASE("an idle connection is closed without a word") {
  site at{hurried(), echo()};
  raw_client fresh{at.port()};
  CHECK(fresh.rest().empty());
  raw_client used{at.port()};
  used.send(get("/"));
  CHECK(starts_with(used.answer(), "HTTP/1.1 200"));
  CHECK(used.rest().empty());
}

TEST_CASE("a request that nobody answers ends with 504") {
  site at{hurried(), [](request, reply) {}};
  raw_client x{at.port()};
  x.send(get("/"));
  auto all = x.rest();
  CHECK(starts_with(all, "HTTP/1.1 504"));
  CHECK_FALSE(contains(all, "(open)"));
}

TEST_CASE("a handler may answer from another thread, and only once counts") {
  std::vector<std::thread> helpers;
  {
    site at{{}, [&helpers](request, reply done) {
              helpers.emplace_back([done] {
                done(plain("first"));
                done(plain("second"));
              });
            }};
    raw_client x{at.port()};
    for (int i = 0; i < 3; ++i) {
      x.send(get("/"));
      CHECK(contains(x.answer(), "\r\n\r\nfirst"));
    }
    for (auto& helper : helpers)
      helper.join();
  }
}

TEST_CASE("an answer that comes after the client has gone does no harm") {
  std::atomic<bool> asked = false;
  reply kept;
  site at{hurried(), [&](request r, reply done) {
            if (r.target == "/keep") {
              kept = std::move(done);
              asked = true;
              return;
            }
            done({});
          }};
  {
    raw_client x{at.port()};
    x.send(get("/keep"));
    while (!asked)
      std::this_thread::sleep_for(millis{5});
  }
  std::this_thread::sleep_for(millis{400});
  kept(plain("late"));
  CHECK(starts_with(at.once(get("/")), "HTTP/1.1 200"));
}

TEST_CASE("a handler that throws is answered with 500 and the server lives") {
  site at{{}, [](request r, reply done) {
            if (r.target == "/bad")
              throw std::runtime_error{"oh no"};
            done({});
          }};
  raw_client x{at.port()};
  x.send(get("/bad"));
  CHECK(starts_with(x.answer(), "HTTP/1.1 500"));
  x.send(get("/good"));
  CHECK(starts_with(x.answer(), "HTTP/1.1 200"));
}

TEST_CASE("the unix socket is for its owner only and tells who connects") {
  request seen;
  site at{{}, [&seen](request r, reply done) {
            seen = std::move(r);
            done({});
          }};

  struct stat found {};

  REQUIRE(::stat(at.socket().c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0600);
  raw_client x{at.socket()};
  x.send(get("/"));
  CHECK(starts_with(x.answer(), "HTTP/1.1 200"));
  CHECK(seen.local);
  CHECK(seen.uid == ::geteuid());
  CHECK(starts_with(at.once(get("/")), "HTTP/1.1 200"));
  CHECK_FALSE(seen.local);
}

TEST_CASE("no handler runs after the server is gone, open clients are cut") {
  std::atomic<int> calls = 0;
  site at{{}, [&calls](request, reply done) {
            ++calls;
            done({});
          }};
  raw_client x{at.port()};
  x.send(get("/"));
  CHECK(starts_with(x.answer(), "HTTP/1.1 200"));
  at.up.reset();
  x.send(get("/"));
  CHECK_FALSE(contains(x.rest(), "200"));
  CHECK(calls == 1);
}

} // namespace orderly::door_server_test
