// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which room may include what, by the real table of the build.

#include "tests/tidy/house_rules.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

namespace orderly::tidy_include_rules_test {

using namespace orderly::tidy;

namespace {

const room_table& the_rooms() {
  static const auto rooms = [] {
    std::ifstream in{ORDERLY_SOURCE_DIR "/CMakeLists.txt"};
    return read_rooms(std::string{std::istreambuf_iterator<char>{in}, {}});
  }();
  return rooms;
}

std::size_t includes(const std::string& path, const std::string& header) {
  return check_includes({path, "#include " + header + "\n"}, the_rooms())
    .size();
}

} // namespace

TEST_CASE("a room includes what its line says, and nothing else") {
  room_table rooms{{"a/low", {}},
                   {"a/high", {{"a/low"}, {"fmt::fmt"}}},
                   {"a/higher", {{"a/high"}, {}}}};
  auto found = [&](const std::string& path, const std::string& header) {
    return check_includes({path, "#include " + header + "\n"}, rooms).size();
  };
  CHECK(found("a/high/x.cpp", "\"a/high/y.hpp\"") == 0);
  CHECK(found("a/high/x.cpp", "\"a/low/y.hpp\"") == 0);
  CHECK(found("a/high/x.cpp", "<fmt/format.h>") == 0);
  CHECK(found("a/high/x.cpp", "<caf/actor.hpp>") == 1);
  CHECK(found("a/low/x.cpp", "\"a/high/y.hpp\"") == 1);
  CHECK(found("a/low/x.cpp", "<fmt/format.h>") == 1);
  // What a room uses is not lent to those that use the room.
  CHECK(found("a/higher/x.cpp", "\"a/low/y.hpp\"") == 1);
  CHECK(found("a/higher/x.cpp", "<fmt/format.h>") == 1);
  CHECK(found("a/higher/x.cpp", "\"tests/fakes.hpp\"") == 1);
  // Nor is it seen through angle brackets.
  CHECK(found("a/high/x.cpp", "<a/low/y.hpp>") == 1);
  CHECK(found("a/higher/x.cpp", "<a/low/y.hpp>") == 1);
  CHECK(found("a/higher/x.cpp", "<tests/fakes.hpp>") == 1);
  // No room: a program, which wires what it wants.
  CHECK(found("io/main/x.cpp", "\"a/low/y.hpp\"") == 0);
}

TEST_CASE("the table of rooms is read from the build's own lines") {
  auto rooms = read_rooms("function(orderly_room path)\nendfunction()\n"
                          "orderly_room(messages)\n"
                          "# orderly_room(not/me)\n"
                          "orderly_room(a/b\n  USES messages c/d\n"
                          "  LIBS caf fmt::fmt)\n");
  REQUIRE(rooms.size() == 2);
  CHECK(rooms["messages"].uses.empty());
  CHECK(rooms["a/b"].uses == std::set<std::string>{"c/d", "messages"});
  CHECK(rooms["a/b"].libs == std::set<std::string>{"caf", "fmt::fmt"});
}

TEST_CASE(
  "a library that the table of the rule lacks is no part of the system") {
  room_table rooms{{"io/a", {}}, {"io/b", {{}, {"ZLIB::ZLIB"}}}};
  auto found = [&](const std::string& path, const std::string& header) {
    return check_includes({path, "#include " + header + "\n"}, rooms).size();
  };
  CHECK(found("io/a/x.cpp", "<zlib.h>") == 1);
  CHECK(found("io/b/x.cpp", "<zlib.h>") == 0);
  CHECK(found("io/a/x.cpp", "<lzma.h>") == 1);
  CHECK(found("io/a/x.cpp", "<curl/curl.h>") == 1);
  CHECK(found("io/a/x.cpp", "<unistd.h>") == 0);
  CHECK(found("io/a/x.cpp", "<sys/stat.h>") == 0);
}

TEST_CASE("words include nothing but std and words") {
  CHECK(includes("messages/job.hpp", "\"messages/ids.hpp\"") == 0);
  CHECK(includes("messages/job.hpp", "<string>") == 0);
  CHECK(includes("messages/job.hpp", "<caf/actor.hpp>") == 1);
  CHECK(includes("messages/job.hpp", "<fmt/format.h>") == 1);
  CHECK(includes("messages/job.hpp", "\"messages/protocol/ports.hpp\"") == 1);
  CHECK(includes("messages/protocol/ports.hpp", "<caf/actor.hpp>") == 0);
  CHECK(includes("messages/protocol/ports.hpp", "<fmt/format.h>") == 1);
}

TEST_CASE("policy is pure: std without clocks, dice, threads and files, fmt") {
  const auto* file = "actors/policy/guards/storm.cpp";
  CHECK(includes(file, "\"messages/time.hpp\"") == 0);
  CHECK(includes(file, "<fmt/format.h>") == 0);
  CHECK(includes(file, "\"messages/protocol/ports.hpp\"") == 1);
  CHECK(includes(file, "\"actors/shell/shell.hpp\"") == 1);
  CHECK(includes(file, "\"actors/planning/model/cluster.hpp\"") == 1);
  for (const auto* header :
       {"<caf/error.hpp>", "<spdlog/spdlog.h>", "<unordered_map>", "<fstream>",
        "<mutex>", "<thread>", "<random>", "<unistd.h>"}) {
    INFO(header);
    CHECK(includes(file, header) == 1);
    CHECK(includes("io/cli/harep_options.cpp", header) == 1);
    CHECK(includes("actors/policy/checks/verdict.cpp", header) == 1);
  }
}

TEST_CASE("planning has threads and nothing else beside words") {
  const auto* file = "actors/planning/place/allocate.cpp";
  CHECK(includes(file, "<thread>") == 0);
  CHECK(includes(file, "\"messages/cluster.hpp\"") == 0);
  CHECK(includes(file, "<random>") == 1);
  CHECK(includes(file, "<caf/actor.hpp>") == 1);
  CHECK(includes(file, "\"actors/policy/guards/storm.hpp\"") == 1);
}

TEST_CASE("shells include neither io nor sim") {
  const auto* file = "actors/power/oob.cpp";
  CHECK(includes(file, "<caf/actor.hpp>") == 0);
  for (const auto* header :
       {"\"io/oob/port.hpp\"", "\"sim/ports/ports.hpp\"", "\"sim/lab/lab.hpp\"",
        "<boost/asio.hpp>", "<thread>", "<unistd.h>"}) {
    INFO(header);
    CHECK(includes(file, header) == 1);
  }
}

TEST_CASE("the live ports know of policy only the settings") {
  for (const auto* file : {"io/oob/port.cpp", "io/ganeti/port.cpp",
                           "io/sqlite/port.cpp", "io/agent/port.cpp"}) {
    INFO(file);
    CHECK(includes(file, "\"actors/policy/settings/settings.hpp\"") == 0);
    CHECK(includes(file, "\"messages/protocol/ports.hpp\"") == 0);
    CHECK(includes(file, "<unistd.h>") == 0);
    CHECK(includes(file, "\"actors/policy/base/backoff.hpp\"") == 1);
    CHECK(includes(file, "\"actors/power/oob.hpp\"") == 1);
    CHECK(includes(file, "\"sim/ports/ports.hpp\"") == 1);
    CHECK(includes(file, "\"io/daemon/demo.hpp\"") == 1);
  }
}

TEST_CASE("formats and the model port know planning's numbers, no planner") {
  for (const auto* file :
       {"io/htools/formats/read_text.cpp", "io/model/port.cpp"}) {
    INFO(file);
    CHECK(includes(file, "\"actors/planning/model/cluster.hpp\"") == 0);
    CHECK(includes(file, "\"actors/balance/planner.hpp\"") == 1);
  }
}

TEST_CASE("the simulated world and its laws know nothing of what they judge") {
  for (const auto* file :
       {"sim/laws/laws.cpp", "sim/laws/jobs.cpp", "sim/ganeti/queue.cpp",
        "sim/ports/probe.cpp", "sim/world/world.cpp"}) {
    INFO(file);
    for (const auto* header :
         {"\"actors/policy/repair/permission.hpp\"",
          "\"actors/planning/moves/moves.hpp\"", "\"actors/tree/tree.hpp\"",
          "\"sim/lab/lab.hpp\"", "\"io/oob/port.hpp\"",
          "\"actors/policy/checks/verdict.hpp\"", "<thread>"}) {
      INFO(header);
      CHECK(includes(file, header) == 1);
    }
  }
}

TEST_CASE("all code is in a room, and a room can be seen at once") {
  room_table rooms{{"a", {}}};
  CHECK(check_rooms({{"a/x.cpp", ""}, {"tests/b/x.cpp", ""}}, rooms).empty());
  CHECK(check_rooms({{"b/x.cpp", ""}}, rooms).size() == 1);
  std::vector<source_file> many;
  for (std::size_t i = 0; i < files_in_room_max; ++i)
    many.push_back({"a/x" + std::to_string(i) + ".cpp", ""});
  CHECK(check_rooms(many, rooms).empty());
  many.push_back({"a/one_more.cpp", ""});
  CHECK(check_rooms(many, rooms).size() == 1);
}

TEST_CASE("a room says what it is for, and is tested") {
  room_table rooms{{"a", {}}};
  const std::vector<std::string> whole{"a/README.md", "a/x.cpp",
                                       "tests/a/x_test.cpp"};
  CHECK(check_furnished(whole, rooms).empty());
  CHECK(check_furnished({"a/x.cpp", "tests/a/x_test.cpp"}, rooms).size() == 1);
  CHECK(check_furnished({"a/README.md", "tests/a/rig.hpp"}, rooms).size() == 1);
  CHECK(check_furnished({"io/crew/README.md"}, {{"io/crew", {}}}).empty());
  CHECK(check_furnished({"io/crew/README.md", "tests/io/crew/x_test.cpp"},
                        {{"io/crew", {}}})
          .size()
        == 1);
}

TEST_CASE("tests lie where what they test lies") {
  room_table rooms{{"actors/jobs", {}}};
  auto offences = [&rooms](const std::string& path) {
    return check_mirrors({path, ""}, rooms).size();
  };
  CHECK(offences("tests/actors/jobs/queue_test.cpp") == 0);
  CHECK(offences("tests/actors/jobs/rig.hpp") == 0);
  CHECK(offences("tests/tidy/tidy_test.cpp") == 0);
  CHECK(offences("tests/jobs/queue_test.cpp") == 1);
  CHECK(offences("tests/actors/queue_test.cpp") == 1);
  CHECK(offences("tests/support/queue_test.cpp") == 1);
}

TEST_CASE("an include by a short path is found too, one in a comment is none") {
  CHECK(includes("actors/power/oob.cpp", "\"oob.hpp\"") == 1);
  CHECK(
    check_includes({"actors/power/oob.cpp", "// #include \"io/loop/loop.hpp\"\n"
                                            "/*\n#include <thread>\n*/\n"},
                   the_rooms())
      .empty());
}

} // namespace orderly::tidy_include_rules_test
