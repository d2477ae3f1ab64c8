// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/power_levels.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

namespace {

constexpr const char* the_clusters = "cluster";

bool opts_out(const std::string& program) {
  return program.empty() || program == "!";
}

} // namespace

std::vector<std::string> power_levels(const node_record& node,
                                      const settings& s) {
  const auto& table = s.power.levels;
  std::vector<std::string> result;
  auto add = [&result](const std::string& program) {
    if (!opts_out(program)
        && std::find(result.begin(), result.end(), program) == result.end())
      result.push_back(program);
  };
  for (const auto& key :
       {std::string{node.name}, "group:" + node.group, std::string{"*"}}) {
    auto i = table.find(key);
    if (i == table.end())
      continue;
    if (std::any_of(i->second.begin(), i->second.end(), opts_out))
      return {};
    for (const auto& program : i->second)
      add(program == the_clusters ? node.oob_program : program);
    return result;
  }
  add(s.power.program.empty() ? node.oob_program : s.power.program);
  return result;
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

std::string why_no_program(const std::string& text) {
  if (opts_out(text) || text.front() == '/')
    return {};
  return fmt::format("oob_program is '{}'; it must be an absolute path, or "
                     "'!' or nothing for a node without power control",
                     text);
}

} // namespace orderly
