// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No bytes crash the reader of --pools; what it takes can be planned with, and
// no move goes where the volumes are not. Every second input stands for the
// pools of one node, so that these are reached.

#include "actors/planning/search/exact.hpp"
#include "io/htools/tools/read_pools.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace orderly;
using namespace orderly::planning;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

cluster two_nodes() {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  for (const auto* name : {"n1", "n2"}) {
    node_spec n;
    n.name = name;
    n.total_memory = 9000;
    n.free_memory = 9000;
    n.total_cpus = 8;
    c.nodes.push_back(n);
  }
  c.nodes[0].free_memory = 7000;
  for (const auto* name : {"a", "b"}) {
    instance_spec i;
    i.name = name;
    i.memory = 1000;
    i.disks = disk_template::ext;
    c.instances.push_back(i);
  }
  return c;
}

void check(const std::string& text) {
  auto c = two_nodes();
  auto strangers = io::htools::read_pools(text, "input", c);
  if (!strangers) {
    demand(!strangers.why().text.empty());
    return;
  }
  placement p{c, 0, {}};
  for (const auto& s : balance(p, {}).steps)
    demand(p.storage.reaches(s.what.target, s.what.instance));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string text{reinterpret_cast<const char*>(data), size};
  if (!text.empty() && text.front() % 2 == 0)
    text = "{\"nodes\":{\"n2\":[\"" + text.substr(1) + "\"]}}";
  check(text);
  return 0;
}
