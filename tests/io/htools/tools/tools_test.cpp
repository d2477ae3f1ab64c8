// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The tools against answers that Debian's htools 3.0.2 gave: data/hail.json
// holds a cluster with requests and answers, the other files what each tool
// prints of data/cluster.txt.

#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

namespace orderly::tools_test {

using namespace orderly::io::htools;

namespace {

/// Two nodes with memory for five large instances and a small one.
const char* const narrow
  = "g|g|preferred||\n\n"
    "n1|65536|1024|51200|3145728|2823168|16|M|g|8||N|0|1|1.0\n"
    "n2|65536|1024|46080|3145728|2823168|16|Y|g|8||N|0|1|1.0\n\n"
    "i1|2048|15360|1|running|Y|n2|n1|drbd||1|-|N\n"
    "i2|8192|210944|4|running|Y|n1|n2|drbd||5|3|N\n"
    "i3|1024|19456|4|running|Y|n1|n2|drbd||1|-|N\n"
    "i4|4096|21504|1|running|N|n1|n2|drbd||1|3|N\n"
    "i5|16384|55296|4|running|Y|n2|n1|drbd||1|-|N\n\n\n"
    "g|1024,1,10240,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|"
    "drbd,ext|6.0|32.0\n";

} // namespace

TEST_CASE("hail answers each kind of request as the reference does") {
  auto golden = nlohmann::json::parse(text_of("hail.json"));
  REQUIRE(golden["requests"].size() >= 14);
  for (const auto& one : golden["requests"]) {
    auto message = golden["message"];
    message["request"] = one["request"];
    draft file{message.dump()};
    auto r = run_as_reference(tool::hail, {file.path()});
    INFO(one["request"].dump());
    CHECK(r.code == 0);
    CHECK(r.out == one["answer"].get<std::string>() + "\n");
  }
}

TEST_CASE("hcheck, hinfo and hspace print what the reference prints") {
  auto file = data("cluster.txt");
  auto r = run_as_reference(tool::hcheck, {"--machine-readable", "-t", file});
  CHECK(r.out == text_of("hcheck.txt"));
  r = run_as_reference(tool::hinfo,
                       {"-v", "-p", "--print-instances", "-t", file});
  CHECK(r.out == text_of("hinfo.txt"));
  CHECK(r.err == text_of("hinfo.err"));
  r = run_as_reference(tool::hspace, {"--machine-readable", "-t", file});
  CHECK(r.out == text_of("hspace.txt"));
  r = run_as_reference(tool::hspace, {"--disk-template=drbd", "-t", file});
  CHECK(r.out == text_of("hspace_drbd.txt"));
}

TEST_CASE("a size that fits has the limit before those that did not") {
  draft file{narrow};
  for (auto [limit, tiers] :
       {std::pair{"5", "'6144,20480,2,1=5'"},
        std::pair{"6", "'6144,20480,2,1=5 1984,20480,2,1=1'"},
        std::pair{"20", "'6144,20480,2,1=5 1984,20480,2,1=1'"}}) {
    auto r = run_as_reference(tool::hspace,
                              {"--machine-readable", "--disk-template=ext",
                               "--tiered-alloc=20g,6g,2", "-l", limit, "-t",
                               file.path()});
    CHECK(says(r.out, fmt::format("HTS_TSPEC={}\n", tiers)));
  }
}

TEST_CASE("hspace on a simulated cluster counts what fits on empty nodes") {
  auto r
    = run_as_reference(tool::hspace, {"--simulate", "p,3,100g,16g,4", "-q"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "  MEM 49152, DSK 307200, CPU 12, VCPU 48.\n"));
  CHECK(says(r.out, "  -   2 instances of spec MEM 16320, DSK 1048576, CPU 8"));
  CHECK(says(r.out, "  -  45 instances allocated\n"
                    "  - most likely failure reason: FailCPU\n"));
  r = run_as_reference(tool::hspace, {"--simulate", "bad"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "expected 6 comma-separated sections"));
  r = run_as_reference(tool::hspace, {"--simulate", "p,0,10,10,1"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "failure during allocation: No online nodes"));
}

TEST_CASE("each tool prints one JSON object if it is asked to") {
  auto file = data("cluster.txt");
  for (auto of : {tool::hcheck, tool::hinfo, tool::hspace}) {
    auto r = run_as_reference(of, {"--output=json", "-t", file});
    auto read = nlohmann::json::parse(r.out, nullptr, false);
    INFO(r.out);
    CHECK(read.is_object());
    CHECK(read.size() >= 3);
  }
}

TEST_CASE("a tool ends as the reference for options, words and files that are "
          "wrong") {
  for (auto of : {tool::hail, tool::hcheck, tool::hinfo, tool::hspace}) {
    auto r = run_as_reference(of, {"--bogus"});
    CHECK(r.code == 2);
    CHECK(says(r.err, "Command line error: unrecognized option `--bogus'"));
    r = run_as_reference(of, {"--help"});
    CHECK(r.code == 0);
    CHECK(says(r.out, "Usage: " + std::string{name_of(of)}));
    r = run_as_reference(of, {"--version"});
    CHECK(r.code == 0);
    CHECK(says(r.out, std::string{name_of(of)} + " (orderly) version "));
    r = run_as_reference(of, {"--help-completion"});
    CHECK(says(r.out, "-t,--text-data file\n"));
    r = run_as_reference(of, {});
    CHECK(r.code == 1);
  }
  for (auto of : {tool::hcheck, tool::hinfo, tool::hspace}) {
    CHECK(run_as_reference(of, {"word"}).code == 1);
    auto r = run_as_reference(of, {"-t", "/no/such/file"});
    CHECK(r.code == 1);
    CHECK(says(r.err, "failed to load data, aborting: /no/such/file"));
    r = run_as_reference(of, {"-m", "http://nobody"});
    CHECK(r.code == 1);
    CHECK(says(r.err, "--master: only https is spoken"));
    r = run_as_reference(of, {"-m", "https://me:secret@127.0.0.1:1"});
    CHECK(r.code == 1);
    CHECK(says(r.err, "RAPI of 127.0.0.1, /2/groups?bulk=1: connecting: "));
    CHECK_FALSE(says(r.err + r.out, "secret"));
  }
  CHECK(run_as_reference(tool::hail, {"a", "b"}).code == 1);
  auto r = run_as_reference(tool::hspace, {"--standard-alloc=1,2,x"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "standard specs cpus: cannot parse string 'x'"));
  r = run_as_reference(tool::hspace, {"--disk-template=x"});
  CHECK(r.code == 1);
  r = run_as_reference(tool::hcheck, {"--machine-readable=maybe"});
  CHECK(r.code == 1);
}

TEST_CASE("hail says what is wrong with a message and ends with 1") {
  auto golden = nlohmann::json::parse(text_of("hail.json"));
  auto answer = [&](const std::function<void(nlohmann::json&)>& spoil) {
    auto message = golden["message"];
    message["request"] = golden["requests"][0]["request"];
    spoil(message);
    draft file{message.dump()};
    auto r = run_as_reference(tool::hail, {file.path()});
    CHECK(r.code == 1);
    CHECK(r.out.empty());
    return r.err;
  };
  using json = nlohmann::json;
  CHECK(says(answer([](json& m) { m.erase("nodes"); }),
             "invalid iallocator message: key 'nodes' not found"));
  CHECK(says(answer([](json& m) { m["request"]["type"] = "foo"; }),
             "Invalid request type 'foo'"));
  CHECK(says(answer([](json& m) { m["request"]["memory"] = "4"; }),
             "invalid data for instance 'new': key 'memory'"));
  CHECK(says(answer([](json& m) { m["nodes"]["n1"]["group"] = "x"; }),
             "Unknown group 'x' for node n1"));
  CHECK(says(answer([](json& m) { m["instances"]["i1"]["nodes"] = {"x"}; }),
             "Unknown node 'x' for instance i1"));
  CHECK(says(answer([](json& m) {
               m["request"] = {{"type", "node-evacuate"},
                               {"instances", {"i9"}},
                               {"evac_mode", "all"}};
             }),
             "Unknown instance 'i9'"));
  draft bad{"{"};
  auto r = run_as_reference(tool::hail, {bad.path()});
  CHECK(r.code == 1);
  CHECK(says(r.err, "Parsing input IAllocator message"));
  draft deep{std::string(100, '[')};
  CHECK(says(run_as_reference(tool::hail, {deep.path()}).err,
             "nested deeper than 64"));
}

TEST_CASE("a new instance is not put beside one that excludes it") {
  auto golden = nlohmann::json::parse(text_of("hail.json"));
  auto message = golden["message"];
  message["cluster_tags"] = {"htools:iextags:service"};
  message["instances"]["i2"]["tags"] = {"service:a"};
  message["request"] = golden["requests"][1]["request"];
  message["request"]["tags"] = {"service:a"};
  draft file{message.dump()};
  auto r = run_as_reference(tool::hail, {file.path()});
  CHECK(says(r.out, "successes 3, failures 1 (FailTags: 1)"));
}

} // namespace orderly::tools_test
