// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an instance's actor finds in the journal when names have changed.

#include "actors/instance/instance.hpp"
#include "actors/journal/journal.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::instance_kept_test {

namespace {

/// Its mirror on n2 was read as faulty, and a failover of it is under way.
autorepair::state known() {
  autorepair::state s;
  s.phase = autorepair::phase::pending;
  s.stage = autorepair::stage::repairing;
  s.repair = "r1";
  s.intent = "r1/web/1-failover";
  s.act = act_kind::failover;
  s.bad_copy = "n2";
  s.copy_fault = "disk/0 is degraded on n2";
  s.copy_since = s.copy_last = stage::start();
  s.copy_read = true;
  s.copy_told = true;
  return s;
}

/// As an actor of that name and uuid wrote it.
void write(paper& x, const instance_name& name, const std::string& uuid,
           const autorepair::state& s) {
  auto f = autorepair::to_fields(s);
  f.put("uuid", uuid);
  x.states[instance_object(name)] = f;
  auto nameless = autorepair::nameless_fields(s);
  nameless.put("name", name);
  x.states["uuid:" + uuid] = nameless;
}

struct rig {
  /// An actor begins with what is on the paper.
  void begin(const instance_name& name, const std::string& uuid) {
    settings with;
    with.autorepair.enabled = true;
    on.change(with);
    instance_peers s;
    auto view = on.keep(spawn_fake(on.system(), std::make_shared<view_fake>()));
    s.view = view;
    auto port = on.keep(spawn_fake(on.system(), disk));
    s.journal = on.enter(journal, on.ctx(), port, view);
    permits = on.enter(scheduler, on.ctx(), s.journal, view);
    s.scheduler = permits;
    s.jobs = on.keep(spawn_fake(on.system(), jobs));
    actor = on.enter(instance, on.ctx(), s, name, uuid);
    on.settle();
    facts.record.name = name;
    facts.record.uuid = uuid;
  }

  /// Its nodes answer, and nobody has asked its mirror yet.
  void look() {
    facts.record.disks = disk_template::drbd;
    facts.record.primary = "n1";
    facts.record.secondaries = {"n2"};
    facts.nodes = {node("n1"), node("n2")};
    facts.read_at = on.now();
    on.tell(actor, facts);
    on.run_for(seconds{1});
  }

  static node_record node(const char* name) {
    node_record x;
    x.name = name;
    return x;
  }

  [[nodiscard]] autorepair::state kept(const instance_name& name) const {
    auto i = disk->states.find(instance_object(name));
    return i == disk->states.end() ? autorepair::state{}
                                   : autorepair::from_fields(i->second);
  }

  [[nodiscard]] std::string under_uuid(const std::string& uuid,
                                       const char* field) const {
    auto i = disk->states.find("uuid:" + uuid);
    return i == disk->states.end() ? std::string{} : i->second.text(field);
  }

  /// Sentences in the journal with this in them.
  [[nodiscard]] std::size_t told(const std::string& part) const {
    std::size_t result = 0;
    for (const auto& e : disk->entries)
      result += e.why.find(part) != std::string::npos ? 1 : 0;
    return result;
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<submitter_fake> jobs = std::make_shared<submitter_fake>();
  instance_facts facts;
  stage on;
  scheduler_actor permits;
  instance_actor actor;
};

} // namespace

TEST_CASE("what is known of a copy is found under the uuid when its instance "
          "has another name, and nothing of a repair is") {
  rig b;
  write(*b.disk, "web", "u1", known());
  b.begin("shop", "u1");
  auto s = b.kept("shop");
  CHECK(s.bad_copy == "n2");
  CHECK(s.copy_fault == "disk/0 is degraded on n2");
  CHECK(s.copy_read);
  CHECK_FALSE(s.copy_told);
  CHECK(s.stage == autorepair::stage::idle);
  CHECK(s.repair.empty());
  CHECK(s.intent.empty());
  CHECK(b.under_uuid("u1", "name") == "shop");
  CHECK(b.told("was called web before") == 1);
  CHECK(b.jobs->orders.empty());
  b.look();
  CHECK(b.kept("shop").phase == autorepair::phase::needs_repair);
  CHECK(b.kept("shop").bad_copy == "n2");
}

TEST_CASE("what is kept under a name that is another instance's by now is "
          "dropped, taken back, and told once") {
  rig b;
  write(*b.disk, "web", "u1", known());
  for (auto i = 0; i < 2; ++i) {
    b.begin("web", "u2");
    b.look();
    b.on.kill(b.actor);
  }
  CHECK(b.kept("web") == autorepair::state{});
  CHECK(b.told("is of another instance") == 1);
  CHECK(b.jobs->withdrawn == std::vector<intent_id>{"r1/web/1-failover"});
  CHECK(b.under_uuid("u1", "bad_copy") == "n2"); // whoever that is by now
}

TEST_CASE("two instances that exchange their names exchange nothing else") {
  rig b;
  write(*b.disk, "web", "u1", known());
  auto other = known();
  other.bad_copy = "n7";
  write(*b.disk, "shop", "u2", other);
  b.begin("web", "u2");
  CHECK(b.kept("web").bad_copy == "n7");
  b.begin("shop", "u1");
  CHECK(b.kept("shop").bad_copy == "n2");
  CHECK(b.told("was called") == 2);
  CHECK(b.told("is of another instance") == 2);
}

TEST_CASE("a journal that does not say whom it is about is believed, and says "
          "so from then on") {
  rig b;
  auto s = known();
  s.stage = autorepair::stage::idle;
  s.intent.clear();
  b.disk->states["instance:web"] = autorepair::to_fields(s);
  b.begin("web", "u1");
  CHECK(b.kept("web") == s);
  CHECK(b.disk->states["instance:web"].text("uuid") == "u1");
  CHECK(b.under_uuid("u1", "bad_copy") == "n2");
  CHECK(b.disk->entries.size() == 2); // notes
  b.begin("web", "u1");
  CHECK(b.disk->entries.size() == 2);
}

TEST_CASE("what was kept before an instance had another name for a while is "
          "not of now") {
  rig b;
  write(*b.disk, "web", "u1", known());
  SECTION("there its copy was found faulty") {
    auto later = autorepair::state{};
    later.bad_copy = "n9";
    write(*b.disk, "shop", "u1", later);
    b.begin("web", "u1");
    CHECK(b.kept("web").bad_copy == "n9");
  }
  SECTION("there nothing was left to keep") {
    b.disk->states.erase("uuid:u1");
    b.begin("web", "u1");
    CHECK(b.kept("web") == autorepair::state{});
    CHECK(b.disk->states.count("instance:web") == 0);
  }
  CHECK(b.kept("web").intent.empty());
  CHECK(b.told("is of another instance") == 0);
}

TEST_CASE("nothing is kept under the uuid of an instance that is well") {
  rig b;
  b.begin("web", "u1");
  b.look();
  CHECK(b.disk->entries.empty());
  CHECK(b.disk->states.empty());
}

TEST_CASE("what may run yet keeps its places for as long as nobody knows "
          "better") {
  rig b;
  auto s = known();
  SECTION("a job that was not heard of again") {
  }
  SECTION("a step of which nobody knows whether it ran") {
    s.stage = autorepair::stage::idle;
    s.intent.clear();
    s.token = autorepair::token_state::sent;
    s.unsure = true;
  }
  write(*b.disk, "web", "u1", s);
  b.begin("web", "u1");
  b.look();
  for (auto i = 0; i < 30; ++i) {
    b.on.run_for(b.on.rules().rounds.permit_max_age / 10);
    auto held = b.on.ask<risky_acts>(b.permits, ask_risky_acts{});
    REQUIRE(held.box->value);
    REQUIRE(held.box->value->acts.size() == 1);
    CHECK(held.box->value->acts[0].owner == "instance:web");
  }
}

} // namespace orderly::instance_kept_test
