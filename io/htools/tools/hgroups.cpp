// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/tools/tools.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// The index of the one with that name, which may be without its end.
template <class T>
int number_of(const std::vector<T>& all, const std::string& name,
              const std::string& suffix) {
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].name == name || all[k].name == name + suffix)
      return static_cast<int>(k);
  return -1;
}

int wrongly_called(tool_output to, const std::string& why) {
  fmt::print(to.err, "Command line error: {}\n\n{}", why, usage(tool::hgroups));
  return 2;
}

int show(const cluster& c, const tool_options& o, tool_output to) {
  std::vector<int> instances;
  auto suffix = common_suffix(c);
  for (std::size_t k = 1; k < o.words.size(); ++k) {
    auto i = number_of(c.instances, o.words[k], suffix);
    if (i < 0) {
      auto why = fault{fault_kind::bad_input,
                       "there is no instance '" + o.words[k]
                         + "' in this cluster; hgroups show without a name "
                           "shows the groups"};
      fmt::print(to.err, "Error: {}\n", shown(why).text);
      return 1;
    }
    instances.push_back(i);
  }
  auto told = tell_groups(c, o.build, o.groups.allowed, instances);
  fmt::print(to.out, "{}", o.json ? groups_json(told) : groups_text(told));
  return 0;
}

} // namespace

int run_hgroups(const tool_options& o, tool_output to) {
  auto command = o.words.empty() ? std::string{"show"} : o.words.front();
  if (command != "show")
    return wrongly_called(to, fmt::format("there is no command '{}'", command));
  auto c = load_for(o, to);
  if (!c)
    return 1;
  return show(*c, o, to);
}

} // namespace orderly::io::htools
