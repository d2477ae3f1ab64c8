// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/plan_text.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/tools/tables.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

std::string command(const move_part& x, const std::string& instance, bool runs,
                    const plan_names& names) {
  const auto* verb = runs ? "migrate" : "failover";
  auto node = [&] { return command_word(names.node(x.node)); };
  switch (x.kind) {
  case move_part::what::migrate:
    return fmt::format("{} -f {}", verb, command_word(instance));
  case move_part::what::migrate_to:
    return fmt::format("{} -f -n {} {}", verb, node(), command_word(instance));
  case move_part::what::replace_disks:
    return fmt::format("replace-disks -n {} {}", node(),
                       command_word(instance));
  }
  return {};
}

} // namespace

std::string place_text(place where, const plan_names& names) {
  if (where.secondary < 0)
    return names.node(where.primary);
  return names.node(where.primary) + ":" + names.node(where.secondary);
}

std::string moves_text(const move& m, const plan_names& names) {
  std::vector<std::string> parts;
  for (const auto& x : parts_of(m))
    switch (x.kind) {
    case move_part::what::migrate:
      parts.emplace_back("f");
      break;
    case move_part::what::migrate_to:
      parts.push_back("fa:" + names.node(x.node));
      break;
    case move_part::what::replace_disks:
      parts.push_back("r:" + names.node(x.node));
      break;
    }
  return join(parts, ' ');
}

plan_names::plan_names(const placement& p, const std::string& suffix) {
  for (auto n : p.node_index) {
    nodes.push_back(
      short_name(p.source->nodes[static_cast<std::size_t>(n)].name, suffix));
    node_width = std::max(node_width, nodes.back().size());
  }
  for (auto i : p.instance_index) {
    instances.push_back(short_name(
      p.source->instances[static_cast<std::size_t>(i)].name, suffix));
    instance_width = std::max(instance_width, instances.back().size());
  }
}

std::string step_line(std::size_t number, const step& s,
                      const plan_names& names) {
  auto both = 2 * names.node_width + 1;
  return fmt::format("  {:3}. {:<{}} {:<{}} => {:<{}} {:>12} a={}\n", number,
                     names.instance(s.what.instance), names.instance_width,
                     place_text(s.from, names), both, place_text(s.to, names),
                     both, fixed_decimal(s.score, 8),
                     moves_text(s.what, names));
}

std::string command_lines(const placement& p, const std::vector<step>& steps,
                          const std::vector<std::vector<std::size_t>>& sets,
                          const plan_names& names, command_use use) {
  std::string result;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    result += fmt::format("\necho jobset {}, {} jobs\n", k + 1, sets[k].size());
    for (std::size_t j = 0; j < sets[k].size(); ++j) {
      const auto& m = steps[sets[k][j]].what;
      auto at = p.instance_index[static_cast<std::size_t>(m.instance)];
      auto status = p.source->instances[static_cast<std::size_t>(at)].status;
      auto runs = status == instance_status::running
                  || status == instance_status::error_up;
      result += fmt::format("  echo job {}/{}\n", k + 1, j + 1);
      if (use == command_use::script)
        result += "  check\n";
      for (const auto& x : parts_of(m))
        result += "  gnt-instance "
                  + command(x, names.instance(m.instance), runs, names) + "\n";
    }
  }
  return result;
}

std::string shown_commands(const std::string& commands) {
  std::string result;
  auto text = std::string_view{commands};
  if (text.empty())
    return result;
  for (auto line : split(text.substr(0, text.size() - 1), '\n'))
    result += "  " + std::string{line} + "\n";
  return result;
}

std::string command_script(const std::string& commands) {
  return R"(#!/bin/sh

# Auto-generated script for executing cluster rebalancing

# To stop, touch the file /tmp/stop-htools

set -e

check() {
  if [ -f /tmp/stop-htools ]; then
    echo 'Stop requested, exiting'
    exit 0
  fi
}

)" + commands;
}

} // namespace orderly::io::htools
