// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/groups/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/groups/told_moves.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

class emptying_sentences {
public:
  explicit emptying_sentences(const told_emptying& x) : x_(x) {
    // nop
  }

  std::string all(bool with_moves) {
    for (std::size_t k = 0; k < x_.verdicts.size(); ++k) {
      verdict(x_.verdicts[k]);
      if (with_moves && x_.chosen == k)
        text_ += moves_lines(x_.c, told(x_.verdicts[k]));
    }
    if (!x_.why.empty())
      say("Not reached: {}.\n", x_.why);
    return std::move(text_);
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> form, Ts&&... xs) {
    text_ += fmt::format(form, std::forward<Ts>(xs)...);
  }

  static told_moves told(const emptying& x) {
    return {x.steps, x.rounds, x.moved};
  }

  void verdict(const emptying& x) {
    auto groups = group_words(x_.c, x.groups);
    switch (x.is) {
    case empty_verdict::can:
      if (x.steps.empty())
        return say("{}: empty already\n", groups);
      return say("{}: can be emptied by {}; no node has more than {} of the "
                 "moves\n",
                 groups, moves_summary(told(x), x_.link), x.rounds.most_moves);
    case empty_verdict::cannot:
      say("{}: cannot be emptied\n", groups);
      kept(x);
      if (x.lacks)
        lacks(*x.lacks);
      return;
    case empty_verdict::not_found:
      say("{}: no way was found to empty it, and nothing proves that there is "
          "none; without a place: {} ({} MiB)\n",
          groups, instance_words(x_.c, x.left), x.left_memory);
    }
  }

  /// Those that the same things keep are told together.
  void kept(const emptying& x) {
    std::map<std::vector<barrier>, std::vector<int>> all;
    for (const auto& k : x.kept)
      all[k.into].push_back(k.instance);
    for (const auto& [into, instances] : all) {
      say("  can go to no other group: {}\n", instance_words(x_.c, instances));
      std::map<barrier, std::vector<int>> reasons;
      for (std::size_t g = 0; g < into.size(); ++g) {
        auto group = static_cast<int>(g);
        if (std::find(x.groups.begin(), x.groups.end(), group)
            == x.groups.end())
          reasons[into[g]].push_back(group);
      }
      for (const auto& [why, groups] : reasons)
        say("    {}: {}\n", group_words(x_.c, groups),
            why == barrier::none ? "no node is large enough" : words_of(why));
    }
  }

  void lacks(const shortage& x) {
    std::vector<std::string> pools;
    for (const auto& p : x.pools)
      pools.push_back(p ? text_of(*p) : "no storage");
    const auto* unit = x.of == resource::memory ? "MiB memory"
                       : x.of == resource::disk ? "MiB disk"
                                                : "virtual CPUs";
    say("  {} {} are missing on {}: its instances and others that may only be "
        "in {} take {} in all, and there are {}\n",
        x.missing, unit, fmt::join(pools, ", "),
        x.groups.empty() ? "no group" : group_words(x_.c, x.groups), x.wanted,
        x.room);
  }

  const told_emptying& x_;
  std::string text_;
};

} // namespace

std::string emptying_text(const told_emptying& x, bool with_moves) {
  return emptying_sentences{x}.all(with_moves);
}

} // namespace orderly::io::htools
