// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/balance/ask.hpp"

#include "actors/policy/repair/tags.hpp"
#include "actors/shell/patience.hpp"

#include <fmt/format.h>

namespace orderly::balancer_parts {

namespace {

/// Others may have asked the same port just before.
constexpr int queue_factor = 3;
constexpr millis port_slack = seconds{10};

std::string guard_in(const guard_standing& x) {
  if (x.paused)
    return "paused by " + x.paused_by;
  if (!x.storm)
    return {};
  return "a storm: " + x.storm_text;
}

/// Is anybody about to repair it? What no tag permits, or nobody does here, may
/// stay as it is for months.
bool is_coming(const instance_standing& x, const status_row& status) {
  return status.autorepair_mode == repair_mode::act && !x.next.empty()
         && x.needed && !x.allowed.suspended && x.allowed.most
         && *x.needed <= *x.allowed.most;
}

balance::view_news view_news_in(const view_answer& answer) {
  balance::view_news result;
  result.guard = guard_in(answer.status.guard);
  for (const auto& row : answer.instances) {
    const auto& x = row.standing;
    // Nothing comes of a tag that nobody acts on.
    auto pending = x.phase == repair_phase::pending && !x.misnamed
                   && answer.status.autorepair_mode == repair_mode::act;
    if (!x.phase)
      result.unseen.insert(row.name);
    else if (pending)
      result.repairs[row.name] = {"is being repaired: " + x.why, true};
    else if (x.broken)
      result.repairs[row.name]
        = {"is not in order: " + x.wrong, is_coming(x, answer.status)};
    else if (x.phase == repair_phase::failed)
      result.repairs[row.name] = {"its repair failed: " + x.why, false};
  }
  return result;
}

balance::mirror_answered said_in(balance::mirror_answered e,
                                 const mirror_answer& x) {
  if (!x.heard) {
    e.text = "it is not known how its mirror is: " + x.text;
    return e;
  }
  e.at = x.heard->at;
  e.well = x.heard->fault.empty();
  e.text = e.well ? std::string{}
                  : "its mirror is faulty: " + to_string(x.heard->fault);
  return e;
}

} // namespace

void ask_view(self_ptr self,
              std::function<void(std::optional<balance::view_news>)> then) {
  view_query query;
  query.subject = view_subject::instances;
  self->request(self->state.peers.view, patience::neighbour, std::move(query))
    .then([then](const view_answer& answer) { then(view_news_in(answer)); },
          [then](const caf::error&) { then(std::nullopt); });
}

void ask_mirror(self_ptr self, const instance_name& name,
                std::function<void(balance::mirror_answered)> then) {
  auto& st = self->state;
  balance::mirror_answered none;
  none.instance = name;
  none.at = now(self, st.ctx);
  none.text = "it was not told in time how its mirror is";
  if (!st.peers.mirrors)
    return then(std::move(none));
  // It may stand behind others there, and each has a time of its own.
  self->request(st.peers.mirrors, patience::look, mirror_question{name})
    .then([then, none](const mirror_answer& x) { then(said_in(none, x)); },
          [then, none](const caf::error&) { then(none); });
}

void read_figures(self_ptr self,
                  std::function<void(const model_answer&)> then) {
  auto& st = self->state;
  if (!st.model) {
    model_answer none;
    none.text = "there is nobody to read it";
    then(none);
    return;
  }
  auto rules = st.ctx->rules();
  auto limit = rules->balance.model_timeout;
  self
    ->request(st.model, queue_factor * limit + port_slack,
              read_model{rules->balance.dynamic_load, limit})
    .then(
      [self, then](model_answer& answer) {
        auto& state = self->state;
        if (answer.model) {
          state.figures = std::move(answer);
          state.figures_at = now(self, state.ctx);
          then(state.figures);
        } else {
          if (answer.text.empty())
            answer.text = "no reason given";
          then(answer);
        }
      },
      [then](const caf::error&) {
        model_answer none;
        none.text = "no answer in time";
        then(none);
      });
}

std::vector<std::string> remarks_of(const model_answer& figures) {
  std::vector<std::string> result;
  for (const auto& name : figures.silent)
    result.push_back(name + " gives no figures");
  if (!figures.loaded && !figures.load_text.empty())
    result.push_back("no load data: " + figures.load_text);
  return result;
}

plan_question question_of(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  plan_question q;
  q.model = st.figures.model;
  q.picture = st.picture;
  q.under_way = under_way(self);
  q.disk_moves = rules->balance.disk_moves;
  q.threshold = rules->balance.threshold;
  q.move_cost = rules->balance.move_cost;
  q.deadline = rules->balance.search_limit;
  return q;
}

void make_plan(self_ptr self, plan_question question,
               std::function<void(plan_answer&)> then) {
  auto& st = self->state;
  if (!st.planner || !question.model) {
    plan_answer none;
    none.text = "there is no planner here";
    then(none);
    return;
  }
  auto limit = queue_factor * question.deadline + port_slack;
  self->request(st.planner, limit, std::move(question))
    .then([then](plan_answer& answer) { then(answer); },
          [then](const caf::error&) {
            plan_answer none;
            none.text = "the planner does not answer";
            then(none);
          });
}

std::map<instance_name, instance_place> under_way(self_ptr self) {
  auto& st = self->state;
  std::map<instance_name, instance_place> result;
  for (const auto& [name, x] : st.promises)
    result[name] = x.place;
  for (const auto& m : st.machine.open)
    if (m.stage == balance::stage::sent)
      result[m.what.instance] = m.what.to;
  return result;
}

} // namespace orderly::balancer_parts
