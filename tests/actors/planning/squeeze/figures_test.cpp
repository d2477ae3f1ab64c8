// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/fast_squeeze.hpp"
#include "tests/support/planning/plain_rules.hpp"
#include "tests/support/planning/squeezable.hpp"

#include <catch2/catch.hpp>

namespace orderly::squeeze_figures_test {

using namespace orderly::planning;

namespace {

constexpr int size = 4; ///< nodes of the group that is tried out

/// The fewest nodes of the first group with which everything holds, by trying
/// every place of every instance and every set of nodes.
int fewest(const cluster& c, const spare_room& room) {
  std::vector<std::size_t> mine;
  for (std::size_t i = 0; i < c.instances.size(); ++i)
    if (c.instances[i].primary < size)
      mine.push_back(i);
  auto best = size + 1;
  plain_rules r{c};
  auto all = 1;
  for (std::size_t k = 0; k < mine.size(); ++k)
    all *= size;
  for (int code = 0; code < all; ++code) {
    unsigned used = 2; // node 1 is the master
    auto rest = code;
    for (auto i : mine) {
      r.now().instances[i].primary = rest % size;
      used |= 1U << (rest % size);
      rest /= size;
    }
    for (unsigned set = used; set < (1U << size); ++set) {
      auto on = __builtin_popcount(set);
      if ((set & used) != used || on >= best)
        continue;
      for (int n = 0; n < size; ++n)
        r.now().nodes[at(n)].offline = (set >> n & 1U) == 0;
      auto good = true;
      for (int n = 0; n < size && good; ++n)
        good = !r.is_on(n)
               || (r.has_room(n, static_cast<double>(room.memory),
                              static_cast<double>(room.cpus))
                   && r.is_covered(n) && r.has_n1(n));
      if (good)
        best = on;
    }
  }
  return best;
}

} // namespace

TEST_CASE("no fewer nodes than the bound can do, and the plan is near them") {
  int groups = 0;
  int best = 0;
  int tight = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    samples::squeezable f;
    f.nodes = size;
    f.instances = 12;
    f.memory_unit = 512 * (1 + static_cast<int>(seed % 4));
    auto c = samples::draw_squeezable(seed, f);
    auto count
      = std::count_if(c.instances.begin(), c.instances.end(),
                      [](const instance_spec& i) { return i.primary < size; });
    auto g = squeeze_groups(c, {1, 2}, {}).front();
    if (!g.was_well || count > 5)
      continue;
    auto least = fewest(c, spare_of(c.groups[0].policy.standard, 2));
    // Where the target is not there yet and cannot be had, all stay on.
    CHECK((g.least.count <= least || least > size));
    CHECK((g.on_after >= least || least > size));
    ++groups;
    best += g.on_after == least ? 1 : 0;
    tight += g.least.count == least ? 1 : 0;
  }
  CHECK(groups > 20);
  CHECK(best * 10 >= groups * 9);
  CHECK(tight * 10 >= groups * 7);
}

namespace {

/// Nodes of these sizes; two instances of each of these sizes on each.
cluster plain(const std::vector<double>& nodes, const std::vector<mib>& held) {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  c.groups[0].policy.standard = {0, 0, 0, 0, 0, 0};
  for (auto memory : nodes) {
    node_spec n;
    n.name = "n" + std::to_string(c.nodes.size());
    n.total_memory = memory;
    n.total_disk = 1000;
    n.free_disk = 1000;
    n.total_cpus = 100;
    auto free = static_cast<mib>(memory);
    for (auto size_of : held) {
      instance_spec i;
      i.name = "i" + std::to_string(c.instances.size());
      i.memory = size_of;
      i.vcpus = 1;
      i.primary = static_cast<int>(c.nodes.size());
      i.disks = disk_template::ext;
      free -= size_of;
      c.instances.push_back(i);
    }
    n.free_memory = free;
    c.nodes.push_back(n);
  }
  return c;
}

least_nodes least_of(const cluster& c, const spare_room& spare,
                     bool may_go = true) {
  placement p{c, 0, {}};
  return squeeze_figures{p, std::vector<bool>(p.states.size(), may_go), spare}
    .least();
}

} // namespace

TEST_CASE("the bound names what keeps nodes on") {
  auto c = plain({1000, 1000, 1000, 1000}, {});
  CHECK(least_of(c, {}).count == 1);
  CHECK(least_of(c, {}).why == squeeze_limit::one_stays);
  CHECK(least_of(c, {}, false).count == 4);
  CHECK(least_of(c, {}, false).why == squeeze_limit::fixed);
  c = plain({1000, 1000, 1000, 1000}, {100});
  // 400 in all: one node holds it, another one takes over if it is lost.
  CHECK(least_of(c, {}).count == 2);
  CHECK(least_of(c, {}).why == squeeze_limit::a_loss);
  // 599 each beside the room that stays free: two hold 1196, not 400 and 800.
  CHECK(least_of(c, {800, 0}).count == 3);
  CHECK(least_of(c, {800, 0}).why == squeeze_limit::memory);
  // 397 virtual CPUs each beside those that stay free.
  c.groups[0].policy.vcpu_ratio = 0.04;
  CHECK(least_of(c, {0, 1}).count == 2);
  CHECK(least_of(c, {0, 2}).count == 4);
  CHECK(least_of(c, {0, 2}).why == squeeze_limit::cpus);
}

TEST_CASE("who stays on has most instances, unless larger nodes are needed") {
  auto c = plain({1000, 1000, 1000, 4000}, {});
  auto held = plain({1000}, {100}).instances.front();
  for (int n = 0; n < 2; ++n)
    for (int k = 0; k < 4 - n; ++k) {
      held.name = "x" + std::to_string(c.instances.size());
      held.primary = n;
      c.instances.push_back(held);
      c.nodes[at(n)].free_memory -= 100;
    }
  placement p{c, 0, {}};
  squeeze_figures f{p, std::vector<bool>(4, true), {}};
  CHECK(*f.choose(2, 0) == std::vector<bool>{true, true, false, false});
  // 700 and a quarter more of it must find room if the greatest is lost.
  CHECK(*f.choose(2, 0.25) == std::vector<bool>{true, true, false, false});
  CHECK(*f.choose(3, 1) == std::vector<bool>{true, true, true, false});
  // Three times 700 cannot be had: the largest are what comes nearest.
  CHECK(*f.choose(3, 2) == std::vector<bool>{true, true, false, true});
  CHECK_FALSE(f.choose(1, 0));
}

} // namespace orderly::squeeze_figures_test
