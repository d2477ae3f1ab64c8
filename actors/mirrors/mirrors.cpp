// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/mirrors/mirrors.hpp"

#include "actors/shell/patience.hpp"

#include <algorithm>
#include <utility>

namespace orderly {

namespace {

using self_ptr = mirrors_actor::stateful_pointer<mirrors_state>;

/// A suspect is asked again so soon.
constexpr auto suspect_pause = seconds{30};

bool may_ask(const mirrors_state& st, const instance_record& x) {
  return can_be_asked(*st.roll.picture, st.standings, x)
         && st.muted.count(x.name) == 0;
}

/// The suspects, those whose actors wait for news, and the next ones in the
/// order of names.
std::vector<instance_name> next_names(mirrors_state& st) {
  const auto& all = st.roll.picture->instances;
  auto most = st.batch;
  std::vector<instance_name> result;
  auto is_new = [&](const instance_name& name) {
    return std::find(result.begin(), result.end(), name) == result.end();
  };
  auto add = [&](const instance_name& name) {
    const auto* record = find_record(all, name);
    if (record != nullptr && result.size() < most / 2 && may_ask(st, *record)
        && is_new(name))
      result.push_back(name);
  };
  for (const auto& [name, x] : st.suspects)
    add(name);
  for (const auto& name : st.roll.attentive)
    add(name);
  st.waiting = result.size() >= most / 2;
  auto i = std::upper_bound(
    all.begin(), all.end(), st.last,
    [](const instance_name& name, const auto& x) { return name < x.name; });
  for (; i != all.end() && result.size() < most; ++i) {
    st.last = i->name;
    if (may_ask(st, *i) && is_new(i->name))
      result.push_back(i->name);
  }
  if (i == all.end())
    st.last.clear();
  return result;
}

/// The suspects are asked more often, and those that found no place in a
/// question.
millis pause_of(const mirrors_state& st) {
  constexpr auto least = seconds{5};
  auto pause
    = std::max<millis>(least, st.ctx->rules()->autorepair.mirror_interval);
  auto behind = st.waiting || st.batch < mirror_batch_max;
  return !st.suspects.empty() || behind ? std::min<millis>(pause, suspect_pause)
                                        : pause;
}

/// The names were asked about as they stood in that picture.
void take(self_ptr self, const std::vector<instance_name>& asked,
          const cluster_picture& then, instant at,
          const mirrors_answer& answer) {
  auto& st = self->state;
  mirror_news news;
  for (const auto& name : asked) {
    const auto* record = find_record(st.roll.picture->instances, name);
    const auto* meant = find_record(then->instances, name);
    // What is gone by now may have been gone when it was asked, and of another
    // one under its name nothing was said.
    if (record == nullptr || record->uuid != meant->uuid
        || !can_be_asked(*st.roll.picture, st.standings, *record))
      continue;
    auto i = answer.faults.find(name);
    auto faulty = i != answer.faults.end();
    if (!faulty && answer.well.count(name) == 0)
      continue; // who was silent said nothing
    mirror_standing x;
    x.at = at;
    if (faulty) {
      auto before = st.suspects.find(name);
      x.seen = before == st.suspects.end() ? 1 : before->second.seen + 1;
      x.fault = i->second;
      st.suspects.insert_or_assign(name, x);
    } else {
      st.suspects.erase(name);
    }
    news.heard.emplace(name, std::move(x));
  }
  if (!news.heard.empty())
    self->send(st.listener, std::move(news));
}

/// Their question was not answered: perhaps for one of them.
void narrow(self_ptr self, const std::vector<instance_name>& names,
            const instance_name& before, instant at) {
  auto& st = self->state;
  if (names.size() > 1 || st.roll.silent)
    st.last = before;
  if (st.roll.silent)
    return; // the cluster answers nothing: none of them has to do with it
  if (names.size() > 1) {
    st.batch = names.size() / 2;
  } else {
    auto interval = st.ctx->rules()->autorepair.mirror_interval;
    st.muted[names.front()] = at + std::max<millis>(minutes{1}, interval);
    st.batch = mirror_batch_max;
  }
}

void look(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  st.next.set(self, pause_of(st));
  // Also while auto-repair is off: when it is switched on it must know.
  if (rules->autorepair.mirror_interval == millis{0} || !st.roll.picture
      || st.asking)
    return;
  auto before = st.last;
  auto at = now(self, st.ctx);
  std::erase_if(st.muted, [at](const auto& kv) { return at >= kv.second; });
  auto names = next_names(st);
  if (names.empty())
    return;
  st.asking = true;
  auto limit = rules->cluster.poll_timeout;
  self->request(st.port, limit + patience::slack, read_mirrors{names, limit})
    .then(
      [self, names, then = st.roll.picture, at,
       before](const mirrors_answer& answer) {
        auto& state = self->state;
        state.asking = false;
        if (answer.answered) {
          state.batch = std::min(mirror_batch_max, 2 * state.batch);
          take(self, names, then, at, answer);
        } else {
          narrow(self, names, before, at);
        }
        // What this answer says is what the next question waits for.
        state.next.set(self, answer.answered ? pause_of(state) : seconds{5});
      },
      [self](const caf::error&) { self->state.asking = false; });
}

/// What is no more is no suspect, and another one of that name is new.
void forget_the_gone(mirrors_state& st, const cluster_picture& before) {
  const auto& picture = *st.roll.picture;
  std::erase_if(st.suspects, [&](const auto& kv) {
    const auto* was
      = before ? find_record(before->instances, kv.first) : nullptr;
    const auto* is = find_record(picture.instances, kv.first);
    return is == nullptr || (was != nullptr && was->uuid != is->uuid);
  });
  std::erase_if(st.standings, [&](const auto& kv) {
    return find_record(picture.nodes, kv.first) == nullptr;
  });
}

} // namespace

bool can_be_asked(const cluster_record& picture,
                  const node_standings& standings, const instance_record& x) {
  if (x.disks != disk_template::drbd || x.secondaries.empty()
      || x.admin != admin_state::up)
    return false;
  auto well = [&](const node_name& name) {
    const auto* node = find_record(picture.nodes, name);
    auto i = standings.find(name);
    if (node == nullptr || node->offline)
      return false;
    // One that answers again is only waited for.
    return i == standings.end() || i->second.unheard_since == never;
  };
  return well(x.primary)
         && std::all_of(x.secondaries.begin(), x.secondaries.end(), well);
}

mirrors_actor::behavior_type mirrors(self_ptr self, context_ptr ctx,
                                     cluster_port port) {
  die_with_reason(self, "mirrors");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.port = std::move(port);
  look(self);
  return {
    [self](mirror_roll& roll, mirror_listener& listener) {
      auto& state = self->state;
      auto before = state.roll.picture;
      state.roll = std::move(roll);
      state.listener = std::move(listener);
      if (state.roll.picture && state.roll.picture != before)
        forget_the_gone(state, before);
    },
    [self](const node_standing& x) {
      self->state.standings.insert_or_assign(x.node, x);
    },
    [self](const tick& t) {
      if (self->state.next.rings(t))
        look(self);
    },
  };
}

} // namespace orderly
