// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/place_one.hpp"
#include "tests/support/planning/record_of.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace orderly::place_one_test {

using namespace orderly::planning;

namespace {

/// The definition of N+1, from the figures alone.
class room {
public:
  explicit room(cluster c) : c_(std::move(c)) {
    for (const auto& n : c_.nodes)
      missing_.push_back(static_cast<mib>(n.total_memory) - n.node_memory
                         - n.free_memory);
    for (const auto& i : c_.instances)
      if (uses_memory(i))
        missing_[at(i.primary)] -= i.memory;
  }

  cluster& now() { return c_; }

  mib unallocated(int node) const {
    const auto& n = c_.nodes[at(node)];
    auto result = static_cast<mib>(n.total_memory) - n.node_memory
                  - std::max<mib>(0, missing_[at(node)]);
    for (const auto& i : c_.instances)
      if (i.primary == node && uses_memory(i))
        result -= i.memory;
    return result;
  }

  mib kept_for(int node, int lost) const {
    mib sum = 0;
    for (const auto& i : c_.instances)
      if (i.secondary == node && i.primary == lost && reserves_memory(i))
        sum += i.memory;
    return sum;
  }

  /// Nodes that could not take their mirrored instances in.
  std::set<int> short_nodes() const {
    std::set<int> result;
    for (int n = 0; n < count(); ++n)
      for (int lost = 0; lost < count(); ++lost)
        if (!c_.nodes[at(n)].offline && unallocated(n) <= kept_for(n, lost))
          result.insert(n);
    return result;
  }

  /// Nodes whose shared instances nobody could take in.
  std::set<int> uncovered() const {
    std::set<int> result;
    for (int lost = 0; lost < count(); ++lost)
      if (!c_.nodes[at(lost)].offline && !can_spread(lost))
        result.insert(lost);
    return result;
  }

private:
  int count() const { return static_cast<int>(c_.nodes.size()); }

  bool can_spread(int lost) const {
    std::vector<mib> sizes;
    for (const auto& i : c_.instances)
      if (i.primary == lost && i.disks == planning::disk_template::rbd
          && uses_memory(i) && reserves_memory(i))
        sizes.push_back(i.memory);
    std::sort(sizes.rbegin(), sizes.rend());
    std::vector<mib> left;
    for (int n = 0; n < count(); ++n)
      if (n != lost && !c_.nodes[at(n)].offline)
        left.push_back(std::max<mib>(0, unallocated(n)) - kept_for(n, lost));
    for (auto size : sizes) {
      auto most = std::max_element(left.begin(), left.end());
      if (most == left.end() || *most <= size)
        return false;
      *most -= size;
    }
    return true;
  }

  cluster c_;
  std::vector<mib> missing_;
};

std::size_t lost(const std::set<int>& before, const std::set<int>& after) {
  return static_cast<std::size_t>(std::count_if(
    after.begin(), after.end(), [&](int n) { return before.count(n) == 0; }));
}

/// How many nodes lose N+1 if the instance goes there.
std::size_t losses(const room& before, int instance, int primary,
                   int secondary) {
  auto after = before;
  auto& x = after.now().instances[at(instance)];
  x.primary = primary;
  x.secondary = secondary;
  return lost(before.short_nodes(), after.short_nodes())
         + lost(before.uncovered(), after.uncovered());
}

/// Tighter than drawn ones are: every node has little more than it uses.
cluster tight(std::uint64_t seed, int nodes, int instances) {
  auto c = samples::draw(seed, nodes, instances, {});
  samples::dice d{seed};
  for (auto& n : c.nodes) {
    auto spare = 2000 + 1000 * d.roll(8);
    n.total_memory -= static_cast<double>(n.free_memory - spare);
    n.free_memory = spare;
  }
  return c;
}

target_question question(const cluster& c, const instance_spec& x) {
  target_question q;
  q.model = std::make_shared<const cluster>(c);
  q.instance = x.name;
  q.leaves_primary = x.secondary < 0;
  q.leaves_secondary = x.secondary >= 0;
  return q;
}

int index(const cluster& c, const node_name& name) {
  for (std::size_t n = 0; n < c.nodes.size(); ++n)
    if (c.nodes[n].name == name)
      return static_cast<int>(n);
  return -1;
}

bool moves(const instance_spec& x) {
  return x.disks == planning::disk_template::rbd || x.secondary >= 0;
}

} // namespace

TEST_CASE(
  "an instance goes where N+1 stays, as long as there is such a place") {
  int kept = 0;
  int broken = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    auto c = tight(seed, 5, 24);
    c.nodes[4].offline = true;
    room now{c};
    for (std::size_t k = 0; k < c.instances.size(); ++k) {
      const auto& x = c.instances[k];
      if (!moves(x))
        continue;
      auto i = static_cast<int>(k);
      auto mirrored = x.secondary >= 0;
      auto answer = place_one(question(c, x));
      std::size_t least = 1000;
      for (int t = 0; t < 4; ++t) {
        auto there = t == x.primary || t == x.secondary;
        auto room_for = mirrored
                          ? now.unallocated(t) > 0
                          : now.unallocated(t) > x.memory || !uses_memory(x);
        if (!there && room_for)
          least = std::min(
            least, losses(now, i, mirrored ? x.primary : t, mirrored ? t : -1));
      }
      INFO("seed " << seed << " " << x.name << " " << answer.text);
      if (!answer.found)
        continue;
      auto primary = index(c, answer.to.primary);
      auto secondary = index(c, answer.to.secondary);
      CHECK(losses(now, i, primary, secondary) == least);
      ++(least == 0 ? kept : broken);
      auto says_so = answer.text.find("no node loses N+1") != std::string::npos;
      CHECK(says_so == (least == 0));
    }
  }
  // Both happen, or this shows nothing.
  CHECK(kept > 50);
  CHECK(broken > 10);
}

TEST_CASE("nobody goes to a node that is closed, offline, drained or its own") {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto c = samples::draw(seed, 7, 40, {});
    auto record = samples::record_of(c);
    record.nodes[1].offline = true;
    record.nodes[2].drained = true;
    for (const auto& x : c.instances) {
      auto q = question(c, x);
      q.picture = std::make_shared<const cluster_record>(record);
      q.closed = {"node3"};
      auto answer = place_one(q);
      // A new mirror cannot be copied from a home that is dead.
      auto copied = x.secondary < 0 || x.primary != 1;
      CHECK(answer.found == (moves(x) && copied));
      if (!answer.found)
        continue;
      ++found;
      auto to = x.secondary < 0 ? answer.to.primary : answer.to.secondary;
      CHECK((to != "node1" && to != "node2" && to != "node3"));
      CHECK(to != c.nodes[at(x.primary)].name);
      if (x.secondary >= 0) {
        CHECK(to != c.nodes[at(x.secondary)].name);
        CHECK(answer.to.primary == c.nodes[at(x.primary)].name);
      }
      CHECK(place_one(q).to == answer.to);
    }
  }
  CHECK(found > 100);
}

TEST_CASE("what is under way takes the room where it goes") {
  auto c = samples::draw(3, 3, 0, {});
  for (auto& n : c.nodes) {
    n.total_memory = 10000;
    n.node_memory = 0;
    n.free_memory = 10000;
  }
  for (const char* name : {"a", "b"}) {
    instance_spec x;
    x.name = name;
    x.memory = 6000;
    x.disks = planning::disk_template::rbd;
    x.primary = 0;
    x.status = instance_status::error_node_offline;
    c.instances.push_back(x);
  }
  c.nodes[0].offline = true;
  auto first = place_one(question(c, c.instances[0]));
  REQUIRE(first.found);
  auto q = question(c, c.instances[1]);
  q.under_way = {{"a", first.to}};
  auto second = place_one(q);
  REQUIRE(second.found);
  CHECK(second.to.primary != first.to.primary);
}

TEST_CASE("a mirrored instance fails over to its mirror, or nowhere") {
  auto c = samples::draw(3, 5, 30, {});
  auto x = *std::find_if(c.instances.begin(), c.instances.end(),
                         [](const auto& i) { return i.secondary >= 0; });
  auto mirror = c.nodes[at(x.secondary)].name;
  auto q = question(c, x);
  q.leaves_primary = true;
  q.leaves_secondary = false;
  auto answer = place_one(q);
  REQUIRE(answer.found);
  CHECK(answer.to == instance_place{mirror, c.nodes[at(x.primary)].name});
  q.closed = {mirror};
  answer = place_one(q);
  CHECK_FALSE(answer.found);
  CHECK(answer.text
        == x.name + ": its mirror is on " + mirror
             + ", which takes no instances now");
  q.closed.clear();
  q.leaves_secondary = true;
  answer = place_one(q);
  REQUIRE(answer.found);
  for (const auto& n : {answer.to.primary, answer.to.secondary})
    CHECK((n != mirror && n != c.nodes[at(x.primary)].name));
  CHECK(answer.to.primary != answer.to.secondary);
}

TEST_CASE("who cannot be placed is told why") {
  auto c = samples::draw(3, 3, 10, {});
  auto& x = c.instances[0];
  x.disks = planning::disk_template::plain;
  x.secondary = -1;
  auto q = question(c, x);
  CHECK(place_one(q).text
        == "inst0: Instances of type plain cannot be relocated");
  q.instance = "nobody";
  CHECK(place_one(q).text == "nobody: there is no such instance");
  q.instance = "inst0";
  q.leaves_primary = q.leaves_secondary = false;
  CHECK(place_one(q).text == "inst0: nothing says which node it leaves");
  q.model = nullptr;
  CHECK(place_one(q).text == "there is no model");
  q.model = std::make_shared<const cluster>();
  CHECK(place_one(q).text == "the model has no nodes");
  CHECK_FALSE(place_one(q).found);
}

} // namespace orderly::place_one_test
