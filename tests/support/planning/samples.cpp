// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/support/planning/samples.hpp"

#include "io/htools/formats/text.hpp"

#include <catch2/catch.hpp>

namespace orderly::planning::samples {

const char* const small_text = R"(group-01|uuid-1|preferred||

n1.x|10000|500|7000|0|0|16|M|uuid-1|4|nodetag|N|0|1|1.0
n2.x|10000|500|9900|100000|50000|8|N|uuid-1|4||N|0|1|1.0
n3.x|10000|500|8000|100000|90000|8|N|uuid-1|4||N|0|2|2.0
n4.x|10000|500|9000|100000|90000|8|Y|uuid-1|4||N|0|2|2.0

i1.x|1000|10000|2|running|Y|n1.x||ext|
i2.x|1000|10000|2|ADMIN_down|Y|n2.x|n3.x|drbd|
i3.x|1000|10000|2|ADMIN_offline|Y|n3.x|n2.x|drbd|
i4.x|1000|10000|2|running|N|n3.x|n2.x|drbd|
i5.x|1000|10000|2|ERROR_down|Y|n4.x|n2.x|drbd|
i6.x|700|10000|2|running|Y|n2.x|n1.x|drbd||2|-|Y


)";

cluster read(const std::string& text) {
  auto c = io::htools::read_text(text, "sample");
  INFO((c ? std::string{} : c.why().text));
  REQUIRE(c);
  return *c;
}

cluster small() {
  return read(small_text);
}

int dice::roll(int sides) {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return static_cast<int>((state_ >> 11) % static_cast<std::uint64_t>(sides));
}

namespace {

void draw_nodes(cluster& c, dice& d, int nodes, flavour f) {
  for (int n = 0; n < nodes; ++n) {
    node_spec x;
    x.name = "node" + std::to_string(n);
    x.total_memory = 32768 * (1 + d.roll(3));
    x.node_memory = 1024;
    x.total_disk = 1048576.0 * (1 + d.roll(3));
    x.total_cpus = 8 * (1 + d.roll(3));
    x.spindles = 8;
    x.offline = f.offline && n > 1 && d.chance(15);
    x.cpu_speed = d.chance(20) ? 1.5 : 1.0;
    if (f.exclusive) {
      x.exclusive_storage = true;
      x.spindles = 40;
      x.free_spindles = 30;
    }
    if (f.tags)
      x.tags = {"power:" + std::to_string(d.roll(3)),
                "hv:" + std::to_string(d.roll(2))};
    x.free_memory = static_cast<mib>(x.total_memory) - x.node_memory;
    x.free_disk = static_cast<mib>(x.total_disk);
    c.nodes.push_back(x);
  }
}

instance_spec draw_instance(dice& d, int number, int nodes, flavour f) {
  instance_spec i;
  i.name = "inst" + std::to_string(number);
  i.memory = 512 * (1 + d.roll(8));
  i.disk = 1024 * (10 + d.roll(40));
  i.vcpus = 1 + d.roll(4);
  i.primary = d.roll(nodes);
  i.disks = d.chance(60) ? disk_template::drbd : disk_template::rbd;
  if (d.chance(5))
    i.disks = disk_template::plain;
  if (i.disks == disk_template::drbd)
    i.secondary = (i.primary + 1 + d.roll(nodes - 1)) % nodes;
  i.status
    = d.chance(10) ? instance_status::admin_down : instance_status::running;
  i.auto_balance = !d.chance(5);
  i.forthcoming = f.forthcoming && d.chance(10);
  i.disk_spindles = {std::nullopt};
  if (f.exclusive)
    i.disk_spindles = {1 + d.roll(2)};
  if (f.tags && d.chance(40))
    i.tags = {"power:" + std::to_string(d.roll(3)),
              "service:" + std::to_string(d.roll(4))};
  if (f.loads)
    for (auto& u : i.use)
      u = d.roll(1000) / 997.0;
  return i;
}

/// With dice of its own: all else is as without pools.
void draw_pools(cluster& c, std::uint64_t seed) {
  dice d{seed + 1000};
  const std::vector<storage_pool> all{{storage_type::internal, "lvm"},
                                      {storage_type::external, "nas1"},
                                      {storage_type::external, "nas2"}};
  for (auto& n : c.nodes) {
    if (d.chance(15))
      continue; // nobody says: it reaches everything
    n.pools.emplace();
    for (const auto& x : all)
      if (d.chance(70))
        n.pools->push_back(x);
  }
  for (auto& i : c.instances)
    if (i.disks == disk_template::rbd)
      i.storage = all[d.chance(50) ? 1 : 2];
}

} // namespace

cluster draw(std::uint64_t seed, int nodes, int instances, flavour f) {
  dice d{seed};
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  draw_nodes(c, d, nodes, f);
  for (int n = 0; n < instances; ++n) {
    auto i = draw_instance(d, n, nodes, f);
    auto& p = c.nodes[static_cast<std::size_t>(i.primary)];
    if (uses_memory(i))
      p.free_memory -= i.memory;
    if (uses_local_disk(i.disks) && !i.forthcoming) {
      p.free_disk -= i.disk;
      if (i.secondary >= 0)
        c.nodes[static_cast<std::size_t>(i.secondary)].free_disk -= i.disk;
    }
    c.instances.push_back(std::move(i));
  }
  if (f.pools)
    draw_pools(c, seed);
  if (f.tags)
    c.tags = {"htools:iextags:service", "htools:nlocation:power",
              "htools:desiredlocation:power", "htools:migration:hv",
              "htools:allowmigration:hv:0::hv:1"};
  return c;
}

} // namespace orderly::planning::samples
