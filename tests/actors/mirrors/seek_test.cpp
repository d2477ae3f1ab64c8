// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who relies on a mirror has it asked right before.

#include "tests/actors/mirrors/rig.hpp"

namespace orderly::mirrors_seek_test {

using namespace orderly::mirrors_rig;

TEST_CASE("who relies on a mirror has it asked at once and alone") {
  rig b(30);
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
  rig b(2);
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
  rig b(1);
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

TEST_CASE("what is marked down may run, and is asked for whoever says so") {
  rig b(1);
  b.picture.instances[0].admin = admin_state::down;
  b.faulty = {"web000"};
  b.call();
  auto said = b.seek(0, true);
  REQUIRE(said);
  REQUIRE(said->heard);
  CHECK_FALSE(said->heard->fault.empty());
  CHECK(b.world->heard.back().heard.count("web000") == 1);
  // It is no suspect: in turn only what is marked up is asked.
  CHECK(b.next(minutes{10}).empty());
}

TEST_CASE("the fault that was heard last is told where nothing is known now") {
  rig b(2);
  b.faulty = {"web000"};
  auto before = b.seek(0);
  REQUIRE(before);
  REQUIRE(before->heard);
  for (auto& x : b.picture.instances)
    x.admin = admin_state::down;
  b.call();
  auto said = b.seek(0);
  REQUIRE(said);
  CHECK_FALSE(said->heard);
  REQUIRE(said->last.size() == 1);
  CHECK(to_string(said->last) == to_string(before->heard->fault));
  auto other = b.seek(1);
  REQUIRE(other);
  CHECK(other->last.empty());
}

TEST_CASE("nobody is asked for anybody where mirrors are not to be asked") {
  settings off;
  off.autorepair.mirror_interval = millis{0};
  rig b(1, off);
  auto said = b.seek(0);
  REQUIRE(said);
  CHECK_FALSE(said->heard);
  CHECK(said->text == "autorepair.mirror_interval is 0: mirrors are not asked");
}

TEST_CASE("no answer, or one that says nothing, is not well") {
  rig b(1);
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
  rig b(3);
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
  rig b(2);
  b.on.run_for(seconds{55});
  auto well = b.world->reads.answer;
  b.world->reads.answer = [well](const read_mirrors& what) {
    return what.instances.size() == 1 ? reply<mirrors_answer>{} : well(what);
  };
  b.seek(1);
  b.on.run_for(b.on.rules().cluster.poll_timeout + seconds{6});
  CHECK(b.world->reads.asked.back().instances.size() == 2);
}

} // namespace orderly::mirrors_seek_test
