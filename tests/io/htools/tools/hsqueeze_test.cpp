// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hsqueeze beside what Debian's hsqueeze 3.0.2 printed of the same text, and
// where our own search goes other ways.

#include "io/htools/formats/json_value.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>

namespace orderly::tools_hsqueeze_test {

using namespace orderly::io::htools;

namespace {

/// Two masters, as a file may say; n4 is off.
std::string text_of_four(const std::string& last = "8192|512|7680|100000|"
                                                   "100000|4") {
  return "g|u|preferred||\n\n"
         "n1.x.y|8192|512|3584|100000|100000|4|M|u|1||N|0|1|1.0\n"
         "n2.x.y|8192|512|7680|100000|100000|4|N|u|1||N|0|1|1.0\n"
         "n3.x.y|8192|512|6656|100000|100000|4|N|u|1|foo|N|0|1|1.0\n"
         "n4.x.y|"
         + last
         + "|Y|u|1|htools:standby:auto,bar|N|0|1|1.0\n\n"
           "i1.x.y|4096|1024|1|running|Y|n1.x.y||ext||1\n"
           "i2.x.y|1024|1024|1|running|Y|n3.x.y||ext||1\n\n\n"
           "|1024,1,10240,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext|"
           "4.0|32.0\n"
           "g|1024,1,10240,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext|"
           "4.0|32.0\n";
}

outcome squeeze(std::vector<std::string> words,
                const std::string& text = text_of_four()) {
  draft file{text};
  words.insert(words.begin(), {"-t", file.path()});
  return run_as_reference(tool::hsqueeze, words);
}

outcome exactly(std::vector<std::string> words,
                const std::string& text = text_of_four()) {
  words.insert(words.begin(), "--search=exact");
  return squeeze(words, text);
}

} // namespace

TEST_CASE("the exact hsqueeze prints what the reference prints") {
  auto r = exactly({"-C", "-v"});
  CHECK(r.code == 0);
  CHECK(r.err.empty());
  CHECK(r.out
        == "Offline candidates: n3.x.y,n2.x.y\n"
           "Online candidates: n4.x.y\n"
           "'Nodes to offline'\nn3.x.y\nn2.x.y\n\n"
           "Commands to run:\n"
           "  \n"
           "  echo jobset 1, 1 jobs\n"
           "    echo job 1/1\n"
           "    gnt-instance migrate -f -n n1 i2.x.y\n"
           "  \n"
           "  echo Tagging Commands\n"
           "    gnt-node add-tags n3 htools:standby:auto\n"
           "    gnt-node add-tags n2 htools:standby:auto\n"
           "  \n"
           "  echo Power Commands\n"
           "    gnt-node power -f off n3\n"
           "    gnt-node power -f off n2\n");
  r = exactly({"--minimal-resources=3.5", "-C", "-v", "--no-headers"});
  CHECK(r.out
        == "Offline candidates: n3.x.y,n2.x.y\n"
           "Online candidates: n4.x.y\n"
           "n4.x.y\n"
           "Onlining all nodes will not yield enough capacity\n\n"
           "Commands to run:\n"
           "  echo Power Commands\n"
           "    gnt-node power -f on n4\n");
  r = exactly({"--target-resources=7", "-C"});
  CHECK(r.out == "'No action'\n\nCommands to run:\n  echo Nothing to do\n");
}

TEST_CASE("a node that is off and has no figures makes the reference want more "
          "for ever, and ours does not") {
  auto text = text_of_four("?|?|?|?|?|?");
  auto r = exactly({"-C", "-v"}, text);
  CHECK(says(r.out, "'Nodes to online'\nOnlining all nodes will not yield "
                    "enough capacity\n"));
  r = squeeze({}, text);
  CHECK(r.out == "'Nodes to offline'\nn2.x.y\n");
  CHECK(r.code == 0);
}

TEST_CASE("hsqueeze keeps N+1 where the reference loses it") {
  // One node alone has nobody to take over.
  CHECK(says(exactly({}).out, "n3.x.y\nn2.x.y\n"));
  auto r = squeeze({"-v"});
  CHECK(r.out
        == "Offline candidates: n3.x.y,n2.x.y\n"
           "Online candidates: n4.x.y\n"
           "Group g: 3 nodes on now, 2 afterwards; no fewer than 2 can be: of "
           "fewer, the others could not take over the greatest one's "
           "instances\n"
           "'Nodes to offline'\nn2.x.y\n");
}

TEST_CASE("who switches a node on takes back its tag, and brings it back") {
  auto r = squeeze({"--minimal-resources=4", "-C"},
                   text_of_four("16384|512|15872|100000|100000|4"));
  CHECK(r.out
        == "'Nodes to online'\nn4.x.y\n\n"
           "Commands to run:\n"
           "  echo Power Commands\n"
           "    gnt-node power -f on n4\n"
           "  \n"
           "  echo Online Commands\n"
           "    until gnt-node modify --offline=no n4; do sleep 10; done\n"
           "  \n"
           "  echo Tagging Commands\n"
           "    gnt-node remove-tags n4 htools:standby:auto\n"
           "  \n"
           "  echo jobset 1, 1 jobs\n"
           "    echo job 1/1\n"
           "    gnt-instance migrate -f -n n4 i1.x.y\n");
}

TEST_CASE("hsqueeze saves the cluster before and after, with its tags") {
  draft base{""};
  auto r = squeeze({"-S", base.path()});
  CHECK(r.code == 0);
  CHECK(says(r.err, "The cluster state before hsqueeze run has been written to "
                    "file '"
                      + base.path() + ".original'\n"));
  CHECK(says(r.err, "The cluster state after hsqueeze run has been written"));
  auto text = read_whole(base.path() + ".squeezed");
  REQUIRE(text);
  CHECK(says(*text, "n2.x.y|8192|512|7680|100000|100000|4|Y|u|1|"
                    "htools:standby:auto|"));
  r = squeeze({"--minimal-resources=4", "-S", base.path()},
              text_of_four("16384|512|15872|100000|100000|4"));
  CHECK(says(r.err, "state after hsqueeze expansion has been written"));
  text = read_whole(base.path() + ".squeezed");
  REQUIRE(text);
  CHECK(says(*text, "n4.x.y|16384|512|11776|100000|100000|4|N|u|1|bar|"));
  r = squeeze({"--target-resources=7", "-S", base.path()});
  CHECK(says(r.err, "state after hsqueeze doing nothing has been written"));
  CHECK(r.out == "'No action'\n");
  CHECK(squeeze({"-S", "/nowhere/at/all"}).code == 1);
  for (const auto* suffix : {".original", ".squeezed"})
    std::filesystem::remove(base.path() + suffix);
}

TEST_CASE("hsqueeze writes a script and the tables of nodes if it is told to") {
  draft script{""};
  auto r = squeeze({"-C" + script.path(), "-pname,pcnt"});
  CHECK(says(r.out, "The commands have been written to file '" + script.path()
                      + "'\n"));
  auto text = read_whole(script.path());
  REQUIRE(text);
  CHECK(says(*text, "#!/bin/sh\n"));
  CHECK(says(*text, "  gnt-node power -f off n2\n"));
  CHECK(says(r.err, "Initial cluster status:\n"));
  CHECK(says(r.err, "Final cluster status:\n"));
  CHECK(squeeze({"-C/nowhere/at/all"}).code == 1);
}

TEST_CASE("hsqueeze says all of it as one JSON object") {
  auto r = squeeze({"--output=json", "-C", "-v", "--target-resources=0",
                    "--minimal-resources=0"});
  auto read = read_json(r.out, "output");
  REQUIRE(read);
  CHECK(read->member("search")->text == "fast");
  CHECK(read->member("offline")->items.at(0).text == "n2.x.y");
  CHECK(read->member("online")->items.empty());
  CHECK(read->member("enough")->yes);
  const auto& group = read->member("groups")->items.at(0);
  CHECK(group.member("on_before")->whole == 3);
  CHECK(group.member("on_after")->whole == 2);
  CHECK(group.member("least")->whole == 2);
  CHECK(group.member("why")->text == "a_loss");
  r = exactly({"--output=json"});
  read = read_json(r.out, "output");
  REQUIRE(read);
  const auto& step = read->member("steps")->items.at(0);
  CHECK(step.member("instance")->text == "i2.x.y");
  CHECK(step.member("from")->items.at(0).text == "n3.x.y");
  CHECK(step.member("to")->items.at(0).text == "n1.x.y");
  CHECK(step.member("moves")->text == "fa:n1");
  CHECK(read->member("job_sets")->items.size() == 1);
  CHECK(read->member("groups")->items.empty());
}

TEST_CASE("hsqueeze refuses what it does not have or cannot read") {
  for (const auto* word : {"--minimal-resources=x", "--target-resources=",
                           "--minimal-resources=-1", "--search=slow"}) {
    INFO(word);
    auto r = squeeze({word});
    CHECK(r.code == 1);
    CHECK(says(r.err, "Error while parsing command line arguments"));
  }
  CHECK(says(squeeze({"--target-resources=-1"}).err,
             "target resources: '-1' is no number from 0 up\n"));
  CHECK(squeeze({"--bla"}).code == 2);
  CHECK(squeeze({"word"}).code == 1);
  CHECK(squeeze({}, "rubbish").code == 1);
  auto r = run_as_reference(tool::hsqueeze, {});
  CHECK(r.code == 1);
  CHECK(says(r.err, "No backend selected! Exiting.\n"));
  r = squeeze({"-X"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "Error: hsqueeze: Execution of commands possible only on "
                    "LUXI\n"));
  CHECK(squeeze({"-X", "--target-resources=7"}).code == 0);
  r = run_as_reference(tool::hsqueeze, {"--help"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "Usage: hsqueeze [OPTION...]\n"));
  CHECK(says(r.out, "\nExamples:\n"));
  CHECK(run_as_reference(tool::hsqueeze, {"--version"}).code == 0);
}

TEST_CASE("from a request hsqueeze keeps all master candidates on, and refuses "
          "one that names none") {
  auto message = [](const char* candidate) {
    auto node = [&](const char* extra) {
      return fmt::format(
        R"({{"group":"u","offline":false,"drained":false,"vm_capable":true,
          "ndparams":{{"spindle_count":1,"exclusive_storage":false}},
          "total_memory":8192,"reserved_memory":512,"free_memory":7680,
          "total_disk":1000,"free_disk":1000,"total_cpus":4,
          "reserved_cpus":1,"tags":[]{}}})",
        extra);
    };
    return fmt::format(
      R"({{"cluster_tags":[],"enabled_hypervisors":["xen-pvm"],"instances":{{}},
        "nodegroups":{{"u":{{"name":"g","alloc_policy":"preferred",
          "networks":[],"tags":[],"ipolicy":{{
            "std":{{"memory-size":128,"cpu-count":1,"disk-size":1024,
                    "disk-count":1,"nic-count":1,"spindle-use":1}},
            "minmax":[],"disk-templates":["ext"],"vcpu-ratio":4,
            "spindle-ratio":32}}}}}},
        "nodes":{{"n1":{},"n2":{},"n3":{}}}}})",
      node(""), node(candidate), node(""));
  };
  draft some{message(",\"master_candidate\":true")};
  auto r = run_as_reference(tool::hsqueeze, {"-I", some.path()});
  CHECK(r.err.empty());
  CHECK(r.out == "'Nodes to offline'\nn1\nn3\n");
  draft none{message("")};
  r = run_as_reference(tool::hsqueeze, {"-I", none.path()});
  CHECK(r.code == 1);
  CHECK(says(r.err, "no node is a master_candidate, so nobody knows which one "
                    "must stay on\n"));
}

} // namespace orderly::tools_hsqueeze_test
