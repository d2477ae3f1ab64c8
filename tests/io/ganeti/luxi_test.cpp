// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/luxi_client.hpp"
#include "io/loop/loop.hpp"
#include "tests/io/ganeti/fake_luxid.hpp"

#include <catch2/catch.hpp>

#include <future>

namespace orderly::ganeti_luxi_test {

using namespace orderly::io;
using test::fake_luxid;
using test::reaction;

namespace {

const std::string hello = R"({"success":true,"result":"hello"})";

using outcome = result<std::string>;

struct rig {
  loop where;

  std::future<outcome> start(luxi_client& with, std::string method = "Query",
                             millis limit = seconds{10},
                             std::string args = "[]") {
    auto promised = std::make_shared<std::promise<outcome>>();
    with.call(std::move(method), std::move(args), limit,
              [promised](outcome x) { promised->set_value(std::move(x)); });
    return promised->get_future();
  }
};

outcome take(std::future<outcome>& from) {
  if (from.wait_for(seconds{15}) != std::future_status::ready)
    return fault{fault_kind::internal, "the call was never answered"};
  return from.get();
}

outcome take(std::future<outcome>&& from) {
  return take(from);
}

luxi_limits with_connections(std::size_t n) {
  luxi_limits x;
  x.connections_max = n;
  return x;
}

} // namespace

TEST_CASE("a stream gives the same frames wherever it is split") {
  const std::string stream = "one\x03\x03three, longer\x03rest";
  const std::vector<std::string> expected{"one", "", "three, longer"};
  for (std::size_t first = 0; first <= stream.size(); ++first)
    for (std::size_t second = first; second <= stream.size(); ++second) {
      frame_splitter splitter;
      std::vector<std::string> seen;
      auto feed = [&](std::string_view part) {
        REQUIRE(splitter.feed(part));
        while (auto frame = splitter.next())
          seen.push_back(std::move(*frame));
      };
      feed(std::string_view{stream}.substr(0, first));
      feed(std::string_view{stream}.substr(first, second - first));
      feed(std::string_view{stream}.substr(second));
      REQUIRE(seen == expected);
      REQUIRE_FALSE(splitter.empty());
      REQUIRE(splitter.feed("\x03"));
      REQUIRE(splitter.next() == "rest");
      REQUIRE(splitter.empty());
    }
}

TEST_CASE("a frame may be as long as the bound and not a byte longer") {
  frame_splitter splitter{4};
  CHECK(splitter.feed("1234\x03"
                      "12"));
  CHECK(splitter.next() == "1234");
  CHECK(splitter.feed("34"));
  CHECK_FALSE(splitter.feed("5"));
  frame_splitter other{4};
  CHECK_FALSE(other.feed("12345\x03"));
  frame_splitter inner{4};
  CHECK_FALSE(inner.feed("1\x03"
                         "12345\x03"
                         "1"));
}

TEST_CASE("a request is one line of JSON and its reply comes back whole") {
  fake_luxid luxid{[](const std::string&) { return test::reply(hello); }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  auto reply
    = take(b.start(client, "QueryTags", seconds{10}, R"(["cluster",""])"));
  REQUIRE(reply.ok());
  CHECK(*reply == hello);
  CHECK(luxid.requests()
        == std::vector<std::string>{
          R"({"method":"QueryTags","args":["cluster",""],"version":3000000})"});
}

TEST_CASE("calls after one another share a connection") {
  fake_luxid luxid{[](const std::string&) { return test::reply(hello); }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  for (int i = 0; i < 5; ++i)
    CHECK(take(b.start(client)).ok());
  CHECK(luxid.connections() == 1);
}

TEST_CASE("a reply that comes byte by byte is put together") {
  fake_luxid luxid{[](const std::string&) {
    return reaction{hello + '\x03', false, 1, millis{0}};
  }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  auto reply = take(b.start(client));
  REQUIRE(reply.ok());
  CHECK(*reply == hello);
}

TEST_CASE("a reply of many megabytes is read, one beyond the bound is not") {
  std::string big(3'000'000, 'x');
  fake_luxid luxid{[&](const std::string&) { return test::reply(big); }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  auto reply = take(b.start(client));
  REQUIRE(reply.ok());
  CHECK(*reply == big);
  luxi_limits limits;
  limits.reply_bytes_max = 1'000'000;
  luxi_client bounded{b.where, luxid.path(), limits};
  auto refused = take(b.start(bounded));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.why().kind == fault_kind::unknown_outcome);
  CHECK(refused.why().text.find("longer than 1000000 bytes")
        != std::string::npos);
}

TEST_CASE("what came in part is bounded for all replies together") {
  fake_luxid luxid{[](const std::string&) {
    return reaction{std::string(700'000, 'x'), false, 0, millis{0}};
  }};
  rig b;
  luxi_limits limits;
  limits.reply_bytes_max = limits.kept_bytes_max = 1'000'000;
  luxi_client client{b.where, luxid.path(), limits};
  auto first = b.start(client, "Query", seconds{5});
  auto second = b.start(client, "Query", seconds{5});
  auto one = take(first);
  auto two = take(second);
  REQUIRE_FALSE(one.ok());
  REQUIRE_FALSE(two.ok());
  auto said = one.why().text + two.why().text;
  CHECK(said.find("longer than 1000000 bytes together") != std::string::npos);
}

TEST_CASE("where nobody listens nothing was sent") {
  rig b;
  luxi_client client{b.where, "/nonexistent/socket"};
  auto reply = take(b.start(client, "SubmitManyJobs"));
  REQUIRE_FALSE(reply.ok());
  CHECK(reply.why().kind == fault_kind::unreachable);
  CHECK(reply.why().text.find("/nonexistent/socket") != std::string::npos);
  luxi_client too_long{b.where, std::string(300, 'x')};
  auto other = take(b.start(too_long));
  REQUIRE_FALSE(other.ok());
  CHECK(other.why().kind == fault_kind::unreachable);
}

TEST_CASE("a connection that breaks during a call leaves its outcome open") {
  auto half = GENERATE(std::string{}, std::string{R"({"success":tr)"});
  fake_luxid luxid{[&](const std::string&) {
    return reaction{half, true, 0, millis{0}};
  }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  auto reply = take(b.start(client, "SubmitManyJobs"));
  REQUIRE_FALSE(reply.ok());
  CHECK(reply.why().kind == fault_kind::unknown_outcome);
}

TEST_CASE("a reply that is too late leaves the outcome open") {
  fake_luxid luxid{[](const std::string&) {
    return reaction{hello + '\x03', false, 0, millis{400}};
  }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  auto late = take(b.start(client, "SubmitManyJobs", millis{50}));
  REQUIRE_FALSE(late.ok());
  CHECK(late.why().kind == fault_kind::unknown_outcome);
  // The late reply is not taken for the next call's.
  auto next = take(b.start(client));
  CHECK(next.ok());
  CHECK(luxid.connections() == 2);
}

TEST_CASE("a connection that luxid closes after its reply is replaced") {
  fake_luxid luxid{[](const std::string&) {
    return reaction{hello + '\x03', true, 0, millis{0}};
  }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  for (std::size_t i = 0; i < 20; ++i) {
    auto reply = take(b.start(client));
    REQUIRE(reply.ok());
    // Luxid closes a moment later than its reply arrives.
    while (luxid.ended() <= i)
      std::this_thread::sleep_for(millis{1});
  }
  CHECK(luxid.connections() == 20);
}

TEST_CASE("bytes behind a reply end the connection, not the next call") {
  fake_luxid luxid{[](const std::string&) {
    return reaction{hello + '\x03' + "garbage\x03", false, 0, millis{0}};
  }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  for (int i = 0; i < 3; ++i) {
    auto reply = take(b.start(client));
    REQUIRE(reply.ok());
    CHECK(*reply == hello);
  }
  CHECK(luxid.connections() == 3);
}

TEST_CASE("after a crash of luxid the next call finds the new one") {
  fake_luxid luxid{[](const std::string&) { return test::reply(hello); }};
  rig b;
  luxi_client client{b.where, luxid.path()};
  CHECK(take(b.start(client)).ok());
  luxid.crash();
  auto down = take(b.start(client));
  REQUIRE_FALSE(down.ok());
  CHECK(down.why().kind == fault_kind::unreachable);
  luxid.restart();
  CHECK(take(b.start(client)).ok());
}

TEST_CASE("calls beyond the connections wait in line and lose no reply") {
  fake_luxid luxid{[](const std::string& request) {
    return reaction{request + '\x03', false, 0, millis{5}};
  }};
  rig b;
  luxi_client client{b.where, luxid.path(), with_connections(3)};
  std::vector<std::future<outcome>> calls;
  for (int i = 0; i < 40; ++i)
    calls.push_back(
      b.start(client, "M", seconds{10}, "[" + std::to_string(i) + "]"));
  for (int i = 0; i < 40; ++i) {
    auto reply = take(calls[static_cast<std::size_t>(i)]);
    REQUIRE(reply.ok());
    CHECK(reply->find("\"args\":[" + std::to_string(i) + "]")
          != std::string::npos);
  }
  CHECK(luxid.connections() == 3);
}

TEST_CASE("time runs while a call waits in line") {
  fake_luxid luxid{[](const std::string&) {
    return reaction{hello + '\x03', false, 0, millis{400}};
  }};
  rig b;
  luxi_client client{b.where, luxid.path(), with_connections(1)};
  auto first = b.start(client);
  auto second = b.start(client, "SubmitManyJobs", millis{60});
  auto missed = take(second);
  REQUIRE_FALSE(missed.ok());
  CHECK(missed.why().kind == fault_kind::unreachable);
  CHECK(take(first).ok());
  CHECK(luxid.requests().size() == 1);
}

TEST_CASE("the line of calls is bounded") {
  fake_luxid luxid{[](const std::string&) {
    return reaction{hello + '\x03', false, 0, millis{200}};
  }};
  rig b;
  auto limits = with_connections(1);
  limits.queued_max = 2;
  luxi_client client{b.where, luxid.path(), limits};
  std::vector<std::future<outcome>> calls;
  for (int i = 0; i < 4; ++i)
    calls.push_back(b.start(client));
  auto refused = take(calls[3]);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.why().kind == fault_kind::unreachable);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(take(calls[i]).ok());
}

TEST_CASE("a full line before accept is waited out, up to the deadline") {
  fake_luxid luxid{[](const std::string&) { return test::reply(hello); }, 0,
                   false};
  rig b;
  luxi_client client{b.where, luxid.path(), with_connections(6)};
  std::vector<std::future<outcome>> calls;
  for (int i = 0; i < 5; ++i)
    calls.push_back(b.start(client));
  auto hopeless = take(b.start(client, "Query", millis{100}));
  REQUIRE_FALSE(hopeless.ok());
  CHECK(hopeless.why().kind == fault_kind::unreachable);
  luxid.accept_now();
  for (auto& call : calls)
    CHECK(take(call).ok());
}

TEST_CASE("a client may go while its calls are open") {
  fake_luxid luxid{[](const std::string&) {
    return reaction{hello + '\x03', false, 0, millis{100}};
  }};
  rig b;
  std::future<outcome> open;
  {
    luxi_client client{b.where, luxid.path()};
    open = b.start(client);
    std::this_thread::sleep_for(millis{20});
  }
  // Nothing is told of it: the promise goes with the call.
  CHECK_THROWS_AS(open.get(), std::future_error);
  luxi_client other{b.where, luxid.path()};
  CHECK(take(b.start(other)).ok());
}

} // namespace orderly::ganeti_luxi_test
