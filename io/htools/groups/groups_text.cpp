// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/groups/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/whatif/names.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// More are not listed one by one.
constexpr std::size_t most_named = 8;

class group_sentences {
public:
  explicit group_sentences(const told_groups& x)
    : x_(x), suffix_(common_suffix(x.c)) {
    // nop
  }

  std::string all() {
    permission();
    for (const auto& i : x_.instances)
      instance(i);
    if (!x_.instances.empty())
      return std::move(text_);
    for (const auto& g : x_.groups)
      group(g);
    say("All groups\n");
    room(sum_of(x_.groups));
    for (const auto& p : x_.partitions)
      say("Storage {}: {}; {} instance{} with {} MiB memory\n", text_of(p.pool),
          p.groups.empty() ? "no group" : names(p.groups), p.instances,
          p.instances == 1 ? "" : "s", p.memory);
    for (auto g : x_.alone)
      say("Alone: {} shares no storage with another group\n", group_name(g));
    for (std::size_t k = 0; k < x_.crossings.size();)
      k = crossing(k);
    return std::move(text_);
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> form, Ts&&... xs) {
    text_ += fmt::format(form, std::forward<Ts>(xs)...);
  }

  std::string node(int n) const {
    return shown_name(x_.c.nodes[at(n)].name, suffix_);
  }

  std::string instance_name(int i) const {
    return shown_name(x_.c.instances[at(i)].name, suffix_);
  }

  const std::string& group_name(int g) const { return x_.c.groups[at(g)].name; }

  std::string names(const std::vector<int>& groups) const {
    std::vector<std::string> all;
    for (auto g : groups)
      all.push_back(group_name(g));
    return fmt::format("{}", fmt::join(all, ", "));
  }

  void permission() {
    switch (x_.allowed) {
    case group_moves::none:
      return say("Nothing crosses from group to group: --group-moves is "
                 "never. Below is what could if it were asked, repair or "
                 "auto.\n\n");
    case group_moves::asked:
      return say("What empty asks for may cross (--group-moves=asked).\n\n");
    case group_moves::repair:
      return say("What empty asks for and what makes groups well may cross "
                 "(--group-moves=repair).\n\n");
    case group_moves::automatic:
      return say("Whatever helps may cross (--group-moves=auto).\n\n");
    }
  }

  void group(const group_report& g) {
    const auto* is = g.health() == group_health::healthy  ? "healthy"
                     : g.health() == group_health::weakly ? "weakly unhealthy"
                                                          : "unhealthy";
    say("Group {}: {}; {} of {} nodes in service, {} instance{}\n",
        group_name(g.group), is, g.state.nodes, g.nodes, g.instances,
        g.instances == 1 ? "" : "s");
    room(g.room);
    if (!g.stranded.empty())
      stranded(g.stranded);
    for (const auto& x : g.state.short_of)
      say("  {} lacks {} MiB for N+1\n", node(x.node), x.missing);
    for (const auto& x : g.state.uncovered)
      say("  if {} died, {} MiB of its instances would find no room\n",
          node(x.node), x.missing);
  }

  void room(const group_room& r) {
    say("  free: {} of {} MiB memory, {} of {} MiB disk, {} of {} virtual "
        "CPUs\n",
        r.free_memory, r.memory, r.free_disk, r.disk, r.free_cpus, r.cpus);
  }

  void stranded(const std::vector<int>& all) {
    std::vector<std::string> words;
    for (auto i : all) {
      if (words.size() == most_named)
        break;
      const auto& x = x_.c.instances[at(i)];
      auto where = x_.c.nodes[at(x.primary)].offline ? x.primary : x.secondary;
      words.push_back(instance_name(i) + " (" + node(where) + ")");
    }
    say("  on nodes out of service: {}", fmt::join(words, ", "));
    if (all.size() > words.size())
      say(" and {} more", all.size() - words.size());
    say("\n");
  }

  /// One sentence for groups that are alike as goals; where the next begins.
  std::size_t crossing(std::size_t first) {
    const auto& c = x_.crossings[first];
    auto last = first;
    std::vector<int> to;
    for (; last < x_.crossings.size(); ++last) {
      const auto& next = x_.crossings[last];
      if (next.from != c.from || next.counts != c.counts)
        break;
      to.push_back(next.to);
    }
    auto all = 0;
    for (auto n : c.counts)
      all += n;
    if (all == 0)
      return last;
    say("From {} to {}: {} of {} instance{} could go", group_name(c.from),
        names(to), c.counts[0], all, all == 1 ? "" : "s");
    const char* mark = "; not ";
    for (std::size_t k = 1; k < barrier_kinds; ++k)
      if (c.counts[k] > 0) {
        say("{}{}, since {}", mark, c.counts[k],
            words_of(static_cast<barrier>(k)));
        mark = "; not ";
      }
    say("\n");
    return last;
  }

  void instance(const told_instance& x) {
    const auto& spec = x_.c.instances[at(x.instance)];
    say("Instance {} ({}, {} MiB) on {}\n", instance_name(x.instance),
        planning::name_of(spec.disks), spec.memory,
        spec.primary < 0 ? "no node" : node(spec.primary));
    for (std::size_t g = 0; g < x.into.size(); ++g) {
      auto home = spec.primary >= 0
                  && x_.c.nodes[at(spec.primary)].group == static_cast<int>(g);
      say("  {}{}: ", x_.c.groups[g].name, home ? " (its own)" : "");
      if (x.into[g] != barrier::none) {
        say("no: {}\n", words_of(x.into[g]));
        continue;
      }
      std::vector<std::string> nodes;
      for (auto n : x.nodes[g])
        nodes.push_back(node(n));
      if (nodes.empty())
        say("no node in service reaches its volumes\n");
      else
        say("{}\n", fmt::join(nodes, ", "));
    }
  }

  const told_groups& x_;
  std::string suffix_;
  std::string text_;
};

} // namespace

std::string groups_text(const told_groups& x) {
  return group_sentences{x}.all();
}

} // namespace orderly::io::htools
