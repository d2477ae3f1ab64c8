// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/whatif/text.hpp"

#include "io/htools/whatif/names.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

class sentences {
public:
  sentences(const told_what_if& x, bool with_moves)
    : x_(x),
      a_(x.answer),
      suffix_(common_suffix(x.before)),
      with_moves_(with_moves) {
    // nop
  }

  std::string all() {
    if (!x_.words.empty())
      say("What if {}?\n", fmt::join(x_.words, " "));
    say("{}\n\n", verdict_line());
    for (const auto& g : a_.after)
      group(g);
    created();
    out_of_reach();
    if (x_.advice)
      advise(*x_.advice);
    if (!a_.steps.empty())
      moves();
    return std::move(text_);
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> form, Ts&&... xs) {
    text_ += fmt::format(form, std::forward<Ts>(xs)...);
  }

  std::string node(int n) const {
    return n < 0 ? std::string{}
                 : shown_name(a_.now.nodes[at(n)].name, suffix_);
  }

  std::string instance(int i) const {
    return shown_name(a_.now.instances[at(i)].name, suffix_);
  }

  std::string at_place(place where) const {
    return where.secondary < 0
             ? node(where.primary)
             : node(where.primary) + ":" + node(where.secondary);
  }

  static std::string count_text(const room_count& x) {
    return fmt::format("{}{}", x.instances, x.is_all ? "" : " or more");
  }

  const std::string& group_name(int g) const {
    return a_.now.groups[at(g)].name;
  }

  std::string verdict_line() const {
    switch (a_.is) {
    case verdict::well:
      return "It is well: nothing need be moved.";
    case verdict::after_moves:
      return fmt::format("It is well after {} move{}.", a_.steps.size(),
                         a_.steps.size() == 1 ? "" : "s");
    case verdict::not_well:
      break;
    }
    return "It is not well; below is why.";
  }

  void lacks(const char* when, const group_state& g) {
    if (g.is_well()) {
      say("  {}: N+1 and cover hold\n", when);
      return;
    }
    for (const auto& x : g.short_of)
      say("  {}: {} lacks {} MiB for N+1\n", when, node(x.node), x.missing);
    for (const auto& x : g.uncovered)
      say("  {}: if {} died, {} MiB of its instances would find no room\n",
          when, node(x.node), x.missing);
  }

  void group(const group_state& after) {
    auto before = std::find_if(
      a_.before.begin(), a_.before.end(),
      [&](const group_state& g) { return g.group == after.group; });
    auto had = before == a_.before.end() ? 0 : before->nodes;
    auto room = std::find_if(
      x_.rooms.begin(), x_.rooms.end(),
      [&](const group_room& r) { return r.group == after.group; });
    say("Group {}: {} node{} in service before, {} after",
        group_name(after.group), had, had == 1 ? "" : "s", after.nodes);
    if (room != x_.rooms.end())
      say("; {} standard instances fit before, {} after",
          count_text(room->before), count_text(room->after));
    say("\n");
    if (before != a_.before.end())
      lacks("before", *before);
    lacks("after", after);
  }

  void created() {
    for (auto n : a_.added) {
      const auto& x = a_.now.nodes[at(n)];
      say("New: {} in {}, {:.0f} MiB, {:.0f} MiB disk, {:.0f} CPUs\n", x.name,
          a_.now.groups[at(x.group)].name, x.total_memory, x.total_disk,
          x.total_cpus);
    }
    if (a_.created > 0)
      say("Placed: {} new instance{}\n", a_.created,
          a_.created == 1 ? "" : "s");
    for (const auto& u : a_.unplaced)
      say("No room: {} new instance{} of {}: {}\n", u.what.count,
          u.what.count == 1 ? "" : "s", size_text(u.what.size),
          failures_text(u.failures));
  }

  void out_of_reach() {
    for (auto i : a_.lost_instances) {
      const auto& x = x_.before.instances[at(i)];
      auto home = node(x.primary);
      say("Lost: {}, of which no copy lives ({} on {}{})\n",
          shown_name(x.name, suffix_), planning::name_of(x.disks), home,
          x.secondary < 0 ? "" : " and " + node(x.secondary));
    }
    for (const auto& x : a_.stuck)
      say("Stuck: {} on {}: {}\n", instance(x.instance),
          node(a_.now.instances[at(x.instance)].primary), x.why);
  }

  void advise(const advice& x) {
    if (!x.is_needed)
      return say("Advice: {}\n",
                 a_.is == verdict::not_well
                   ? "nothing that could be bought helps what is lost or stuck"
                   : "nothing need be bought");
    if (!x.nodes)
      say("Advice: no number of nodes up to {} like those that are there makes "
          "it well\n",
          most_nodes_tried);
    else
      for (const auto& b : *x.nodes)
        say("Advice: {} node{} more like {} in {}\n", b.count,
            b.count == 1 ? "" : "s", node(b.like), group_name(b.group));
    if (!x.memory)
      say("Advice: no memory up to {} GiB a node makes it well\n",
          most_gib_tried);
    else
      for (const auto& b : *x.memory)
        say("Advice: or {} GiB more memory on each node of {}\n", b.each / 1024,
            group_name(b.group));
  }

  void moves() {
    say("Moves: {}; {:.1f} GiB to copy, at least {} with a link of {} a node\n",
        a_.steps.size(), static_cast<double>(a_.moved.copied) / 1024,
        duration_text(seconds_for(a_.moved.busiest, x_.link.link_bits)),
        x_.link.link_text);
    if (!with_moves_)
      return;
    for (std::size_t k = 0; k < a_.steps.size(); ++k) {
      const auto& s = a_.steps[k];
      say("{:5}. {} {} => {}\n", k + 1, instance(s.what.instance),
          at_place(s.from), at_place(s.to));
    }
  }

  const told_what_if& x_;
  const what_if_answer& a_;
  std::string suffix_;
  bool with_moves_;
  std::string text_;
};

} // namespace

std::string what_if_text(const told_what_if& x, bool with_moves) {
  return sentences{x, with_moves}.all();
}

} // namespace orderly::io::htools
