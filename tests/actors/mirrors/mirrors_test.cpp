// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Mirrors are asked in turn, and what is heard of them is told.

#include "tests/actors/mirrors/rig.hpp"

namespace orderly::mirrors_test {

using namespace orderly::mirrors_rig;

TEST_CASE("a copy that went elsewhere is asked at once, whoever compares") {
  rig b{3};
  b.on.run_for(minutes{2});
  auto before = b.world->reads.asked.size();
  auto told = GENERATE(true, false);
  auto call = [&] {
    if (told)
      b.call_with({1});
    else
      b.call();
    b.on.settle();
  };
  auto& web1 = b.picture.instances[1];
  web1.memory_mib = 7;
  call();
  CHECK(b.world->reads.asked.size() == before);
  std::swap(web1.primary, web1.secondaries[0]); // the same two copies
  call();
  CHECK(b.world->reads.asked.size() == before);
  auto third = b.picture.nodes[1];
  third.name = "node3";
  b.picture.nodes.push_back(third);
  web1.secondaries = {"node3"};
  call();
  REQUIRE(b.world->reads.asked.size() == before + 1);
  CHECK(b.world->reads.asked.back().instances[0] == "web001");
}

TEST_CASE("mirrors are asked in turn, some at a time") {
  rig b(30);
  CHECK(b.next(seconds{59}).empty());
  auto first = b.next(seconds{2});
  CHECK(first.size() == mirror_batch_max);
  CHECK(first.front() == "web000");
  auto second = b.next(minutes{1});
  CHECK(second.front() == "web020");
  CHECK(second.size() == 10);
  CHECK(b.next(minutes{1}).front() == "web000");
  CHECK(b.world->heard.back().heard.at("web000").fault.empty());
}

TEST_CASE("a suspect is asked each half minute until it is well") {
  rig b(2);
  b.faulty = {"web001"};
  b.next(seconds{61});
  CHECK(b.world->heard.back().heard.at("web001").seen == 1);
  b.next(seconds{30});
  CHECK(b.world->heard.back().heard.at("web001").seen
        == mirror_standing::enough);
  b.faulty.clear();
  b.next(seconds{30});
  CHECK(b.world->heard.back().heard.at("web001").seen == 0);
  CHECK(b.next(seconds{58}).empty());
  CHECK_FALSE(b.next(seconds{2}).empty());
}

TEST_CASE(
  "a mirror that is being synchronised is asked each half minute, and no "
  "reading of it asks for a repair") {
  rig b(2);
  b.syncing = {"web001"};
  b.next(seconds{61});
  CHECK_FALSE(b.next(seconds{30}).empty());
  const auto& last = b.world->heard.back().heard.at("web001");
  CHECK(last.seen == 0);
  CHECK(only_syncs(last.fault));
  b.syncing.clear();
  b.faulty = {"web001"};
  b.next(seconds{31});
  CHECK(b.world->heard.back().heard.at("web001").seen == 1);
}

TEST_CASE("whoever waits for news is asked first") {
  rig b(40);
  b.call({"web039"});
  auto asked = b.next(seconds{61});
  REQUIRE_FALSE(asked.empty());
  CHECK(asked.front() == "web039");
}

TEST_CASE("of nodes that are gone or not heard nobody asks") {
  rig b(1);
  SECTION("marked offline") {
    b.picture.nodes[1].offline = true;
  }
  SECTION("gone") {
    b.picture.nodes.pop_back();
  }
  SECTION("stopped") {
    b.picture.instances[0].admin = admin_state::down;
  }
  SECTION("no mirror") {
    b.picture.instances[0].disks = disk_template::plain;
  }
  SECTION("not heard") {
    node_standing x;
    x.node = "node2";
    x.unheard_since = b.on.now();
    b.on.tell(b.asker, x);
  }
  b.call();
  CHECK(b.next(minutes{5}).empty());
}

TEST_CASE("a node that answers again after its trouble is asked") {
  rig b(1);
  node_standing x;
  x.node = "node2";
  x.troubled = true;
  x.phase = ha_phase::recovered;
  x.answers = true;
  b.on.tell(b.asker, x);
  CHECK_FALSE(b.next(seconds{61}).empty());
}

TEST_CASE("what is heard of a mirror whose node fell meanwhile is no news") {
  rig b(1);
  b.world->reads.answer = [&b](const read_mirrors&) {
    b.picture.nodes[1].offline = true;
    b.call();
    mirrors_answer a;
    a.answered = true;
    a.well = {"web000"};
    return says(a);
  };
  b.next(seconds{61});
  CHECK(b.world->heard.empty());
}

TEST_CASE("what was heard of a mirror says nothing of another instance under "
          "its name") {
  rig b(1);
  b.faulty = {"web000"};
  b.next(seconds{61});
  REQUIRE(b.world->heard.back().heard.at("web000").seen == 1);
  SECTION("that was suspected") {
    b.picture.instances[0].uuid = "another";
    b.call();
    b.next(seconds{31});
    REQUIRE(b.world->heard.size() == 2);
    CHECK(b.world->heard.back().heard.at("web000").seen == 1);
  }
  SECTION("that came while it was asked") {
    b.world->reads.answer = [&b](const read_mirrors&) {
      b.picture.instances[0].uuid = "another";
      b.call();
      mirrors_answer a;
      a.answered = true;
      a.well = {"web000"};
      return says(a);
    };
    b.next(seconds{31});
    CHECK(b.world->heard.size() == 1);
  }
}

TEST_CASE("whoever was silent said nothing") {
  rig b(2);
  b.world->reads.answer = [](const read_mirrors&) {
    mirrors_answer a;
    a.answered = true;
    a.well = {"web001"};
    return says(a);
  };
  b.next(seconds{61});
  REQUIRE(b.world->heard.size() == 1);
  CHECK(b.world->heard.back().heard.count("web000") == 0);
}

TEST_CASE("one that cannot be asked is found by halves and left out") {
  rig b(20);
  auto well = b.world->reads.answer;
  b.world->reads.answer = [well](const read_mirrors& what) {
    const auto& all = what.instances;
    if (std::find(all.begin(), all.end(), "web007") != all.end())
      return says(mirrors_answer{});
    return well(what);
  };
  b.on.run_for(minutes{10});
  std::set<instance_name> heard;
  for (const auto& news : b.world->heard)
    for (const auto& [name, x] : news.heard)
      heard.insert(name);
  CHECK(heard.size() == 19);
  CHECK(heard.count("web007") == 0);
}

TEST_CASE("while the cluster answers nothing, no mirror is left out for it") {
  rig b(4);
  b.world->reads.answer
    = [](const read_mirrors&) { return says(mirrors_answer{}); };
  b.call({}, true);
  for (auto i = 0; i < 12; ++i)
    CHECK(b.next(minutes{1}).size() == 4);
}

TEST_CASE("nobody is asked where mirrors are not to be asked") {
  settings off;
  off.autorepair.mirror_interval = millis{0};
  rig b(2, off);
  CHECK(b.next(hours{1}).empty());
}

TEST_CASE("one question is asked at a time") {
  rig b(2);
  b.world->reads.answer
    = [](const read_mirrors&) { return reply<mirrors_answer>{}; };
  b.on.run_for(seconds{61});
  CHECK(b.world->reads.asked.size() == 1);
  b.on.run_for(seconds{20});
  CHECK(b.world->reads.asked.size() == 1);
}

} // namespace orderly::mirrors_test
