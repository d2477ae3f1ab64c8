// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/tools/source.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

constexpr std::int64_t most_nodes = 10'000;

fault bad(const std::string& text) {
  return {fault_kind::bad_input, text};
}

struct simulated_group {
  alloc_policy policy = alloc_policy::preferred;
  std::int64_t nodes = 0;
  mib disk = 0;
  mib memory = 0;
  std::int64_t cpus = 0;
  std::int64_t spindles = 1;
  bool exclusive = false;
};

std::optional<alloc_policy> policy_of(std::string_view text) {
  if (text == "p")
    return alloc_policy::preferred;
  if (text == "a")
    return alloc_policy::last_resort;
  if (text == "u")
    return alloc_policy::unallocable;
  return alloc_policy_of(text);
}

result<simulated_group> read_group(const std::string& text) {
  auto f = split(text, ',');
  if (f.size() < 5 || f.size() > 7)
    return bad(fmt::format(
      "Invalid cluster specification, expected 6 comma-separated sections "
      "(allocation policy, node count, disk size, memory size, number of CPUs, "
      "spindles) but got {}: '{}'",
      f.size(), text));
  simulated_group g;
  auto policy = policy_of(f[0]);
  if (!policy)
    return bad(fmt::format("Invalid string value for type AllocPolicy: \"{}\"; "
                           "Cannot parse AllocPolicy abbreviation '{}'",
                           f[0], f[0]));
  g.policy = *policy;
  std::optional<fault> wrong;
  auto whole = [&](std::size_t k, const char* name, std::int64_t& to) {
    if (wrong || k >= f.size())
      return;
    auto x = whole_number(f[k]);
    if (!x || *x < 0)
      wrong = bad(fmt::format("{}: cannot parse string '{}'", name, f[k]));
    else
      to = *x;
  };
  auto size = [&](std::size_t k, const char* name, mib& to) {
    if (wrong)
      return;
    auto x = size_in_mib(f[k]);
    if (!x)
      wrong = bad(fmt::format("{}: {}", name, x.why().text));
    else
      to = *x;
  };
  whole(1, "node count", g.nodes);
  size(2, "disk size", g.disk);
  size(3, "memory size", g.memory);
  whole(4, "cpu count", g.cpus);
  whole(5, "spindles", g.spindles);
  if (f.size() > 6 && f[6] != "True" && f[6] != "False" && !wrong)
    wrong
      = bad(fmt::format("exclusive storage: cannot parse string '{}'", f[6]));
  if (g.nodes > most_nodes && !wrong)
    wrong
      = bad(fmt::format("node count: {} is more than {}", g.nodes, most_nodes));
  if (wrong)
    return *wrong;
  g.exclusive = f.size() > 6 && f[6] == "True";
  return g;
}

} // namespace

result<cluster>
simulated_cluster(const std::vector<std::string>& specifications) {
  cluster c;
  auto number = 0;
  for (auto at = specifications.rbegin(); at != specifications.rend(); ++at) {
    auto g = read_group(*at);
    if (!g)
      return g.why();
    ++number;
    node_group group;
    group.name = fmt::format("group-{:02}", number);
    group.uuid = fmt::format("fake-uuid-{:02}", number);
    group.allocation = g->policy;
    for (std::int64_t k = 1; k <= g->nodes; ++k) {
      node_spec n;
      n.name = fmt::format("node-{:02}-{:03}", number, k);
      n.total_memory = static_cast<double>(g->memory);
      n.free_memory = g->memory;
      n.total_disk = static_cast<double>(g->disk);
      n.free_disk = g->disk;
      n.total_cpus = static_cast<double>(g->cpus);
      n.spindles = g->spindles;
      n.free_spindles = g->exclusive ? g->spindles : 0;
      n.exclusive_storage = g->exclusive;
      n.master = c.nodes.empty();
      n.group = number - 1;
      c.nodes.push_back(std::move(n));
    }
    c.groups.push_back(std::move(group));
  }
  return c;
}

} // namespace orderly::io::htools
