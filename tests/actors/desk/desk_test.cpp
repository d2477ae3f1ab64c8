// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/desk/desk_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::desk_test {

namespace {

using Catch::Matchers::Contains;

errand_request power_of(const node_name& node) {
  return power(power_verb::status, {node});
}

row_state how(const errand_sheet& sheet, const std::string& object) {
  for (const auto& x : sheet.rows)
    if (x.object == object)
      return x.state;
  throw std::logic_error("no row of " + object);
}

void epo_is_whole(desk_rig& b, const errand_id& id) {
  auto sheet = b.sheet(id);
  CHECK(sheet.ended != never);
  CHECK_FALSE(sheet.failed);
  for (const char* name : {"i1", "i2"}) {
    CHECK(b.world->jobs_of(op_kind::instance_shutdown, name) == 1);
    CHECK(how(sheet, name) == row_state::done);
  }
  for (const char* name : {"n1", "n2"}) {
    CHECK(b.world->commands(name, power_verb::off) == 1);
    CHECK(b.world->power[name] == power_state::off);
    CHECK(b.world->node(name).offline);
    CHECK_FALSE(b.world->node(name).powered);
    CHECK(b.world->held.back().nodes.count(name) == 1);
  }
}

} // namespace

TEST_CASE("before the cluster was read the desk refuses") {
  desk_rig b;
  auto sheet = b.ask(power(power_verb::status, {}));
  CHECK_THAT(sheet.refusal, Contains("not read yet"));
  CHECK(sheet.id.empty());
}

TEST_CASE("the cluster actor is told of holds and records even if there are "
          "none") {
  desk_rig b;
  REQUIRE(b.world->held.size() == 1);
  CHECK(b.world->held[0].nodes.empty());
  CHECK(b.world->records.size() == 1);
}

TEST_CASE("an errand is in the journal before its first step") {
  desk_rig b;
  b.read();
  b.book->writes.answer = [](const journal_batch&) {
    return reply<journal_ack>{}; // hangs
  };
  auto answer
    = b.theatre.ask<errand_sheet>(b.desk, power(power_verb::off, {"n3"}));
  b.theatre.run_for(seconds{5});
  CHECK_FALSE(answer);
  CHECK(b.world->sent.empty());
  CHECK(b.world->orders.empty());
}

TEST_CASE("a power-off goes through mark, switch and record") {
  desk_rig b;
  b.read();
  auto first = b.ask(power(power_verb::off, {"n3"}));
  CHECK(first.id == "power-1");
  CHECK(how(first, "n3") == row_state::running);
  b.run_for(seconds{5});
  auto sheet = b.sheet(first.id);
  CHECK(sheet.ended != never);
  CHECK_FALSE(sheet.failed);
  CHECK(b.world->commands("n3", power_verb::off) == 1);
  CHECK(b.world->sent.size() == 2);
  CHECK(b.book->count("power-record") == 1);
  CHECK(b.world->attentions == 1);
  CHECK_FALSE(b.sheet("power-9").found);
}

TEST_CASE("a status right after a power-off knows the new record") {
  desk_rig b;
  b.read();
  b.ask(power(power_verb::off, {"n3"}));
  b.theatre.run_for(seconds{5}); // the cluster is not read meanwhile
  auto id = b.ask(power(power_verb::status, {"n3"})).id;
  b.theatre.run_for(seconds{2});
  auto sheet = b.sheet(id);
  CHECK(sheet.remarks.empty());
  CHECK_FALSE(sheet.rows.at(0).record->powered);
}

TEST_CASE("a mismatch alerts once as long as it stays the same") {
  desk_rig b;
  b.read();
  b.world->power["n3"] = power_state::off;
  for (int i = 0; i < 3; ++i) {
    auto id = b.ask(power(power_verb::status, {"n3"})).id;
    b.run_for(seconds{2});
    CHECK(b.sheet(id).remarks.size() == 1);
  }
  CHECK(b.alerts() == 1);
  CHECK(b.book->count("power-mismatch") == 3);
  CHECK(b.world->node("n3").powered);
  CHECK(b.world->sent.empty());
}

TEST_CASE("a mismatch that was corrected and comes back is an alert again") {
  desk_rig b;
  b.read();
  for (auto power : {power_state::off, power_state::on, power_state::off}) {
    b.world->power["n3"] = power;
    b.ask(power_of("n3"));
    b.run_for(seconds{2});
  }
  CHECK(b.alerts() == 2);
}

TEST_CASE("a node that was removed leaves no rehearsal and no mismatch") {
  desk_rig b;
  b.read();
  b.world->power["n3"] = power_state::off;
  b.ask(power_of("n3"));
  b.run_for(seconds{2});
  node_standing x;
  x.node = "n3";
  x.power_control.result = protection::proven;
  b.theatre.tell(b.desk, x);
  auto before = b.world->cluster.nodes;
  b.world->cluster.nodes.pop_back();
  b.read();
  b.world->cluster.nodes = before; // another machine of that name
  b.read();
  auto id = b.ask(power_of("n3")).id;
  b.run_for(seconds{2});
  CHECK(b.sheet(id).rows.at(0).power_check.result == protection::none);
  CHECK(b.alerts() == 2);
}

TEST_CASE("where the cluster keeps no record the journal does") {
  desk_rig b;
  auto rules = b.theatre.rules();
  rules.power.program = "/etc/ours";
  b.theatre.change(rules);
  b.world->node("n3").oob_program.clear();
  b.read();
  auto id = b.ask(power(power_verb::off, {"n3"})).id;
  b.run_for(seconds{4});
  CHECK_FALSE(b.sheet(id).rows.at(0).record->powered);
  CHECK(b.world->records.back().off == std::set<node_name>{"n3"});
  b.crash();
  b.boot();
  CHECK(b.world->records.back().off == std::set<node_name>{"n3"});
  b.read();
  b.ask(power(power_verb::on, {"n3"}));
  b.run_for(seconds{4});
  CHECK(b.world->records.back().off.empty());
  CHECK(b.book->states.count("powered:n3") == 0);
}

TEST_CASE("an epo holds automation off before it stops anything") {
  desk_rig b;
  b.read();
  auto id = b.ask(epo(false)).id;
  CHECK(b.world->held.back().nodes.size() == 2);
  REQUIRE(b.world->pauses.size() == 1);
  CHECK(b.world->pauses[0].until > b.theatre.now() + minutes{59});
  b.run_for(seconds{10});
  epo_is_whole(b, id);
  b.run_for(minutes{31});
  CHECK(b.world->pauses.size() == 2);
}

TEST_CASE("epo --on brings all of it back, and then lets the watcher go on") {
  desk_rig b;
  b.read();
  b.ask(epo(false));
  b.run_for(seconds{10});
  auto id = b.ask(epo(true)).id;
  b.run_for(seconds{60});
  auto sheet = b.sheet(id);
  CHECK(sheet.ended != never);
  CHECK_FALSE(sheet.failed);
  for (const char* name : {"n1", "n2"}) {
    CHECK(b.world->commands(name, power_verb::on) == 1);
    CHECK(b.world->node(name).powered);
    CHECK_FALSE(b.world->node(name).offline);
  }
  CHECK(b.world->jobs_of(op_kind::instance_startup, "i1") == 1);
  CHECK(b.world->jobs_of(op_kind::instance_startup, "i2") == 1);
  CHECK(b.world->held.back().nodes.empty());
  CHECK(b.world->pauses.back().until == never);
  CHECK(b.book->states.count("hold:n1") == 0);
}

TEST_CASE("an instance that stays up keeps the nodes on and ends the hold with "
          "the errand") {
  desk_rig b;
  b.read();
  b.world->failing.insert("instance-shutdown:i2");
  auto id = b.ask(epo(false)).id;
  b.run_for(seconds{10});
  auto sheet = b.sheet(id);
  CHECK(sheet.failed);
  CHECK(b.world->orders.empty());
  CHECK(b.world->held.back().nodes.empty());
  CHECK(b.book->states.count("hold:n1") == 0);
  CHECK(b.world->pauses.back().until == never);
}

TEST_CASE("an epo waits for a watcher that cannot be paused, and says so") {
  for (bool at_last : {true, false}) {
    desk_rig b;
    b.read();
    b.world->watcher_obeys = false;
    auto id = b.ask(epo(false)).id;
    b.run_for(minutes{2});
    CHECK(b.world->orders.empty());
    auto remarks = b.sheet(id).remarks;
    CHECK(std::any_of(remarks.begin(), remarks.end(), [](const auto& x) {
      return x.find("watcher could not be paused") != std::string::npos;
    }));
    b.world->watcher_obeys = at_last;
    b.run_for(minutes{12});
    if (at_last) {
      epo_is_whole(b, id);
      continue;
    }
    CHECK(b.sheet(id).failed);
    CHECK(b.world->orders.empty());
    CHECK(b.world->held.back().nodes.empty());
  }
}

TEST_CASE("a new wish is passed on at once to those who keep the nodes") {
  desk_rig b;
  b.read();
  power_wishes all;
  all.wishes["n1"] = {power_state::on, "bob", "", b.theatre.now(), {}};
  b.theatre.tell(b.desk, all);
  REQUIRE_FALSE(b.world->records.empty());
  CHECK(b.world->records.back().wishes == all.wishes);
}

TEST_CASE("a crash anywhere in an epo stops nothing twice") {
  // A turn is a fraction of a step: each of them is hit.
  for (int turn = 0; turn < 24; ++turn) {
    CAPTURE(turn);
    desk_rig b;
    b.read();
    auto id = b.ask(epo(false)).id;
    b.theatre.run_for(millis{250} * turn);
    b.crash();
    b.theatre.run_for(seconds{30});
    b.boot();
    b.read();
    CHECK(b.world->held.back().nodes.size() == 2);
    b.run_for(seconds{20});
    epo_is_whole(b, id);
  }
}

TEST_CASE("a crash anywhere in epo --on switches and starts nothing twice") {
  for (int turn = 0; turn < 24; ++turn) {
    CAPTURE(turn);
    desk_rig b;
    b.read();
    b.ask(epo(false));
    b.run_for(seconds{10});
    auto id = b.ask(epo(true)).id;
    b.theatre.run_for(millis{500} * turn);
    b.crash();
    b.boot();
    b.read();
    b.run_for(minutes{2});
    auto sheet = b.sheet(id);
    CHECK(sheet.ended != never);
    CHECK_FALSE(sheet.failed);
    for (const char* name : {"n1", "n2"})
      CHECK(b.world->commands(name, power_verb::on) == 1);
    for (const char* name : {"i1", "i2"})
      CHECK(b.world->jobs_of(op_kind::instance_startup, name) == 1);
    CHECK(b.world->held.back().nodes.empty());
  }
}

TEST_CASE("a reading that a restart cut off says so, and no id comes twice") {
  desk_rig b;
  b.read();
  auto id = b.ask(power(power_verb::status, {"n1"})).id;
  b.crash();
  b.boot();
  b.read();
  auto sheet = b.sheet(id);
  CHECK(sheet.ended != never);
  CHECK(sheet.failed);
  CHECK_THAT(sheet.rows.at(0).text, Contains("interrupted by a restart"));
  CHECK(b.ask(power(power_verb::status, {"n1"})).id != id);
}

TEST_CASE("errands that ended are forgotten, the oldest first") {
  desk_rig b;
  b.read();
  std::vector<errand_id> ids;
  for (std::size_t i = 0; i < desk_state::kept_max + 2; ++i) {
    ids.push_back(b.ask(power(power_verb::on, {"n3"})).id);
    b.run_for(seconds{2});
  }
  CHECK_FALSE(b.sheet(ids[0]).found);
  CHECK_FALSE(b.sheet(ids[1]).found);
  CHECK(b.sheet(ids[2]).found);
  CHECK(b.book->states.count("errand:" + ids[1]) == 0);
  CHECK(b.book->states.count("errand:" + ids[1] + "/0000") == 0);
  CHECK(b.book->states.count("errand:" + ids[2]) == 1);
  auto answer = b.theatre.ask<errand_list_answer>(b.desk, errand_list{});
  REQUIRE(answer);
  CHECK(answer->errands.size() == desk_state::kept_max);
  CHECK(answer->errands.back().id == ids.back());
}

TEST_CASE("two errands do not meet on a node, and a stop makes room") {
  desk_rig b;
  b.read();
  auto id = b.ask(epo(false)).id;
  CHECK_THAT(b.ask(power(power_verb::on, {"n1"})).refusal, Contains(id));
  CHECK(b.ask(power(power_verb::on, {"n3"})).refusal.empty());
  b.end(id, "eve");
  b.run_for(seconds{3});
  auto sheet = b.sheet(id);
  CHECK(sheet.ended != never);
  CHECK(b.world->commands("n1", power_verb::off) == 0);
  CHECK(b.ask(power(power_verb::on, {"n1"})).refusal.empty());
}

TEST_CASE("while the journal is read after a restart no errand seems lost") {
  desk_rig b;
  b.read();
  auto id = b.ask(epo(false)).id;
  b.crash();
  auto reads = b.book->reads.answer;
  b.book->reads.answer
    = [](const journal_read&) { return reply<journal_contents>{}; };
  b.boot();
  auto sheet = b.sheet(id);
  CHECK(sheet.found);
  CHECK(sheet.ended == never);
  auto early = b.theatre.ask<errand_list_answer>(b.desk, errand_list{});
  b.run_for(seconds{1});
  CHECK_FALSE(early); // not "there are none"
  b.crash();
  b.book->reads.answer = reads;
  b.boot();
  CHECK(b.end(id, "eve").refusal_kind == refused_for::state); // no picture yet
  b.read();
  CHECK(b.end(id, "eve").refusal.empty());
  b.run_for(seconds{3});
  CHECK(b.sheet(id).failed);
  CHECK(b.world->orders.empty());
}

TEST_CASE("a word that a node is off reaches the node's keeper") {
  desk_rig b;
  b.read();
  auto id = b.ask(request(confirm_errand{"n1"})).id;
  b.run_for(seconds{1});
  REQUIRE(b.world->words.size() == 1);
  CHECK(b.world->words[0].reason == "fire");
  CHECK(b.world->words[0].until > b.theatre.now() + minutes{11});
  CHECK(b.sheet(id).rows.at(0).text == "taken");
}

TEST_CASE("a hold ends with the node, an hour after it was removed") {
  desk_rig b;
  b.read();
  b.ask(epo(false));
  b.run_for(seconds{10});
  b.world->cluster.nodes.erase(b.world->cluster.nodes.begin() + 2);
  b.read();
  CHECK(b.world->held.back().nodes.count("n2") == 1);
  b.theatre.run_for(minutes{61});
  b.read();
  CHECK(b.world->held.back().nodes.count("n2") == 0);
  CHECK(b.world->held.back().nodes.count("n1") == 1);
}

} // namespace orderly::desk_test
