// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/totals.hpp"

#include "actors/planning/score/score.hpp"

#include <algorithm>
#include <cmath>

namespace orderly::io::htools {

using namespace planning;

totals totals_of(const placement& p) {
  totals t;
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& s = p.states[static_cast<std::size_t>(n)];
    const auto& f = p.facts[static_cast<std::size_t>(n)];
    const auto& spec = p.source->nodes[static_cast<std::size_t>(
      p.node_index[static_cast<std::size_t>(n)])];
    auto free = p.unallocated(n, s);
    auto available = std::max<mib>(0, free - s.reserved);
    auto disk = s.free_disk < f.low_disk ? 0 : s.free_disk - f.low_disk;
    t.free_memory += free;
    t.available_memory += available;
    t.most_memory = std::max(t.most_memory, available);
    t.used_memory += s.instance_memory;
    t.overhead += f.missing_memory + spec.node_memory;
    t.free_disk += s.free_disk;
    t.available_disk += disk;
    t.most_disk = std::max(t.most_disk, disk);
    t.used_disk += static_cast<mib>(spec.total_disk) - s.free_disk;
    t.free_spindles += s.free_spindles;
    t.used_spindles += spec.spindles - s.free_spindles;
    t.spindles += spec.spindles;
    t.used_cpus += s.cpus;
    t.normed_cpus += static_cast<double>(s.cpus) / f.vcpu_ratio;
    t.memory += spec.total_memory;
    t.disk += spec.total_disk;
    t.cpus += spec.total_cpus;
    t.virtual_cpus
      += static_cast<std::int64_t>(std::floor(f.vcpu_ratio * spec.total_cpus));
    t.instances += s.primaries;
  }
  t.score = exact_score(p);
  return t;
}

bad_items bad_of(const planning::placement& p) {
  bad_items r;
  auto bad = [&p](int n) {
    return n >= 0 && p.facts[static_cast<std::size_t>(n)].online
           && p.states[static_cast<std::size_t>(n)].short_of_memory;
  };
  for (int n = 0; n < p.node_count(); ++n)
    r.nodes += bad(n) ? 1 : 0;
  for (std::size_t i = 0; i < p.places.size(); ++i)
    if (!p.instances[i].forthcoming)
      r.instances += bad(p.places[i].primary) || bad(p.places[i].secondary);
  return r;
}

} // namespace orderly::io::htools
