// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/groups/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/groups/told_moves.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

class group_objects {
public:
  explicit group_objects(const told_groups& x) : x_(x) {
    // nop
  }

  std::string all() const {
    return fmt::format(
      "{{\"group_moves\":\"{}\",\"groups\":{},\"all\":{{{}}},\"partitions\":{},"
      "\"alone\":{},"
      "\"crossings\":{},\"instances\":{}}}\n",
      name_of(x_.allowed),
      json_list(x_.groups, [this](const group_report& g) { return group(g); }),
      room(sum_of(x_.groups)),
      json_list(x_.partitions,
                [this](const storage_partition& p) { return partition(p); }),
      group_list(x_.c, x_.alone),
      json_list(x_.crossings,
                [this](const told_crossing& c) { return crossing(c); }),
      json_list(x_.instances,
                [this](const told_instance& i) { return instance(i); }));
  }

private:
  std::string node(int n) const { return json_text(x_.c.nodes[at(n)].name); }

  std::string group_name(int g) const {
    return json_text(x_.c.groups[at(g)].name);
  }

  std::string group(const group_report& g) const {
    auto lack = [this](const node_lack& x) {
      return fmt::format("{{\"node\":{},\"missing_mib\":{}}}", node(x.node),
                         x.missing);
    };
    const auto& spec = x_.c.groups[at(g.group)];
    return fmt::format(
      "{{\"name\":{},\"uuid\":{},\"policy\":\"{}\",\"health\":\"{}\","
      "\"nodes\":{},\"nodes_in_service\":{},\"instances\":{},{},"
      "\"stranded\":{},"
      "\"short\":{},\"uncovered\":{}}}",
      json_text(spec.name), json_text(spec.uuid),
      planning::name_of(spec.allocation), name_of(g.health()), g.nodes,
      g.state.nodes, g.instances, room(g.room),
      json_list(
        g.stranded,
        [this](int i) { return json_text(x_.c.instances[at(i)].name); }),
      json_list(g.state.short_of, lack), json_list(g.state.uncovered, lack));
  }

  static std::string room(const group_room& r) {
    return fmt::format("\"memory_mib\":{},\"free_memory_mib\":{},"
                       "\"disk_mib\":{},\"free_disk_mib\":{},\"cpus\":{},"
                       "\"free_cpus\":{}",
                       r.memory, r.free_memory, r.disk, r.free_disk, r.cpus,
                       r.free_cpus);
  }

  std::string partition(const storage_partition& p) const {
    return fmt::format("{{\"type\":\"{}\",\"pool\":{},\"groups\":{},"
                       "\"instances\":{},\"memory_mib\":{}}}",
                       planning::name_of(p.pool.type), json_text(p.pool.pool),
                       group_list(x_.c, p.groups), p.instances, p.memory);
  }

  std::string crossing(const told_crossing& c) const {
    std::vector<std::string> kept;
    for (std::size_t k = 1; k < barrier_kinds; ++k)
      if (c.counts[k] > 0)
        kept.push_back(fmt::format(
          "\"{}\":{}", name_of(static_cast<barrier>(k)), c.counts[k]));
    return fmt::format("{{\"from\":{},\"to\":{},\"could\":{},\"kept\":{{{}}}}}",
                       group_name(c.from), group_name(c.to), c.counts[0],
                       join(kept, ','));
  }

  std::string instance(const told_instance& x) const {
    std::vector<std::string> groups;
    for (std::size_t g = 0; g < x.into.size(); ++g)
      groups.push_back(
        fmt::format("{{\"group\":{},\"kept\":\"{}\",\"nodes\":{}}}",
                    group_name(static_cast<int>(g)), name_of(x.into[g]),
                    json_list(x.nodes[g], [this](int n) { return node(n); })));
    return fmt::format("{{\"instance\":{},\"groups\":[{}]}}",
                       json_text(x_.c.instances[at(x.instance)].name),
                       join(groups, ','));
  }

  const told_groups& x_;
};

} // namespace

std::string groups_json(const told_groups& x) {
  return group_objects{x}.all();
}

} // namespace orderly::io::htools
