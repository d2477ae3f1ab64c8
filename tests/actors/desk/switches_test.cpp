// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The switches of host HA at the desk: answered when they are on disk, told on
// at once, and known after a crash.

#include "messages/codes.hpp"
#include "tests/actors/desk/desk_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::desk_switches_test {

namespace {

errand_request turn(ha_action action, std::vector<std::string> names,
                    ha_scope scope = ha_scope::nodes,
                    std::string provider = {}) {
  return request(
    ha_errand{action, scope, std::move(names), std::move(provider)});
}

ha_card card_of(desk_rig& b, const node_name& node) {
  auto sheet = b.ask(turn(ha_action::list, {node}));
  REQUIRE(sheet.rows.size() == 1);
  REQUIRE(sheet.rows.front().ha);
  return *sheet.rows.front().ha;
}

bool is_told_off(const desk_rig& b, const node_name& node) {
  const auto& nodes = b.world->held.back().switches.nodes;
  auto i = nodes.find(node);
  return i != nodes.end() && i->second.enabled == false;
}

} // namespace

TEST_CASE("who is disabled is shown so at once, told on, and kept") {
  desk_rig b;
  b.read();
  CHECK(card_of(b, "n1").treated);
  auto sheet = b.ask(turn(ha_action::disable, {"n1"}));
  CHECK(sheet.refusal.empty());
  CHECK(sheet.ended != never);
  CHECK_FALSE(sheet.failed);
  CHECK(is_told_off(b, "n1"));
  auto card = card_of(b, "n1");
  CHECK_FALSE(card.enabled);
  CHECK(card.state == ha_phase::disabled);
  CHECK(card.why == "disabled for it by bob");
  CHECK(card_of(b, "n2").treated);
  CHECK(b.book->count(codes::ha_disabled) == 1);
  b.crash();
  b.boot();
  b.read();
  CHECK(card_of(b, "n1").state == ha_phase::disabled);
  CHECK(is_told_off(b, "n1"));
  b.ask(turn(ha_action::enable, {"n1"}));
  CHECK(card_of(b, "n1").treated);
  CHECK_FALSE(is_told_off(b, "n1"));
}

TEST_CASE("a group and the cluster have switches of their own") {
  desk_rig b;
  b.read();
  auto all = b.ask(turn(ha_action::disable, {}, ha_scope::cluster));
  CHECK(all.refusal.empty());
  CHECK_FALSE(card_of(b, "n1").treated);
  CHECK(card_of(b, "n1").enabled);
  b.ask(turn(ha_action::enable, {}, ha_scope::cluster));
  CHECK(card_of(b, "n1").treated);
  auto none = b.ask(turn(ha_action::disable, {"nosuch"}, ha_scope::group));
  CHECK(none.refusal_kind == refused_for::not_found);
}

TEST_CASE("an order that is partly bad does the rest and says so") {
  desk_rig b;
  b.read();
  auto sheet = b.ask(turn(ha_action::disable, {"nosuch", "n2"}));
  CHECK(sheet.refusal.empty());
  CHECK(sheet.failed);
  REQUIRE(sheet.rows.size() == 2);
  CHECK(sheet.rows[0].state == row_state::failed);
  CHECK(sheet.rows[1].state == row_state::done);
  CHECK_FALSE(card_of(b, "n2").treated);
}

TEST_CASE("a refused order of a switch writes nothing") {
  desk_rig b;
  b.read();
  auto before = b.book->entries.size();
  auto sheet
    = b.ask(turn(ha_action::configure, {"n1"}, ha_scope::nodes, "nosuch"));
  CHECK(sheet.refusal_kind == refused_for::usage);
  CHECK(b.book->entries.size() == before);
  auto dry = turn(ha_action::disable, {"n1"});
  dry.dry = true;
  CHECK(b.ask(dry).refusal.empty());
  CHECK(b.book->entries.size() == before);
  CHECK(card_of(b, "n1").treated);
}

TEST_CASE("without the right to act no switch is turned, and all are shown") {
  desk_rig b;
  b.read();
  b.is_master = false;
  b.run_for(minutes{2});
  auto sheet = b.ask(turn(ha_action::disable, {"n1"}));
  CHECK(sheet.refusal_kind == refused_for::state);
  CHECK(card_of(b, "n1").treated);
}

TEST_CASE("the settings of host HA are shown with where they come from") {
  desk_rig b;
  b.read();
  auto sheet = b.ask(turn(ha_action::settings, {}));
  auto i
    = std::find_if(sheet.rows.begin(), sheet.rows.end(), [](const auto& x) {
        return x.object == "host_ha.degraded_period";
      });
  REQUIRE(i != sheet.rows.end());
  CHECK(i->text == "300");
  CHECK(i->step == "default");
  CHECK(
    b.ask(turn(ha_action::settings, {"nosuch"}, ha_scope::group)).refusal_kind
    == refused_for::not_found);
}

TEST_CASE("providers are listed by the hypervisors that they are for") {
  desk_rig b;
  b.read();
  auto names = [&](std::vector<std::string> wanted) {
    std::vector<std::string> result;
    for (const auto& x : b.ask(turn(ha_action::providers, wanted)).rows)
      result.push_back(x.object);
    return result;
  };
  using list = std::vector<std::string>;
  CHECK(names({}) == list{"ganeti", "kvmhaprovider", "simulatorhaprovider"});
  CHECK(names({"KVM"}) == list{"ganeti", "kvmhaprovider"});
  CHECK(names({"simulator"}) == list{"simulatorhaprovider"});
  CHECK(b.ask(turn(ha_action::providers, {"nosuch"})).refusal_kind
        == refused_for::not_found);
}

} // namespace orderly::desk_switches_test
