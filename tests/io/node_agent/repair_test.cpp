// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Orders for repair commands: kept, taken once, and run with real programs.

#include "io/files/small_file.hpp"
#include "io/node_agent/order_box.hpp"
#include "io/node_agent/repair.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace orderly::node_agent_repair_test {

using namespace orderly::io::node_agent;
using io::report::repair_order;

namespace {

instant now() {
  return std::chrono::floor<millis>(std::chrono::system_clock::now());
}

struct node : scratch_folder {
  node() {
    s.node.folder = path("state");
    s.repair.folder = path("commands");
    s.repair.kill_delay = millis{100};
    for (const auto& folder : {s.node.folder, s.repair.folder}) {
      ::mkdir(folder.c_str(), 0755);
      ::chmod(folder.c_str(), 0755);
    }
  }

  void add(const std::string& name, const std::string& script,
           mode_t mode = 0755) const {
    auto at = s.repair.folder + "/" + name;
    std::ofstream{at} << "#!/bin/sh\n" << script;
    REQUIRE(::chown(at.c_str(), ::geteuid(), ::getegid()) == 0);
    ::chmod(at.c_str(), mode);
  }

  repair_order order(const std::string& command) {
    return {"n1",
            "event/e1/" + std::to_string(++orders),
            "e1",
            command,
            R"({"slot": 3})",
            now()};
  }

  repair_end run(const std::string& command) {
    CHECK(order_box{s.node.folder}.keep(order(command)).empty());
    return again();
  }

  [[nodiscard]] repair_end again() const { return repair_once(s, us); }

  /// Runs what is deposited in a process of its own.
  [[nodiscard]] pid_t run_apart() const {
    auto pid = ::fork();
    if (pid == 0)
      ::_exit(again().code);
    return pid;
  }

  /// What `steps_on` started, once it is there.
  [[nodiscard]] pid_t step() const {
    pid_t pid = 0;
    for (auto i = 0; i < 1000 && !(std::ifstream{path("step")} >> pid); ++i)
      std::this_thread::sleep_for(millis{10});
    REQUIRE(pid > 0);
    return pid;
  }

  agent_settings s;
  owner_rule us{::geteuid(), ::getegid()};
  int orders = 0;
};

/// Has a child that goes on whatever its parent does, for a while.
std::string steps_on(const node& where) {
  return "sh -c 'trap \"\" TERM; echo $$ > " + where.path("step")
         + "; for i in 0 1 2 3 4 5 6 7 8 9; do sleep 1; done' >&- 2>&- &\n";
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a repair command gets the object, the event, and nothing else") {
  node n;
  n.add("reseat", "cat; /usr/bin/tr '\\0' ' ' < /proc/$$/environ");
  auto end = n.run("reseat");
  CHECK(end.code == 0);
  CHECK(end.text == R"({"slot": 3}GANETI_EVENT_ID=e1 )");
}

TEST_CASE("nothing that a repair command started outlives it") {
  node x;
  auto file = x.path("pid");
  auto leaves = [&](const std::string& end) {
    return "setsid sh -c 'setsid sh -c \"echo \\$\\$ > " + file
           + "; exec sleep 1000\" & wait' >&- 2>&- <&- &\n"
             "while [ ! -s "
           + file + " ]; do sleep 0.01; done\n" + end;
  };
  x.s.repair.time_limit = seconds{3};
  for (const auto* end : {"exit 0\n", "exec sleep 1000\n"}) {
    ::unlink(file.c_str());
    x.add("leaver", leaves(end));
    x.run("leaver");
    std::ifstream in{file};
    pid_t pid = 0;
    REQUIRE(in >> pid);
    CHECK(::kill(pid, 0) != 0);
  }
}

TEST_CASE("whoever ends the runner ends the command and all that it started") {
  node x;
  x.s.repair.kill_delay = seconds{1};
  x.add("slow", steps_on(x) + "trap 'echo TERM; exit 0' TERM\nwait\n");
  x.add("quick", "exit 0");
  CHECK(order_box{x.s.node.folder}.keep(x.order("slow")).empty());
  auto number = GENERATE(SIGTERM, SIGHUP, SIGINT);
  auto runner = x.run_apart();
  auto step = x.step();
  ::kill(runner, number);
  int status = 0;
  REQUIRE(::waitpid(runner, &status, 0) == runner);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
  CHECK(::kill(step, 0) != 0);
  CHECK(x.run("quick").code == 0);
}

TEST_CASE("as long as anything of a command lives no other one is run") {
  node x;
  x.add("slow", steps_on(x) + "wait\n");
  x.add("quick", "exit 0");
  CHECK(order_box{x.s.node.folder}.keep(x.order("slow")).empty());
  auto runner = x.run_apart();
  auto step = x.step();
  ::kill(runner, SIGKILL);
  REQUIRE(::waitpid(runner, nullptr, 0) == runner);
  auto beside = x.run("quick");
  CHECK(beside.code == 1);
  CHECK(has(beside.text, "fuser -v " + x.s.node.folder + "/repair.lock"));
  REQUIRE(::kill(step, SIGKILL) == 0);
  for (auto i = 0; i < 500 && x.again().code != 0; ++i)
    std::this_thread::sleep_for(millis{10});
  CHECK(has(x.again().text, "no order is deposited")); // so it was run
}

TEST_CASE("an order is taken once") {
  node n;
  n.add("reseat", "echo ran >> " + n.path("ran"));
  CHECK(n.run("reseat").code == 0);
  auto end = n.again();
  CHECK(end.code == 1);
  CHECK(has(end.text, "no order is deposited"));
  std::ifstream ran{n.path("ran")};
  std::string all{std::istreambuf_iterator<char>{ran}, {}};
  CHECK(all == "ran\n");
}

TEST_CASE("an order whose file is back after a power loss is not taken again") {
  node n;
  order_box kept{n.s.node.folder};
  CHECK(kept.keep(n.order("a")).empty());
  auto file = n.s.node.folder + "/deposited.json";
  auto text = io::read_small(file);
  REQUIRE(text);
  REQUIRE(kept.take(now()));
  REQUIRE(io::write_small(file, *text).empty());
  auto again = kept.take(now());
  REQUIRE_FALSE(again);
  CHECK(has(again.why().text, "taken before"));
  CHECK(::access(file.c_str(), F_OK) != 0);
}

TEST_CASE(
  "what was taken is not kept again, and a newer order takes its place") {
  node n;
  order_box kept{n.s.node.folder};
  auto first = n.order("a");
  auto second = n.order("b");
  CHECK(kept.keep(first).empty());
  CHECK(kept.keep(first).empty()); // it was not taken yet
  CHECK(kept.keep(second).empty());
  auto got = kept.take(now());
  REQUIRE(got);
  CHECK(got->command == "b");
  CHECK(has(kept.keep(second), "taken before"));
  CHECK_FALSE(kept.take(now()));
  CHECK(kept.keep(first).empty());
  CHECK(kept.take(now()));
}

TEST_CASE("an order that comes while another one is taken is not lost") {
  node n;
  constexpr int rounds = 300;
  int lost = 0;
  for (int i = 0; i < rounds; ++i) {
    order_box kept{n.s.node.folder};
    auto first = n.order("a");
    auto second = n.order("b");
    REQUIRE(kept.keep(first).empty());
    std::string why;
    std::thread agent{[&] { why = kept.keep(second); }};
    auto got = order_box{n.s.node.folder}.take(now());
    agent.join();
    REQUIRE(why.empty());
    REQUIRE(got);
    if (got->intent == second.intent)
      continue;
    auto next = kept.take(now());
    if (!next || next->intent != second.intent)
      ++lost;
  }
  CHECK(lost == 0);
}

TEST_CASE("an order whose taker died before it had taken it is taken next") {
  node n;
  order_box kept{n.s.node.folder};
  CHECK(kept.keep(n.order("a")).empty());
  auto claimed = n.s.node.folder + "/claimed.json";
  REQUIRE(
    ::rename((n.s.node.folder + "/deposited.json").c_str(), claimed.c_str())
    == 0);
  SECTION("once") {
    auto got = kept.take(now());
    REQUIRE(got);
    CHECK(got->command == "a");
    CHECK_FALSE(kept.take(now()));
  }
  SECTION("but not if a newer one came") {
    CHECK(kept.keep(n.order("b")).empty());
    auto got = kept.take(now());
    REQUIRE(got);
    CHECK(got->command == "b");
    CHECK_FALSE(kept.take(now()));
  }
  SECTION("but not from somebody else's hands") {
    ::chmod(claimed.c_str(), 0666);
    auto got = kept.take(now());
    REQUIRE_FALSE(got);
    CHECK(has(got.why().text, "somebody else has deposited an order"));
  }
}

TEST_CASE("an order that waited too long is taken and not run") {
  node n;
  order_box kept{n.s.node.folder};
  CHECK(kept.keep(n.order("a")).empty());
  auto late = kept.take(now() + order_box::good_for + minutes{1});
  REQUIRE_FALSE(late);
  CHECK(has(late.why().text, "older than 60 min"));
  CHECK_FALSE(kept.take(now()));
}

TEST_CASE("an order that cannot be read is no order, and goes") {
  node n;
  auto deposited = n.s.node.folder + "/deposited.json";
  std::ofstream{deposited} << "{\"node\": ";
  ::chmod(deposited.c_str(), 0600);
  CHECK(n.again().code == 1);
  CHECK(has(n.again().text, "no order is deposited"));
}

TEST_CASE("an order that somebody else may have deposited is not taken") {
  node n;
  n.add("reseat", "exit 0");
  CHECK(order_box{n.s.node.folder}.keep(n.order("reseat")).empty());
  auto deposited = n.s.node.folder + "/deposited.json";
  SECTION("its file may be written by others") {
    ::chmod(deposited.c_str(), 0666);
    CHECK(has(n.again().text, "somebody else has deposited an order"));
    ::chmod(deposited.c_str(), 0600);
  }
  SECTION("its folder may be") {
    ::chmod(n.s.node.folder.c_str(), 0777);
    CHECK(has(n.again().text, "others could deposit an order"));
    CHECK(has(order_box{n.s.node.folder}.keep(n.order("reseat")),
              "others could deposit an order"));
    ::chmod(n.s.node.folder.c_str(), 0755);
  }
  CHECK(n.again().code == 0);
}

TEST_CASE("a lock that is a link to another place makes no file there") {
  node n;
  n.add("reseat", "exit 0");
  CHECK(order_box{n.s.node.folder}.keep(n.order("reseat")).empty());
  auto lock = n.s.node.folder + "/repair.lock";
  auto elsewhere = n.path("elsewhere");
  REQUIRE(::symlink(elsewhere.c_str(), lock.c_str()) == 0);
  auto end = n.again();
  CHECK(end.code == 1);
  CHECK(has(end.text, "cannot open " + lock));
  CHECK(::access(elsewhere.c_str(), F_OK) != 0);
  REQUIRE(::unlink(lock.c_str()) == 0);
  CHECK(n.again().code == 0);
}

TEST_CASE("a command that fails, hangs or dies says so with what it printed") {
  node n;
  n.s.repair.time_limit = seconds{1};
  n.add("fails", "echo no such slot; echo really >&2; exit 3");
  auto end = n.run("fails");
  CHECK(end.code == 3);
  CHECK(has(end.text, "exit code 3"));
  CHECK(has(end.text, "no such slot\nreally"));
  n.add("hangs", "trap '' TERM; while :; do sleep 0.1; done");
  end = n.run("hangs");
  CHECK(end.code == 3);
  CHECK(has(end.text, "within 1 s"));
  n.add("dies", "kill -SEGV $$");
  CHECK(has(n.run("dies").text, "signal 11"));
  n.add("talks", "yes a | head -c 100000; echo; echo the end; exit 1");
  end = n.run("talks");
  CHECK(end.text.size() < 5000);
  CHECK(has(end.text, "the end"));
}

TEST_CASE("a command that others could change, or that is none, is not run") {
  node n;
  n.add("loose", "echo ran", 0777);
  n.add("fine", "echo ran");
  CHECK(n.run("loose").code == 1);
  CHECK(has(n.run("loose").text, "permissions 755"));
  CHECK(has(n.run("missing").text, "missing"));
  for (const auto* name : {"../fine", "a b", "fine.sh", ".", ""}) {
    INFO(name);
    auto end = n.run(name[0] == '\0' ? "\x01" : name);
    CHECK(end.code == 1);
    CHECK(has(end.text, "letters, digits"));
  }
  ::chmod(n.s.repair.folder.c_str(), 0777);
  CHECK(has(n.run("fine").text, "permissions 755"));
}

} // namespace orderly::node_agent_repair_test
