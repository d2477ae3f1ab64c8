// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/watcher_pause.hpp"
#include "tests/io/ganeti/rig.hpp"

#include <atomic>
#include <memory>

#include <fmt/format.h>

namespace orderly::ganeti_watcher_test {

using namespace orderly::io;
using test::hang_up;
using test::luxi_rig;

namespace {

constexpr const char* done = R"({"success":true,"result":null})";
constexpr const char* goes_on = R"({"success":true,"result":[null]})";

/// Far away, but not so far that no watcher would believe it.
const instant in_2099 = from_ms(4070908800000);

struct watcher_rig : luxi_rig {
  /// As the master's own node has it: seconds, or 0.
  std::shared_ptr<std::atomic<std::int64_t>> rests
    = std::make_shared<std::atomic<std::int64_t>>(0);

  watcher_rig() {
    replies.set_first([now = rests](
                        const std::string& x) -> std::optional<test::reaction> {
      if (x.find("\"watcher_pause\"") != std::string::npos)
        return test::reply(
          now->load() == 0
            ? std::string{goes_on}
            : fmt::format(R"({{"success":true,"result":[{}]}})", now->load()));
      auto at = x.find("SetWatcherPause");
      if (at == std::string::npos)
        return std::nullopt;
      auto first = x.substr(x.find('[', at) + 1);
      now->store(first.starts_with("null") ? 0 : std::stoll(first));
      return test::reply(done);
    });
  }

  /// From here on the book says what happens.
  void forget() { replies.set_first(nullptr); }

  [[nodiscard]] instant until() const { return from_ms(rests->load() * 1000); }

  watcher_answer pause(instant until) {
    return ask<watcher_answer>(ports.cluster, pause_watcher{until, seconds{2}});
  }
};

} // namespace

TEST_CASE("the watcher rests until a time in seconds, or goes on") {
  auto at = from_ms(1000500);
  auto later = encode_watcher_pause(at + millis{1}, at);
  CHECK(later.method == "SetWatcherPause");
  CHECK(later.args == "[1001]");
  CHECK(encode_watcher_pause(at, at).args == "[null]");
  CHECK(encode_watcher_pause(never, at).args == "[null]");
}

TEST_CASE("a pause that is over is none") {
  auto at = from_ms(5000);
  auto until = [at](const std::string& x) {
    return *decode_watcher_pause(R"({"success":true,"result":[)" + x + "]}",
                                 at);
  };
  CHECK(until("6") == from_ms(6000));
  CHECK(until("5.5") == from_ms(5500));
  CHECK(until("5") == never);
  CHECK(until("null") == never);
  CHECK(until("1e300") > from_ms(4102444800000));
}

TEST_CASE("what does not tell of a pause is not taken for one") {
  for (const auto* text :
       {R"({"success":true,"result":[]})", R"({"success":true,"result":7})",
        R"({"success":true,"result":["6"]})", R"({"success":false})", "x"}) {
    INFO(text);
    CHECK_FALSE(decode_watcher_pause(text, from_ms(5000)).ok());
  }
}

TEST_CASE("a pause of ours is known by its last second") {
  for (int i = 0; i < 1300; ++i) {
    auto wanted = from_ms(1'000'000'000'000 + i * 1000 - i % 2);
    auto ours = own_pause(wanted);
    CHECK(ours >= wanted);
    CHECK(ours < wanted + minutes{10} + seconds{1});
    CHECK(is_own_pause(ours));
    CHECK(own_pause(ours) == ours);
    CHECK_FALSE(is_own_pause(ours + seconds{1}));
  }
  CHECK_FALSE(is_own_pause(never));
}

TEST_CASE("a person's pause is never shortened and never ended") {
  auto now = from_ms(1'000'000'000'000);
  auto wanted = now + hours{1};
  auto person = now + hours{24};
  CHECK_FALSE(pause_to_set(person, wanted, never, now));
  CHECK_FALSE(pause_to_set(person, never, never, now));
  // A shorter one comes back when ours ends, if it is not over by then.
  auto brief = now + minutes{30};
  REQUIRE_FALSE(is_own_pause(brief));
  CHECK(pause_to_set(brief, wanted, never, now) == own_pause(wanted));
  CHECK(pause_to_set(own_pause(wanted), never, brief, now) == brief);
  CHECK(pause_to_set(own_pause(wanted), never, brief, brief) == never);
}

TEST_CASE("our own pause is lengthened and ended, none is neither") {
  auto now = from_ms(1'000'000'000'000);
  auto ours = own_pause(now + hours{1});
  CHECK(pause_to_set(ours, now + hours{2}, never, now)
        == own_pause(now + hours{2}));
  CHECK_FALSE(pause_to_set(ours, now + minutes{50}, never, now));
  CHECK(pause_to_set(ours, never, never, now) == never);
  CHECK_FALSE(pause_to_set(never, never, never, now));
  CHECK(pause_to_set(never, now + hours{1}, never, now) == ours);
}

TEST_CASE("the watcher's pause is looked at, set and read back") {
  watcher_rig b;
  auto answer = b.pause(in_2099);
  CHECK(answer.done);
  CHECK(answer.text.empty());
  CHECK(b.until() == own_pause(in_2099));
  CHECK(b.luxid.requests().size() == 3);
  CHECK(b.pause(never).done);
  CHECK(b.until() == never);
}

TEST_CASE("a person's pause comes through an emergency power-off unharmed") {
  watcher_rig b;
  auto soon = in_2099 - hours{24};
  b.rests->store(in_2099.time_since_epoch() / seconds{1});
  CHECK(b.pause(soon).done);
  CHECK(b.pause(never).done);
  CHECK(b.until() == in_2099);
  CHECK(b.luxid.requests().size() == 2); // it was only looked at
  CHECK(b.pause(in_2099 + hours{1}).done);
  CHECK(b.until() > in_2099);
  CHECK(b.pause(in_2099 + hours{2}).done);
  CHECK(b.pause(never).done);
  CHECK(b.until() == in_2099);
}

TEST_CASE("a pause of ours from before a restart is ended all the same") {
  watcher_rig b;
  b.rests->store(own_pause(in_2099).time_since_epoch() / seconds{1});
  CHECK(b.pause(never).done);
  CHECK(b.until() == never);
}

TEST_CASE("a pause that was acknowledged but is not in force is none") {
  watcher_rig b;
  b.forget();
  b.replies.set("SetWatcherPause", done);
  b.replies.set("\"watcher_pause\"", goes_on);
  auto answer = b.pause(in_2099);
  CHECK_FALSE(answer.done);
  CHECK(answer.text.find("was told to rest, but does not")
        != std::string::npos);
  b.replies.set(
    "\"watcher_pause\"",
    fmt::format(R"({{"success":true,"result":[{}]}})",
                own_pause(in_2099).time_since_epoch() / seconds{1}));
  answer = b.pause(never);
  CHECK_FALSE(answer.done);
  CHECK(answer.text.find("still rests") != std::string::npos);
}

TEST_CASE("a pause that luxid refuses or does not answer is told") {
  watcher_rig b;
  b.forget();
  b.replies.set("\"watcher_pause\"", goes_on);
  b.replies.set("SetWatcherPause",
                R"({"success":false,"result":["E",["not now"]]})");
  auto answer = b.pause(in_2099);
  CHECK_FALSE(answer.done);
  CHECK(answer.text == "E: not now");
  b.replies.set("SetWatcherPause", hang_up);
  CHECK_FALSE(b.pause(in_2099).done);
  b.replies.set("SetWatcherPause", done);
  b.replies.set("\"watcher_pause\"", hang_up);
  answer = b.pause(in_2099);
  CHECK_FALSE(answer.done);
  CHECK(answer.text.find("cannot be read: ") != std::string::npos);
}

} // namespace orderly::ganeti_watcher_test
