// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/child/runner.hpp"
#include "tests/io/child/children.hpp"
#include "tests/io/child/scripts.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <cstring>
#include <future>
#include <thread>
#include <vector>

namespace orderly::child_runner_test {

using namespace orderly::io;
using namespace orderly::io::child;

namespace {

using clock_type = std::chrono::steady_clock;

struct rig : test::scripts {
  loop where;
  runner_limits limits;

  rig() {
    limits.kill_delay = millis{300};
    limits.drain = millis{300};
    limits.alone = true;
  }

  std::future<outcome> start(runner& with, const std::string& program,
                             millis limit = seconds{20},
                             std::vector<std::string> arguments = {},
                             millis within = {}) {
    auto promised = std::make_shared<std::promise<outcome>>();
    with.run({program, std::move(arguments), limit, false, within},
             [promised](outcome x) { promised->set_value(std::move(x)); });
    return promised->get_future();
  }

  outcome run(const std::string& program, millis limit = seconds{20},
              std::vector<std::string> arguments = {}) {
    runner with{where, limits};
    return start(with, program, limit, std::move(arguments)).get();
  }
};

millis since(clock_type::time_point start) {
  return std::chrono::duration_cast<millis>(clock_type::now() - start);
}

std::size_t entries(const char* folder) {
  std::size_t result = 0;
  for ([[maybe_unused]] auto& x : std::filesystem::directory_iterator{folder})
    ++result;
  return result;
}

/// A process that is a zombie of somebody else counts as gone.
bool alive(const std::string& pid) {
  std::ifstream file{"/proc/" + pid + "/stat"};
  std::string line;
  std::getline(file, line);
  auto behind = line.rfind(") ");
  return behind != std::string::npos && line[behind + 2] != 'Z';
}

bool gone_soon(const std::string& pid) {
  for (int i = 0; i < 100 && alive(pid); ++i)
    std::this_thread::sleep_for(millis{20});
  return !alive(pid);
}

} // namespace

TEST_CASE("a helper's exit code and both its streams are told") {
  rig x;
  auto got = x.run(x.add("helper", "echo to out; echo to err >&2; exit 3"));
  CHECK(got.refused.empty());
  CHECK(got.exit_code == 3);
  CHECK(got.signal == 0);
  CHECK(got.out == "to out\n");
  CHECK(got.err == "to err\n");
  CHECK_FALSE(got.timed_out);
  CHECK_FALSE(got.out_truncated);
}

TEST_CASE("a helper gets its arguments as they are, without a shell") {
  rig x;
  auto helper = x.add("helper", "printf '%s|' \"$#\" \"$@\"");
  auto got = x.run(helper, seconds{20}, {"power-off", "a b;$(id) *"});
  CHECK(got.out == "2|power-off|a b;$(id) *|");
}

TEST_CASE("a helper that a signal ends is told so") {
  rig x;
  auto got = x.run(x.add("helper", "kill -9 $$"));
  CHECK(got.signal == SIGKILL);
  CHECK(got.exit_code == -1);
  CHECK_FALSE(got.timed_out);
}

TEST_CASE("a program that cannot be executed is refused by name") {
  auto earlier = test::children();
  rig x;
  auto missing = x.run(x.path("no-such"));
  CHECK(missing.refused.find("no-such") != std::string::npos);
  CHECK(missing.refused.find("No such file") != std::string::npos);
  auto plain = x.run(x.add("plain", "exit 0", 0644));
  CHECK(plain.refused.find("Permission denied") != std::string::npos);
  CHECK(test::children_left(earlier).empty());
}

TEST_CASE("a helper runs in a clean room") {
  rig x;
  ::signal(SIGPIPE, SIG_IGN);
  auto got = x.run(x.add("helper", "env | cut -d= -f1 | grep -v -e PWD -e "
                                   "SHLVL -e '^_$' | sort | tr '\\n' ' '\n"
                                   "pwd\n"
                                   "readlink /proc/self/fd/0\n"
                                   "ls /proc/self/fd | wc -l\n"
                                   "awk '/SigBlk|SigIgn/ {print $2}' "
                                   "/proc/self/status\n"
                                   "ps -o pgid= -p $$ | grep -qw $$ && "
                                   "echo own group"));
  CHECK(got.out
        == "LANG ORDERLY_HELPER PATH "
           "/\n/dev/null\n4\n0000000000000000\n0000000000000000\n"
           "own group\n"); // three streams and the folder that ls reads
}

TEST_CASE("a helper that takes too long is ended by TERM") {
  rig x;
  auto start = clock_type::now();
  auto got = x.run(x.add("helper", "exec sleep 30"), millis{200});
  CHECK(got.timed_out);
  CHECK(got.signal == SIGTERM);
  CHECK(since(start) < seconds{3});
}

TEST_CASE("a helper that ignores TERM is killed with its whole group") {
  rig x;
  auto start = clock_type::now();
  auto got = x.run(x.add("helper", "trap '' TERM\n"
                                   "sleep 30 &\n"
                                   "echo $!\n"
                                   "while :; do sleep 1; done"),
                   millis{200});
  CHECK(got.timed_out);
  CHECK(got.signal == SIGKILL);
  CHECK(since(start) >= millis{500});
  CHECK(since(start) < seconds{4});
  CHECK(gone_soon(got.out.substr(0, got.out.find('\n'))));
}

TEST_CASE("endless output is bounded and does not block the helper") {
  rig x;
  x.limits.output_max = 1000;
  auto got = x.run(x.add("helper", "head -c 3000000 /dev/zero\n"
                                   "head -c 1000 /dev/zero >&2\n"
                                   "exit 4"));
  CHECK(got.exit_code == 4);
  CHECK(got.out.size() == 1000);
  CHECK(got.out_truncated);
  CHECK(got.err.size() == 1000);
  CHECK_FALSE(got.err_truncated);
  auto endless = x.run(x.add("endless", "exec yes"), millis{300});
  CHECK(endless.timed_out);
  CHECK(endless.out.size() == 1000);
}

TEST_CASE("a grandchild that holds the streams does not hang the reading") {
  rig x;
  auto start = clock_type::now();
  auto got = x.run(x.add("helper", "sleep 30 &\necho $!\nexit 0"));
  CHECK(got.exit_code == 0);
  CHECK_FALSE(got.timed_out);
  CHECK(since(start) < seconds{3});
  CHECK(gone_soon(got.out.substr(0, got.out.find('\n'))));
}

TEST_CASE("a grandchild in a session of its own does not hang the reading") {
  rig x;
  auto got = x.run(x.add("helper", "setsid sh -c 'echo $$; exec sleep 5' &\n"
                                   "sleep 0.2"));
  CHECK(got.exit_code == 0);
  REQUIRE_FALSE(got.out.empty());
  // It did escape from the group, and is found.
  CHECK(gone_soon(got.out.substr(0, got.out.find('\n'))));
}

TEST_CASE("200 runs leave neither a zombie nor a descriptor") {
  auto earlier = test::children();
  rig x;
  x.limits.parallel_max = 10;
  runner with{x.where, x.limits};
  auto helper = x.add("helper", "echo ok; exit 7");
  CHECK(x.start(with, helper).get().exit_code == 7);
  auto before = entries("/proc/self/fd");
  std::vector<std::future<outcome>> answers;
  for (int i = 0; i < 200; ++i)
    answers.push_back(x.start(with, i % 10 == 0 ? x.path("gone") : helper));
  int good = 0;
  int refused = 0;
  std::string last;
  for (auto& each : answers) {
    auto got = each.get();
    good += got.exit_code == 7 && got.out == "ok\n" && !got.timed_out;
    refused += !got.refused.empty();
    last = got.refused.empty() ? last : got.refused;
  }
  INFO(last);
  CHECK(good == 180);
  CHECK(refused == 20);
  CHECK(entries("/proc/self/fd") == before);
  CHECK(test::children_left(earlier).empty());
}

TEST_CASE("no more helpers than allowed run at once") {
  rig x;
  x.limits.parallel_max = 5;
  runner with{x.where, x.limits};
  auto log = x.path("log");
  auto helper
    = x.add("helper", "echo + >> " + log + "; sleep 0.2; echo - >> " + log);
  std::vector<std::future<outcome>> answers;
  for (int i = 0; i < 20; ++i)
    answers.push_back(x.start(with, helper));
  for (auto& each : answers)
    CHECK(each.get().exit_code == 0);
  int now = 0;
  int most = 0;
  for (auto c : x.read("log")) {
    now += c == '+' ? 1 : c == '-' ? -1 : 0;
    most = std::max(most, now);
  }
  CHECK(now == 0);
  CHECK(most <= 5);
  CHECK(most >= 2); // they do run side by side
}

TEST_CASE("a hung helper does not delay the others") {
  rig x;
  x.limits.parallel_max = 2;
  runner with{x.where, x.limits};
  auto hung = x.start(with, x.add("hung", "exec sleep 30"), seconds{3});
  auto start = clock_type::now();
  auto quick = x.add("quick", "exit 0");
  for (int i = 0; i < 5; ++i)
    CHECK(x.start(with, quick).get().exit_code == 0);
  CHECK(since(start) < seconds{3});
  CHECK(hung.get().timed_out);
}

TEST_CASE(
  "what is to start soon or not at all does not wait for a slot, and has "
  "all of its time once it runs") {
  rig x;
  x.limits.parallel_max = 1;
  runner with{x.where, x.limits};
  auto first = x.start(with, x.add("slow", "sleep 1"));
  auto touch = x.add("touch", "touch " + x.path("touched"));
  auto late = x.start(with, touch, seconds{10}, {}, millis{100});
  CHECK(late.get().refused.find("waited 100 ms") != std::string::npos);
  CHECK(first.get().exit_code == 0);
  CHECK_FALSE(std::filesystem::exists(x.path("touched")));
  auto soon
    = x.start(with, x.add("half", "sleep 0.5"), seconds{10}, {}, millis{100});
  CHECK(soon.get().exit_code == 0);
}

TEST_CASE("a full queue refuses and time in the queue counts") {
  rig x;
  x.limits.parallel_max = 1;
  x.limits.queued_max = 1;
  runner with{x.where, x.limits};
  auto touch = x.add("touch", "touch " + x.path("touched"));
  auto first = x.start(with, x.add("slow", "sleep 1"));
  auto second = x.start(with, touch, millis{300});
  auto third = x.start(with, touch);
  CHECK(third.get().refused.find("queue is full") != std::string::npos);
  CHECK(second.get().refused.find("waited 300 ms") != std::string::npos);
  CHECK(first.get().exit_code == 0);
  std::this_thread::sleep_for(millis{200});
  CHECK_FALSE(std::filesystem::exists(x.path("touched")));
  CHECK(x.start(with, touch).get().exit_code == 0);
  CHECK(std::filesystem::exists(x.path("touched")));
}

TEST_CASE("a loop that goes away takes its helpers with it") {
  auto earlier = test::children();
  test::scripts files;
  auto helper
    = files.add("helper", "echo $$ > " + files.path("pid") + "; exec sleep 30");
  auto answered = std::make_shared<std::atomic<int>>(0);
  {
    loop where;
    runner_limits limits;
    limits.parallel_max = 1;
    runner with{where, limits};
    for (int i = 0; i < 2; ++i) // one runs, one waits
      with.run({helper, {}, seconds{20}},
               [answered](const outcome&) { ++*answered; });
    for (int i = 0; i < 200 && files.read("pid").empty(); ++i)
      std::this_thread::sleep_for(millis{20});
  }
  auto pid = files.read("pid");
  REQUIRE_FALSE(pid.empty());
  pid.pop_back();
  CHECK_FALSE(alive(pid));
  CHECK(test::children_left(earlier).empty());
  CHECK(*answered == 0);
  CHECK(answered.use_count() == 1); // nothing is left behind
}

TEST_CASE("a bare program has an empty environment") {
  rig b;
  runner with{b.where, b.limits};
  auto promised = std::make_shared<std::promise<outcome>>();
  auto answer = promised->get_future();
  with.run({"/usr/bin/env", {}, seconds{20}, true},
           [promised](outcome x) { promised->set_value(std::move(x)); });
  auto what = answer.get();
  CHECK(what.exit_code == 0);
  CHECK(what.out.empty());
  CHECK_FALSE(b.run("/usr/bin/env").out.empty());
}

TEST_CASE("who prints too much is ended, if that is asked for") {
  rig b;
  b.limits.output_max = 1000;
  b.limits.end_when_full = true;
  auto what = b.run(b.add("flood", "exec yes"), minutes{5});
  CHECK(what.out_truncated);
  CHECK(what.out.size() == 1000);
  CHECK_FALSE(what.timed_out);
  CHECK(what.signal != 0);
}

} // namespace orderly::child_runner_test
