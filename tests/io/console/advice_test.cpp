// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// `orderly advice`, `orderly explain` of an instance, and `orderly repair`.

#include "tests/io/console/run.hpp"

namespace orderly::console_advice_test {

using namespace orderly::test;
using namespace orderly::io::console;
using nlohmann::json;

TEST_CASE("advice is a table of what is wrong and what will be done") {
  site at;
  at.actors.all.instances.push_back(healthy_instance("calm"));
  auto x = orderly_cli(at.socket(), {"advice"});
  CHECK(x.code == exit_ok);
  CHECK(x.err.empty());
  CHECK(starts_with(x.out, "INSTANCE  PHASE         NEEDED    ALLOWED  OUTLOOK"
                           "        ADVICE\n"));
  CHECK(contains(x.out, "web1      needs-repair  failover  migrate  "
                        "not-permitted  nothing will be done because"));
  CHECK_FALSE(contains(x.out, "calm"));
  auto all = orderly_cli(at.socket(), {"advice", "--all", "--no-headers"});
  CHECK(starts_with(all.out, "calm  healthy"));
}

TEST_CASE("advice is filtered by the daemon") {
  site at;
  at.actors.all.instances.push_back(healthy_instance("calm"));
  auto names = [&at](std::vector<const char*> words) {
    words.insert(words.begin(), {"--no-headers", "--separator", "|", "advice"});
    std::string all;
    std::istringstream lines{orderly_cli(at.socket(), words).out};
    for (std::string line; std::getline(lines, line);)
      all += line.substr(0, line.find('|')) + " ";
    return all;
  };
  CHECK(names({"--phase", "healthy"}) == "calm ");
  CHECK(names({"--needed", "failover"}) == "web1 ");
  CHECK(names({"--needed", "migrate"}).empty());
}

TEST_CASE("advice of many pages is printed as one") {
  site at;
  at.actors.all.instances.clear();
  for (int i = 0; i < 4500; ++i) {
    auto number = std::to_string(i);
    at.actors.all.instances.push_back(
      healthy_instance("i" + std::string(4 - number.size(), '0') + number));
  }
  auto x = orderly_cli(at.socket(), {"advice", "--all", "--output", "json"});
  REQUIRE(x.code == exit_ok);
  auto body = json::parse(x.out, nullptr, false);
  REQUIRE(body["instances"].size() == 4500);
  CHECK(body["instances"][0]["name"] == "i0000");
  CHECK(body["instances"][4499]["name"] == "i4499");
  CHECK(body["cut"] == false);
}

TEST_CASE("a daemon whose pages do not get ahead ends the advice") {
  int asked = 0;
  site at{{}, [&asked](io::http::request, io::http::reply done) {
            ++asked;
            done(answer_of(R"({"instances":[{"name":"a"}],"next_after":"a"})"));
          }};
  CHECK(orderly_cli(at.socket(), {"advice"}).code == exit_ok);
  CHECK(asked == 2);
}

TEST_CASE("advice says on stderr what keeps orderly from acting") {
  site at;
  at.actors.all.status.autorepair_mode = repair_mode::observe;
  auto x = orderly_cli(at.socket(), {"advice"});
  CHECK(x.code == exit_ok);
  CHECK(x.err == "orderly: acts on instances: no, observes only\n");
  at.actors.all.status.right_to_act = {false, never, "node7 is master"};
  CHECK(contains(orderly_cli(at.socket(), {"advice"}).err,
                 "nothing is begun because this orderlyd has no right to act: "
                 "node7 is master"));
}

TEST_CASE("status tells the mode of auto-repair") {
  site at;
  auto line = [&at](repair_mode mode) {
    at.actors.all.status.autorepair_mode = mode;
    auto out = orderly_cli(at.socket(), {"status"}).out;
    auto from = out.find("acts on instances");
    return out.substr(from, out.find('\n', from) - from);
  };
  CHECK(line(repair_mode::act) == "acts on instances  yes");
  CHECK(line(repair_mode::observe) == "acts on instances  no, observes only");
  CHECK(line(repair_mode::off) == "acts on instances  no, auto-repair is off");
}

TEST_CASE("explain of an instance has advice, jobs, remarks and its nodes") {
  site at;
  auto& web = at.actors.all.instances[0].standing;
  web.incident = "0f3a";
  web.jobs = {12, 14};
  web.remarks = {"tag x has no time", "tag y is empty"};
  auto x = orderly_cli(at.socket(), {"explain", "web1"});
  CHECK(x.code == exit_ok);
  for (const char* part :
       {"nothing will be done because it takes failover",
        "primary node2 is offline\n", "0f3a\n", "12, 14\n",
        "tag x has no time\n", "tag y is empty\n",
        "somebody to permit failover\n", "node2  -      fenced",
        "nothing moved in 10 checks\n"}) {
    INFO(part << "\n" << x.out);
    CHECK(contains(x.out, part));
  }
}

TEST_CASE("a reinstall is told with what it destroys, and what may live") {
  site at;
  auto& web = at.actors.all.instances[0].standing;
  web.needed = repair_type::reinstall;
  auto x = orderly_cli(at.socket(), {"explain", "web1"});
  CHECK(contains(x.out, "reinstall, which destroys the data of web1\n"));
  web.may_live = {"node1", "node2"};
  x = orderly_cli(at.socket(), {"explain", "web1"});
  CHECK(contains(x.out, "of web1: not while a copy of it may live\n"));
  CHECK(contains(x.out, "node1, node2\n"));
}

TEST_CASE("repair says on stderr which repair was asked for") {
  site at;
  auto x = orderly_cli(at.socket(), {"repair", "web1", "--type", "failover"});
  CHECK(x.code == exit_ok);
  CHECK(x.out.empty());
  CHECK(x.err == "orderly: repair 0f3a: the pending tag is written\n");
  REQUIRE(at.actors.repairs.size() == 1);
  CHECK(at.actors.repairs[0].type == repair_type::failover);
  auto printed = orderly_cli(
    at.socket(), {"repair", "web1", "--type", "migrate", "--output", "json"});
  CHECK(json::parse(printed.out)["repair"] == "0f3a");
}

TEST_CASE("repair where nobody acts says so") {
  site at;
  at.actors.all.status.autorepair_mode = repair_mode::off;
  auto x = orderly_cli(at.socket(), {"repair", "web1", "--type", "failover"});
  CHECK(x.code == exit_ok);
  CHECK(contains(x.err, "auto-repair is off here (autorepair.enabled)"));
}

TEST_CASE("a repair that cannot be is told by the exit code") {
  site at;
  auto none = orderly_cli(at.socket(), {"repair", "a/b?", "--type", "migrate"});
  CHECK(none.code == exit_not_found);
  CHECK(contains(none.err, "'a/b?'"));
  at.actors.repair_result = repair_answer{false, "", "web1 is suspended"};
  auto refused
    = orderly_cli(at.socket(), {"repair", "web1", "--type", "migrate"});
  CHECK(refused.code == exit_refused);
  CHECK(refused.err == "orderly: web1 is suspended\n");
  at.actors.all.status.right_to_act.held = false;
  CHECK(orderly_cli(at.socket(), {"repair", "web1", "--type", "migrate"}).code
        == exit_refused);
}

TEST_CASE("wrong words for advice and repair end with 2 and name the choices") {
  auto bad_type = parsed({"repair", "web1", "--type", "reboot"});
  CHECK(bad_type.code == exit_usage);
  CHECK(contains(bad_type.text, "fix-storage"));
  for (auto words :
       std::vector<std::vector<const char*>>{{"repair", "web1"},
                                             {"repair", "--type", "migrate"},
                                             {"advice", "--phase", "broken"},
                                             {"advice", "--needed", "reboot"},
                                             {"advice", "web1"}}) {
    auto x = parsed(words);
    CHECK_FALSE(x.line);
    CHECK(x.code == exit_usage);
  }
  auto help = parsed({"repair", "--help"});
  CHECK(help.code == exit_ok);
  CHECK(contains(help.text, "orderly repair web1.example.com --type failover"));
  CHECK(contains(parsed({"advice", "--help"}).text, "orderly advice --needed"));
}

} // namespace orderly::console_advice_test
