// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/hail/text.hpp"

#include "actors/planning/search/job_sets.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/formats/opcode_text.hpp"

#include <numeric>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

const std::string& name_of_node(const placement& p, int n) {
  auto at = p.node_index[static_cast<std::size_t>(n)];
  return p.source->nodes[static_cast<std::size_t>(at)].name;
}

const std::string& name_of_instance(const placement& p, int i) {
  auto at = p.instance_index[static_cast<std::size_t>(i)];
  return p.source->instances[static_cast<std::size_t>(at)].name;
}

const node_group& group_of(const placement& p, int g) {
  return p.source->groups[static_cast<std::size_t>(g)];
}

std::string list(const std::vector<std::string>& values) {
  return "[" + join(values, ',') + "]";
}

std::string reasons(const failure_counts& counts) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < failure_kinds; ++k)
    if (counts[k] > 0)
      words.push_back(
        fmt::format("{}: {}", name_of(static_cast<failure>(k)), counts[k]));
  std::string result;
  for (const auto& w : words)
    result += (result.empty() ? "" : ", ") + w;
  return result;
}

/// Lost places and what stays are written as the pair that they are in the
/// reference.
std::string worth(const allocation& x) {
  if (!x.lost)
    return fixed_decimal(x.score, 8);
  std::vector<std::string> places;
  for (auto n : x.lost->places)
    places.push_back(std::to_string(n));
  return fmt::format("({},{})", list(places), x.lost->free_disk);
}

} // namespace

std::string reply_line(bool success, const std::string& info,
                       const std::string& answer, const std::string& groups) {
  return fmt::format(
    "{{\"success\":{},\"info\":{},\"result\":{}{}}}\n", success,
    json_text((success ? "Request successful: " : "Request failed: ") + info),
    answer, groups.empty() ? "" : ",\"groups\":" + groups);
}

std::string text_list(const std::vector<std::string>& texts) {
  std::vector<std::string> values;
  for (const auto& t : texts)
    values.push_back(json_text(t));
  return list(values);
}

std::vector<std::string> node_names(const placement& p, place where) {
  std::vector<std::string> names{name_of_node(p, where.primary)};
  if (where.secondary >= 0)
    names.push_back(name_of_node(p, where.secondary));
  return names;
}

std::string describe(const placement& p, const allocation_result& x) {
  auto failures
    = std::accumulate(x.failures.begin(), x.failures.end(), std::int64_t{0});
  if (!x.best)
    return "No valid allocation solutions, failure reasons: "
           + (failures == 0 ? "unknown reasons" : reasons(x.failures));
  return fmt::format("score: {}, successes {}, failures {} ({}) for node(s) {}",
                     worth(*x.best), x.successes, failures, reasons(x.failures),
                     join(node_names(p, x.best->what.where), '/'));
}

std::vector<std::string> describe(const placement& p, const group_choice& x,
                                  const std::string& instance) {
  std::vector<std::string> result;
  for (auto g : x.unconnected)
    result.push_back(fmt::format("group {} is not connected to a network "
                                 "required by instance {}",
                                 group_of(p, g).name, instance));
  for (const auto& t : x.tried) {
    const auto& g = group_of(p, t.group);
    if (!t.error.empty())
      result.push_back(fmt::format("Group {}: error {}", g.name, t.error));
    else
      result.push_back(fmt::format("Group {} ({}): {}", g.name,
                                   name_of(g.allocation),
                                   describe(p, t.found)));
  }
  return result;
}

std::string evacuation_list(const placement& p, const evacuation& x) {
  std::vector<std::string> moved;
  std::vector<std::string> failed;
  std::vector<std::string> jobs;
  for (const auto& e : x.moved) {
    const auto& name = name_of_instance(p, e.instance);
    moved.push_back(list({json_text(name), json_text(group_of(p, e.group).name),
                          text_list(node_names(p, e.where))}));
    std::vector<std::string> opcodes;
    for (const auto& m : e.moves)
      for (const auto& part : parts_of(m))
        opcodes.push_back(opcode_text(p, e.instance, part));
    jobs.push_back(list(opcodes));
  }
  for (const auto& s : x.failed)
    failed.push_back(text_list({name_of_instance(p, s.instance), s.why}));
  return list({list(moved), list(failed), list(jobs)});
}

std::string evacuation_info(const evacuation& x) {
  return fmt::format("{} instances failed to move and {} were moved "
                     "successfully",
                     x.failed.size(), x.moved.size());
}

} // namespace orderly::io::htools
