// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hgroups from its words to its answer: exit codes, sentences, and JSON with
// the same facts.

#include "io/htools/formats/text.hpp"
#include "tests/support/planning/racks.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace orderly::hgroups_test {

using namespace orderly::io::htools;
using planning::cluster;
using planning::disk_template;
using planning::samples::add;
using planning::samples::one_too_many;

namespace {

outcome ask(const cluster& c, std::vector<std::string> words) {
  draft file{write_text(c)};
  words.insert(words.end(), {"-t", file.path()});
  return outcome_of(
    [&](auto to) { return run_tool(tool::hgroups, words, to); });
}

nlohmann::json json_of(const cluster& c, std::vector<std::string> words,
                       int code) {
  words.push_back("--output=json");
  auto r = ask(c, words);
  INFO(r.out << r.err);
  CHECK(r.code == code);
  return nlohmann::json::parse(r.out);
}

/// In rack0 a shared, a mirrored and a plain instance; rack1 is empty.
cluster mixed() {
  auto c = planning::samples::racks(2, 2);
  add(c, 0, 2000);
  add(c, 0, 1000, disk_template::drbd, 1);
  add(c, 1, 1000, disk_template::plain);
  return c;
}

} // namespace

TEST_CASE("hgroups show says how groups are and what could cross") {
  auto r = ask(mixed(), {"show"});
  CHECK(r.code == 0);
  CHECK(r.err.empty());
  CHECK(says(r.out, "Nothing crosses from group to group: --group-moves is "
                    "never."));
  CHECK(says(r.out, "Group rack0: healthy; 2 of 2 nodes in service, 3 "
                    "instances\n  free: 16000 of 20000 MiB memory, "));
  CHECK(says(r.out, "All groups\n  free: 36000 of 40000 MiB memory, "));
  CHECK(says(r.out, "Storage internal/lvm: rack0, rack1; 2 instances with 2000 "
                    "MiB memory\n"));
  CHECK(says(r.out, "From rack0 to rack1: 2 of 3 instances could go; not 1, "
                    "since its disks are on its node alone and cannot be "
                    "copied\n"));
  CHECK(ask(mixed(), {}).out == r.out);
  CHECK(says(ask(mixed(), {"--group-moves=repair"}).out,
             "what makes groups well may cross"));
}

TEST_CASE("hgroups show names what makes a group unhealthy") {
  auto c = mixed();
  planning::samples::lose(c, 0);
  auto r = ask(c, {"show"});
  CHECK(says(r.out, "Group rack0: unhealthy; 1 of 2 nodes in service"));
  CHECK(says(r.out, "  on nodes out of service: i0 (n00), i1 (n00)\n"));
  auto x = json_of(c, {"show"}, 0);
  CHECK(x["groups"][0]["health"] == "unhealthy");
  CHECK(x["groups"][0]["stranded"] == nlohmann::json({"i0", "i1"}));
  CHECK(x["groups"][1]["health"] == "healthy");
}

TEST_CASE("JSON of hgroups show has the facts of the sentences") {
  auto x = json_of(mixed(), {"show", "--group-moves=auto"}, 0);
  CHECK(x["group_moves"] == "auto");
  CHECK(x["groups"][0]["free_memory_mib"] == 16'000);
  CHECK(x["groups"][0]["nodes_in_service"] == 2);
  CHECK(x["partitions"][0]["groups"] == nlohmann::json({"rack0", "rack1"}));
  CHECK(x["alone"].empty());
  CHECK(x["all"]["free_memory_mib"] == 36'000);
  CHECK(x["crossings"][0]["could"] == 2);
  CHECK(x["crossings"][0]["kept"]["own_disks"] == 1);
}

TEST_CASE("hgroups show of an instance names its nodes, and why no others") {
  auto r = ask(mixed(), {"show", "i2", "i0"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "Instance i2 (plain, 1000 MiB) on n01\n"
                    "  rack0 (its own): n01\n"
                    "  rack1: no: its disks are on its node alone and cannot "
                    "be copied\n"));
  CHECK(says(r.out, "  rack1: n10, n11\n"));
  auto x = json_of(mixed(), {"show", "i2"}, 0);
  CHECK(x["instances"][0]["groups"][1]["kept"] == "own_disks");
  r = ask(mixed(), {"show", "web"});
  CHECK(r.code == 1);
  CHECK(r.out.empty());
  CHECK(says(r.err, "there is no instance 'web' in this cluster"));
}

TEST_CASE("hgroups empty moves nothing without permission, and says so") {
  auto r = ask(mixed(), {"empty", "rack0"});
  CHECK(r.code == 3);
  CHECK(r.out
        == "Not reached: nothing crosses from group to group while "
           "--group-moves is never; --group-moves=asked permits it.\n");
  auto x = json_of(mixed(), {"empty", "rack0"}, 3);
  CHECK(x["reached"] == false);
  CHECK(x["group_moves"] == "never");
  CHECK(ask(mixed(), {"empty", "rack1"}).code == 0);
}

TEST_CASE("hgroups empty says how, or who is in the way") {
  auto c = mixed();
  auto r = ask(c, {"empty", "rack0", "--group-moves=asked"});
  CHECK(r.code == 3);
  CHECK(says(r.out, "rack0: cannot be emptied\n"
                    "  can go to no other group: i2\n"
                    "    rack1: its disks are on its node alone and cannot be "
                    "copied\n"));
  c.instances.pop_back();
  r = ask(c, {"empty", "rack0", "--group-moves=asked"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "rack0: can be emptied by 2 moves in 2 rounds, 4.9 GiB to "
                    "copy, at least "));
  CHECK(says(r.out, "  round 1: i1 n00:n01 => n1"));
  r = ask(c, {"empty", "--most-free", "--group-moves=asked", "-q"});
  CHECK(r.code == 0);
  CHECK_FALSE(says(r.out, "round 1: "));
  auto x = json_of(c, {"empty", "--all", "--group-moves=asked"}, 0);
  CHECK(x["reached"] == true);
  CHECK(x["chosen"] == nlohmann::json({"rack0"}));
  CHECK(x["verdicts"][0]["verdict"] == "can");
  CHECK(x["verdicts"][1]["moves"].size() == 2);
  CHECK(x["verdicts"][1]["rounds"] == 2);
}

TEST_CASE("hgroups empty names what is short") {
  auto c = planning::samples::racks(2, 1);
  add(c, 0, 6000);
  add(c, 1, 5000, disk_template::plain);
  auto words = std::vector<std::string>{"empty", "rack0", "--group-moves=auto"};
  auto r = ask(c, words);
  CHECK(r.code == 3);
  CHECK(says(r.out, "  1001 MiB memory are missing on external/ext: its "
                    "instances and others that may only be in rack1 take 11000 "
                    "in all, and there are 9999\n"));
  auto x = json_of(c, words, 3);
  CHECK(x["verdicts"][0]["lacks"]["missing"] == 1001);
  CHECK(x["verdicts"][0]["lacks"]["resource"] == "memory_mib");
  CHECK(x["verdicts"][0]["lacks"]["pools"] == nlohmann::json({"external/ext"}));
}

TEST_CASE("hgroups empty takes one of a group, --most-free and --all") {
  for (const auto& words : {std::vector<std::string>{"empty"},
                            {"empty", "rack0", "--most-free"},
                            {"empty", "--most-free", "--all"},
                            {"show", "-X"},
                            {"empty", "rack0", "rack1"}}) {
    auto r = ask(mixed(), words);
    CHECK(r.code == 2);
    CHECK(r.out.empty());
  }
  auto r = ask(mixed(), {"empty", "rack9", "--group-moves=asked"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "there is no group 'rack9'"));
}

namespace {} // namespace

TEST_CASE("hgroups redistribute heals a group with the room of another one") {
  auto c = one_too_many();
  auto words = std::vector<std::string>{"redistribute", "--group-moves=repair"};
  auto r = ask(c, words);
  CHECK(r.code == 0);
  CHECK(says(r.out, "rack0: unhealthy; well after 1 instance left it\n"
                    "Plan: 1 move in 1 round, 0.0 GiB to copy"));
  CHECK(says(r.out, "  round 1: i0 n00 => n1"));
  auto x = json_of(c, words, 0);
  CHECK(x["reached"] == true);
  CHECK(x["groups"][0]["healed"] == true);
  CHECK(x["groups"][0]["crossings"] == 1);
  CHECK(x["moves"][0]["instance"] == "i0");
}

TEST_CASE("hgroups redistribute says what lacks, who is pinned, and what is "
          "forbidden") {
  auto c = one_too_many();
  for (auto n : {3, 4, 5})
    add(c, n, 8000, disk_template::plain);
  auto words = std::vector<std::string>{"redistribute", "--group-moves=auto"};
  auto r = ask(c, words);
  CHECK(r.code == 3);
  CHECK(says(r.out, "rack0: unhealthy, and stays so\n"
                    "  rack0 lacks 6000 MiB on external/ext\n"
                    "Not reached: a group could not be healed wholly.\n"));
  auto x = json_of(c, words, 3);
  CHECK(x["groups"][0]["lacks"][0]["memory_mib"] == 6000);
  CHECK(x["groups"][0]["lacks"][0]["pool"] == "external/ext");
  planning::samples::lose(c, 2);
  CHECK(says(ask(c, words).out, "  i2 on n02: its disks (plain) are on n02 "
                                "alone and cannot be moved\n"));
  r = ask(c, {"redistribute"});
  CHECK(r.code == 3);
  CHECK(says(r.out, "Not reached: repairs do not cross from group to group "
                    "while --group-moves is never; --group-moves=repair "
                    "permits it.\n"));
  CHECK(ask(c, {"redistribute", "rack0"}).code == 2);
  r = ask(mixed(), {"redistribute"});
  CHECK(r.code == 0);
  CHECK(r.out == "Every group is healthy: there is nothing to do.\n");
}

TEST_CASE("hgroups load evens groups, and says why not") {
  auto c = planning::samples::racks(2, 3);
  for (int k = 0; k < 6; ++k)
    add(c, k % 3, 2000);
  auto r = ask(c, {"load", "--group-moves=auto"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "Use of memory: mean 0.200, score 0.2000, after the plan "
                    "0.0000, never below 0.0000\n"
                    "  rack0: 0.400 => 0.200 (an outlier)\n"));
  CHECK(says(r.out, "Plan: 3 moves in "));
  auto x = json_of(c, {"load", "--group-moves=auto"}, 0);
  CHECK(x["moves"].size() == 3);
  CHECK(x["measures"][0]["measure"] == "memory");
  CHECK(x["measures"][0]["score_before"].get<double>() == Approx(0.2));
  CHECK(x["measures"][0]["outliers_after"].empty());
  r = ask(c, {"load", "--group-moves=repair"});
  CHECK(r.code == 3);
  CHECK(says(r.out, "Not reached: load does not cross from group to group "
                    "while --group-moves is repair; --group-moves=auto permits "
                    "it.\n"));
  for (auto& i : c.instances)
    i.disks = disk_template::plain;
  r = ask(c, {"load", "--group-moves=auto"});
  CHECK(r.code == 3);
  CHECK(says(r.out, "Not reached: rack0, rack1 stay more than 0.15 off the "
                    "mean.\n"));
  r = ask(mixed(), {"load"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "No group is an outlier: there is nothing to do.\n"));
}

TEST_CASE("hgroups load counts CPU where a file says what is used") {
  auto c = planning::samples::racks(2, 2);
  add(c, 0, 1000);
  add(c, 1, 1000);
  draft load_file{"i0 60 1 1 1\ni1 60 1 1 1\n"};
  auto x
    = json_of(c, {"load", "-U", load_file.path(), "--group-moves=auto"}, 0);
  CHECK(x["measures"][0]["measure"] == "cpu");
  CHECK(x["measures"][0]["outliers_before"]
        == nlohmann::json({"rack0", "rack1"}));
  CHECK(x["measures"][1]["outliers_before"].empty());
  CHECK(x["moves"].size() == 1);
}

TEST_CASE("-S writes the cluster before and after") {
  auto c = one_too_many();
  draft file{""};
  auto r = ask(c, {"redistribute", "--group-moves=repair", "-S", file.path()});
  CHECK(r.code == 0);
  auto after = file.path() + ".after";
  auto again = outcome_of([&](auto to) {
    return run_tool(tool::hgroups, {"redistribute", "-t", after}, to);
  });
  CHECK(says(again.out, "Every group is healthy"));
  CHECK(std::filesystem::remove(after));
  CHECK(std::filesystem::remove(file.path() + ".original"));
}

TEST_CASE("hgroups ends with 2 where it was called wrongly, and has help") {
  CHECK(ask(mixed(), {"shw"}).code == 2);
  CHECK(says(ask(mixed(), {"shw"}).err, "there is no command 'shw'"));
  CHECK(ask(mixed(), {"--bogus"}).code == 2);
  auto r = ask(mixed(), {"--group-moves=yes"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "'yes' is none of never, asked, repair and auto"));
  CHECK(ask(mixed(), {"--version"}).code == 0);
  auto help = ask(mixed(), {"--help"});
  CHECK(help.code == 0);
  CHECK(says(help.out, "Nothing crosses without --group-moves"));
  CHECK(says(ask(mixed(), {"--help-completion"}).out,
             "--group-moves choices=never,asked,repair,auto\n"));
}

} // namespace orderly::hgroups_test
