// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The picture's actor between a cluster, a supervisor and neighbours of glass.

#include "actors/cluster/cluster.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::cluster_test {

using names = std::vector<std::string>;

namespace {

/// What the neighbours have seen.
struct glass {
  cluster_answer next; ///< to a reading
  std::size_t readings = 0;
  names started;
  names stopped;
  names given_back;
  std::vector<node_standing> standings; ///< told to the scheduler
  std::vector<picture_news> news;
  std::vector<poll_report> polls;
  std::vector<node_facts> of_nodes;
  std::vector<instance_facts> of_instances;
};

using glass_ptr = std::shared_ptr<glass>;

cluster_port::behavior_type port_of(glass_ptr x) {
  return {
    [x](const read_cluster&) {
      ++x->readings;
      return x->next;
    },
    [](const read_room&) { return room_answer{}; },
    [](const read_mirrors&) { return mirrors_answer{}; },
    [](const pause_watcher&) { return watcher_answer{}; },
  };
}

/// It starts nobody: members are glass too.
supervisor_actor::behavior_type supervisor_of(glass_ptr x) {
  return {
    [x](const start_child& what) { x->started.push_back(what.name); },
    [x](const stop_child& what) { x->stopped.push_back(what.name); },
    [](const tick&) {},
  };
}

picture_client::behavior_type client_of(glass_ptr x) {
  return {[x](const picture_news& what) { x->news.push_back(what); }};
}

leader_actor::behavior_type leader_of(glass_ptr x) {
  return {
    [x](const poll_report& what) { x->polls.push_back(what); },
    [](const tick&) {},
  };
}

mirrors_actor::behavior_type no_mirrors() {
  return {
    [](const mirror_roll&, const mirror_listener&) {},
    [](const node_standing&) {},
    [](const tick&) {},
  };
}

/// A scheduler, a node and an instance: of what they understand only this is
/// looked at.
caf::behavior neighbour(caf::event_based_actor* self, glass_ptr x) {
  self->set_default_handler(caf::drop);
  return {
    [x](const permit_release& what) { x->given_back.push_back(what.owner); },
    [x](const node_standing& what) { x->standings.push_back(what); },
    [x](const node_facts& what) { x->of_nodes.push_back(what); },
    [x](const instance_facts& what) { x->of_instances.push_back(what); },
  };
}

struct rig {
  rig() {
    for (const auto* name : {"n1", "n2"}) {
      node_record node;
      node.name = name;
      node.group = "rack1";
      record.nodes.push_back(node);
    }
    instance_record web;
    web.name = "web1";
    web.uuid = "uuid-web1";
    web.primary = "n1";
    record.instances.push_back(web);
    record.groups = {{"rack1", "uuid-rack1", {}}};
    record.master = "n2";
    auto anybody = on.enter(neighbour, seen);
    cluster_peers peers;
    peers.scheduler = caf::actor_cast<warned_office>(anybody);
    peers.mirrors = on.enter(no_mirrors);
    peers.told = {on.enter(client_of, seen)};
    boss
      = on.enter(cluster, on.ctx(), std::move(peers), on.enter(port_of, seen),
                 on.enter(leader_of, seen), on.enter(supervisor_of, seen));
    member = anybody;
    publish();
  }

  /// The next reading finds this.
  void publish() {
    seen->next.picture = std::make_shared<const cluster_record>(record);
    seen->next.is_master = true;
  }

  void begin() { on.tell(boss, holds{}); }

  /// Until the next reading by the clock.
  void wait() { on.run_for(on.rules().cluster.poll_interval); }

  void come_alive() {
    on.tell(boss, node_started{"n1"}, caf::actor_cast<node_actor>(member));
    on.tell(boss, node_started{"n2"}, caf::actor_cast<node_actor>(member));
    on.tell(boss, instance_started{"web1"},
            caf::actor_cast<instance_actor>(member));
    seen->of_nodes.clear();
    seen->of_instances.clear();
  }

  stage on;
  cluster_record record;
  glass_ptr seen = std::make_shared<glass>();
  caf::actor member;
  cluster_actor boss;
};

} // namespace

TEST_CASE("the cluster is not read before persons' holds are known") {
  rig b;
  b.on.run_for(minutes{10});
  CHECK(b.seen->readings == 0);
  b.begin();
  CHECK(b.seen->readings == 1);
  REQUIRE(b.seen->news.size() == 1);
  CHECK(b.seen->news.front().picture == b.seen->next.picture);
  CHECK(b.seen->polls.front().master == "n2");
}

TEST_CASE("each member gets an actor, once") {
  rig b;
  b.begin();
  CHECK(b.seen->started
        == names{"node:n1", "node:n2", "instance:web1", "group:rack1",
                 whole_cluster});
  b.wait();
  b.wait();
  CHECK(b.seen->readings == 3);
  CHECK(b.seen->started.size() == 5);
  CHECK(b.seen->stopped.empty());
}

TEST_CASE(
  "a node that is gone is stopped, holds no permit and counts no more") {
  rig b;
  b.begin();
  b.record.nodes.erase(b.record.nodes.begin());
  b.record.instances.front().primary = "n2";
  b.publish();
  b.wait();
  CHECK(b.seen->stopped == names{"node:n1"});
  CHECK(b.seen->given_back == names{"node:n1"});
  REQUIRE(b.seen->standings.size() == 1);
  CHECK(b.seen->standings.front().node == "n1");
  CHECK_FALSE(b.seen->standings.front().counted);
}

TEST_CASE("another instance under an old name gets an actor of its own") {
  rig b;
  b.begin();
  b.record.instances.front().uuid = "uuid-another";
  b.publish();
  b.wait();
  CHECK(b.seen->stopped == names{"instance:web1"});
  CHECK(b.seen->given_back == names{"instance:web1"});
  CHECK(b.seen->started.back() == "instance:web1");
}

TEST_CASE("a member that comes alive gets its facts at once") {
  rig b;
  b.begin();
  b.on.tell(b.boss, node_started{"n2"}, caf::actor_cast<node_actor>(b.member));
  REQUIRE(b.seen->of_nodes.size() == 1);
  CHECK(b.seen->of_nodes.front().record.name == "n2");
  CHECK(b.seen->of_nodes.front().is_master);
  // It left while it was started.
  b.on.tell(b.boss, node_started{"n9"}, caf::actor_cast<node_actor>(b.member));
  CHECK(b.seen->of_nodes.size() == 1);
}

TEST_CASE("only whom a new picture concerns gets facts") {
  rig b;
  b.begin();
  b.come_alive();
  b.wait();
  CHECK(b.seen->of_nodes.empty());
  CHECK(b.seen->of_instances.empty());
  b.record.nodes[1].tags = {"rack:7"};
  b.publish();
  b.wait();
  REQUIRE(b.seen->of_nodes.size() == 1);
  CHECK(b.seen->of_nodes.front().record.name == "n2");
  CHECK(b.seen->of_instances.empty()); // it is at home on the other one
  b.record.nodes[0].tags = {"rack:7"};
  b.publish();
  b.wait();
  REQUIRE(b.seen->of_instances.size() == 1);
}

TEST_CASE("who asked for attention gets facts with each reading, soon") {
  rig b;
  b.begin();
  b.come_alive();
  b.on.tell(b.boss, attention{"web1", true, {}});
  b.on.run_for(seconds{1});
  CHECK(b.seen->readings == 2);
  CHECK(b.seen->of_instances.size() == 1);
  b.wait();
  CHECK(b.seen->of_instances.size() == 2);
  b.on.tell(b.boss, attention{"web1", false, {}});
  b.wait();
  CHECK(b.seen->of_instances.size() == 2);
}

TEST_CASE("a reading that fails changes nothing, is told, and is tried again "
          "sooner") {
  rig b;
  b.begin();
  auto last = b.seen->next.picture;
  b.seen->next = {};
  b.seen->next.text = "luxid is silent";
  b.wait();
  REQUIRE(b.seen->news.size() == 2);
  CHECK(b.seen->news.back().picture == last);
  CHECK_FALSE(b.seen->news.back().poll.answered);
  CHECK(b.seen->polls.back().text == "luxid is silent");
  CHECK(b.seen->stopped.empty());
  b.on.run_for(b.on.rules().cluster.retry_base * 2);
  CHECK(b.seen->readings >= 3);
}

TEST_CASE(
  "a node's proof reaches the instances on it, and asks for a reading") {
  rig b;
  b.begin();
  b.come_alive();
  node_standing x;
  x.node = "n1";
  x.phase = ha_phase::fenced;
  x.proved_down = proof{};
  b.on.tell(b.boss, x);
  REQUIRE(b.seen->of_instances.size() == 1);
  CHECK(b.seen->of_instances.front().standings.at("n1").proved_down);
  b.on.run_for(seconds{1});
  CHECK(b.seen->readings == 2);
  // That somebody else in its place is well concerns nobody there.
  x.node = "n2";
  x.proved_down.reset();
  x.phase = ha_phase::suspect;
  b.on.tell(b.boss, x);
  CHECK(b.seen->of_instances.size() == 1);
}

TEST_CASE("who is not there is refused at once") {
  rig b;
  auto early = b.on.ask<repair_answer>(b.boss, repair_request{});
  REQUIRE(early);
  CHECK_FALSE(early->accepted);
  b.begin();
  auto room = b.on.ask<room_answer>(b.boss, room_question{"nobody"});
  REQUIRE(room);
  CHECK_FALSE(room->answered);
  CHECK(room->text == "instance nobody is not known");
}

} // namespace orderly::cluster_test
