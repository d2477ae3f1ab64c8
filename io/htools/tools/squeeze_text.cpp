// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/squeeze_text.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

struct limit_words {
  squeeze_limit limit;
  const char* key;
  const char* text;
};

constexpr std::array<limit_words, 5> limits{
  {{squeeze_limit::one_stays, "one_stays", "a group keeps one"},
   {squeeze_limit::fixed, "fixed",
    "so many are the master's, are mirrors, or hold what cannot move"},
   {squeeze_limit::memory, "memory",
    "fewer have too little memory for the instances and the room to keep"},
   {squeeze_limit::cpus, "cpus",
    "fewer have too few CPUs for the instances and the room to keep"},
   {squeeze_limit::a_loss, "a_loss",
    "of fewer, the others could not take over the greatest one's "
    "instances"}}};

const limit_words& words_of(squeeze_limit x) {
  return *std::find_if(limits.begin(), limits.end(),
                       [x](const limit_words& l) { return l.limit == x; });
}

std::string quoted_names(const cluster& c, const std::vector<int>& nodes) {
  std::vector<std::string> all;
  for (auto n : nodes)
    all.push_back(json_text(c.nodes[at(n)].name));
  return join(all, ',');
}

std::string group_json(const cluster& c, const group_squeeze& g) {
  auto least = g.was_well
                 ? fmt::format(",\"least\":{},\"why\":\"{}\"", g.least.count,
                               words_of(g.least.why).key)
                 : std::string{};
  return fmt::format(
    "{{\"name\":{},\"on_before\":{},\"on_after\":{}{},\"was_well\":{},"
    "\"is_well\":{},\"sizes_guessed\":{},\"online\":[{}],\"offline\":[{}]}}",
    json_text(c.groups[at(g.group)].name), g.on_before, g.on_after, least,
    g.was_well, g.is_well, g.is_guessed, quoted_names(c, g.on),
    quoted_names(c, g.off));
}

std::string step_json(const cluster& c, const step& s,
                      const plan_names& names) {
  auto places = [&c](place x) {
    std::vector<int> all{x.primary};
    if (x.secondary >= 0)
      all.push_back(x.secondary);
    return quoted_names(c, all);
  };
  return fmt::format(
    "{{\"instance\":{},\"from\":[{}],\"to\":[{}],\"moves\":{}}}",
    json_text(c.instances[at(s.what.instance)].name), places(s.from),
    places(s.to), json_text(moves_text(s.what, names)));
}

} // namespace

std::vector<int> nodes_to_untag(const cluster& c, const told_squeeze& x) {
  std::vector<int> result;
  for (auto n : x.on) {
    const auto& tags = c.nodes[at(n)].tags;
    // The reference leaves it; then nobody knows who switched it off.
    if (!x.exact
        && std::find(tags.begin(), tags.end(), standby_auto) != tags.end())
      result.push_back(n);
  }
  return result;
}

cluster squeezed_cluster(const cluster& c, const told_squeeze& x) {
  auto result = c;
  for (auto n : x.on)
    result.nodes[at(n)].offline = false;
  for (auto n : x.off)
    result.nodes[at(n)].offline = true;
  if (x.exact)
    return result;
  std::string tag{standby_auto};
  for (auto n : nodes_to_untag(c, x)) {
    auto& tags = result.nodes[at(n)].tags;
    tags.erase(std::find(tags.begin(), tags.end(), tag));
  }
  for (auto n : x.off) {
    auto& tags = result.nodes[at(n)].tags;
    if (std::find(tags.begin(), tags.end(), tag) == tags.end())
      tags.push_back(tag);
  }
  return result;
}

std::string squeeze_commands(const placement& p, const told_squeeze& x,
                             const plan_names& names, command_use use) {
  if (x.is_nothing())
    return "echo Nothing to do\n";
  std::string result;
  auto each = [&](const std::vector<int>& nodes, const char* before,
                  const std::string& after) {
    for (auto n : nodes)
      result += fmt::format("  {}{}{}\n", before, command_word(names.node(n)),
                            after);
  };
  auto tag = fmt::format(" {}", standby_auto);
  if (x.exact ? x.off.empty() : !x.on.empty()) {
    result += "echo Power Commands\n";
    each(x.on, "gnt-node power -f on ", "");
  }
  if (!x.exact && !x.on.empty()) {
    // Power alone does not bring a node back, and it takes its time to start.
    result += "\necho Online Commands\n";
    each(x.on, "until gnt-node modify --offline=no ", "; do sleep 10; done");
  }
  auto untagged = nodes_to_untag(*p.source, x);
  if (!untagged.empty()) {
    result += "\necho Tagging Commands\n";
    each(untagged, "gnt-node remove-tags ", tag);
  }
  result += command_lines(p, x.steps, x.sets, names, use);
  if (x.off.empty())
    return result;
  result += "\necho Tagging Commands\n";
  each(x.off, "gnt-node add-tags ", tag);
  result += "\necho Power Commands\n";
  each(x.off, "gnt-node power -f off ", "");
  return result;
}

std::string group_lines(const cluster& c, const told_squeeze& x) {
  std::string result;
  for (const auto& g : x.groups) {
    const auto& name = c.groups[at(g.group)].name;
    if (g.was_well) {
      result += fmt::format(
        "Group {}: {} nodes on now, {} afterwards; no fewer than {} can be: "
        "{}\n",
        name, g.on_before, g.on_after, g.least.count,
        words_of(g.least.why).text);
      continue;
    }
    result += fmt::format(
      "Group {}: {} nodes on now, {} afterwards; a node lacks room or N+1, or "
      "an instance is on an offline node{}{}\n",
      name, g.on_before, g.on_after, g.is_well ? "" : ", and it stays so",
      g.is_guessed ? "; sizes of nodes that are off are guessed, run this "
                     "again when they are on"
                   : "");
  }
  return result;
}

std::string squeeze_json(const cluster& c, const told_squeeze& x,
                         const plan_names& names) {
  std::vector<std::string> groups;
  for (const auto& g : x.groups)
    groups.push_back(group_json(c, g));
  std::vector<std::string> steps;
  for (const auto& s : x.steps)
    steps.push_back(step_json(c, s, names));
  std::vector<std::string> sets;
  for (const auto& set : x.sets)
    sets.push_back(fmt::format("[{}]", fmt::join(set, ",")));
  return fmt::format("{{\"nodes\":{},\"instances\":{},\"search\":\"{}\","
                     "\"online\":[{}],\"offline\":[{}],\"enough\":{},"
                     "\"groups\":[{}],\"steps\":[{}],\"job_sets\":[{}]}}\n",
                     c.nodes.size(), c.instances.size(),
                     x.exact ? "exact" : "fast", quoted_names(c, x.on),
                     quoted_names(c, x.off), x.enough, join(groups, ','),
                     join(steps, ','), join(sets, ','));
}

} // namespace orderly::io::htools
