// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who asks the mirrors, between a cluster port and a listener made of glass.

#include "actors/mirrors/mirrors.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

namespace orderly::mirrors_test {

namespace {

using names = std::vector<instance_name>;

struct glass {
  desk<read_mirrors, mirrors_answer> reads;
  std::vector<mirror_news> heard;
};

using glass_ptr = std::shared_ptr<glass>;

cluster_port::behavior_type port_of(cluster_port::pointer self, glass_ptr x) {
  return {
    [](const read_cluster&) { return cluster_answer{}; },
    [](const read_room&) { return room_answer{}; },
    [self, x](const read_mirrors& what) {
      x->reads.asked.push_back(what);
      auto promise = self->make_response_promise<mirrors_answer>();
      if (auto said = x->reads.answer(what); said.answer)
        promise.deliver(*said.answer);
      return promise;
    },
    [](const pause_watcher&) { return watcher_answer{}; },
  };
}

mirror_listener::behavior_type listener_of(glass_ptr x) {
  return {[x](const mirror_news& news) { x->heard.push_back(news); }};
}

instance_record drbd(int number) {
  instance_record x;
  x.name = fmt::format("web{:03}", number);
  x.primary = "node1";
  x.secondaries = {"node2"};
  x.disks = disk_template::drbd;
  x.admin = admin_state::up;
  return x;
}

settings each_minute() {
  settings s;
  s.autorepair.mirror_interval = minutes{1};
  return s;
}

struct bench {
  explicit bench(int instances, const settings& with = each_minute())
    : on(with) {
    for (auto name : {"node1", "node2"}) {
      node_record node;
      node.name = name;
      picture.nodes.push_back(node);
    }
    for (auto i = 0; i < instances; ++i)
      picture.instances.push_back(drbd(i));
    world->reads.answer = [this](const read_mirrors& what) {
      mirrors_answer a;
      a.answered = true;
      for (const auto& name : what.instances)
        if (faulty.count(name) != 0)
          a.faults[name] = {disk_fault{}};
        else
          a.well.insert(name);
      return says(a);
    };
    ear = on.enter(listener_of, world);
    asker = on.enter(mirrors, on.ctx(), on.enter(port_of, world));
    call();
  }

  /// A reading of the cluster.
  void call(std::set<instance_name> attentive = {}, bool silent = false) {
    mirror_roll roll{std::make_shared<const cluster_record>(picture),
                     std::move(attentive), silent};
    on.tell(asker, std::move(roll), ear);
  }

  /// Who was asked in the newest question.
  names next(millis span) {
    auto before = world->reads.asked.size();
    on.run_for(span);
    return world->reads.asked.size() == before
             ? names{}
             : world->reads.asked.back().instances;
  }

  /// Somebody relies on the mirror of that one.
  pending<mirror_answer> seek(int number) {
    auto said = on.ask<mirror_answer>(
      asker, mirror_question{fmt::format("web{:03}", number)});
    on.settle();
    return said;
  }

  stage on;
  glass_ptr world = std::make_shared<glass>();
  cluster_record picture;
  std::set<instance_name> faulty;
  mirror_listener ear;
  mirror_service asker;
};

} // namespace

TEST_CASE("mirrors are asked in turn, some at a time") {
  bench b(30);
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
  bench b(2);
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

TEST_CASE("whoever waits for news is asked first") {
  bench b(40);
  b.call({"web039"});
  auto asked = b.next(seconds{61});
  REQUIRE_FALSE(asked.empty());
  CHECK(asked.front() == "web039");
}

TEST_CASE("of nodes that are gone or not heard nobody asks") {
  bench b(1);
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
  bench b(1);
  node_standing x;
  x.node = "node2";
  x.troubled = true;
  x.phase = ha_phase::recovered;
  x.answers = true;
  b.on.tell(b.asker, x);
  CHECK_FALSE(b.next(seconds{61}).empty());
}

TEST_CASE("what is heard of a mirror whose node fell meanwhile is no news") {
  bench b(1);
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
  bench b(1);
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
  bench b(2);
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
  bench b(20);
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
  bench b(4);
  b.world->reads.answer
    = [](const read_mirrors&) { return says(mirrors_answer{}); };
  b.call({}, true);
  for (auto i = 0; i < 12; ++i)
    CHECK(b.next(minutes{1}).size() == 4);
}

TEST_CASE("nobody is asked where mirrors are not to be asked") {
  settings off;
  off.autorepair.mirror_interval = millis{0};
  bench b(2, off);
  CHECK(b.next(hours{1}).empty());
}

TEST_CASE("one question is asked at a time") {
  bench b(2);
  b.world->reads.answer
    = [](const read_mirrors&) { return reply<mirrors_answer>{}; };
  b.on.run_for(seconds{61});
  CHECK(b.world->reads.asked.size() == 1);
  b.on.run_for(seconds{20});
  CHECK(b.world->reads.asked.size() == 1);
}

TEST_CASE("who relies on a mirror has it asked at once and alone") {
  bench b(30);
  auto said = b.seek(27);
  CHECK(b.world->reads.asked.back().instances == names{"web027"});
  REQUIRE(said);
  REQUIRE(said->heard);
  CHECK(said->heard->fault.empty());
  CHECK(said->heard->at == b.on.now());
  CHECK(b.world->heard.back().heard.count("web027") == 1);
  CHECK(b.next(seconds{61}).front() == "web000"); // their turn is as before
}

TEST_CASE("a fault that was asked for is news, and asked about again soon") {
  bench b(2);
  b.faulty = {"web001"};
  auto said = b.seek(1);
  REQUIRE(said);
  REQUIRE(said->heard);
  CHECK_FALSE(said->heard->fault.empty());
  CHECK(b.world->heard.back().heard.at("web001").seen == 1);
  CHECK(b.next(seconds{29}).empty());
  CHECK_FALSE(b.next(seconds{2}).empty());
}

TEST_CASE("of a mirror that cannot be asked nothing is known, and why is "
          "told") {
  bench b(1);
  auto expected = std::string{"it is stopped, or one of its nodes is out of "
                              "service or not heard"};
  auto number = 0;
  SECTION("stopped") {
    b.picture.instances[0].admin = admin_state::down;
  }
  SECTION("its node is offline") {
    b.picture.nodes[1].offline = true;
  }
  SECTION("it is gone") {
    number = 1;
    expected = "there is no such instance";
  }
  b.call();
  auto said = b.seek(number);
  REQUIRE(said);
  CHECK_FALSE(said->heard);
  CHECK(said->text == expected);
  CHECK(b.world->reads.asked.empty());
}

TEST_CASE("nobody is asked for anybody where mirrors are not to be asked") {
  settings off;
  off.autorepair.mirror_interval = millis{0};
  bench b(1, off);
  auto said = b.seek(0);
  REQUIRE(said);
  CHECK_FALSE(said->heard);
  CHECK(said->text == "autorepair.mirror_interval is 0: mirrors are not asked");
}

TEST_CASE("no answer, or one that says nothing, is not well") {
  bench b(1);
  std::string why;
  SECTION("no answer at all") {
    b.world->reads.answer
      = [](const read_mirrors&) { return reply<mirrors_answer>{}; };
    why = "there was no answer in time";
  }
  SECTION("no answer, and why") {
    b.world->reads.answer = [](const read_mirrors&) {
      return says(mirrors_answer{false, {}, "luxid is away", {}});
    };
    why = "luxid is away";
  }
  SECTION("the nodes did not say") {
    b.world->reads.answer = [](const read_mirrors&) {
      return says(mirrors_answer{true, {}, {}, {}});
    };
    why = "its nodes did not both say how it is";
  }
  auto said = b.seek(0);
  b.on.run_for(minutes{1});
  REQUIRE(said);
  CHECK_FALSE(said->heard);
  CHECK(said->text == why);
}

TEST_CASE("those who rely on mirrors wait for each other, and for the question "
          "under way") {
  bench b(3);
  std::vector<instance_name> asked;
  auto well = b.world->reads.answer;
  b.world->reads.answer = [&](const read_mirrors& what) {
    for (const auto& name : what.instances)
      asked.push_back(name);
    return what.instances.size() == 1 && what.instances[0] == "web001"
             ? reply<mirrors_answer>{}
             : well(what);
  };
  auto silent = b.seek(1);
  auto other = b.seek(2);
  CHECK(asked == names{"web001"});
  CHECK_FALSE(other);
  b.on.run_for(b.on.rules().cluster.poll_timeout + seconds{6});
  REQUIRE(silent);
  CHECK_FALSE(silent->heard);
  REQUIRE(other);
  CHECK(other->heard);
}

TEST_CASE("who relies on a mirror delays no turn for longer than its own "
          "question") {
  bench b(2);
  b.on.run_for(seconds{55});
  auto well = b.world->reads.answer;
  b.world->reads.answer = [well](const read_mirrors& what) {
    return what.instances.size() == 1 ? reply<mirrors_answer>{} : well(what);
  };
  b.seek(1);
  b.on.run_for(b.on.rules().cluster.poll_timeout + seconds{6});
  CHECK(b.world->reads.asked.back().instances.size() == 2);
}

} // namespace orderly::mirrors_test
