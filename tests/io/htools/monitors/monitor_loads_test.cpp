// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The load that monitors tell, in the model: all of it or nothing.

#include "io/htools/formats/text.hpp"
#include "io/htools/monitors/monitor_loads.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>

namespace orderly::htools_monitors_test {

using namespace orderly::io::htools;
using planning::cluster;
using planning::load_cpu;

namespace {

/// Two nodes in service with 5 and 4 CPUs in use, one of them each the node's
/// own; a third that is offline.
const char* const three_nodes
  = "g|u|preferred||\n\n"
    "n1|8192|512|4608|100000|96928|4|M|u|1||N|0|1|1.0\n"
    "n2|8192|512|6656|100000|98976|4|N|u|1||N|0|1|1.0\n"
    "n3|8192|512|7680|100000|100000|4|Y|u|1||N|0|1|1.0\n\n"
    "i1|1024|1024|1|running|Y|n1||ext||1\n"
    "i2|1024|1024|2|running|Y|n1||ext||1\n"
    "i3|1024|1024|1|ADMIN_down|Y|n1||ext||1\n"
    "i4|1024|1024|3|running|Y|n2||ext||1\n"
    "i5|1024|1024|2|running|Y|n3||ext||1\n\n\n"
    "|1024,1,1024,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext|4.0|"
    "32.0\n"
    "g|1024,1,1024,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext|4.0|"
    "32.0\n";

cluster model() {
  auto c = read_text(three_nodes, "the test");
  REQUIRE(c);
  return *c;
}

std::string report(const std::string& node, const std::string& collector,
                   const std::string& data) {
  return fmt::format(
    R"({{"node":"{}","reports":[{{"name":"drbd","data":{{}}}},)"
    R"({{"name":"{}","data":{}}}]}})",
    node, collector, data);
}

std::string busy(const std::string& node, double cpus) {
  return report(node, "cpu-avg-load",
                fmt::format(R"({{"cpu_total":{}}})", cpus));
}

std::string use(cluster& c, const std::string& text,
                load_kind kind = load_kind::node) {
  auto read = read_monitor_file(text, "file", c, kind);
  REQUIRE(read);
  return use_answers(c, *read);
}

double load_of(const cluster& c, std::size_t i) {
  return c.instances[i].use[load_cpu];
}

outcome hbal(std::vector<std::string> words, const std::string& said) {
  draft file{three_nodes};
  draft monitors{said};
  words.insert(words.end(), {"-t", file.path(), "-l0", "--print-instances",
                             "--mond=yes", "--mond-data", monitors.path()});
  return outcome_of([&](auto to) { return run_hbal(words, to); });
}

} // namespace

TEST_CASE("the load of a node is shared out by vcpus, its own system's too") {
  auto c = model();
  CHECK(use(c, "[" + busy("n1", 2.5) + "," + busy("n2", 1) + "]").empty());
  CHECK(load_of(c, 0) == Approx(0.5));
  CHECK(load_of(c, 1) == Approx(1.0));
  CHECK(load_of(c, 2) == Approx(0.5));
  CHECK(load_of(c, 3) == Approx(0.75));
  CHECK(c.nodes[0].own_cpu_load == Approx(0.5));
  CHECK(c.nodes[1].own_cpu_load == Approx(0.25));
  // Of an offline node nobody says anything: as the others, a vcpu.
  CHECK(load_of(c, 4) == Approx(2 * 3.5 / 9));
  CHECK(c.nodes[2].own_cpu_load == 0);
  CHECK(c.instances[0].use[planning::load_net] == 1);
  planning::placement p{c, std::nullopt, {}};
  CHECK(p.states[0].use[load_cpu] == Approx(2.5));
  planning::build_options blind;
  blind.no_load = true;
  CHECK(planning::placement{c, std::nullopt, blind}.states[0].use[load_cpu]
        == 0);
}

TEST_CASE("one node in service without a report and no load is used") {
  auto all = "[" + busy("n1", 2.5) + "]";
  auto c = model();
  auto before = c;
  CHECK(use(c, all)
        == "Didn't receive an answer by all MonDs, cpu-avg-load's data will be "
           "ignored: n2 has none there");
  CHECK(c == before);
  CHECK(use(c, "[" + busy("n1", 2.5) + "," + busy("n2", -1) + "]")
        == "Didn't receive an answer by all MonDs, cpu-avg-load's data will be "
           "ignored: n2 gives no report of the CPU load: 'cpu_total' is no "
           "number of busy CPUs");
  CHECK(c == before);
}

TEST_CASE("Xen's collector tells the load of each instance") {
  auto xen = [](const std::string& node, const std::string& data) {
    return report(node, "xen-cpu-avg-load", data);
  };
  auto c = model();
  auto first = xen("n1", R"({"i1":0.3,"i2":1,"i3":0.1,"gone":7})");
  CHECK(
    use(c, "[" + first + "," + xen("n2", R"({"i4":0.9})") + "]", load_kind::xen)
      .empty());
  CHECK(load_of(c, 1) == 1);
  CHECK(load_of(c, 3) == 0.9);
  CHECK(load_of(c, 4) == Approx(2 * 2.3 / 7));
  CHECK(c.nodes[0].own_cpu_load == 0);
  auto d = model();
  CHECK(use(d, "[" + first + "," + xen("n2", "{}") + "]", load_kind::xen)
        == "No CPU information available for [\"i4\"]: xen-cpu-avg-load's data "
           "will be ignored");
  CHECK(d == model());
  CHECK(
    use(d, "[" + first + "," + xen("n2", R"({"i4":"1"})") + "]", load_kind::xen)
      .find("n2 gives no report of the CPU load")
    != std::string::npos);
}

TEST_CASE("a file of monitors that is none is refused") {
  auto c = model();
  for (const auto* text :
       {"{", "{}", "[1]", R"([{"node":"n1"}])", R"([{"reports":[]}])",
        R"([{"node":1,"reports":[]}])"})
    CHECK_FALSE(read_monitor_file(text, "file", c, load_kind::node));
}

TEST_CASE("hbal uses what monitors said, or ends with 1 if it must have it") {
  auto both = "[" + busy("n1", 2.5) + "," + busy("n2", 1) + "]";
  auto r = hbal({"-p"}, both);
  CHECK(r.code == 0);
  CHECK(says(r.err, " R i1   n1                Y           1  1024     1 0.500 "
                    "1.000 1.000 1.000\n"));
  auto one = "[" + busy("n1", 2.5) + "]";
  r = hbal({}, one);
  CHECK(r.code == 0);
  CHECK(says(r.err, "data will be ignored: n2 has none there\n"));
  CHECK(
    says(r.err, " R i1   n1                Y           1  1024     1 1.000 "));
  r = hbal({"--exit-on-missing-mond-data"}, one);
  CHECK(r.code == 1);
  CHECK(r.out.empty());
  CHECK(says(r.err, "\nError: Not all required data available\n"));
  // Who is offline by -O need say nothing either.
  CHECK(hbal({"--exit-on-missing-mond-data", "-O", "n2"}, one).code == 0);
  r = hbal({}, "[");
  CHECK(r.code == 1);
  CHECK(says(r.err, "Error: can't parse MonD data: "));
  r = hbal({"--ignore-dynu"}, "[");
  CHECK(r.code == 0);
}

TEST_CASE("who cannot be asked is named") {
  auto c = model();
  c.nodes[0].name = "no-such-host.invalid";
  c.nodes[1].name = "127.0.0.1";
  monitor_rules rules;
  rules.port = 1; // nobody listens
  rules.time_limit = std::chrono::seconds{30};
  auto got = ask_monitors_of(c, load_kind::node, rules);
  REQUIRE(got.missing.size() == 2);
  CHECK(got.missing[0] == "127.0.0.1 cannot be asked: Connection refused");
  CHECK(got.missing[1].find("no-such-host.invalid cannot be asked: ") == 0);
  CHECK(
    says(use_answers(c, got), "will be ignored: 127.0.0.1 cannot be asked"));
}

} // namespace orderly::htools_monitors_test
