// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What people are told, where no law can see it: a story is played, and then
// status, nodes and plan are asked as a console asks them.

#include "io/http/plan.hpp"
#include "sim/lab/lab.hpp"
#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace orderly::mutants_words_mutants_test {

using namespace orderly::mutants;

namespace {

struct told {
  findings found;
  view_answer all;
  nlohmann::json plan;

  [[nodiscard]] const node_row& node(const node_name& name) const {
    auto i = std::find_if(all.nodes.begin(), all.nodes.end(),
                          [&](const auto& x) { return x.name == name; });
    REQUIRE(i != all.nodes.end());
    return *i;
  }

  /// What is planned of it; empty: nothing.
  [[nodiscard]] std::string act_of(const std::string& object) const {
    for (const auto& x : plan["acts"])
      if (x["object"] == object)
        return x["what"];
    return {};
  }

  /// The exit code of `orderly plan`.
  [[nodiscard]] int exit_code() const { return plan["something"] ? 10 : 0; }

  /// An alert was written that says so.
  [[nodiscard]] bool alerted(const std::string& part) const {
    return found.story.find("ALERT " + part) != std::string::npos;
  }
};

told hear(const std::string& text, const names& defects = {}) {
  told result;
  result.found = run(quick + text, defects, [&](sim::lab& lab) {
    auto& all = result.all;
    all = lab.ask({view_subject::nodes, {}, 100, 0});
    all.instances = lab.ask({view_subject::instances, {}, 100, 0}).instances;
    all.status = lab.ask({}).status;
    result.plan = io::http::render_next(all, {});
  });
  CHECK(result.found.laws == names{});
  return result;
}

/// node5 dies when the one fence of this hour is spent.
const std::string spent = "set budget.fences_per_hour_max 1\n"
                          "set host_ha.recovery_attempts_max 0\n"
                          "at 2m crash node3\n"
                          "at 20m crash node5\n"
                          "run 30m\n";

/// Nothing destructive is begun, and a dead node waits for that.
const std::string paused = "set host_ha.recovery_attempts_max 0\n"
                           "at 1m pause on\n"
                           "at 2m power node3 off\n"
                           "run 10m\n";

} // namespace

TEST_CASE("a spent budget is told as a guard, and the defect that keeps silent "
          "about it is seen") {
  auto right = hear(spent);
  CHECK(right.all.status.guard.budget);
  CHECK(right.alerted("budget"));
  CHECK(right.exit_code() == 10);
  auto wrong = hear(spent, {"spent-is-silent"});
  CHECK_FALSE(wrong.all.status.guard.budget);
  CHECK_FALSE(wrong.alerted("budget"));
}

TEST_CASE("a fence that waits is something to do, and the defect that counts "
          "only what is done is seen") {
  CHECK(hear(spent).exit_code() == 10);
  CHECK(hear(spent, {"waiting-is-nothing"}).exit_code() == 0);
  CHECK(hear(paused).exit_code() == 10);
  CHECK(hear(paused, {"waiting-is-nothing"}).exit_code() == 0);
}

TEST_CASE("a fence is called one in the plan, and the defect that calls it a "
          "reset is seen") {
  CHECK(hear(paused).act_of("node3") == "fence");
  CHECK(hear(paused, {"fence-is-called-reset"}).act_of("node3") == "reset");
}

TEST_CASE("after a power-on nobody is said to want the node off, and the "
          "defect that says so is seen") {
  const std::string text = "at 2m orderly power off node3 --yes\n"
                           "at 10m orderly power on node3\n"
                           "run 12m\n";
  auto wanted_off = [&text](const names& defects) {
    auto x = hear(text, defects);
    const auto& why = x.node("node3").standing.reason;
    INFO(why);
    return why.find("tester wants it off") != std::string::npos;
  };
  CHECK_FALSE(wanted_off({}));
  CHECK(wanted_off({"old-wish-is-told"}));
}

TEST_CASE("an accepted power-off is told of its node while it waits, and the "
          "defect that hides it is seen") {
  const std::string text = "at 1m job-durations x40\n"
                           "at 2m orderly power off node3 --yes\n"
                           "run 2m10s\n";
  auto right = hear(text);
  REQUIRE(right.node("node3").ordered);
  CHECK(right.node("node3").ordered->verb == power_verb::off);
  CHECK(right.act_of("node3") == "order");
  CHECK(right.exit_code() == 10);
  auto wrong = hear(text, {"orders-are-not-shown"});
  CHECK_FALSE(wrong.node("node3").ordered);
  CHECK(wrong.act_of("node3").empty());
  CHECK(wrong.exit_code() == 0);
}

} // namespace orderly::mutants_words_mutants_test
