// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/mirrors/mirrors.hpp"

#include "actors/shell/patience.hpp"

#include <algorithm>
#include <utility>

namespace orderly {

namespace {

using self_ptr = mirror_service::stateful_pointer<mirrors_state>;

/// A suspect is asked again so soon.
constexpr auto suspect_pause = seconds{30};

/// Who does not answer alone is not asked again before.
constexpr millis muted_least = minutes{1};

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
  for (const auto& name : st.fresh)
    add(name);
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
  auto soon = !st.suspects.empty() || !st.fresh.empty() || behind;
  return soon ? std::min<millis>(pause, suspect_pause) : pause;
}

/// Passes on what was heard, and tells it. The names were asked about as they
/// stood in that picture.
mirror_news take(self_ptr self, const std::vector<instance_name>& asked,
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
        || !can_answer(*st.roll.picture, st.standings, *record))
      continue;
    auto i = answer.faults.find(name);
    auto faulty = i != answer.faults.end();
    if (!faulty && answer.well.count(name) == 0)
      continue; // who was silent said nothing
    st.fresh.erase(name);
    mirror_standing x;
    x.at = at;
    x.answered_at = now(self, st.ctx);
    if (faulty) {
      auto before = st.suspects.find(name);
      x.seen = before == st.suspects.end() ? 1 : before->second.seen + 1;
      x.fault = i->second;
      if (only_syncs(x.fault))
        x.seen = 0; // it heals by itself
      // What is marked down is asked only when somebody relies on it.
      if (record->admin == admin_state::up)
        st.suspects.insert_or_assign(name, x);
    } else {
      st.suspects.erase(name);
    }
    news.heard.emplace(name, std::move(x));
  }
  if (!news.heard.empty())
    self->send(st.listener, news);
  return news;
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
    st.muted[names.front()] = at + std::max(muted_least, interval);
    st.batch = mirror_batch_max;
  }
}

mirror_answer unknown(std::string why) {
  return {std::nullopt, std::move(why)};
}

/// Why nobody asks this one; empty: somebody may.
std::string why_unasked(const mirrors_state& st, const mirror_question& what) {
  if (st.ctx->rules()->autorepair.mirror_interval == millis{0})
    return "autorepair.mirror_interval is 0: mirrors are not asked";
  if (!st.roll.picture)
    return "the cluster was not read yet";
  const auto* record = find_record(st.roll.picture->instances, what.instance);
  if (record == nullptr)
    return "there is no such instance";
  auto may = what.marked_down ? can_answer : can_be_asked;
  if (!may(*st.roll.picture, st.standings, *record))
    return "it is stopped, or one of its nodes is out of service or not heard";
  return {};
}

void look(self_ptr self);
void serve_seekers(self_ptr self);

void answer(self_ptr self, mirrors_state::seeker& to, mirror_answer x) {
  const auto& all = self->state.suspects;
  if (auto i = all.find(to.what.instance); !x.heard && i != all.end())
    x.last = i->second.fault;
  to.answer.deliver(std::move(x));
}

/// A question ended: who relies on an answer comes before what is due.
void go_on(self_ptr self) {
  auto& st = self->state;
  st.asking = false;
  serve_seekers(self);
  if (!st.asking && st.due)
    look(self);
}

/// What it said is news like any other: after a fault it is asked again soon.
mirror_answer heard_of(self_ptr self, const instance_name& name,
                       const cluster_picture& then, instant at,
                       const mirrors_answer& answer) {
  if (!answer.answered)
    return unknown(answer.text.empty() ? "there was no answer" : answer.text);
  auto& st = self->state;
  auto news = take(self, {name}, then, at, answer);
  auto i = news.heard.find(name);
  if (i == news.heard.end()) {
    auto none = unknown("its nodes did not both say how it is");
    none.mute = answer.faults.count(name) == 0 && answer.well.count(name) == 0;
    return none;
  }
  if (!i->second.fault.empty()) {
    st.next.set(self, pause_of(st));
    st.due = false;
  }
  return {std::move(i->second), {}};
}

/// Each of them alone: one that is silent would silence the others.
void serve_seekers(self_ptr self) {
  auto& st = self->state;
  while (!st.asking && !st.seekers.empty()) {
    auto next = std::move(st.seekers.front());
    st.seekers.pop_front();
    if (auto why = why_unasked(st, next.what); !why.empty()) {
      answer(self, next, unknown(std::move(why)));
      continue;
    }
    st.asking = true;
    auto at = now(self, st.ctx);
    auto limit = st.ctx->rules()->cluster.poll_timeout;
    self
      ->request(st.port, limit + patience::slack,
                read_mirrors{{next.what.instance}, limit})
      .then(
        [self, next, then = st.roll.picture,
         at](const mirrors_answer& said) mutable {
          answer(self, next,
                 heard_of(self, next.what.instance, then, at, said));
          go_on(self);
        },
        [self, next](const caf::error&) mutable {
          answer(self, next, unknown("there was no answer in time"));
          go_on(self);
        });
  }
}

caf::result<mirror_answer> seek(self_ptr self, const mirror_question& what) {
  auto& st = self->state;
  if (st.seekers.size() >= mirrors_state::seekers_max)
    return unknown("too many wait for mirrors");
  auto promise = self->make_response_promise<mirror_answer>();
  st.seekers.push_back({what, promise});
  serve_seekers(self);
  return promise;
}

void look(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  st.next.set(self, pause_of(st));
  st.due = st.asking;
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
        if (answer.answered) {
          state.batch = std::min(mirror_batch_max, 2 * state.batch);
          take(self, names, then, at, answer);
        } else {
          narrow(self, names, before, at);
        }
        // What this answer says is what the next question waits for.
        state.next.set(self,
                       answer.answered ? pause_of(state) : patience::ask_again);
        state.due = false;
        go_on(self);
      },
      [self](const caf::error&) {
        self->state.due = false; // its pause goes on
        go_on(self);
      });
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
  forget_others(st.standings, picture.nodes);
}

std::set<node_name> nodes_of(const instance_record& x) {
  std::set<node_name> result{x.secondaries.begin(), x.secondaries.end()};
  result.insert(x.primary);
  return result;
}

/// A copy elsewhere than before: is it whole? Not when the two only exchanged
/// their roles.
void note_new_mirrors(self_ptr self, const cluster_picture& before) {
  auto& st = self->state;
  const auto& all = st.roll.picture->instances;
  std::erase_if(st.fresh, [&](const instance_name& name) {
    const auto* record = find_record(all, name);
    return record == nullptr || record->admin != admin_state::up;
  });
  auto known = st.fresh.size();
  auto note = [&](const instance_record& x) {
    if (x.disks != disk_template::drbd || x.admin != admin_state::up)
      return;
    const auto* was = before ? find_record(before->instances, x.name) : nullptr;
    if (was != nullptr && was->uuid == x.uuid
        && was->secondaries != x.secondaries && nodes_of(*was) != nodes_of(x))
      st.fresh.insert(x.name);
  };
  if (auto change = std::exchange(st.roll.change, {});
      change && change->before == before)
    for (auto place : change->other)
      note(all[place]);
  else
    std::for_each(all.begin(), all.end(), note);
  if (st.fresh.size() == known)
    return;
  st.due = st.asking;
  if (!st.asking)
    look(self);
}

} // namespace

bool can_be_asked(const cluster_record& picture,
                  const node_standings& standings, const instance_record& x) {
  return x.admin == admin_state::up && can_answer(picture, standings, x);
}

bool can_answer(const cluster_record& picture, const node_standings& standings,
                const instance_record& x) {
  if (x.disks != disk_template::drbd || x.secondaries.empty())
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

mirror_service::behavior_type mirrors(self_ptr self, context_ptr ctx,
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
      if (state.roll.picture && state.roll.picture != before) {
        forget_the_gone(state, before);
        note_new_mirrors(self, before);
      }
    },
    [self](const node_standing& x) {
      self->state.standings.insert_or_assign(x.node, x);
    },
    [self](const tick& t) {
      if (self->state.next.rings(t))
        look(self);
    },
    [self](const mirror_question& what) { return seek(self, what); },
  };
}

} // namespace orderly
