// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/power_levels.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

namespace {

bool opts_out(const std::string& program) {
  return program.empty() || program == "!";
}

/// The list in force for this node; null: there is none.
const std::vector<std::string>* list_for(const node_record& node,
                                         const settings& s) {
  const auto& table = s.power.levels;
  if (table.empty())
    return nullptr;
  auto i = table.find(node.name);
  if (i == table.end())
    i = table.find(of_group + node.group);
  if (i == table.end())
    i = table.find("*");
  return i == table.end() ? nullptr : &i->second;
}

/// Ganeti says that this node is not to be switched, and no setting that
/// names the node says otherwise.
bool is_exempt(const node_record& node, const settings& s) {
  return node.oob_program == "!" && s.power.levels.count(node.name) == 0;
}

} // namespace

std::vector<std::string> power_levels(const node_record& node,
                                      const settings& s) {
  std::vector<std::string> result;
  auto add = [&result](const std::string& program) {
    if (!opts_out(program)
        && std::find(result.begin(), result.end(), program) == result.end())
      result.push_back(program);
  };
  if (is_exempt(node, s))
    return {};
  const auto* list = list_for(node, s);
  if (list == nullptr) {
    add(s.power.program.empty() ? node.oob_program : s.power.program);
    return result;
  }
  if (std::any_of(list->begin(), list->end(), opts_out))
    return {};
  for (const auto& program : *list)
    add(program == the_clusters ? node.oob_program : program);
  return result;
}

bool has_power_control(const node_record& node, const settings& s) {
  if (is_exempt(node, s))
    return false;
  if (list_for(node, s) != nullptr)
    return !power_levels(node, s).empty();
  return !opts_out(s.power.program.empty() ? node.oob_program
                                           : s.power.program);
}

std::uint32_t levels_most(const settings& s) {
  std::size_t most = 1;
  for (const auto& [key, programs] : s.power.levels)
    most = std::max(most, programs.size());
  return static_cast<std::uint32_t>(most);
}

bool keeps_power_record(const node_record& node) {
  return !node.oob_program.empty();
}

std::string mismatch_text(const node_name& node, bool recorded_on,
                          power_state seen) {
  if (seen == power_state::unknown || (seen == power_state::on) == recorded_on)
    return {};
  return fmt::format("Recorded power state ({}) of node '{}' does not match "
                     "actual power state ({})",
                     recorded_on ? "True" : "False", node,
                     seen == power_state::on ? "True" : "False");
}

std::string why_no_program(const std::string& text) {
  if (opts_out(text) || text.front() == '/')
    return {};
  return fmt::format("oob_program is '{}'; it must be an absolute path, or "
                     "'!' or nothing for a node without power control",
                     text);
}

} // namespace orderly
