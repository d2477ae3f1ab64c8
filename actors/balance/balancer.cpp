// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/balance/balancer.hpp"

#include "actors/balance/ask.hpp"
#include "actors/balance/evacuations.hpp"
#include "actors/balance/places.hpp"
#include "actors/balance/show.hpp"
#include "actors/scheduler/leader.hpp"
#include "actors/shell/patience.hpp"
#include "actors/shell/renewal.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

using namespace balancer_parts;

namespace {

constexpr const char* state_key = "balance";

/// What holds a round back is looked at again within that.
constexpr millis hold_pause_max = minutes{1};

balance::rules rules_of(const settings& s) {
  balance::rules r;
  r.enabled = s.balance.enabled;
  r.disk_moves = s.balance.disk_moves;
  r.interval = s.balance.interval;
  r.hold_pause = std::min(s.balance.interval, hold_pause_max);
  r.moves_max = s.balance.moves_max;
  r.picture_max_age = s.cluster.picture_max_age;
  r.retry_base = s.balance.retry_base;
  r.retry_max = s.balance.retry_max;
  return r;
}

// --- what the machine asks for ----------------------------------------------

void carry_out(self_ptr self, const balance::ask_view& what) {
  ask_view(self, [self, question = what.question](auto seen) {
    auto answered = seen.has_value();
    feed(self,
         balance::viewed{question, answered,
                         answered ? std::move(*seen) : balance::view_news{}});
  });
}

void carry_out(self_ptr self, const balance::read_figures& what) {
  read_figures(self, [self, question = what.question](const model_answer& x) {
    feed(self, balance::model_read{question, x.model != nullptr, x.silent,
                                   remarks_of(x), x.text,
                                   x.loaded ? std::string{} : x.load_text});
  });
}

void carry_out(self_ptr self, const balance::make_plan& what) {
  auto question = question_of(self);
  question.picture = self->state.machine.planned_on;
  question.closed = what.closed;
  question.fixed = what.fixed;
  make_plan(self, std::move(question),
            [self, question = what.question](plan_answer& plan) {
              show_round(self, plan);
              feed(self, balance::planned{question, std::move(plan)});
            });
}

permit_request request_of(self_ptr self, const balance::ask_permit& what) {
  permit_request wanted;
  wanted.owner = balance::object_of(what.instance);
  wanted.act = act_kind::rebalance;
  wanted.instances = {what.instance};
  wanted.leaves = what.leaves;
  wanted.joins = what.joins;
  wanted.also = what.also;
  wanted.since = now(self, self->state.ctx);
  wanted.resumed = what.resumed;
  return wanted;
}

void carry_out(self_ptr self, const balance::ask_permit& what) {
  self
    ->request(self->state.peers.scheduler, patience::neighbour,
              request_of(self, what), caf::actor_cast<permit_client>(self))
    .then(
      [self, name = what.instance](const permit& answer) {
        feed(self, balance::permit_answered{name, answer});
      },
      [self, name = what.instance](const caf::error&) {
        permit none;
        none.why = "the scheduler does not answer";
        feed(self, balance::permit_answered{name, std::move(none)});
      });
}

void carry_out(self_ptr self, const balance::ask_mirror& what) {
  ask_mirror(self, what.instance,
             [self](const balance::mirror_answered& e) { feed(self, e); });
}

void carry_out(self_ptr self, const balance::give_back_permit& what) {
  self->send(self->state.peers.scheduler,
             permit_release{balance::object_of(what.instance)});
}

/// The journal may have been slow, and the world has moved on.
std::string too_late(self_ptr self, const intent_id& intent) {
  auto& st = self->state;
  auto seen = facts_of(self);
  auto at = now(self, st.ctx);
  auto t = balance::taboo_of(st.machine, seen, at);
  for (const auto& m : st.machine.open)
    if (m.intent == intent) {
      if (m.withdrawn)
        return "it was called back";
      auto why = balance::objection(m, st.machine, seen, t);
      return why.empty() ? balance::stale(m, at) : why;
    }
  return "it is no part of the round any more";
}

/// The last word before a job leaves. Its permit is from before: paused since,
/// or a storm?
caf::result<consent> last_say(self_ptr self, const intent_id& intent) {
  auto& st = self->state;
  if (auto why = too_late(self, intent); !why.empty())
    return consent{false, why};
  auto m = std::find_if(st.machine.open.begin(), st.machine.open.end(),
                        [&](const auto& x) { return x.intent == intent; });
  const auto& move = m->what;
  auto promise = self->make_response_promise<consent>();
  self
    ->request(st.peers.scheduler, patience::neighbour,
              request_of(self, {move.instance, balance::left_by(move),
                                balance::filled_by(move), false}))
    .then(
      [self, intent, promise](const permit& answer) mutable {
        auto why = answer.granted ? too_late(self, intent) : answer.why;
        promise.deliver(consent{why.empty(), why});
      },
      [promise](const caf::error&) mutable {
        promise.deliver(consent{false, "the scheduler does not answer"});
      });
  return promise;
}

/// Of jobs under way.
void keep_permits(self_ptr self) {
  auto& st = self->state;
  if (!renews_permits(st.permits_kept, now(self, st.ctx), *st.ctx->rules()))
    return;
  for (const auto& m : st.machine.open)
    if (m.stage == balance::stage::sent)
      self
        ->request(st.peers.scheduler, patience::neighbour,
                  request_of(self, {m.what.instance, balance::left_by(m.what),
                                    balance::filled_by(m.what), true}))
        .then([](const permit&) {}, [](const caf::error&) {});
}

void carry_out(self_ptr self, const balance::submit& what) {
  auto& st = self->state;
  if (!what.ops.empty())
    if (auto why = too_late(self, what.intent); !why.empty()) {
      job_event never_sent;
      never_sent.intent = what.intent;
      never_sent.phase = job_phase::refused;
      never_sent.untried = true;
      never_sent.text = std::move(why);
      feed(self, never_sent);
      return;
    }
  auto rules = st.ctx->rules();
  job_order order;
  order.intent = what.intent;
  order.owner = balance::object_of(what.instance);
  order.ops = what.ops;
  order.why = what.why;
  order.once = true;
  order.deadline = rules->cluster.job_deadline;
  order.send_before = st.read_at + rules->cluster.picture_max_age;
  self->send(st.peers.jobs, std::move(order),
             caf::actor_cast<job_client>(self));
}

void carry_out(self_ptr self, const balance::withdraw& what) {
  self->send(self->state.peers.jobs, job_withdraw{what.intent});
}

void carry_out(self_ptr, const balance::tell&) {
  // Written down already.
}

// --- writing down -----------------------------------------------------------

void arm(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto due = balance::due_at(st.machine, rules_of(*st.ctx->rules()));
  // What is overdue waits for news: of the cluster, or an answer.
  if (due == never || due <= at || due == st.armed)
    return;
  st.armed = due;
  st.next.set(self, std::chrono::duration_cast<millis>(due - at));
}

/// The rows of a verdict; the state goes with the last, if it changed.
std::vector<journal_entry> rows_of(self_ptr self, const balance::verdict& v,
                                   bool changed) {
  auto& st = self->state;
  std::vector<journal_entry> rows;
  for (const auto& x : v.actions)
    if (const auto* row = std::get_if<balance::tell>(&x))
      rows.push_back(entry_about(self, st.ctx,
                                 balance::object_of(row->instance), row->kind,
                                 row->code, row->text));
  if (!v.why.empty() || changed)
    rows.push_back(
      entry_about(self, st.ctx, "balancer",
                  v.why.empty() ? entry_kind::note : entry_kind::decision,
                  to_string(st.machine.phase), v.why));
  if (changed) {
    rows.back().state = balance::to_fields(st.machine);
    rows.back().state_key = state_key;
  }
  return rows;
}

// --- news -------------------------------------------------------------------

void call_back_strays(self_ptr self) {
  auto& st = self->state;
  if (!st.recovered)
    return; // its own are not known yet
  for (const auto& job : balance::strays_of(st.machine, *st.picture)) {
    auto name = job.instances.empty() ? instance_name{} : job.instances.front();
    self->send(st.peers.jobs, job_withdraw{intent_in_trail(job.reason), job.id,
                                           balance::object_of(name)});
  }
}

void take_picture(self_ptr self, const picture_news& news) {
  auto& st = self->state;
  if (news.poll.answered && news.picture) {
    st.picture = news.picture;
    st.read_at
      = news.poll.asked_at == never ? news.poll.at : news.poll.asked_at;
    forget_others(st.troubled, st.picture->nodes);
    forget_others(st.unwell, st.picture->nodes);
    keep_figures(self);
    keep_permits(self);
    call_back_strays(self);
  }
  feed(self, balance::looked{});
}

void take_standing(self_ptr self, const node_standing& x) {
  auto& st = self->state;
  if (!x.held.empty())
    st.troubled[x.node] = "is held: " + x.held;
  else if (x.troubled)
    st.troubled[x.node] = fmt::format("is in trouble ({})", to_string(x.phase));
  else if (!x.closed.empty())
    st.troubled[x.node] = "is no place: " + x.closed;
  else
    st.troubled.erase(x.node);
  // Fenced, it has instances to be started elsewhere.
  if (x.troubled || x.phase == ha_phase::fenced)
    st.unwell.insert(x.node);
  else
    st.unwell.erase(x.node);
  feed(self, balance::looked{});
}

void recover(self_ptr self, const recalled& before) {
  auto& st = self->state;
  st.recovered = true;
  auto i = before.states.find(state_key);
  if (i != before.states.end()) {
    st.machine = balance::from_fields(i->second);
    balance::date(st.machine, rules_of(*st.ctx->rules()), now(self, st.ctx));
    st.unkept = balance::to_fields(st.machine) != i->second;
  }
  feed(self, balance::looked{});
}

} // namespace

balance::facts balancer_parts::facts_of(self_ptr self) {
  auto& st = self->state;
  balance::facts f;
  f.picture = st.picture;
  f.read_at = st.read_at;
  f.ahead = st.ctx->ahead(now(self, st.ctx));
  f.able = st.model && st.planner;
  f.troubled = st.troubled;
  f.unwell = st.unwell;
  for (const auto& [node, why] : st.leaving)
    f.troubled.emplace(node, "is to go: " + why);
  for (const auto& [node, why] : st.upkeep) {
    f.troubled.emplace(node, "is left alone: " + why);
    f.unwell.insert(node); // and its group, which it may need
  }
  f.mirrors_asked = st.ctx->rules()->autorepair.mirror_interval > millis{0};
  f.no_right = why_no_right(*st.ctx, st.right, now(self, st.ctx));
  return f;
}

void balancer_parts::feed(self_ptr self, const balance::event& e) {
  auto& st = self->state;
  if (!st.recovered)
    return; // it looks when it has read its journal
  auto v = balance::step(st.machine, e, facts_of(self),
                         rules_of(*st.ctx->rules()), now(self, st.ctx));
  auto changed = std::exchange(st.unkept, false)
                 || !balance::kept_alike(st.machine, v.next);
  st.machine = std::move(v.next);
  auto rows = rows_of(self, v, changed);
  call_back_first<balance::withdraw>(
    v.actions, [self](const auto& back) { carry_out(self, back); });
  auto act = [self, actions = std::move(v.actions)] {
    for (const auto& action : actions)
      std::visit([self](const auto& what) { carry_out(self, what); }, action);
  };
  arm(self);
  if (rows.empty())
    act();
  else
    record(self, st.peers.journal, std::move(rows), std::move(act));
}

balancer_actor::behavior_type balancer(self_ptr self, context_ptr ctx,
                                       balancer_peers peers,
                                       const ports& world) {
  die_with_reason(self, "balancer");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.model = world.model;
  st.planner = world.planner;
  st.placer = world.placer;
  self->request(st.peers.journal, caf::infinite, recall{state_key, false})
    .then([self](const recalled& before) { recover(self, before); });
  return {
    [self](const picture_news& news) { take_picture(self, news); },
    [self](const node_standing& x) { take_standing(self, x); },
    [self](const balance_query& what) { return show(self, what); },
    [self](const place_question& what) { return place(self, what); },
    [self](const evacuation_wanted& what) { return evacuate(self, what); },
    [self](const job_event& e) { feed(self, e); },
    [self](const permit_called& what) {
      feed(self, balance::permit_called{what.owner});
    },
    [self](const ask_consent& what) { return last_say(self, what.intent); },
    [self](const holds& what) {
      self->state.leaving = what.leaving;
      feed(self, balance::looked{});
    },
    [self](const upkeep& what) {
      self->state.upkeep = what.nodes;
      feed(self, balance::looked{});
    },
    [self](const lease& right) {
      auto is_news = right.held != self->state.right.held;
      self->state.right = right;
      if (is_news)
        feed(self, balance::looked{});
    },
    [self](const tick& t) {
      if (!self->state.next.rings(t))
        return;
      self->state.armed = never;
      feed(self, balance::looked{});
    },
  };
}

} // namespace orderly
