// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/whatif/names.hpp"
#include "io/htools/whatif/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

class json_writer {
public:
  explicit json_writer(const told_what_if& x) : x_(x), a_(x.answer) {
    // nop
  }

  std::string all() const {
    return fmt::format(
      "{{\"changes\":{},\"verdict\":\"{}\",\"groups\":{},\"added\":{},"
      "\"created\":{},\"unplaced\":{},\"lost\":{},\"stuck\":{},\"moves\":{},"
      "\"copied_mib\":{},\"busiest_mib\":{},\"link_bits\":{},"
      "\"least_seconds\":{},\"advice\":{}}}\n",
      json_list(x_.words, [](const std::string& w) { return json_text(w); }),
      name_of(a_.is), groups(), added(), created(), unplaced(), lost(), stuck(),
      moves(), a_.moved.copied, a_.moved.busiest,
      json_number(x_.link.link_bits),
      json_number(seconds_for(a_.moved.busiest, x_.link.link_bits)),
      x_.advice ? advice_json(*x_.advice) : "null");
  }

private:
  std::string node(int n) const { return json_text(a_.now.nodes[at(n)].name); }

  std::string group_name(int g) const {
    return json_text(a_.now.groups[at(g)].name);
  }

  std::string nodes_of(place where) const {
    return "[" + node(where.primary)
           + (where.secondary < 0 ? "" : "," + node(where.secondary)) + "]";
  }

  std::string state(const group_state& g, const room_count& fit) const {
    auto lack = [this](const node_lack& x) {
      return fmt::format("{{\"node\":{},\"missing_mib\":{}}}", node(x.node),
                         x.missing);
    };
    return fmt::format(
      "{{\"nodes\":{},\"well\":{},\"short\":{},"
      "\"uncovered\":{},\"standard_instances\":{},\"counted_all\":{}}}",
      g.nodes, g.is_well(), json_list(g.short_of, lack),
      json_list(g.uncovered, lack), fit.instances, fit.is_all);
  }

  std::string groups() const {
    return json_list(a_.after, [this](const group_state& after) {
      auto before = std::find_if(
        a_.before.begin(), a_.before.end(),
        [&](const group_state& g) { return g.group == after.group; });
      auto room = std::find_if(
        x_.rooms.begin(), x_.rooms.end(),
        [&](const group_room& r) { return r.group == after.group; });
      group_state none;
      return fmt::format(
        "{{\"name\":{},\"before\":{},\"after\":{}}}", group_name(after.group),
        state(before == a_.before.end() ? none : *before,
              room == x_.rooms.end() ? room_count{} : room->before),
        state(after, room == x_.rooms.end() ? room_count{} : room->after));
    });
  }

  std::string added() const {
    return json_list(a_.added, [this](int n) {
      const auto& x = a_.now.nodes[at(n)];
      return fmt::format("{{\"node\":{},\"group\":{},\"memory\":{},\"disk\":{},"
                         "\"cpus\":{}}}",
                         node(n), group_name(x.group),
                         json_number(x.total_memory), json_number(x.total_disk),
                         json_number(x.total_cpus));
    });
  }

  std::string created() const {
    std::vector<instance_spec> made{a_.now.instances.end() - a_.created,
                                    a_.now.instances.end()};
    return json_list(made, [this](const instance_spec& x) {
      return fmt::format("{{\"instance\":{},\"nodes\":{}}}", json_text(x.name),
                         nodes_of({x.primary, x.secondary}));
    });
  }

  std::string unplaced() const {
    return json_list(a_.unplaced, [this](const unplaced_instances& u) {
      std::vector<std::string> failures;
      for (std::size_t k = 0; k < failure_kinds; ++k)
        if (u.failures[k] > 0)
          failures.push_back(
            fmt::format("\"{}\":{}", planning::name_of(static_cast<failure>(k)),
                        u.failures[k]));
      const auto& s = u.what.size;
      return fmt::format(
        "{{\"count\":{},\"memory\":{},\"disk\":{},\"vcpus\":{},"
        "\"template\":\"{}\",\"group\":{},\"failures\":{{{}}}}}",
        u.what.count, s.memory, s.disk, s.vcpus, planning::name_of(s.disks),
        u.what.group < 0 ? "null" : group_name(u.what.group),
        join(failures, ','));
    });
  }

  std::string lost() const {
    return json_list(a_.lost_instances, [this](int i) {
      const auto& x = x_.before.instances[at(i)];
      return fmt::format("{{\"instance\":{},\"template\":\"{}\",\"nodes\":{}}}",
                         json_text(x.name), planning::name_of(x.disks),
                         nodes_of({x.primary, x.secondary}));
    });
  }

  std::string stuck() const {
    return json_list(a_.stuck, [this](const stuck_instance& s) {
      const auto& x = a_.now.instances[at(s.instance)];
      return fmt::format(
        "{{\"instance\":{},\"nodes\":{},\"kind\":\"{}\",\"why\":{}}}",
        json_text(x.name), nodes_of({x.primary, x.secondary}), name_of(s.kind),
        json_text(s.why));
    });
  }

  std::string advice_json(const advice& x) const {
    auto nodes = [this](const nodes_to_add& b) {
      return fmt::format("{{\"group\":{},\"like\":{},\"count\":{}}}",
                         group_name(b.group), node(b.like), b.count);
    };
    auto memory = [this](const memory_to_add& b) {
      return fmt::format("{{\"group\":{},\"each_mib\":{}}}",
                         group_name(b.group), b.each);
    };
    return fmt::format("{{\"needed\":{},\"nodes\":{},\"memory\":{}}}",
                       x.is_needed,
                       x.nodes ? json_list(*x.nodes, nodes) : "null",
                       x.memory ? json_list(*x.memory, memory) : "null");
  }

  std::string moves() const {
    return json_list(a_.steps, [this](const step& s) {
      return fmt::format("{{\"instance\":{},\"from\":{},\"to\":{}}}",
                         json_text(a_.now.instances[at(s.what.instance)].name),
                         nodes_of(s.from), nodes_of(s.to));
    });
  }

  const told_what_if& x_;
  const what_if_answer& a_;
};

} // namespace

std::string what_if_json(const told_what_if& x) {
  return json_writer{x}.all();
}

} // namespace orderly::io::htools
