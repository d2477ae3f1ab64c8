// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laboratories with two daemons, and where a run may end.

#include "sim/lab/drill.hpp"
#include "sim/lab/lab.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>

namespace orderly::lab_test {

using namespace orderly::sim;

namespace {

struct rig {
  sim::lab lab{*plan_named("small-5n", 1), settings{}, 1};
  std::set<std::string> acted; ///< who wrote a line

  rig() {
    lab.on_line = [this](instant, const std::string& who, const std::string&) {
      acted.insert(who);
    };
  }

  void play(const std::string& fault) {
    INFO(fault);
    REQUIRE(lab.apply(fault).empty());
  }

  [[nodiscard]] bool has_acted(const std::string& who) const {
    return acted.count(who) > 0;
  }
};

} // namespace

TEST_CASE("a second daemon has a journal and a calendar of its own") {
  rig b;
  b.lab.run_for(minutes{1});
  b.play("second-daemon node2");
  b.lab.run_for(seconds{10});
  auto before = b.lab.state().journal.entries().size();
  b.play("on node2 clock step +1h");
  b.lab.run_for(seconds{10});
  CHECK(b.has_acted("leader@node2"));
  CHECK(b.lab.state().clock_error == millis{0});
  CHECK(b.lab.state().journal.entries().size() == before);
  CHECK(b.lab.broken().empty());
}

TEST_CASE("a master that is reached steps down, and is no second one") {
  rig b;
  CHECK_FALSE(b.lab.apply("second-master node2").empty());
  b.play("link node1 node2 cut");
  b.play("second-master node2");
  b.lab.run_for(seconds{5});
  CHECK(b.has_acted("leader@node2"));
  // There it is master, and the old one says so of itself.
  CHECK(b.lab.state().master().who == "node2");
  CHECK(b.lab.state().cluster.record().master == "node1");
  b.play("link node1 node2 heal");
  b.lab.run_for(seconds{5});
  CHECK(b.lab.state().cluster.record().master == "node2");
}

TEST_CASE("without a majority nobody becomes master") {
  rig b;
  b.play("network node2 cut");
  CHECK_FALSE(b.lab.apply("second-master node2").empty());
  CHECK_FALSE(b.lab.apply("second-daemon node1").empty());
  CHECK_FALSE(b.lab.apply("on node2 daemon kill").empty());
}

TEST_CASE("of two daemons one falls with its machine") {
  rig b;
  b.play("second-daemon node2");
  b.lab.run_for(minutes{1});
  b.play("power node1 off");
  CHECK_FALSE(b.lab.daemon_runs());
  b.lab.run_for(minutes{1});
  b.acted.clear();
  b.play("master node2");
  b.lab.run_for(minutes{1});
  CHECK(b.has_acted("leader@node2"));
  CHECK_FALSE(b.has_acted("leader"));
}

TEST_CASE("a run is settled when all is in order and has been for a while") {
  rig b;
  b.lab.run_for(minutes{10});
  CHECK_FALSE(b.lab.is_settled()); // it has only begun
  b.lab.run_for(minutes{10});
  CHECK(b.lab.is_settled());
  b.play("power node3 off");
  b.lab.run_for(minutes{10});
  CHECK_FALSE(b.lab.is_settled());
}

} // namespace orderly::lab_test
