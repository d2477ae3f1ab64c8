// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What of a picture concerns whom: by the state of the picture's actor, which
// is not alive here.

#include "actors/cluster/changes.hpp"
#include "actors/cluster/facts.hpp"
#include "actors/cluster/places.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::cluster_facts_test {

using names = std::vector<instance_name>;

namespace {

const std::string may_fail_over = "ganeti:watcher:autorepair:failover";

/// Three nodes of one rack and one of another; web1 runs on n1 and is mirrored
/// on n2, where web2 runs; mail1 runs on n3 and has no mirror.
struct rig {
  rig() {
    for (const auto* name : {"n1", "n2", "n3"})
      add_node(name, "rack1");
    add_node("n4", "rack2");
    add("mail1", "n3", {}, disk_template::plain);
    add("web1", "n1", {"n2"}, disk_template::drbd);
    add("web2", "n2", {"n1"}, disk_template::drbd);
    record.master = "n3";
    record.groups = {{"rack1", "uuid-rack1", {}}, {"rack2", "uuid-rack2", {}}};
    st.ctx = on.ctx();
    st.read_at = on.now();
  }

  void add_node(const node_name& name, const group_name& group) {
    node_record x;
    x.name = name;
    x.group = group;
    record.nodes.push_back(x);
  }

  void add(const instance_name& name, const node_name& home,
           std::vector<node_name> secondaries, disk_template disks) {
    instance_record x;
    x.name = name;
    x.primary = home;
    x.secondaries = std::move(secondaries);
    x.disks = disks;
    record.instances.push_back(x);
  }

  node_record& node(const node_name& name) {
    return *std::find_if(record.nodes.begin(), record.nodes.end(),
                         [&](const auto& x) { return x.name == name; });
  }

  instance_record& instance(const instance_name& name) {
    return *std::find_if(record.instances.begin(), record.instances.end(),
                         [&](const auto& x) { return x.name == name; });
  }

  void queue(const std::string& intent, std::vector<instance_name> instances,
             std::vector<node_name> nodes = {}) {
    record.jobs.push_back({record.jobs.size() + 1, std::move(instances),
                           std::move(nodes), "incident=i intent=" + intent});
  }

  node_standing& stands(const node_name& name) {
    auto& x = st.standings[name];
    x.node = name;
    return x;
  }

  /// As the actor has it after a reading.
  const cluster_state& read() {
    auto before = std::exchange(st.picture,
                                std::make_shared<const cluster_record>(record));
    relodge(st, change_of(before, *st.picture));
    st.digest = digest_of(st);
    return st;
  }

  instance_facts of(const instance_name& name) {
    const auto& now = read();
    return facts_of(now, *find_record(now.picture->instances, name));
  }

  stage on;
  cluster_record record;
  cluster_state st;
};

} // namespace

TEST_CASE("nothing is put on a node that anybody keeps out of") {
  rig b;
  CHECK(may_take(b.st, b.node("n1")));
  SECTION("by the record") {
    auto flag = GENERATE(&node_record::offline, &node_record::drained);
    b.node("n1").*flag = true;
  }
  SECTION("it takes no instances") {
    b.node("n1").vm_capable = false;
  }
  SECTION("a person works on it") {
    b.st.held["n1"] = "new memory";
  }
  SECTION("it is ordered off") {
    b.st.leaving["n1"] = "power-3 will switch it off";
  }
  SECTION("a repair event has it") {
    b.st.upkeep["n1"] = "a repair event works on n1";
  }
  SECTION("it is fenced, though the record has it in service again") {
    b.stands("n1").phase = ha_phase::fenced;
  }
  CHECK_FALSE(may_take(b.st, b.node("n1")));
  CHECK(may_take(b.st, b.node("n2")));
  b.read();
  CHECK(spares_in(b.st)
        == std::map<group_name, std::uint32_t>{{"rack1", 2}, {"rack2", 1}});
}

TEST_CASE("what changed of a node counts as if all were looked at") {
  rig b;
  b.read();
  auto change = [&](const node_name& name, auto how) {
    auto took = may_take(b.st, b.node(name));
    how(b.stands(name));
    recount(b.st, b.node(name), took);
    reconsider(b.st, b.node(name));
    CHECK(b.st.digest.spares == spares_in(b.st));
    CHECK(*b.st.digest.unfit == *unfit_in(b.st));
  };
  auto fenced = [](node_standing& x) {
    x.phase = ha_phase::fenced;
    x.troubled = true;
  };
  change("n1", fenced);
  CHECK(b.st.digest.spares.at("rack1") == 2);
  CHECK(b.st.digest.unfit->count("n1") == 1);
  change("n2", fenced);
  change("n2", [](node_standing& x) { x.closed = "it is left alone"; });
  change("n1", [](node_standing& x) {
    x.phase = ha_phase::available;
    x.troubled = false;
  });
  CHECK(b.st.digest.spares.at("rack1") == 2);
  CHECK(b.st.digest.unfit->count("n1") == 0);
}

TEST_CASE("an instance's own nodes are no spare ones, nor are those of others' "
          "groups") {
  rig b;
  CHECK(b.of("web1").spare_nodes == 1);
  CHECK(b.of("mail1").spare_nodes == 2);
  b.node("n3").drained = true;
  CHECK(b.of("web1").spare_nodes == 0);
  CHECK(b.of("mail1").spare_nodes == 2); // its own was none before
}

TEST_CASE("who may start elsewhere is stranded on a node that is offline") {
  rig b;
  b.record.tags = {may_fail_over};
  auto stranded = [&] {
    b.read();
    return stranded_in(b.st);
  };
  CHECK(stranded().empty()); // its home lives
  b.node("n1").offline = true;
  CHECK(stranded() == std::map<node_name, names>{{"n1", names{"web1"}}});
  SECTION("not if no tag permits it") {
    b.record.tags.clear();
  }
  SECTION("not if it should not run") {
    b.instance("web1").admin = admin_state::down;
  }
  SECTION("not where only a reinstallation helps, which is not permitted") {
    b.node("n2").offline = true;
  }
  SECTION("not if it is suspended") {
    b.instance("web1").tags = {"ganeti:watcher:autorepair:suspend"};
  }
  CHECK(stranded().empty());
}

TEST_CASE("a node is given up that a failover in the queue takes for dead") {
  rig b;
  b.node("n1").offline = true;
  b.node("n2").offline = true;
  auto given_up = [&] {
    b.read();
    return given_up_in(b.st);
  };
  CHECK(given_up().empty());
  SECTION("the home alone by a failover") {
    b.queue("id/1-failover", {"web1"});
    CHECK(given_up() == std::set<node_name>{"n1"});
  }
  SECTION("its mirror's node too by a reinstallation") {
    b.queue("id/1-reinstall", {"web1"});
    CHECK(given_up() == std::set<node_name>{"n1", "n2"});
  }
  SECTION("not by what moves it while it runs") {
    b.queue("id/1-migrate", {"web1"});
    CHECK(given_up().empty());
  }
  SECTION("not a home that is in service") {
    b.node("n1").offline = false;
    b.queue("id/1-failover", {"web1"});
    CHECK(given_up().empty());
  }
}

TEST_CASE("of tags of groups and cluster instances get those of auto-repair") {
  rig b;
  b.record.tags = {"owner:anna", may_fail_over};
  b.record.groups[0].tags = {may_fail_over, "rack:7"};
  auto f = b.of("web1");
  CHECK(f.cluster_tags == std::vector<std::string>{may_fail_over});
  CHECK(f.group_tags == std::vector<std::string>{may_fail_over});
  CHECK(f.group == "rack1");
}

TEST_CASE("an instance hears which other one bears the id of its repair") {
  rig b;
  const std::string pending
    = "ganeti:watcher:autorepair:pending:failover:id-1:1767225600:5";
  b.instance("web1").tags = {pending};
  CHECK(b.of("web1").shared.empty());
  b.instance("web2").tags = {pending};
  CHECK(b.of("web1").shared
        == std::map<incident_id, instance_name>{{"id-1", "web2"}});
  CHECK(b.of("web2").shared
        == std::map<incident_id, instance_name>{{"id-1", "web1"}});
  CHECK(b.of("mail1").shared.empty());
}

TEST_CASE("a repair event has instances only as long as their home lives") {
  rig b;
  b.st.upkeep["n2"] = "a repair event works on n2";
  CHECK(b.of("web2").held == "a repair event works on n2");
  CHECK(b.of("web1").held == "a repair event works on n2"); // its mirror
  CHECK(b.of("mail1").held.empty());
  SECTION("it was marked offline") {
    b.node("n2").offline = true;
  }
  SECTION("it is in trouble") {
    b.stands("n2").troubled = true;
  }
  CHECK(b.of("web2").held.empty());
}

TEST_CASE("trouble counts only in a reading from after it") {
  rig b;
  b.st.upkeep["n2"] = "a repair event works on n2";
  b.stands("n2").troubled = true;
  b.st.troubled_at["n2"] = b.st.read_at;
  CHECK_FALSE(b.of("web2").held.empty());
  b.st.read_at += millis{1};
  CHECK(b.of("web2").held.empty());
}

TEST_CASE("a hold of a person comes before one of a repair event") {
  rig b;
  b.st.held["n1"] = "new memory";
  b.st.upkeep["n1"] = "a repair event works on n1";
  CHECK(b.of("web1").held == "new memory");
}

TEST_CASE("of the nodes that go off an instance hears those of its group, and "
          "which of them could be picked") {
  rig b;
  b.st.leaving = {{"n1", "power-3"}, {"n4", "power-4"}};
  b.st.upkeep = {{"n3", "an event"}};
  b.node("n1").drained = true;
  auto f = b.of("web1");
  CHECK(
    f.leaving
    == std::map<node_name, std::string>{{"n1", "power-3"}, {"n3", "an event"}});
  CHECK(f.pickable == "n3"); // the allocator takes none that is drained
}

TEST_CASE("a node hears of the jobs that are to mark it, where we lead") {
  rig b;
  b.queue("n-n1-5/offline-1", {}, {"n1"});
  b.queue("id/1-failover", {"web1"}, {"n1"});
  const auto& st = b.read();
  auto f = facts_of(st, b.node("n1"));
  REQUIRE(f.marks.size() == 1);
  CHECK(f.marks.front().id == 1);
  CHECK(facts_of(st, b.node("n2")).marks.empty());
  CHECK(facts_of(st, b.node("n3")).is_master);
  CHECK_FALSE(f.is_master);
}

TEST_CASE("a beside host hears of no marks: those of the master are its own") {
  rig b;
  settings s;
  s.leader.own_node = "n1";
  b.on.change(s);
  b.queue("n-n1-5/offline-1", {}, {"n1"});
  auto f = facts_of(b.read(), b.node("n1"));
  CHECK(f.marks.empty());
  CHECK(f.is_self);
  CHECK_FALSE(facts_of(b.st, b.node("n3")).is_self);
}

TEST_CASE("what was heard of mirrors is no news where nobody asks any more") {
  rig b;
  settings s;
  s.autorepair.mirror_interval = minutes{1};
  b.on.change(s);
  auto& heard = b.st.mirrors["web1"];
  heard.at = b.on.now();
  heard.seen = 2;
  CHECK(b.of("web1").mirror_seen == 2);
  CHECK(b.of("web1").mirror_well);
  CHECK(b.of("web2").mirror_read_at == never);
  s.autorepair.mirror_interval = millis{0};
  b.on.change(s);
  CHECK(b.of("web1").mirror_seen == 0);
  CHECK(b.of("web1").mirror_read_at == never);
}

} // namespace orderly::cluster_facts_test
