// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/eligibility.hpp"

#include <catch2/catch.hpp>

namespace orderly::host_ha_eligibility_test {

namespace {

eligibility_input usual() {
  eligibility_input in;
  in.node.name = "node3";
  in.program = "/usr/lib/orderly/oob-ipmi";
  in.neighbours = 2;
  return in;
}

std::string why_not(const eligibility_input& in) {
  auto answer = eligible(in);
  CHECK(answer.eligible == answer.reason.empty());
  return answer.reason;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a node with power control and a neighbour is eligible") {
  CHECK(eligible(usual()).eligible);
  CHECK(why_not(usual()).empty());
}

TEST_CASE("a drained node is eligible") {
  auto in = usual();
  in.node.drained = true;
  CHECK(eligible(in).eligible);
}

TEST_CASE("an offline mark counts unless it is our own") {
  auto in = usual();
  in.node.offline = true;
  CHECK(why_not(in) == "marked offline");
  in.ha_maintenance = true;
  CHECK(eligible(in).eligible);
}

TEST_CASE("own node and master node are never treated") {
  auto in = usual();
  in.is_self = true;
  CHECK(why_not(in) == "orderly runs on it: never fence own node");
  in = usual();
  in.is_master = true;
  CHECK(contains(why_not(in), "master node"));
  in.is_self = true;
  CHECK(contains(why_not(in), "own node"));
}

TEST_CASE("a node without instances is not treated") {
  auto in = usual();
  in.node.vm_capable = false;
  CHECK(contains(why_not(in), "vm_capable"));
}

TEST_CASE("no power control says what to set") {
  auto in = usual();
  in.program = "";
  CHECK(contains(why_not(in), "no power control: "));
  CHECK(contains(why_not(in), "oob_program"));
  CHECK(contains(why_not(in), "node3"));
}

TEST_CASE("the opt-out mark is told apart from a missing program") {
  auto in = usual();
  in.program = "";
  in.node.oob_program = "!";
  CHECK(contains(why_not(in), "no power control: "));
  CHECK(contains(why_not(in), "\"!\""));
}

TEST_CASE("a node that is recorded off is left alone, but for our own fence") {
  auto in = usual();
  in.recorded_on = false;
  CHECK(contains(why_not(in), "recorded powered off"));
  CHECK(contains(why_not(in), "node3"));
  in.ha_maintenance = true;
  CHECK(eligible(in).eligible);
}

TEST_CASE("an unprotected node is not treated, and the reason is named") {
  auto in = usual();
  in.unprotected = "OOB program execution failed (no route)";
  CHECK(why_not(in) == "unprotected: OOB program execution failed (no route)");
}

TEST_CASE("a node that a person holds is left alone before all else") {
  auto in = usual();
  in.held = "emergency power-off epo-1 by root";
  in.node.offline = true;
  CHECK(why_not(in) == in.held);
}

TEST_CASE("a node alone in its cluster is not treated") {
  auto in = usual();
  in.neighbours = 0;
  CHECK(contains(why_not(in), "no other node"));
}

TEST_CASE("the part of the rule that failed is named for programs") {
  struct {
    const char* what;
    criterion failed;
    void (*change)(eligibility_input&);
  } all[]{
    {"self", criterion::self, [](auto& x) { x.is_self = true; }},
    {"master", criterion::master, [](auto& x) { x.is_master = true; }},
    {"held", criterion::held, [](auto& x) { x.held = "worked on"; }},
    {"offline", criterion::maintenance, [](auto& x) { x.node.offline = true; }},
    {"off", criterion::recorded_off, [](auto& x) { x.recorded_on = false; }},
    {"no instances", criterion::not_vm_capable,
     [](auto& x) { x.node.vm_capable = false; }},
    {"no helper", criterion::no_power_control,
     [](auto& x) { x.program.clear(); }},
    {"silent controller", criterion::unprotected,
     [](auto& x) { x.unprotected = "silent"; }},
    {"alone", criterion::no_neighbour, [](auto& x) { x.neighbours = 0; }},
    {"unseen", criterion::unwatched, [](auto& x) { x.unwatched = "old"; }},
    {"foreign", criterion::hypervisor, [](auto& x) {
       x.provider = host_ha::provider_named("kvmhaprovider");
       x.family = host_ha::family::xen;
     }}};

  CHECK(eligible(usual()).failed == criterion::none);
  for (const auto& one : all) {
    INFO(one.what);
    auto in = usual();
    one.change(in);
    CHECK(eligible(in).failed == one.failed);
    CHECK_FALSE(eligible(in).reason.empty());
  }
}

TEST_CASE("a node of a cluster whose hypervisor nobody told is served") {
  auto in = usual();
  in.provider = host_ha::provider_named("kvmhaprovider");
  CHECK(eligible(in).eligible);
  in.family = host_ha::family::lxc;
  CHECK(eligible(in).eligible);
}

} // namespace orderly::host_ha_eligibility_test
