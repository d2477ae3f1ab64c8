// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/faults/faults.hpp"
#include "sim/swarm/any_fault.hpp"
#include "sim/swarm/hunt.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace orderly::swarm_hunt_test {

using namespace orderly::sim;

namespace {

swarm_options brief() {
  swarm_options options;
  options.nodes = 5;
  options.instances = 10;
  options.faults_for = minutes{20};
  options.quiet_for = minutes{20};
  return options;
}

journal_entry decided(const object_id& object, const std::string& code) {
  journal_entry e;
  e.kind = entry_kind::decision;
  e.object = object;
  e.code = code;
  return e;
}

bool is_well(const std::string& text) {
  auto order = parse_fault(text);
  return order.ok();
}

} // namespace

TEST_CASE("every verb of the faults is a sort, with each of its choices") {
  std::set<std::string> names;
  std::set<std::string> verbs;
  for (const auto& x : fault_sorts()) {
    INFO(x.name);
    CHECK(names.insert(x.name).second);
    verbs.insert(x.verb);
  }
  CHECK(fault_help().size() == verbs.size());
  for (const auto* name :
       {"power off", "crash", "bmc slow", "bmc dies-with-node", "jobs fail",
        "job-durations", "luxi drop-replies on", "luxi down", "fail-next lost",
        "node returned", "master", "tag add", "health unknown"}) {
    INFO(name);
    CHECK(names.count(name) == 1);
  }
}

TEST_CASE("a fault has the sort of its verb and choice") {
  REQUIRE(sort_of("bmc node3@oob-pdu slow 30s") != nullptr);
  CHECK(sort_of("bmc node3@oob-pdu slow 30s")->name == "bmc slow");
  CHECK(sort_of("luxi drop-replies on")->object.empty());
  CHECK(sort_of("node node3 returned")->object == "NODE");
  CHECK(sort_of("nothing of this kind") == nullptr);
}

TEST_CASE("whatever is drawn can be done, and made good again") {
  auto plan = *plan_named("small-5n", 1);
  auto d = dice_for(1, "test");
  std::size_t drawn = 0;
  for (const auto& sort : fault_sorts()) {
    auto x = draw_fault(d, plan, sort);
    if (!x)
      continue;
    INFO(x->fault << " / " << x->repair);
    ++drawn;
    REQUIRE(is_well(x->fault));
    CHECK(sort_of(x->fault)->name == sort.name);
    lab_state lab{plan};
    lab.advance(lab_epoch);
    CHECK(apply(*parse_fault(x->fault), lab).empty());
    if (x->repair.empty())
      continue;
    REQUIRE(is_well(x->repair));
    CHECK(apply(*parse_fault(x->repair), lab).empty());
  }
  CHECK(drawn >= 35);
}

TEST_CASE("a fault that is asked for one node is about that node") {
  auto plan = *plan_named("small-5n", 1);
  auto d = dice_for(1, "test");
  auto x = draw_fault(d, plan, *sort_of("network node1 cut"), "node4");
  REQUIRE(x);
  CHECK(x->fault == "network node4 cut");
  CHECK(x->repair == "network node4 heal");
  auto moved = draw_fault(d, plan, *sort_of("master node2"), "node2");
  REQUIRE(moved);
  CHECK(moved->repair == "master " + plan.master);
}

TEST_CASE("a fault meets the state of what it names, others all unrest") {
  onlooker x;
  x.entry(decided("node:node2", "available"), lab_epoch);
  x.entry(decided("node:node3", "available"), lab_epoch);
  x.entry(decided("node:node3", "suspect"), lab_epoch + seconds{5});
  x.entry(decided("node:node3", "proof"), lab_epoch + seconds{6});
  x.entry(decided("instance:web3", "pending"), lab_epoch + seconds{7});
  x.fault("power node2 off");
  CHECK(x.met() == std::set<state_and_fault>{{"node available", "power off"}});
  x.fault("bmc node3@oob-pdu hang");
  x.fault("luxi down");
  x.fault("orderly power off node3 --yes");
  CHECK(x.met()
        == std::set<state_and_fault>{{"node available", "power off"},
                                     {"node suspect", "bmc hang"},
                                     {"node suspect", "luxi down"},
                                     {"instance pending", "luxi down"},
                                     {"node suspect", "orderly power off"}});
  REQUIRE(x.stays().size() == 4);
  CHECK(x.stays()[1].to == lab_epoch + seconds{5});
  CHECK(x.stays()[2].state == "node suspect");
  CHECK(x.stays()[2].to == never);
}

TEST_CASE("what a hunt knows is read back as it was written") {
  hunt_state x;
  x.next_seed = 4711;
  x.runs = 12;
  x.found["S1"] = 3;
  x.met[{"node fencing", "luxi drop-replies on"}] = 7;
  auto again = read_state(write_state(x));
  REQUIRE(again.ok());
  CHECK(*again == x);
  CHECK(!read_state("").ok());
  CHECK(!read_state(write_state(x) + "and then\n").ok());
  CHECK(!read_state(write_state(x) + "met 3 no pair\n").ok());
}

TEST_CASE("a run is varied by a fault in a state that was met least") {
  auto options = brief();
  auto run = draw_run(5, options);
  auto seen = play(run.story, run.rules);
  REQUIRE(!seen.stays.empty());
  coverage met;
  count(met, seen.met);
  auto one = vary(run, seen, met, options.faults_for, 1);
  auto same = vary(run, seen, met, options.faults_for, 1);
  REQUIRE(one);
  REQUIRE(same);
  CHECK(one->story.text == same->story.text);
  CHECK(one->story.events.size() > run.story.events.size());
  CHECK(one->story.events.back().at <= options.faults_for);
  // Up to the new fault it is the same run, so that the pair is really met.
  auto outcome = play(one->story, one->rules);
  std::size_t fresh = 0;
  for (const auto& pair : outcome.met)
    fresh += met.count(pair) == 0 ? 1 : 0;
  CHECK(fresh > 0);
}

TEST_CASE("a hunt says which pairs were never met") {
  coverage met;
  auto nothing = never_met(met);
  CHECK(nothing.find("0 of ") == 0);
  CHECK(nothing.find("power off never met: ") != std::string::npos);
  for (const auto& pair : all_pairs())
    met[pair] = 1;
  auto all = never_met(met);
  CHECK(all.find("never met") == std::string::npos);
}

} // namespace orderly::swarm_hunt_test
