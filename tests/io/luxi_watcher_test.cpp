// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/watcher_pause.hpp"
#include "tests/io/luxi_bench.hpp"

using namespace orderly;
using namespace orderly::io;
using test::hang_up;
using test::luxi_bench;

namespace {

constexpr const char* done = R"({"success":true,"result":null})";
constexpr const char* rests = R"({"success":true,"result":[4102444800]})";
constexpr const char* goes_on = R"({"success":true,"result":[null]})";

/// Far away, but not so far that no watcher would believe it.
const instant in_2099 = from_ms(4070908800000);

struct watcher_bench : luxi_bench {
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
  CHECK(*decode_watcher_pause(R"({"success":true,"result":[6]})", at));
  CHECK(*decode_watcher_pause(R"({"success":true,"result":[5.5]})", at));
  CHECK_FALSE(*decode_watcher_pause(R"({"success":true,"result":[5]})", at));
  CHECK_FALSE(*decode_watcher_pause(R"({"success":true,"result":[null]})", at));
}

TEST_CASE("what does not tell of a pause is not taken for one") {
  for (const auto* text :
       {R"({"success":true,"result":[]})", R"({"success":true,"result":7})",
        R"({"success":true,"result":["6"]})", R"({"success":false})", "x"}) {
    INFO(text);
    CHECK_FALSE(decode_watcher_pause(text, from_ms(5000)).ok());
  }
}

TEST_CASE("the watcher's pause is set and read back") {
  watcher_bench b;
  b.replies.set("SetWatcherPause", done);
  b.replies.set("\"watcher_pause\"", rests);
  auto answer = b.pause(in_2099);
  CHECK(answer.done);
  CHECK(answer.text.empty());
  auto requests = b.luxid.requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].find("[4070908800]") != std::string::npos);
  b.replies.set("\"watcher_pause\"", goes_on);
  CHECK(b.pause(never).done);
  CHECK(b.luxid.requests()[2].find("[null]") != std::string::npos);
}

TEST_CASE("a pause that was acknowledged but is not in force is none") {
  watcher_bench b;
  b.replies.set("SetWatcherPause", done);
  b.replies.set("\"watcher_pause\"", goes_on);
  auto answer = b.pause(in_2099);
  CHECK_FALSE(answer.done);
  CHECK(answer.text.find("was told to rest, but does not")
        != std::string::npos);
  b.replies.set("\"watcher_pause\"", rests);
  answer = b.pause(never);
  CHECK_FALSE(answer.done);
  CHECK(answer.text.find("still rests") != std::string::npos);
}

TEST_CASE("a pause that luxid refuses or does not answer is told") {
  watcher_bench b;
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
  CHECK(answer.text.find("cannot be read back") != std::string::npos);
}
