// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/groups/names.hpp"
#include "io/htools/groups/told.hpp"
#include "io/htools/groups/told_moves.hpp"
#include "io/htools/whatif/names.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

class redistribution_sentences {
public:
  explicit redistribution_sentences(const told_redistribution& x)
    : x_(x), r_(x.answer), suffix_(common_suffix(x.c)) {
    // nop
  }

  std::string all(bool with_moves) {
    if (r_.end == redistribution_end::all_healthy)
      return "Every group is healthy: there is nothing to do.\n";
    for (const auto& g : r_.groups)
      group(g);
    if (!r_.steps.empty()) {
      told_moves told{r_.steps, r_.rounds, r_.moved};
      say("Plan: {}\n", moves_summary(told, x_.link));
      if (with_moves)
        text_ += moves_lines(x_.c, told);
    }
    auto why = why_not_reached(x_);
    if (!why.empty())
      say("Not reached: {}.\n", why);
    return std::move(text_);
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> form, Ts&&... xs) {
    text_ += fmt::format(form, std::forward<Ts>(xs)...);
  }

  void group(const healed_group& g) {
    const auto& name = x_.c.groups[at(g.group)].name;
    const auto* was
      = g.was == group_health::weakly ? "weakly unhealthy" : "unhealthy";
    if (r_.end != redistribution_end::done)
      return say("{}: {}\n", name, was);
    if (g.is_healed)
      return say("{}: {}; well after {} instance{} left it\n", name, was,
                 g.crossings == 0 ? "no" : std::to_string(g.crossings),
                 g.crossings == 1 ? "" : "s");
    say("{}: {}, and stays so\n", name, was);
    for (const auto& x : g.lacks)
      say("  {} lacks {} MiB on {}\n", name, x.memory,
          x.pool ? text_of(*x.pool) : "nodes of other groups");
    for (const auto& x : g.pinned)
      say(
        "  {} on {}: {}\n",
        shown_name(x_.c.instances[at(x.instance)].name, suffix_),
        shown_name(x_.c.nodes[at(x_.c.instances[at(x.instance)].primary)].name,
                   suffix_),
        x.why);
    if (g.lacks.empty() && g.pinned.empty())
      say("  nobody who may leave it makes it well\n");
  }

  const told_redistribution& x_;
  const redistribution& r_;
  std::string suffix_;
  std::string text_;
};

} // namespace

std::string why_not_reached(const told_redistribution& x) {
  switch (x.answer.end) {
  case redistribution_end::all_healthy:
    return {};
  case redistribution_end::forbidden:
    return fmt::format("repairs do not cross from group to group while "
                       "--group-moves is {}; {}",
                       name_of(x.allowed),
                       permission_hint(crossing_cause::repair));
  case redistribution_end::none_healthy:
    return "no group is healthy, so none can help";
  case redistribution_end::done:
    break;
  }
  return x.answer.is_reached() ? "" : "a group could not be healed wholly";
}

std::string redistribution_text(const told_redistribution& x, bool with_moves) {
  return redistribution_sentences{x}.all(with_moves);
}

} // namespace orderly::io::htools
