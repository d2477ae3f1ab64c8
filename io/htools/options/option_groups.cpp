// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/options/option_table.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

setter allow(bool groups_choice::*field) {
  return set_text(
    [=](tool_options& o, const std::string&) { o.groups.*field = true; });
}

std::string set_group_moves(tool_options& o, const std::string& text) {
  auto x = group_moves_of(text);
  if (!x)
    return fmt::format("group moves: '{}' is none of never, asked, repair and "
                       "auto",
                       text);
  o.groups.allowed = *x;
  return {};
}

} // namespace

std::string_view name_of(planning::group_moves x) {
  return group_moves_names[static_cast<std::size_t>(x)];
}

std::optional<planning::group_moves> group_moves_of(std::string_view name) {
  for (std::size_t k = 0; k < group_moves_names.size(); ++k)
    if (group_moves_names[k] == name)
      return static_cast<planning::group_moves>(k);
  return std::nullopt;
}

std::vector<option> groups_options() {
  return {
    {0, "group-moves", takes::value, "never|asked|repair|auto",
     "what may go from group to group: nothing, what empty asks for, also "
     "repairs, also load [never]",
     set_group_moves},
    {0, "most-free", takes::nothing, "",
     "empty: of the groups that can be emptied, the one with most resources; "
     "-X takes it, too, if no group is named",
     allow(&groups_choice::most_free)},
    {0, "all", takes::nothing, "",
     "empty: judge each group, and empty together those that reclaim most",
     allow(&groups_choice::all)},
    {0, "disk-moves", takes::nothing, "",
     "load: move drbd, too, by copying its disks",
     allow(&groups_choice::disk_moves)},
  };
}

} // namespace orderly::io::htools
