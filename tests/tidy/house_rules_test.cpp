// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Each house rule is shown a text that breaks it, and one beside it that does
// not.

#include "tests/tidy/house_rules.hpp"

#include <catch2/catch.hpp>

namespace orderly::tidy_house_rules_test {

using namespace orderly::tidy;

namespace {

const std::string licence = "// SPDX-FileCopyrightText: the orderly authors\n"
                            "// SPDX-License-Identifier: BSD-2-Clause\n";

std::size_t words(const std::string& path, const std::string& line) {
  return check_words({path, line + "\n"}).size();
}

std::size_t statics(const std::string& text) {
  return check_statics({"actors/power/oob.cpp", text}).size();
}

std::size_t form(const std::string& path, const std::string& text) {
  return check_form({path, text}).size();
}

std::size_t tags(const std::string& text) {
  return check_tags({"tests/io/oob/oob_test.cpp", text}).size();
}

std::string lines(std::size_t n) {
  std::string result;
  for (std::size_t i = 0; i < n; ++i)
    result += "  x();\n";
  return result;
}

} // namespace

TEST_CASE("clocks, dice, threads and hash order are banned by name") {
  for (const auto* line :
       {"auto t = std::chrono::system_clock::now();", "using system_clock;",
        "auto t = std::chrono::steady_clock::now();",
        "using wall = std::chrono::steady_clock;", "std::random_device d;",
        "auto x = rand();", "auto x = std::rand ();", "srand(1);",
        "std::this_thread::sleep_for(x);", "std::thread t{f};",
        "std::jthread t{f};", "auto x = std::async(f);",
        "auto x = getenv(\"HOME\");", "std::unordered_map<int, int> m;",
        "std::unordered_set<int> s;", "sys.spawn<caf::detached>(f);",
        "self->spawn<detached + linked>(f);",
        "std::uniform_int_distribution<int> d;",
        "auto x = std::chrono::high_resolution_clock::now();"})
    for (const auto* file :
         {"actors/power/oob.cpp", "actors/policy/guards/storm.cpp",
          "sim/laws/laws.cpp", "sim/lab/drill.cpp", "messages/job.cpp"}) {
      INFO(file << ": " << line);
      CHECK(words(file, line) == 1);
    }
}

TEST_CASE("a banned word is no offence in a comment, a text or a longer word") {
  for (const auto* line :
       {"// std::thread is banned", "/* rand() */", "auto operand(int x);",
        "log(\"rand() and system_clock\");", "std::chrono::sys_time<millis> t;",
        "auto x = my_rand(3);", "auto s = R\"(getenv)\";",
        "std::chrono::time_point<std::chrono::steady_clock, ns> t;",
        "auto c = '\"'; // getenv \"", "auto n = 1'000; // getenv '"}) {
    INFO(line);
    CHECK(words("sim/laws/laws.cpp", line) == 0);
  }
}

TEST_CASE("io may ask the real clock, and the bench measures by it") {
  CHECK(words("io/loop/loop.cpp", "auto t = system_clock::now();") == 0);
  CHECK(words("sim/bench/bench.cpp", "auto t = steady_clock::now();") == 0);
  CHECK(words("sim/bench/bench.cpp", "auto t = system_clock::now();") == 1);
}

TEST_CASE("an offence tells its file, its line and what to do") {
  auto found
    = check_words({"sim/laws/laws.cpp", "/*\n\n*/\nint x = rand();\n"});
  REQUIRE(found.size() == 1);
  CHECK(to_string(found[0])
        == "sim/laws/laws.cpp:4: rand is banned here: dice are seeded by the "
           "actor's name");
}

TEST_CASE("a mutable static in a function is found") {
  CHECK(statics("int f() {\n  static int x = 0;\n  return ++x;\n}\n") == 1);
  CHECK(statics("int f() {\n  if (y) {\n    static int x;\n  }\n}\n") == 1);
  CHECK(statics("auto g = [] {\n  static std::map<int, int> m;\n};\n") == 1);
  CHECK(statics("void f() {\n  thread_local int x{3};\n}\n") == 1);
  CHECK(statics("namespace a {\nstruct b {\n  void f() const {\n"
                "    static std::vector<int> x{1, 2};\n  }\n};\n}\n")
        == 1);
}

TEST_CASE("constant statics and static members are no offence") {
  CHECK(statics("int f() {\n  static const int x = 0;\n  return x;\n}\n") == 0);
  CHECK(statics("int f() {\n  static constexpr int x{0};\n}\n") == 0);
  CHECK(statics("struct a {\n  static int f(int x);\n  static int g() {\n"
                "    return 1;\n  }\n};\n")
        == 0);
  CHECK(statics("struct a {\n  static inline const char* name = \"x\";\n};\n")
        == 0);
  CHECK(statics("int f() {\n  // static int x;\n  g(\"static int x;\");\n}\n")
        == 0);
}

TEST_CASE("a file has at most 400 lines") {
  auto long_file = [](std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i)
      text += "int x" + std::to_string(i) + ";\n";
    return check_sizes({"tests/sim/a_test.cpp", text}).size();
  };
  CHECK(long_file(400) == 0);
  CHECK(long_file(401) == 1);
  CHECK(check_sizes({"tests/io/data.json", lines(1000)}).empty());
}

TEST_CASE("a function has at most 60 lines, its braces included") {
  auto long_function = [](const std::string& head, std::size_t n) {
    return check_sizes(
             {"actors/power/oob.cpp", head + " {\n" + lines(n) + "}\n"})
      .size();
  };
  CHECK(long_function("void f(int x)", 58) == 0);
  CHECK(long_function("void f(int x)", 59) == 1);
  CHECK(long_function("a::a() : x_{1}, y_(2)", 59) == 1);
  CHECK(long_function("a::a() : x_{1}", 59) == 1);
  CHECK(long_function("bool operator==(const a& x, const a& y)", 59) == 1);
  CHECK(long_function("template <class T>\nvoid f(T x)", 59) == 1);
  // What holds functions or data is no function.
  CHECK(long_function("struct a", 59) == 0);
  CHECK(long_function("namespace a", 59) == 0);
  CHECK(long_function("constexpr int table[] =", 59) == 0);
}

TEST_CASE("the two licence lines come first, in the file's own comment") {
  CHECK(form("io/loop/loop.cpp", licence) == 0);
  CHECK(form("io/loop/loop.cpp", "\n" + licence) == 1);
  CHECK(form("io/loop/loop.cpp", "int x;\n") == 1);
  CHECK(form("io/loop/loop.cpp", licence.substr(0, licence.find('\n') + 1))
        == 1);
  std::string hashes = "# SPDX-FileCopyrightText: the orderly authors\n"
                       "# SPDX-License-Identifier: BSD-2-Clause\n";
  CHECK(form("tests/programs.cmake", hashes) == 0);
  CHECK(form("tests/a.sh", "#!/bin/sh\n" + hashes) == 0);
  CHECK(form("tests/a.sh", "#!/bin/sh\n") == 1);
}

TEST_CASE("a header says pragma once") {
  CHECK(form("io/loop/loop.hpp", licence) == 1);
  CHECK(form("io/loop/loop.hpp", licence + "#pragma once\n") == 0);
  CHECK(form("io/loop/loop.hpp", licence + "// #pragma once\n") == 1);
}

TEST_CASE("nothing is left for later, not even in a comment") {
  for (const auto* word : {"TO"
                           "DO",
                           "FIX"
                           "ME",
                           "X"
                           "XX",
                           "HA"
                           "CK"}) {
    INFO(word);
    CHECK(form("io/loop/loop.cpp", licence + "int x; // " + word + ": later\n")
          == 1);
    CHECK(form("io/loop/loop.cpp", licence + "int " + word + "_count;\n") == 0);
  }
}

TEST_CASE("no test is hidden or excused by its tags") {
  CHECK(tags("TEST_CASE(\"a rule\", \"[.]\") {}\n") == 1);
  CHECK(tags("TEST_CASE(\"a rule\",\n          \"[.slow]\") {}\n") == 1);
  CHECK(tags("TEST_CASE(\"a rule\", \"[io][.]\") {}\n") == 1);
  CHECK(tags("TEST_CASE(\"a rule\", \"[hide]\") {}\n") == 1);
  CHECK(tags("TEST_CASE(\"a rule\", \"[!mayfail]\") {}\n") == 1);
  CHECK(tags("TEMPLATE_TEST_CASE(\"a rule\", \"[.]\", int) {}\n") == 1);
  CHECK(tags("SCENARIO(\"a rule\", \"[.]\") {}\n") == 1);
  CHECK(tags("TEST_CASE(\"a rule\", \"[io][slow]\") {}\n") == 0);
  CHECK(tags("TEST_CASE(\"a rule\") {\n  f(\"[.]\");\n}\n") == 0);
  CHECK(tags("// TEST_CASE(\"a rule\", \"[.]\")\n") == 0);
}

TEST_CASE("what a test sets up is a rig, what measures is a bench") {
  auto rigs = [](const std::string& path, const std::string& text) {
    return check_rigs({path, text}).size();
  };
  CHECK(rigs("tests/actors/jobs/queue_test.cpp", "  bench b;\n") == 1);
  CHECK(rigs("tests/sim/laws/laws_test.cpp", "using namespace a_bench;\n")
        == 1);
  CHECK(rigs("tests/io/oob/bench.hpp", "") == 1);
  CHECK(rigs("tests/actors/node/node_bench.hpp", "struct bench {};\n") == 2);
  CHECK(rigs("tests/actors/jobs/rig.hpp", "struct rig {}; // no bench\n") == 0);
  CHECK(rigs("tests/programs/oob_bench.cpp", "int bench();\n") == 0);
  CHECK(rigs("sim/bench/bench.cpp", "int run_bench();\n") == 0);
}

TEST_CASE("all rules look at a file, and tell by line") {
  room_table rooms{{"actors/power", {}}};
  auto found
    = offences_of({"actors/power/oob.hpp", licence
                                             + "#include <thread>\n"
                                               "inline int f() {\n"
                                               "  static int x = rand();\n"
                                               "  return x;\n"
                                               "}\n"},
                  rooms);
  REQUIRE(found.size() == 4);
  CHECK(found[0].what == "a header without #pragma once");
  CHECK(found[1].line == 3);
  CHECK(found[2].line == 5);
  CHECK(found[3].line == 5);
  CHECK(offences_of({"actors/power/oob.hpp", licence + "#pragma once\n"}, rooms)
          .empty());
}

} // namespace orderly::tidy_house_rules_test
