// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The overseer, beside the real view: of what it tells, and of what not.

#include "actors/journal/journal.hpp"
#include "actors/overseer/overseer.hpp"
#include "actors/view/view.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::overseer_test {

namespace {

settings acting() {
  settings s;
  s.autorepair.enabled = true;
  s.autorepair.mode = repair_mode::act;
  s.host_ha.enabled = true;
  return s;
}

struct rig {
  explicit rig(const settings& with = acting()) : on(with) {
    eye = on.enter(view, on.ctx());
    book = on.enter(journal, on.ctx(), on.keep(spawn_fake(on.system(), disk)),
                    eye);
    auto who = on.enter(overseer, on.ctx(), book, eye);
    has_right(true);
    node_standing x;
    x.node = "node2";
    x.phase = ha_phase::degraded;
    x.troubled = true;
    x.reason = "it writes";
    on.tell(eye, x);
    on.tell(who, tick{});
  }

  void has_right(bool held, const node_name& master = {}) {
    lease right;
    right.held = held;
    right.master = master;
    on.tell(eye, guard_standing{}, right);
  }

  [[nodiscard]] std::vector<std::string> told() {
    std::vector<std::string> result;
    auto answer = on.ask<view_answer>(
      eye, view_query{view_subject::decisions, "", 100, 0});
    for (const auto& e : answer->decisions) {
      CHECK(e.code == "X.LASTS");
      CHECK(e.kind == entry_kind::alert);
      result.push_back(e.why);
    }
    return result;
  }

  stage on;
  std::shared_ptr<paper> disk = std::make_shared<paper>();
  view_actor eye;
  journal_actor book;
};

} // namespace

TEST_CASE("the overseer tells once of a node whose trouble lasts") {
  rig x;
  x.on.run_for(minutes{39});
  CHECK(x.told().empty());
  x.on.run_for(minutes{2});
  REQUIRE(x.told().size() == 1);
  CHECK(x.told()[0].find("node node2 is degraded: it writes (40 min)")
        != std::string::npos);
  x.on.run_for(hours{3});
  CHECK(x.told().size() == 1);
}

TEST_CASE("what lasted while another daemon had the right to act is its "
          "matter") {
  rig x;
  x.on.run_for(minutes{30});
  x.has_right(false, "node5");
  x.on.run_for(minutes{2});
  x.has_right(true);
  x.on.run_for(minutes{39});
  CHECK(x.told().empty());
  x.on.run_for(minutes{3});
  CHECK(x.told().size() == 1);
}

TEST_CASE("a gap in our right to act ends no trouble") {
  rig x;
  x.on.run_for(minutes{30});
  x.has_right(false);
  x.on.run_for(minutes{2});
  CHECK(x.told().empty());
  x.has_right(true);
  x.on.run_for(minutes{9});
  CHECK(x.told().size() == 1);
}

TEST_CASE("who does not treat nodes tells of what lasts all the same") {
  auto rules = acting();
  rules.host_ha.enabled = false;
  rig x{rules};
  x.on.run_for(hours{2});
  CHECK(x.told().size() == 1);
}

} // namespace orderly::overseer_test
