// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a reading changed, and for whom: by the state of the picture's actor,
// which is not alive here.

#include "actors/cluster/changes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace orderly::cluster_changes_test {

using names = std::vector<instance_name>;

namespace {

/// mail1 runs on n3; web1 on n1, mirrored on n2, where web2 runs, whose mirror
/// is on n1. Nothing is on n4.
struct rig {
  rig() {
    for (const auto* name : {"n1", "n2", "n3", "n4"}) {
      node_record x;
      x.name = name;
      record.nodes.push_back(x);
    }
    add("mail1", "n3");
    add("web1", "n1", {"n2"});
    add("web2", "n2", {"n1"});
    record.groups = {{"rack1", "uuid-rack1", {}}, {"rack2", "uuid-rack2", {}}};
  }

  void add(const instance_name& name, const node_name& home,
           std::vector<node_name> secondaries = {}) {
    instance_record x;
    x.name = name;
    x.primary = home;
    x.secondaries = std::move(secondaries);
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

  /// As the actor has it after a reading. Which nodes became the home of
  /// something, or are none any more.
  std::set<node_name> read() {
    before = std::exchange(st.picture,
                           std::make_shared<const cluster_record>(record));
    change = change_of(before, *st.picture);
    relodge(st, change);
    return rehome(st, change);
  }

  /// Who is told of what is in `record` by now.
  names concerned() {
    read();
    names result;
    for (auto place :
         orderly::concerned(st, changes_between(*before, *st.picture), change))
      result.push_back(st.picture->instances[place].name);
    return result;
  }

  cluster_record record;
  cluster_state st;
  cluster_picture before;
  picture_change change;
};

} // namespace

TEST_CASE("an instance is looked at anew when a node of its or a job changed") {
  rig b;
  b.read();
  CHECK(b.concerned().empty());
  SECTION("its home or its mirror's node, whichever") {
    b.node("n2").offline = true;
    CHECK(b.concerned() == names{"web1", "web2"});
  }
  SECTION("a node that is no more") {
    b.record.nodes.erase(b.record.nodes.begin() + 2);
    CHECK(b.concerned() == names{"mail1"});
  }
  SECTION("a job that names it came, and ended") {
    b.record.jobs = {{1, {"web2"}, {}, "x"}};
    CHECK(b.concerned() == names{"web2"});
    b.record.jobs.clear();
    CHECK(b.concerned() == names{"web2"});
    CHECK(b.concerned().empty());
  }
  SECTION("a tag of its group or of the cluster may concern all") {
    b.record.groups[1].tags = {"x"};
    CHECK(b.concerned() == names{"mail1", "web1", "web2"});
  }
  SECTION("its own record, or it waits for news whatever changed") {
    b.instance("web1").memory_mib = 7;
    b.st.attentive = {"mail1", "unknown"};
    CHECK(b.concerned() == names{"mail1", "web1"});
    CHECK(b.concerned() == names{"mail1"});
  }
}

TEST_CASE("where instances live is known after each reading as if all were "
          "looked at") {
  rig b;
  b.read();
  std::mt19937 rolls{7};
  auto below = [&](std::size_t n) { return rolls() % n; };
  const std::vector<node_name> nodes{"n1", "n2", "n3", "n4"};
  for (auto turn = 0; turn < 300; ++turn) {
    for (auto change = below(3); change > 0; --change) {
      auto& all = b.record.instances;
      auto what = below(5);
      if (what == 0 && all.size() > 1)
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(below(all.size())));
      else if (what == 1)
        b.add("a" + std::to_string(below(9)), nodes[below(4)], {});
      else if (what == 2)
        all[below(all.size())].admin
          = below(2) == 0 ? admin_state::up : admin_state::down;
      else
        all[below(all.size())].primary = nodes[below(4)];
      auto by_name
        = [](const auto& x, const auto& y) { return x.name < y.name; };
      std::stable_sort(all.begin(), all.end(), by_name);
      auto same = [](const auto& x, const auto& y) { return x.name == y.name; };
      all.erase(std::unique(all.begin(), all.end(), same), all.end());
    }
    auto before = b.st.homes;
    auto turned = b.read();
    rig fresh;
    fresh.record = b.record;
    fresh.read();
    CHECK(b.st.homes == fresh.st.homes);
    for (const auto& node : nodes) {
      CHECK(b.st.lodgers[node] == fresh.st.lodgers[node]);
      CHECK(turned.count(node)
            == (before.count(node) == b.st.homes.count(node) ? 0 : 1));
    }
  }
}

TEST_CASE("a node is a home only of what should run") {
  rig b;
  b.read();
  CHECK(b.st.homes
        == std::map<node_name, std::uint32_t>{{"n1", 1}, {"n2", 1}, {"n3", 1}});
  b.instance("mail1").admin = admin_state::down;
  CHECK(b.read() == std::set<node_name>{"n3"});
  CHECK(b.st.homes == std::map<node_name, std::uint32_t>{{"n1", 1}, {"n2", 1}});
}

} // namespace orderly::cluster_changes_test
