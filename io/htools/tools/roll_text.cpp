// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/roll_text.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

const std::string& node_of(const cluster& c, int node) {
  return c.nodes[at(node)].name;
}

const instance_spec& instance_of(const cluster& c, int instance) {
  return c.instances[at(instance)];
}

std::string names_of(const cluster& c, const std::vector<int>& nodes,
                     char mark) {
  std::vector<std::string> names;
  for (auto n : nodes)
    names.push_back(node_of(c, n));
  return join(names, mark);
}

std::string move_line(const cluster& c, const round_move& m) {
  auto result = fmt::format("  {} {}", instance_of(c, m.instance).name,
                            node_of(c, m.where.primary));
  if (m.where.secondary >= 0)
    result += ' ' + node_of(c, m.where.secondary);
  return result + '\n';
}

std::string move_json(const cluster& c, const round_move& m) {
  auto result = fmt::format("{{\"instance\":{},\"primary\":{}",
                            json_text(instance_of(c, m.instance).name),
                            json_text(node_of(c, m.where.primary)));
  if (m.where.secondary >= 0)
    result += ",\"secondary\":" + json_text(node_of(c, m.where.secondary));
  return result + '}';
}

std::string names_json(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const auto& x : names)
    quoted.push_back(json_text(x));
  return '[' + join(quoted, ',') + ']';
}

std::string round_json(const cluster& c, const reboot_round& r,
                       const std::vector<int>& pinned) {
  std::vector<std::string> nodes;
  for (auto n : r.nodes)
    nodes.push_back(node_of(c, n));
  std::vector<std::string> moves;
  for (const auto& m : r.moves)
    moves.push_back(move_json(c, m));
  std::vector<std::string> down;
  for (auto i : pinned) {
    const auto& x = instance_of(c, i);
    if (std::find(r.nodes.begin(), r.nodes.end(), x.primary) != r.nodes.end())
      down.push_back(x.name);
  }
  return fmt::format("{{\"nodes\":{},\"moves\":[{}],\"down\":{}}}",
                     names_json(nodes), join(moves, ','), names_json(down));
}

} // namespace

std::string rounds_text(const cluster& c,
                        const std::vector<reboot_round>& rounds,
                        const roll_choice& o, bool headers) {
  std::string result;
  if (headers)
    result = o.first_only ? "'First Reboot Group'\n" : "'Node Reboot Groups'\n";
  for (const auto& r : rounds) {
    auto names = names_of(c, r.nodes, o.first_only ? '\n' : ',');
    if (!o.first_only || !names.empty())
      result += names + '\n';
    if (o.moves)
      for (const auto& m : r.moves)
        if (!is_swap(instance_of(c, m.instance), m.where))
          result += move_line(c, m);
  }
  return result;
}

std::string stuck_text(const cluster& c, const stuck_node& x) {
  const auto& w = x.why;
  const auto& instance = instance_of(c, w.instance).name;
  auto other = w.other < 0 ? std::string{} : node_of(c, w.other);
  auto because = [&]() -> std::string {
    switch (w.why) {
    case obstacle::mirror_offline:
      return fmt::format("{} runs there, and its mirror is on {}, which is "
                         "offline",
                         instance, other);
    case obstacle::mirror_memory:
      return fmt::format(
        "{} and what else comes from there to its mirror on {} "
        "takes {} MiB, and {} are free there",
        instance, other, w.needed, w.free);
    case obstacle::migration:
      return fmt::format("{} cannot migrate to its mirror on {}, by the tags "
                         "of the nodes",
                         instance, other);
    case obstacle::memory:
      return fmt::format("{} needs {} MiB, and no node that can take it has "
                         "more than {} MiB left",
                         instance, w.needed, w.free);
    case obstacle::primary_offline:
      return fmt::format("the mirror of {} cannot leave it, for {} is offline",
                         instance, other);
    case obstacle::mirror_disk:
      return fmt::format("the mirror of {} needs {} MiB of disk, and no node "
                         "that can take it has more than {} MiB left",
                         instance, w.needed, w.free);
    }
    return {};
  };
  return fmt::format("node {} is in no group: {}", node_of(c, x.node),
                     because());
}

std::string rounds_json(const cluster& c,
                        const std::vector<reboot_round>& rounds,
                        const std::vector<stuck_node>& stuck,
                        const std::vector<int>& pinned,
                        const roll_bound* bound) {
  std::vector<std::string> groups;
  for (const auto& r : rounds)
    groups.push_back(round_json(c, r, pinned));
  std::vector<std::string> nodes;
  for (const auto& x : stuck)
    nodes.push_back(fmt::format("{{\"node\":{},\"why\":{}}}",
                                json_text(node_of(c, x.node)),
                                json_text(stuck_text(c, x))));
  auto result = fmt::format("{{\"rounds\":[{}],\"stuck\":[{}]",
                            join(groups, ','), join(nodes, ','));
  if (bound)
    result += fmt::format(",\"bound\":{{\"clique\":{},\"capacity\":{}}}",
                          bound->clique, bound->capacity);
  return result + "}\n";
}

} // namespace orderly::io::htools
