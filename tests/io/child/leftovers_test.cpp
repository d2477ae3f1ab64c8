// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What helpers leave behind is ended, wherever it went.

#include "io/child/leftovers.hpp"
#include "io/child/runner.hpp"
#include "tests/io/child/scripts.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <fstream>
#include <future>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace orderly::child_leftovers_test {

using namespace orderly::io::child;

namespace {

struct rig : test::scripts {
  explicit rig(bool alone = true) {
    runner_limits limits;
    limits.alone = alone;
    limits.scope = path("journal");
    helpers = std::make_unique<runner>(on, limits);
  }

  outcome run(const std::string& program) {
    std::promise<outcome> done;
    helpers->run({program, {}, seconds{10}},
                 [&](outcome x) { done.set_value(std::move(x)); });
    return done.get_future().get();
  }

  /// A process whose id a helper wrote to `name`.
  pid_t wrote(const std::string& name) {
    for (int i = 0; i < 300; ++i) {
      std::ifstream in{path(name)};
      pid_t pid = 0;
      if (in >> pid)
        return pid;
      std::this_thread::sleep_for(millis{10});
    }
    return 0;
  }

  io::loop on;
  std::unique_ptr<runner> helpers;
};

bool ends(pid_t pid, millis within = seconds{3}) {
  for (auto left = within; left > millis{0}; left -= millis{10}) {
    if (::kill(pid, 0) != 0)
      return true;
    std::this_thread::sleep_for(millis{10});
  }
  return false;
}

} // namespace

TEST_CASE("a child that left the helper's group does not outlive it") {
  rig x;
  auto file = x.path("pid");
  auto done = x.run(x.add("helper", "setsid sh -c 'echo $$ > " + file
                                      + "; exec sleep 1000' >&- 2>&- <&- &\n"
                                        "while [ ! -s "
                                      + file + " ]; do sleep 0.01; done"));
  CHECK(done.exit_code == 0);
  auto pid = x.wrote("pid");
  REQUIRE(pid > 0);
  CHECK(ends(pid));
}

TEST_CASE("a child that forgot its environment does not outlive it either") {
  rig x;
  auto file = x.path("pid");
  x.run(x.add("helper", "env -i PATH=$PATH setsid sh -c 'echo $$ > " + file
                          + "; exec sleep 1000' >&- 2>&- <&- &\n"
                            "while [ ! -s "
                          + file + " ]; do sleep 0.01; done"));
  auto pid = x.wrote("pid");
  REQUIRE(pid > 0);
  CHECK(ends(pid));
}

TEST_CASE("children of children that left its group do not outlive it") {
  for (const auto* without : {"", "env -i PATH=$PATH "}) {
    rig x;
    auto file = x.path("pid");
    auto link = x.add("link", "if [ $1 = 0 ]; then echo $$ > " + file
                                + "; exec sleep 1000; fi\n" + without
                                + "setsid $0 $(($1 - 1)) >&- 2>&- <&- & wait");
    x.run(x.add("helper", std::string{without} + "setsid " + link
                            + " 4 >&- 2>&- <&- &\nwhile [ ! -s " + file
                            + " ]; do sleep 0.01; done"));
    auto pid = x.wrote("pid");
    REQUIRE(pid > 0);
    CHECK(ends(pid, seconds{30}));
  }
}

TEST_CASE("children of a helper that still runs are left alone") {
  rig x;
  auto file = x.path("pid");
  auto slow = x.add("slow", "(setsid sh -c 'echo $$ > " + file
                              + "; exec sleep 1000' >&- 2>&- <&- &)\n"
                                "sleep 2");
  std::promise<outcome> done;
  x.helpers->run({slow, {}, seconds{10}},
                 [&](outcome o) { done.set_value(std::move(o)); });
  auto pid = x.wrote("pid");
  REQUIRE(pid > 0);
  x.run(x.add("quick", "exit 0")); // whose end makes us look around
  CHECK_FALSE(ends(pid, millis{500}));
  done.get_future().get();
  CHECK(ends(pid));
}

TEST_CASE("a process with other children ends only those of helpers") {
  rig x{false};
  auto ours = ::fork();
  if (ours == 0) {
    ::execlp("sleep", "sleep", "1000", nullptr);
    ::_exit(127);
  }
  auto file = x.path("pid");
  x.run(x.add("helper", "setsid sh -c 'echo $$ > " + file
                          + "; exec sleep 1000' >&- 2>&- <&- &\n"
                            "while [ ! -s "
                          + file + " ]; do sleep 0.01; done"));
  auto pid = x.wrote("pid");
  REQUIRE(pid > 0);
  CHECK(ends(pid));
  CHECK_FALSE(ends(ours, millis{200}));
  ::kill(ours, SIGKILL);
  ::waitpid(ours, nullptr, 0);
}

TEST_CASE("helpers do not outlive a daemon that is killed") {
  rig x;
  auto helper = x.add("helper", "(setsid sh -c 'echo $$ > " + x.path("child")
                                  + "; exec sleep 1000' >&- 2>&- <&- &)\n"
                                    "echo $$ > "
                                  + x.path("leader") + "\nexec sleep 1000");
  auto scope = x.path("other-journal");
  auto daemon = ::fork();
  if (daemon == 0) {
    // A daemon of its own, in as far as it starts helpers.
    io::loop on;
    runner_limits limits;
    limits.scope = scope;
    runner helpers{on, limits};
    helpers.run({helper, {}, seconds{600}}, [](outcome) {});
    std::this_thread::sleep_for(seconds{60});
    ::_exit(0);
  }
  auto leader = x.wrote("leader");
  auto child = x.wrote("child");
  REQUIRE(leader > 0);
  REQUIRE(child > 0);
  ::kill(daemon, SIGKILL);
  ::waitpid(daemon, nullptr, 0);
  // It came to us, who adopt orphans, too.
  for (int i = 0; i < 100 && ::waitpid(leader, nullptr, WNOHANG) == 0; ++i)
    std::this_thread::sleep_for(millis{10});
  CHECK(ends(leader));
  // Its children are found by the next life, and by no other scope's.
  CHECK(leftovers(x.path("journal"), false).end_earlier() == 0);
  CHECK_FALSE(ends(child, millis{200}));
  CHECK(leftovers(scope, false).end_earlier() >= 1);
  for (int i = 0; i < 100 && ::waitpid(child, nullptr, WNOHANG) == 0; ++i)
    std::this_thread::sleep_for(millis{10});
  CHECK(ends(child));
}

TEST_CASE("a stranger who bears our mark is none of our helpers") {
  if (::geteuid() != 0)
    return; // nobody else lets us look
  rig x;
  constexpr ::uid_t somebody = 12345;
  auto scope = x.path("of-others");
  auto mark = "ORDERLY_HELPER=" + scope + "#1.1";
  auto start = [&](::uid_t who) {
    auto pid = ::fork();
    if (pid == 0) {
      const char* const environment[] = {mark.c_str(), nullptr};
      if (::setuid(who) == 0)
        ::execle("/bin/sleep", "sleep", "1000", nullptr, environment);
      ::_exit(127);
    }
    std::this_thread::sleep_for(millis{100}); // until it bears the mark
    return pid;
  };
  auto stranger = start(somebody);
  CHECK(leftovers(scope, false).end_earlier() == 0);
  CHECK_FALSE(ends(stranger, millis{100}));
  auto ours = start(0);
  CHECK(leftovers(scope, false).end_earlier() == 1);
  for (auto pid : {stranger, ours}) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
}

TEST_CASE("processes that go while they are looked at are no trouble") {
  // What any stranger can have: a hundred at a time, each gone in a moment.
  std::vector<pid_t> strangers;
  for (int i = 0; i < 2; ++i) {
    auto stranger = ::fork();
    if (stranger == 0)
      for (::alarm(60);;) {
        for (useconds_t k = 0; k < 100; ++k)
          if (::fork() == 0) {
            ::usleep(500 + k * 30);
            ::_exit(0);
          }
        while (::wait(nullptr) > 0)
          continue;
      }
    strangers.push_back(stranger);
  }
  leftovers all{"/nowhere/journal", false};
  // Without care one in fifty looks ended by an exception.
  auto ended = 0;
  for (int i = 0; i < 300; ++i)
    try {
      all.end_earlier();
    } catch (const std::exception&) {
      ++ended;
    }
  for (auto stranger : strangers) {
    ::kill(stranger, SIGKILL);
    ::waitpid(stranger, nullptr, 0);
  }
  CHECK(ended == 0);
}

} // namespace orderly::child_leftovers_test
