// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings that tags of the cluster give, as the picture's actor heeds them.

#include "actors/cluster/cluster.hpp"
#include "actors/journal/journal.hpp"
#include "messages/codes.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::tagged_settings_test {

namespace {

using list = std::vector<std::string>;

constexpr const char* good = "orderly:set:maintenance.interval:30s";
constexpr const char* other = "orderly:set:maintenance.interval:20s";
constexpr const char* bad = "orderly:set:maintenance.interval:soon";

struct source {
  cluster_record record;

  [[nodiscard]] cluster_answer answer() const {
    cluster_answer x;
    x.picture = std::make_shared<const cluster_record>(record);
    x.is_master = true;
    return x;
  }
};

using source_ptr = std::shared_ptr<source>;

cluster_port::behavior_type port_of(source_ptr x) {
  return {
    [x](const read_cluster&) { return x->answer(); },
    [](const read_room&) { return room_answer{}; },
    [](const read_mirrors&) { return mirrors_answer{}; },
    [](const pause_watcher&) { return watcher_answer{}; },
  };
}

// Who hears of the picture, and does nothing.

leader_actor::behavior_type no_leader() {
  return {[](const poll_report&) {}, [](const tick&) {}};
}

supervisor_actor::behavior_type no_members() {
  return {[](const start_child&) {}, [](const stop_child&) {},
          [](const tick&) {}};
}

mirrors_actor::behavior_type no_mirrors() {
  return {[](const mirror_roll&, const mirror_listener&) {},
          [](const node_standing&) {}, [](const tick&) {}};
}

caf::behavior nobody(caf::event_based_actor*) {
  return {[](const node_standing&) {}, [](const permit_release&) {}};
}

struct rig {
  explicit rig(const settings& with = {}) : on(with) {
    node_record node;
    node.name = "n1";
    node.group = "rack1";
    in->record.nodes = {node};
    in->record.groups = {{"rack1", "uuid-rack1", {}}};
    in->record.master = "n1";
    cluster_peers peers;
    peers.scheduler = caf::actor_cast<scheduler_actor>(on.enter(nobody));
    peers.mirrors = on.enter(no_mirrors);
    peers.of_nodes.journal = on.enter(
      journal, on.ctx(), spawn_fake(on.system(), book), view_actor{});
    boss = on.enter(cluster, on.ctx(), std::move(peers), on.enter(port_of, in),
                    on.enter(no_leader), on.enter(no_members));
  }

  /// The cluster has these tags by now, and is read.
  void read(list tags) {
    in->record.tags = std::move(tags);
    if (begun)
      wait();
    else
      on.tell(boss, holds{});
    begun = true;
  }

  /// Until the next reading by the clock.
  void wait() { on.run_for(on.rules().cluster.poll_interval); }

  [[nodiscard]] millis interval() const {
    return on.ctx()->rules()->maintenance.interval;
  }

  [[nodiscard]] std::size_t alerts() const {
    return book->count(codes::bad_setting);
  }

  stage on;
  source_ptr in = std::make_shared<source>();
  std::shared_ptr<paper> book = std::make_shared<paper>();
  cluster_actor boss;
  bool begun = false;
};

} // namespace

TEST_CASE("a tag of the cluster is in force with the reading that shows it") {
  rig b;
  b.read({});
  CHECK(b.interval() == seconds{60});
  CHECK(b.book->entries.empty());
  b.read({"other", good});
  CHECK(b.interval() == seconds{30});
  CHECK(b.book->count(codes::setting) == 1);
  CHECK(b.book->entries.back().why
        == "maintenance.interval is 30 from now on, by the tag "
           "orderly:set:maintenance.interval:30s of the cluster; it was 60");
  b.read({"other"});
  CHECK(b.interval() == seconds{60});
  CHECK(b.book->count(codes::setting) == 2);
  CHECK(b.alerts() == 0);
}

TEST_CASE("a bad tag is told once by its name, and the old value stays") {
  rig b;
  b.read({good});
  b.read({bad});
  CHECK(b.interval() == seconds{30});
  REQUIRE(b.alerts() == 1);
  CHECK(b.book->entries.back().kind == entry_kind::alert);
  CHECK(b.book->entries.back().object == whole_cluster);
  CHECK(b.book->entries.back().why.find(bad) != std::string::npos);
  b.wait();
  b.read({bad, "other"});
  CHECK(b.alerts() == 1);
  b.read({good});
  b.read({bad});
  CHECK(b.alerts() == 2);
}

TEST_CASE("several tags of one setting are told if they last, not in passing") {
  rig b;
  b.read({good});
  b.read({good, other});
  CHECK(b.interval() == seconds{30});
  CHECK(b.alerts() == 0);
  b.read({other});
  CHECK(b.interval() == seconds{20});
  CHECK(b.alerts() == 0);
  b.read({good, other});
  b.wait(); // the same picture once more
  CHECK(b.alerts() == 2);
  CHECK(b.interval() == seconds{20});
  b.wait();
  CHECK(b.alerts() == 2);
}

TEST_CASE("another file goes below the tags, and they must fit it") {
  rig b;
  b.read({good});
  auto file = b.on.rules();
  file.maintenance.interval = seconds{10};
  file.maintenance.nodes_max = 5;
  b.on.change(file);
  CHECK(b.interval() == seconds{30});
  CHECK(b.on.ctx()->rules()->maintenance.nodes_max == 5);
  b.read({});
  CHECK(b.interval() == seconds{10});
  b.read({good});
  file.maintenance.evidence_max_age = seconds{20};
  b.on.change(file);
  CHECK(b.interval() == seconds{10});
  b.wait();
  CHECK(b.alerts() == 1);
}

TEST_CASE("a single pass goes by its command line alone") {
  settings pass;
  pass.autorepair.single_pass = true;
  rig b{pass};
  b.read({good, bad});
  CHECK(b.interval() == seconds{60});
  CHECK(b.book->entries.empty());
}

TEST_CASE("of a thousand bad tags a score is told") {
  rig b;
  list all;
  for (int i = 0; i < 1000; ++i)
    all.push_back("orderly:set:x" + std::to_string(i) + ":1");
  b.read(all);
  CHECK(b.alerts() == 20);
}

} // namespace orderly::tagged_settings_test
