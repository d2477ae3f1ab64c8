// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/mutants/trial.hpp"

#include "sim/drill.hpp"
#include "tests/mutants/switch.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants {

const std::string quick = "world small-5n\n"
                          "set cluster.poll_interval 2s\n"
                          "set host_ha.check_interval 1s\n"
                          "set host_ha.check_timeout 1s\n"
                          "set host_ha.activity_timeout 1s\n"
                          "set host_ha.activity_interval_base 4s\n"
                          "set host_ha.activity_interval_max 9s\n"
                          "set host_ha.activity_checks 4\n"
                          "set storm.settle 6s\n";

namespace {

/// A broken law stops the lab after each step; we want to see the rest.
void go_to(sim::lab& lab, instant end) {
  while (lab.now() < end)
    lab.run_until(end);
}

} // namespace

findings run(const std::string& text, const names& wanted) {
  auto d = sim::parse_drill(text, "trial");
  REQUIRE(d.ok());
  REQUIRE(d->triggers.empty());
  auto rules = sim::settings_of(*d, ".");
  REQUIRE(rules.ok());
  auto plan = sim::plan_named(d->world, d->seed);
  REQUIRE(plan.ok());
  defects active{wanted};
  sim::lab lab{*plan, *rules, d->seed};
  findings result;
  lab.on_line = [&](instant at, const std::string& who,
                    const std::string& what) {
    result.story += sim::stamp(lab.start(), at) + " " + who + " " + what + "\n";
  };
  for (const auto& e : d->events) {
    go_to(lab, lab.start() + e.at);
    auto trouble = lab.apply(e.fault);
    INFO(e.fault + ": " + trouble);
    REQUIRE(trouble.empty());
  }
  go_to(lab, lab.start() + d->length);
  lab.check_liveness();
  for (const auto& x : lab.broken()) {
    result.laws.insert(x.name);
    result.story += x.sentence + "\n";
  }
  result.trace_hash = lab.trace_hash();
  INFO(result.story);
  REQUIRE(active.unreached() == names{});
  return result;
}

void shows(const std::string& text, const names& wanted, const names& laws) {
  SECTION("without the defect all laws are kept") {
    auto found = run(quick + text);
    INFO(found.story);
    CHECK(found.laws == names{});
  }
  SECTION("with the defect they are broken") {
    auto found = run(quick + text, wanted);
    INFO(found.story);
    CHECK(found.laws == laws);
  }
}

} // namespace orderly::mutants
