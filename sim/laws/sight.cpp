// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/laws/sight.hpp"

#include <algorithm>

namespace orderly::sim {

void law_sight::look(const world& truth, const node_name& self, instant now,
                     const patience& limit) {
  looked_ = now_;
  now_ = now;
  auto same = version_ == truth.version();
  if (same && (next_boot_ == never || now < next_boot_))
    return;
  version_ = truth.version();
  next_boot_ = never;
  honest_ = std::none_of(
    truth.nodes().begin(), truth.nodes().end(),
    [](const auto& x) { return x.second.agent == informer::lies_dead; });
  for (const auto& [name, x] : truth.nodes()) {
    look_at(truth, self, x, limit(name));
    if (x.boots_until > now
        && (next_boot_ == never || x.boots_until < next_boot_))
      next_boot_ = x.boots_until;
  }
}

/// An answer that takes longer may come too late for whoever waits for it; one
/// that comes so long before the end of a longer wait does not.
constexpr millis late_answer = seconds{1};

void law_sight::look_at(const world& truth, const node_name& self,
                        const sim_node& x, millis limit) {
  auto& seen = nodes_[x.name];
  // What came to pass by itself since the last look has a time of its own.
  auto at
    = [&](instant own) { return own > looked_ && own <= now_ ? own : now_; };
  if (seen.first_look == never)
    seen.first_look = now_;
  // By our own clock: the world's moves only when somebody looks at it.
  auto uplink_cut = self == truth.self() && truth.uplink_cut();
  auto linked = self.empty()
                || ((uplink_cut || truth.reaches(self, x.name))
                    && truth.delay_between(self, x.name)
                         < std::max(late_answer, limit - late_answer));
  // The world knows one uplink, which no cut of that node's network touches.
  auto is_home = x.name == self || x.name == truth.self();
  auto up = truth.alive(x.name) && x.boots_until <= now_ && !x.daemon_down
            && (!x.management_cut || is_home);
  auto well = up && linked;
  // What only takes long answers whoever waits long enough.
  auto slow = up && (uplink_cut || truth.reaches(self, x.name))
              && truth.delay_between(self, x.name) < limit;
  if (well || slow)
    seen.ill_since = never;
  else if (seen.ill_since == never)
    seen.ill_since = at(x.trouble_since);
  auto active
    = truth.agents() && honest_ && truth.booted(x.name) && !x.storage_cut;
  if (!active)
    seen.active_since = never;
  else if (seen.active_since == never)
    seen.active_since = at(x.boots_until);
  auto& all = seen.answering;
  auto answered = !all.empty() && all.back().to == never;
  auto answers = well && (!uplink_cut || x.name == self);
  if (answers && !answered)
    all.push_back({at(x.boots_until), never});
  else if (!answers && answered)
    all.back().to = at(well ? truth.uplink_cut_since() : x.trouble_since);
}

millis law_sight::active_for(const node_name& name) const {
  auto i = nodes_.find(name);
  return i == nodes_.end() || i->second.active_since == never
           ? millis{0}
           : now_ - i->second.active_since;
}

millis law_sight::answered_for(const node_name& name) const {
  auto i = nodes_.find(name);
  if (i == nodes_.end() || i->second.answering.empty()
      || i->second.answering.back().to != never)
    return millis{0};
  return now_ - i->second.answering.back().from;
}

instant law_sight::answering_from(const node_name& name) const {
  auto i = nodes_.find(name);
  return i == nodes_.end() || i->second.answering.empty()
           ? never
           : i->second.answering.back().from;
}

bool law_sight::answered_since(const node_name& name, instant since,
                               millis least) const {
  return answered_between(name, since, now_, least);
}

bool law_sight::answered_between(const node_name& name, instant since,
                                 instant until, millis least) const {
  auto i = nodes_.find(name);
  if (i == nodes_.end())
    return false;
  const auto& all = i->second.answering;
  return std::any_of(all.begin(), all.end(), [&](const period& x) {
    auto from = std::max(x.from, since);
    auto to = std::min(x.to == never ? now_ : x.to, until);
    return to - from > least;
  });
}

instant law_sight::silent_from(const node_name& name) const {
  auto i = nodes_.find(name);
  if (i == nodes_.end())
    return never;
  const auto& all = i->second.answering;
  if (all.empty())
    return i->second.first_look;
  if (all.back().to != never)
    return all.back().to;
  if (all.size() > 1)
    return all[all.size() - 2].to;
  return all.front().from > i->second.first_look ? i->second.first_look : never;
}

instant law_sight::still_silent_from(const node_name& name) const {
  auto i = nodes_.find(name);
  auto answers = i != nodes_.end() && !i->second.answering.empty()
                 && i->second.answering.back().to == never;
  return answers ? never : silent_from(name);
}

std::vector<node_name> law_sight::ill_for(millis least) const {
  std::vector<node_name> result;
  for (const auto& [name, x] : nodes_)
    if (x.ill_since != never && x.ill_since + least <= now_)
      result.push_back(name);
  return result;
}

} // namespace orderly::sim
