// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which node reaches which storage: nothing goes where its volumes are not, and
// where nobody says anything all is as Ganeti has it.

#include "actors/planning/place/allocate.hpp"
#include "actors/planning/place/evacuate.hpp"
#include "actors/planning/place/global_n1.hpp"
#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/fast.hpp"
#include "io/htools/tools/read_pools.hpp"
#include "tests/support/planning/samples.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>

namespace orderly::planning::place_pools_test {

namespace {

samples::flavour pooled(std::uint64_t seed) {
  return {.tags = seed % 3 == 0,
          .forthcoming = seed % 5 == 0,
          .exclusive = seed % 7 == 0,
          .offline = seed % 2 == 0,
          .pools = true};
}

cluster drawn(std::uint64_t seed) {
  return samples::draw(seed, 3 + static_cast<int>(seed % 8), 30, pooled(seed));
}

/// True if the step put nothing on a node that does not reach it.
bool is_reached(const placement& p, const step& s) {
  return s.what.target < 0 || p.storage.reaches(s.what.target, s.what.instance);
}

/// All nodes say that they reach what all do anyway.
cluster saying_everything(cluster c) {
  std::vector<storage_pool> all;
  for (const auto& i : c.instances)
    if (auto x = pool_of(c, i))
      all.push_back(*x);
  for (auto& n : c.nodes)
    n.pools = all;
  return c;
}

} // namespace

TEST_CASE("a pool is what an instance says, or its template in the cluster") {
  cluster c;
  instance_spec x;
  CHECK_FALSE(pool_of(c, x));
  for (auto [disks, type, pool] :
       {std::tuple{disk_template::drbd, storage_type::internal, "lvm"},
        std::tuple{disk_template::plain, storage_type::internal, "lvm"},
        std::tuple{disk_template::file, storage_type::internal, "file"},
        std::tuple{disk_template::rbd, storage_type::external, "rbd"},
        std::tuple{disk_template::ext, storage_type::external, "ext"}}) {
    x.disks = disks;
    CHECK(pool_of(c, x) == storage_pool{type, pool});
  }
  c.template_pools[disk_template::ext] = {storage_type::external, "nas1"};
  CHECK(pool_of(c, x)->pool == "nas1");
  x.storage = storage_pool{storage_type::external, "nas2"};
  CHECK(pool_of(c, x)->pool == "nas2");
}

TEST_CASE("a node that lists no pool reaches none, one without list all") {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  c.nodes.resize(3);
  c.nodes[1].pools.emplace();
  c.nodes[2].pools = {storage_pool{}};
  c.instances.resize(2);
  c.instances[0].disks = disk_template::plain;
  c.instances[1].disks = disk_template::diskless;
  storage_map m{c, {0, 1, 2}, {0, 1}};
  CHECK(m.any());
  CHECK(m.reaches(0, 0));
  CHECK_FALSE(m.reaches(1, 0));
  CHECK(m.reaches(2, 0));
  CHECK(m.reaches(1, 1)); // it has no volumes
}

TEST_CASE("no plan moves anything to where its volumes are not") {
  auto steps = 0;
  auto refused = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    for (auto fast : {false, true}) {
      placement p{c, 0, {}};
      std::vector<step> made;
      if (fast)
        made = balance_fast(p, {}, {}).found.steps;
      else
        made = balance(p, {}).steps;
      for (const auto& s : made)
        CHECK(is_reached(p, s));
      steps += static_cast<int>(made.size());
    }
    placement p{c, 0, {}};
    for (int i = 0; i < p.instance_count(); ++i)
      for (int n = 0; n < p.node_count(); ++n)
        if (n != p.places[at(i)].primary && !p.storage.reaches(n, i)) {
          ++refused;
          CHECK(try_move(p, {i, move_kind::failover_to, n}, true).why
                == refusal::storage);
        }
  }
  CHECK(steps > 500);
  CHECK(refused > 500);
}

TEST_CASE("with pools, too, the scan finds what trying everything finds") {
  auto steps = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    placement fast{c, 0, {}};
    placement slow{c, 0, {}};
    auto a = balance(fast, {});
    auto b = balance(slow, {}, &try_all);
    REQUIRE(a.steps.size() == b.steps.size());
    for (std::size_t k = 0; k < a.steps.size(); ++k)
      CHECK(a.steps[k].what == b.steps[k].what);
    CHECK(fast.states == slow.states);
    steps += static_cast<int>(a.steps.size());
  }
  CHECK(steps > 300);
}

TEST_CASE("saying that everybody reaches everything changes no plan") {
  auto steps = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    auto f = pooled(seed);
    f.pools = false;
    auto silent = samples::draw(seed, 4 + static_cast<int>(seed % 6), 30, f);
    auto saying = saying_everything(silent);
    placement a{silent, 0, {}};
    placement b{saying, 0, {}};
    auto x = balance(a, {}).steps;
    auto y = balance(b, {}).steps;
    REQUIRE(x.size() == y.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      CHECK(x[k].what == y[k].what);
      CHECK(x[k].score == y[k].score);
    }
    steps += static_cast<int>(x.size());
  }
  CHECK(steps > 200);
}

TEST_CASE("a new instance goes only where its volumes are") {
  auto placed = 0;
  auto kept_out = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    for (auto disks : {disk_template::rbd, disk_template::drbd}) {
      auto x = c.instances.front();
      x.disks = disks;
      x.disk_sizes = {x.disk};
      x.disk_spindles = {1};
      x.tags.clear();
      x.primary = x.secondary = -1;
      x.storage.reset();
      if (disks == disk_template::rbd)
        x.storage = storage_pool{storage_type::external, "nas1"};
      auto more = c;
      more.instances.push_back(x);
      placement p{more, 0, {}};
      std::vector<int> all;
      for (int n = 0; n < p.node_count(); ++n)
        all.push_back(n);
      auto i = p.instance_count() - 1;
      set_score scores{p, all};
      auto found = allocate(p, i, x, all, nodes_needed(disks), scores, {});
      REQUIRE(found);
      for (auto n : all)
        kept_out += p.storage.reaches(n, i) ? 0 : 1;
      if (!found->best)
        continue;
      ++placed;
      auto where = found->best->what.where;
      CHECK(p.storage.reaches(where.primary, i));
      if (where.secondary >= 0)
        CHECK(p.storage.reaches(where.secondary, i));
    }
  }
  CHECK(placed > 40);
  CHECK(kept_out > 40);
}

TEST_CASE("an evacuation goes only where the volumes are") {
  auto moved = 0;
  auto stuck = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    placement p{c, 0, {}};
    std::vector<int> on;
    for (int i = 0; i < p.instance_count(); ++i)
      if (p.places[at(i)].primary == 0)
        on.push_back(i);
    auto r = evacuate(p, on, leave::primary, false);
    for (const auto& x : r.moved) {
      if (!p.instances[at(x.instance)].mirrored)
        CHECK(p.storage.reaches(x.where.primary, x.instance));
      ++moved;
    }
    stuck += static_cast<int>(r.failed.size());
  }
  CHECK(moved > 40);
  CHECK(stuck > 10);
}

namespace {

/// So many empty nodes; the first holds two instances on nas1.
cluster nas_users(int nodes) {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  for (int n = 0; n < nodes; ++n) {
    node_spec x;
    x.name = "n" + std::to_string(n);
    x.total_memory = 64000;
    x.free_memory = n == 0 ? 60000 : 64000;
    x.total_cpus = 16;
    c.nodes.push_back(x);
  }
  for (const auto* name : {"a", "b"}) {
    instance_spec i;
    i.name = name;
    i.memory = 2000;
    i.vcpus = 1;
    i.disks = disk_template::rbd;
    i.storage = storage_pool{storage_type::external, "nas1"};
    c.instances.push_back(i);
  }
  return c;
}

} // namespace

TEST_CASE("room on nodes that do not reach the storage covers nobody") {
  auto c = nas_users(12);
  CHECK(shared_n1{placement{c, 0, {}}}.covered(0));
  for (std::size_t n = 1; n < c.nodes.size(); ++n)
    c.nodes[n].pools.emplace();
  shared_n1 bare{placement{c, 0, {}}};
  CHECK_FALSE(bare.covered(0));
  CHECK_FALSE(bare.has_plenty(1));
  c.nodes.back().pools = {{storage_type::external, "nas1"}};
  CHECK(shared_n1{placement{c, 0, {}}}.covered(0));
}

TEST_CASE("the one node that reaches the storage is found among many") {
  auto c = nas_users(40);
  for (std::size_t n = 1; n < c.nodes.size(); ++n)
    if (n != 20)
      c.nodes[n].pools.emplace();
  // Less inviting than all the others.
  c.nodes[20].free_memory = 50000;
  placement p{c, 0, {}};
  auto found = balance_fast(p, {}, {}).found.steps;
  REQUIRE(found.size() == 1);
  CHECK(found[0].what.target == 20);
}

TEST_CASE("a node is lost for good if nobody else reaches what it holds") {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  for (int n = 0; n < 3; ++n) {
    node_spec x;
    x.name = "n" + std::to_string(n);
    x.total_memory = 10000;
    x.free_memory = n == 0 ? 9000 : 10000;
    x.total_cpus = 8;
    c.nodes.push_back(x);
  }
  instance_spec i;
  i.name = "i";
  i.memory = 1000;
  i.disks = disk_template::rbd;
  i.vcpus = 1;
  c.instances.push_back(i);
  auto can_lose = [&] {
    placement p{c, 0, {}};
    return global_n1{p}.can_lose(0);
  };
  CHECK(can_lose());
  c.nodes[1].pools.emplace();
  CHECK(can_lose());
  c.nodes[2].pools = {storage_pool{}};
  CHECK_FALSE(can_lose());
  c.nodes[2].pools = {{storage_type::external, "rbd"}};
  CHECK(can_lose());
}

namespace {

using namespace orderly::io::htools;

/// A full node, two empty ones, and two instances on external storage.
const char* const uneven = "g|u|preferred||\n\n"
                           "n1|20000|1000|9000|0|0|8|M|u|8\n"
                           "n2|20000|1000|19000|0|0|8|N|u|8\n"
                           "n3|20000|1000|19000|0|0|8|N|u|8\n\n"
                           "web|5000|1024|1|running|Y|n1||ext||1\n"
                           "db|5000|1024|1|running|Y|n1||rbd||1\n\n\n";

std::string fault_in(const std::string& text) {
  auto c = samples::read(uneven);
  auto r = read_pools(text, "p.json", c);
  return r ? "none" : r.why().text;
}

} // namespace

TEST_CASE("a file of pools says what nodes reach, and names who is unknown") {
  auto c = samples::read(uneven);
  auto r = read_pools(R"({"templates": {"ext": "external/nas1"},
    "nodes": {"n1": ["internal/lvm", "external/nas1"], "n9": []},
    "instances": {"db": "external/ceph", "gone": "external/nas1"}})",
                      "p.json", c);
  REQUIRE(r);
  CHECK(*r == std::vector<std::string>{"node n9", "instance gone"});
  REQUIRE(c.nodes[0].pools);
  CHECK(c.nodes[0].pools->size() == 2);
  CHECK_FALSE(c.nodes[1].pools);
  CHECK(pool_of(c, c.instances[0])
        == storage_pool{storage_type::external, "nas1"});
  CHECK(pool_of(c, c.instances[1])
        == storage_pool{storage_type::external, "ceph"});
}

TEST_CASE("a fault in a file of pools names the place and what is wrong") {
  CHECK(says(fault_in("["), "p.json"));
  CHECK(fault_in("[]") == "p.json: the file: it is no object");
  CHECK(fault_in(R"({"pools": {}})")
        == "p.json: pools: there is no such part; give nodes, instances or "
           "templates");
  CHECK(fault_in(R"({"nodes": []})") == "p.json: nodes: it is no object");
  CHECK(fault_in(R"({"nodes": {"n1": "internal/lvm"}})")
        == "p.json: nodes n1: it is no list of pools");
  for (const auto* bad : {"7", "\"lvm\"", "\"internal/\"", "\"other/x\""})
    CHECK(fault_in(fmt::format(R"({{"nodes": {{"n1": [{}]}}}})", bad))
          == "p.json: nodes n1: a pool is a text like \"internal/lvm\" or "
             "\"external/nas1\"");
  CHECK(fault_in(R"({"instances": {"db": "internal/lvm"}})")
        == "p.json: instances db: volumes of template rbd are external");
  CHECK(fault_in(R"({"templates": {"diskless": "internal/lvm"}})")
        == "p.json: templates diskless: diskless instances have no volumes");
  CHECK(fault_in(R"({"templates": {"tape": "internal/lvm"}})")
        == "p.json: templates tape: there is no such disk template");
}

TEST_CASE("hbal and hspace go by --pools, and warn of names that are none") {
  draft nodes{uneven};
  auto plan = [&](const std::string& pools) {
    draft file{pools};
    return run_as_reference(tool::hbal, {"-t", nodes.path(), "--search=exact",
                                         "--pools=" + file.path()});
  };
  auto free
    = run_as_reference(tool::hbal, {"-t", nodes.path(), "--search=exact"});
  CHECK(says(free.out, "web n1    => n2"));
  CHECK(plan("{}").out == free.out);
  auto r = plan(R"({"nodes": {"n2": ["external/rbd"], "n3": []}})");
  CHECK(r.code == 0);
  CHECK(says(r.out, "db  n1    => n2"));
  CHECK_FALSE(says(r.out, "web n1"));
  r = plan(R"({"nodes": {"n2": [], "n3": [], "n4": []}})");
  CHECK(says(r.out, "No solution found"));
  CHECK(says(r.err, "names node n4, which the cluster does not have"));
  r = plan("{");
  CHECK(r.code == 1);
  CHECK(says(r.err, "Error: failed to load data, aborting: "));
  draft none{R"({"nodes": {"n1": [], "n2": [], "n3": []}})"};
  r = run_as_reference(tool::hspace,
                       {"-t", nodes.path(), "--disk-template=ext",
                        "--machine-readable", "--pools", none.path()});
  CHECK(says(r.out, "HTS_ALLOC_INSTANCES=0\n"));
  CHECK(says(r.out, "HTS_ALLOC_FAIL_REASON=FAILDISK\n"));
}

} // namespace orderly::planning::place_pools_test
