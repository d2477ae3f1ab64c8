// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/intake.hpp"

#include "actors/maintenance/guards.hpp"
#include "actors/maintenance/keys.hpp"
#include "actors/maintenance/past.hpp"
#include "actors/maintenance/plans.hpp"
#include "actors/maintenance/polls.hpp"
#include "actors/maintenance/standings.hpp"
#include "actors/maintenance/strays.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/maintenance/rank.hpp"
#include "actors/scheduler/leader.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

using namespace intake_parts;

namespace {

event_peers peers_of_events(self_ptr self) {
  auto& st = self->state;
  return {
    st.peers.journal, st.peers.scheduler, st.peers.jobs,
    st.peers.mirrors, st.agents,          caf::actor_cast<event_keeper>(self),
    st.cluster,       st.copies,          st.peers.view};
}

/// Something keeps others away from that node, and not always.
bool is_apart(const node_standing& x) {
  return !x.held.empty() || x.troubled || !x.closed.empty();
}

/// What every event is told of the others and of nodes that are apart.
event_surroundings surroundings_of(const intake_state& st) {
  event_surroundings all;
  for (const auto& name : st.apart) {
    const auto& x = st.standings.at(name);
    auto trouble = fmt::format("is in trouble ({})", to_string(x.phase));
    if (!x.held.empty())
      all.powered_off[name] = "is held: " + x.held;
    all.closed[name] = !x.held.empty() ? "is held: " + x.held
                       : x.troubled    ? trouble
                                       : "is no place: " + x.closed;
    // Closed, its home is not to go away under a move.
    all.troubled[name] = x.troubled        ? trouble
                         : !x.held.empty() ? "is held: " + x.held
                                           : "is left to a person: " + x.closed;
  }
  for (const auto& [uuid, x] : st.events) {
    if (!x.standing)
      continue;
    if (!is_final(x.standing->phase))
      all.closed.emplace(x.standing->node, "has a repair event");
    for (const auto& [name, was] : x.standing->left)
      if (auto& last = all.left[name]; last.at <= was.at)
        last = was;
  }
  return all;
}

/// When the node was last let go of; `never`: nobody had it.
instant freed_at(const intake_state& st, const node_name& node) {
  auto i = st.freed.find(node);
  return i == st.freed.end() ? never : i->second;
}

/// A node that is under an event is left alone by others, as long as it lives.
/// Whether auto-repair and balancing leave its node to it: while it is emptied,
/// and while a command runs on a node that is there.
bool keeps_others_away(const intake_state& st, const event_standing& x) {
  if (!maintenance::is_at_work(x.phase)
      || st.ctx->rules()->maintenance.mode != repair_mode::act)
    return false;
  const auto* node
    = st.picture ? find_record(st.picture->nodes, x.node) : nullptr;
  auto is_out = node != nullptr && node->offline;
  if (x.action == event_action::live_repair)
    return !x.late && !is_out;
  // What has not ended by its deadline keeps nobody from what was on a node
  // that died.
  return !x.late || !is_out;
}

upkeep upkeep_of(const intake_state& st) {
  upkeep result;
  for (const auto& [uuid, x] : st.events)
    if (x.standing && keeps_others_away(st, *x.standing))
      result.nodes.emplace(x.standing->node,
                           "a repair event works on " + x.standing->node);
  return result;
}

void note_begin(self_ptr self, const std::optional<event_standing>& before,
                const event_standing& x) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  std::erase_if(st.begun,
                [at](instant then) { return at - then >= counted_within; });
  auto known = before ? before->begun : never;
  // It had begun in vain.
  if (known != never && x.begun == never)
    if (auto i = std::find(st.begun.begin(), st.begun.end(), known);
        i != st.begun.end())
      st.begun.erase(i);
  if (x.begun != never && x.begun != known)
    st.begun.push_back(std::min(x.begun, at));
}

/// Some event is about that node.
bool any_about(const intake_state& st, const node_name& node) {
  return std::any_of(st.events.begin(), st.events.end(), [&](const auto& x) {
    return x.second.standing && x.second.standing->node == node;
  });
}

/// Its node is there, and has not said yet how it stands.
bool is_unsaid(const intake_state& st, const node_name& node) {
  return st.picture && st.standings.count(node) == 0
         && find_record(st.picture->nodes, node) != nullptr;
}

void take_standing(self_ptr self, const event_standing& x) {
  auto& st = self->state;
  auto i = st.events.find(x.uuid);
  if (i == st.events.end())
    return;
  note_begin(self, i->second.standing, x);
  // By that a person says that the command of a stranger counts for nothing.
  auto canceled = i->second.standing
                  && i->second.standing->phase == event_phase::canceled
                  && x.action == event_action::live_repair;
  i->second.standing = x;
  if (x.phase == event_phase::forgotten) {
    self->send(st.peers.members, stop_child{object_of_event(x.uuid)});
    if (canceled)
      drop_stray(st, x.node);
    note_past(self, x);
    st.events.erase(i);
    poll_soon(self); // what it was about may be reported still
  }
  weigh(self);
  spread(self);
}

/// A node that is added anew under an old name has said nothing yet.
void forget_gone(intake_state& st) {
  forget_others(st.standings, st.picture->nodes);
  forget_others(st.apart, st.picture->nodes);
  forget_others(st.freed, st.picture->nodes);
  forget_others(st.own_last, st.picture->nodes);
}

void take_picture(self_ptr self, const picture_news& news) {
  auto& st = self->state;
  if (!news.poll.answered || !news.picture)
    return;
  auto first = !st.picture;
  st.picture = news.picture;
  forget_gone(st);
  st.read_at = news.poll.asked_at == never ? news.poll.at : news.poll.asked_at;
  spread(self);
  call_back_strays(self);
  if (first)
    poll(self);
}

void recover(self_ptr self, const recalled& before) {
  auto& st = self->state;
  st.recovered = true;
  for (const auto& [key, state] : before.states) {
    std::string uuid;
    if (split_object(key, "event", uuid))
      start(self, uuid);
  }
  self->send(st.peers.view, events_known{st.events.size()});
  if (st.picture)
    poll(self);
}

void take_node(self_ptr self, const node_standing& x) {
  auto& st = self->state;
  auto first = st.standings.count(x.node) == 0 && any_about(st, x.node);
  auto& known = st.standings[x.node];
  auto news = first || known.troubled != x.troubled || known.held != x.held
              || known.closed != x.closed;
  if (!known.held.empty() && x.held.empty())
    st.freed[x.node] = now(self, st.ctx);
  known = x;
  if (is_apart(x))
    st.apart.insert(x.node);
  else
    st.apart.erase(x.node);
  if (news && !st.events.empty())
    spread(self);
}

caf::result<event_order_answer> pass_on(self_ptr self, event_order what) {
  auto& st = self->state;
  auto i = st.events.find(what.uuid);
  if (!st.recovered || (i != st.events.end() && !i->second.actor))
    return event_order_answer{event_order_answer::outcome::refused,
                              "the events are being read after a start; ask "
                              "again in a moment"};
  if (i == st.events.end())
    return event_order_answer{event_order_answer::outcome::unknown,
                              "there is no event " + what.uuid};
  return self->delegate(i->second.actor, std::move(what));
}

} // namespace

std::vector<event_standing> intake_parts::standings_of(const intake_state& st) {
  std::vector<event_standing> result;
  for (const auto& [uuid, x] : st.events)
    if (x.standing)
      result.push_back(*x.standing);
  return result;
}

bool intake_parts::any_unknown(const intake_state& st) {
  return std::any_of(st.events.begin(), st.events.end(),
                     [](const auto& x) { return !x.second.standing; });
}

void intake_parts::start(self_ptr self, const std::string& uuid) {
  auto& st = self->state;
  st.events[uuid];
  auto ctx = st.ctx;
  auto peers = peers_of_events(self);
  auto* system = &self->system();
  auto boss = caf::actor_cast<caf::actor_addr>(self);
  self->send(st.peers.members,
             start_child{object_of_event(uuid), [=] {
                           auto h
                             = system->spawn(repair_event, ctx, peers, uuid);
                           if (auto up = caf::actor_cast<caf::actor>(boss))
                             caf::anon_send(up, event_started{uuid}, h);
                           return caf::actor_cast<caf::actor>(h);
                         }});
}

void intake_parts::spread(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  note_strays(self);
  auto sought = search_commands(self);
  auto all = standings_of(st);
  auto turns = maintenance::acting(all);
  event_facts facts;
  facts.picture = st.picture;
  facts.read_at = st.read_at;
  facts.ahead = st.ctx->ahead(at);
  facts.no_right = why_no_right(*st.ctx, st.right, at);
  facts.usurper = st.right.held ? node_name{} : st.right.master;
  facts.around
    = std::make_shared<const event_surroundings>(surroundings_of(st));
  auto load = give_slots(st, all, turns, at);
  auto machines = by_machine(all);
  for (const auto& x : all) {
    const auto& actor = st.events[x.uuid].actor;
    // Whose turn it is shows when it has said what it is about, and who has its
    // node when that one's actor has.
    if (!actor || is_unsaid(st, x.node))
      continue;
    const auto& of_node = machines[x.node_uuid];
    facts.turn = turns.count(x.uuid) != 0;
    facts.freed = freed_at(st, x.node);
    facts.held = held(st, x, load);
    facts.slot = st.slots.count(x.uuid) != 0;
    facts.unknown = unknown_work(st, x);
    facts.searched = sought;
    facts.worked = worked_at(st, x, of_node, at);
    facts.given_up = given_up_at(x, of_node);
    self->send(actor, facts);
  }
  auto word = upkeep_of(st);
  if (word == st.told || !st.routes)
    return;
  st.told = word;
  self->send(st.routes, word);
  self->send(st.peers.balancer, word);
}

intake_actor::behavior_type intake(self_ptr self, context_ptr ctx,
                                   intake_peers peers, agent_port agents) {
  die_with_reason(self, "intake");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.agents = std::move(agents);
  // An id must never come twice, not even after a restart with the same seed.
  auto born = static_cast<std::uint64_t>(to_ms(now(self, st.ctx)));
  st.rolls = dice{st.ctx->seed_for("intake") ^ (born << 20)};
  return {
    [self](const event_started& what, event_actor& handle) {
      auto i = self->state.events.find(what.uuid);
      if (i == self->state.events.end())
        return;
      i->second.actor = handle;
      if (i->second.standing)
        spread(self);
    },
    [self](const plan_wanted& what) {
      self->state.want_plans.insert(what.uuid);
      plan(self);
    },
    [self](const event_standing& x) { take_standing(self, x); },
    [self](event_order& what) { return pass_on(self, std::move(what)); },
    [self](const picture_news& news) { take_picture(self, news); },
    [self](const node_standing& x) { take_node(self, x); },
    [self](const lease& right) {
      auto is_news = right.held != self->state.right.held;
      self->state.right = right;
      // What another master did meanwhile is not known yet.
      if (is_news)
        self->state.search = {};
      if (is_news)
        spread(self);
    },
    [self](const cluster_here& what) {
      auto& state = self->state;
      state.cluster = what.cluster;
      state.routes = what.cluster;
      state.copies = what.cluster;
      auto book = state.peers.journal;
      self->request(book, caf::infinite, recall{"agent:", true})
        .then([self, book](const recalled& keys) {
          recall_keys(self->state, keys);
          self->request(book, caf::infinite, recall{past_key, false})
            .then([self, book](const recalled& past) {
              recall_past(self->state, past, now(self, self->state.ctx));
              self->request(book, caf::infinite, recall{"event:", true})
                .then(
                  [self](const recalled& before) { recover(self, before); });
            });
        });
    },
    [self](const tick& t) {
      if (self->state.next.rings(t))
        poll(self);
    },
  };
}

} // namespace orderly
