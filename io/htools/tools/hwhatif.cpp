// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/names.hpp"
#include "io/htools/formats/read_changes.hpp"
#include "io/htools/tools/tools.hpp"
#include "io/htools/whatif/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// By the policy of the group, unless another size is asked for.
instance_spec standard_instance(const cluster& c, int group,
                                const tool_options& o) {
  const auto& policy = c.groups[at(group)].policy;
  const auto& s = policy.standard;
  auto size
    = o.standard.value_or(wanted_size{s.disk, s.memory, s.cpus, s.spindles});
  auto x = instance_of(size, "standard");
  x.spindle_use = s.spindles;
  if (o.disks || !policy.templates.empty())
    x.disks = o.disks ? *o.disks : policy.templates.front();
  return x;
}

std::vector<group_room> rooms_of(const cluster& before,
                                 const what_if_answer& answer,
                                 const tool_options& o) {
  std::vector<group_room> result;
  for (const auto& g : answer.after) {
    auto size = standard_instance(before, g.group, o);
    result.push_back({g.group, room_left(before, g.group, size, o.build),
                      room_left(answer.now, g.group, size, o.build)});
  }
  return result;
}

/// What scripts go by.
int exit_code_of(verdict x) {
  switch (x) {
  case verdict::well:
    return 0;
  case verdict::after_moves:
    return 10;
  case verdict::not_well:
    break;
  }
  return 11;
}

} // namespace

result<what_if_said> say_what_if(const cluster& c, const tool_options& o) {
  auto asked = read_changes(o.words);
  if (!asked)
    return asked.why();
  auto answer = what_if(c, *asked, o.build);
  if (!answer)
    return answer.why();
  auto words = o.words;
  std::sort(words.begin(), words.end());
  told_what_if told{c, *answer, words, rooms_of(c, *answer, o), o.whatif, {}};
  if (o.whatif.advise)
    told.advice = advise(c, *asked, *answer, o.build);
  return what_if_said{exit_code_of(answer->is),
                      o.json ? what_if_json(told)
                             : what_if_text(told, o.verbose > 0)};
}

int run_hwhatif(const tool_options& o, tool_output to) {
  auto stop = [&](const fault& why) {
    fmt::print(to.err, "Error: {}\n", shown(why).text);
    return 1;
  };
  // Before a cluster is asked for: a slip costs nobody anything.
  if (auto asked = read_changes(o.words); !asked)
    return stop(asked.why());
  auto c = load_for(o, to);
  if (!c)
    return 1;
  auto said = say_what_if(*c, o);
  if (!said)
    return stop(said.why());
  fmt::print(to.out, "{}", said->text);
  return said->code;
}

} // namespace orderly::io::htools
