// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The view: what it shows of instances, with which evidence, and what it
// counts.

#include "actors/view/view.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::view_test {

namespace {

struct rig {
  explicit rig(settings with = {}) : on(with) {
    who = on.enter(view, on.ctx());
    on.settle();
    auto x = std::make_shared<cluster_record>();
    x->name = "c1";
    x->master = "node1";
    x->nodes.resize(3);
    for (std::size_t i = 0; i < 3; ++i)
      x->nodes[i].name = "node" + std::to_string(i + 1);
    x->instances.resize(2);
    x->instances[0].name = "web1.example";
    x->instances[0].primary = "node2";
    x->instances[0].secondaries = {"node1"};
    x->instances[1].name = "web1.other";
    x->instances[1].primary = "node3";
    record = x;
    read(x);
  }

  void read(cluster_picture picture, picture_change_ptr change = {}) {
    picture_news news{std::move(picture), {}, 0, std::move(change)};
    news.poll.answered = true;
    news.poll.at = on.now();
    on.tell(who, news);
  }

  void happen(journal_entry e) {
    e.seq = ++seq;
    e.at = on.now();
    on.tell(who, journal_news{{std::move(e)}});
  }

  void happen(const std::string& object, const std::string& incident,
              const std::string& why) {
    journal_entry e;
    e.kind = entry_kind::decision;
    e.object = object;
    e.incident = incident;
    e.why = why;
    happen(std::move(e));
  }

  [[nodiscard]] view_answer ask(view_query q) {
    return *on.ask<view_answer>(who, std::move(q));
  }

  [[nodiscard]] view_answer explain(const std::string& object,
                                    std::uint32_t limit = 100) {
    return ask({view_subject::explain, object, limit, 0});
  }

  [[nodiscard]] status_row status() { return ask({}).status; }

  stage on;
  view_actor who;
  std::shared_ptr<cluster_record> record;
  std::uint64_t seq = 0;
};

std::vector<std::string> whys(const view_answer& x) {
  std::vector<std::string> all;
  for (const auto& e : x.decisions)
    all.push_back(e.why);
  return all;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("what is known of an instance ends with it, whoever compares") {
  rig b;
  auto says = [&](const instance_name& name) {
    instance_standing x;
    x.instance = name;
    x.why = "of the first";
    b.on.tell(b.who, x);
  };
  auto known_of = [&](const instance_name& name) {
    auto all = b.ask({view_subject::instances, "", 100, 0}).instances;
    auto i = std::find_if(all.begin(), all.end(),
                          [&](const auto& x) { return x.name == name; });
    REQUIRE(i != all.end());
    return i->standing.why;
  };
  auto told = GENERATE(true, false);
  cluster_picture seen = b.record;
  auto read = [&](cluster_picture next) {
    auto change = picture_change{seen, {}, {}};
    for (const auto& x : seen->instances)
      if (find_record(next->instances, x.name) == nullptr)
        change.gone.push_back(x.name);
    b.read(next, told ? std::make_shared<const picture_change>(change)
                      : picture_change_ptr{});
    seen = std::move(next);
  };
  says("web1.example");
  says("web1.other");
  CHECK(known_of("web1.other") == "of the first");
  auto fewer = std::make_shared<cluster_record>(*b.record);
  fewer->instances.pop_back();
  read(fewer);
  SECTION("at once") {
  }
  SECTION("also what its actor said at its end") {
    says("web1.other");
    auto renamed = std::make_shared<cluster_record>(*fewer);
    renamed->name = "c2";
    read(renamed);
  }
  read(std::make_shared<const cluster_record>(*b.record));
  CHECK(known_of("web1.other").empty());
  CHECK(known_of("web1.example") == "of the first");
}

TEST_CASE("an instance is explained with what happened to its nodes") {
  rig b;
  b.happen("node:node2", "n-1", "silent");
  b.happen("node:node3", "n-2", "of no concern");
  b.happen("instance:web1.example", "r-1", "primary is dead");
  b.happen("node:node2", "n-1", "off");
  auto x = b.explain("instance:web1.example");
  REQUIRE(x.found);
  CHECK(whys(x) == texts{"silent", "primary is dead", "off"});
  REQUIRE(x.instances.size() == 1);
  REQUIRE(x.nodes.size() == 2);
  CHECK(x.nodes[0].name == "node1");
  CHECK(x.nodes[1].name == "node2");
}

TEST_CASE("evidence is of a node's last incident, not of earlier ones") {
  rig b;
  b.happen("node:node2", "n-1", "an old story");
  b.happen("node:node2", "", "no incident at all");
  b.happen("node:node2", "n-9", "silent");
  CHECK(whys(b.explain("web1.example")) == texts{"silent"});
}

TEST_CASE("evidence and an instance's own story share the limit") {
  rig b;
  for (int i = 0; i < 30; ++i) {
    b.happen("node:node2", "n-1", "node " + std::to_string(i));
    b.happen("instance:web1.example", "r-1", "own " + std::to_string(i));
  }
  auto x = b.explain("web1.example", 8);
  CHECK(whys(x)
        == texts{"own 24", "own 25", "own 26", "own 27", "node 28", "own 28",
                 "node 29", "own 29"});
  CHECK(whys(b.explain("web1.example", 1)) == texts{"own 29"});
}

TEST_CASE("a node is explained alone") {
  rig b;
  b.happen("instance:web1.example", "r-1", "primary is dead");
  b.happen("node:node2", "n-1", "silent");
  auto x = b.explain("node2");
  CHECK(x.instances.empty());
  CHECK(whys(x) == texts{"silent"});
}

TEST_CASE("a full name comes before a first label") {
  rig b;
  auto next = std::make_shared<cluster_record>(*b.record);
  next->instances[1].name = "web1";
  b.read(next);
  CHECK(b.explain("web1").instances.at(0).name == "web1");
  CHECK(b.explain("instance:web1").instances.at(0).name == "web1");
  CHECK_FALSE(b.explain("web").found);
}

TEST_CASE("status tells the mode of auto-repair") {
  settings with;
  rig b{with};
  CHECK(b.status().autorepair_mode == repair_mode::off);
  with.autorepair.enabled = true;
  b.on.change(with);
  CHECK(b.status().autorepair_mode == repair_mode::act);
  with.autorepair.mode = repair_mode::observe;
  b.on.change(with);
  CHECK(b.status().autorepair_mode == repair_mode::observe);
}

TEST_CASE("status counts broken instances by what they need") {
  rig b;
  instance_standing web;
  web.instance = "web1.example";
  web.phase = repair_phase::needs_repair;
  web.broken = true;
  web.needed = repair_type::failover;
  b.on.tell(b.who, web);
  web.instance = "web1.other";
  web.needed.reset();
  b.on.tell(b.who, web);
  using counts = std::map<std::string, std::uint32_t>;
  CHECK(b.status().repairs_needed == counts{{"failover", 1}, {"none", 1}});
  // One that is gone from the cluster does not count any more.
  auto next = std::make_shared<cluster_record>(*b.record);
  next->instances.pop_back();
  b.read(next);
  CHECK(b.status().repairs_needed == counts{{"failover", 1}});
}

TEST_CASE("a node is shown with what a person ordered of it") {
  rig b;
  accepted_orders all;
  all.nodes["node2"].errand = "power-12";
  b.on.tell(b.who, all);
  auto x = b.explain("node2");
  REQUIRE(x.nodes.at(0).ordered);
  CHECK(x.nodes.at(0).ordered->errand == "power-12");
  b.on.tell(b.who, accepted_orders{});
  CHECK_FALSE(b.explain("node2").nodes.at(0).ordered);
}

TEST_CASE("who reads decisions on gets the ones that come next") {
  rig b;
  for (std::uint64_t seq = 1; seq <= 9; ++seq) {
    journal_entry e;
    e.seq = seq;
    e.kind = entry_kind::decision;
    b.on.tell(b.who, journal_news{{e}});
  }
  auto seqs = [&](std::uint32_t most, std::uint64_t after) {
    std::vector<std::uint64_t> result;
    for (const auto& e :
         b.ask({view_subject::decisions, "", most, after}).decisions)
      result.push_back(e.seq);
    return result;
  };
  CHECK(seqs(2, 0) == std::vector<std::uint64_t>{8, 9});
  CHECK(seqs(2, 3) == std::vector<std::uint64_t>{4, 5});
  CHECK(seqs(5, 7) == std::vector<std::uint64_t>{8, 9});
  CHECK(seqs(5, 9).empty());
}

TEST_CASE("what the journal kept from before the start is not counted") {
  rig b;
  journal_entry old;
  old.kind = entry_kind::alert;
  old.seq = 1;
  old.at = b.on.now() - hours{1};
  b.on.tell(b.who, journal_news{{old}});
  CHECK(b.status().counters.count("alerts") == 0);
  CHECK(b.ask({view_subject::decisions, "", 10, 0}).decisions.size() == 1);
  old.at = b.on.now();
  old.seq = 2;
  b.on.tell(b.who, journal_news{{old}});
  CHECK(b.status().counters.at("alerts") == 1);
}

TEST_CASE(
  "a scene is the same one while nothing changes, and shares its rows") {
  rig b;
  auto look = [&] { return b.on.ask<scene_answer>(b.who, ask_scene{})->now; };
  auto first = look();
  CHECK(look() == first);
  REQUIRE(first->nodes.size() == 3);
  node_standing standing;
  standing.node = "node2";
  standing.phase = ha_phase::suspect;
  b.on.tell(b.who, standing);
  auto second = look();
  CHECK(second != first);
  CHECK(second->nodes[0] == first->nodes[0]);
  CHECK(second->nodes[1] != first->nodes[1]);
  CHECK(second->nodes[1]->standing.phase == ha_phase::suspect);
  CHECK(second->nodes[2] == first->nodes[2]);
  CHECK(second->instances[0] == first->instances[0]);
  b.read(std::make_shared<cluster_record>(*b.record)); // as it was
  CHECK(look()->nodes[1] == second->nodes[1]);
}

TEST_CASE("a journal that cannot be written is shown as an alert") {
  rig b;
  CHECK(b.status().journal_trouble.empty());
  auto before = b.status().counters["alerts"];
  b.on.ctx()->set_journal_trouble("database or disk is full");
  CHECK(b.status().journal_trouble == "database or disk is full");
  CHECK(b.status().counters["alerts"] == before + 1);
}

} // namespace orderly::view_test
