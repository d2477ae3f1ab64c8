// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/balance/show.hpp"

namespace orderly::balancer_parts {

namespace {

void start(self_ptr self);

void finish(self_ptr self, plan_answer plan) {
  auto& x = self->state.shown;
  x.plan = std::move(plan);
  x.ready = std::exchange(x.making, 0);
  x.at = now(self, self->state.ctx);
  start(self); // somebody asked again meanwhile
}

void fail(self_ptr self, std::string why) {
  plan_answer none;
  none.text = std::move(why);
  finish(self, std::move(none));
}

/// What is fixed by us is no business of the planner's.
void explain(self_ptr self, const std::set<instance_name>& asked,
             const balance::taboo& t, plan_answer& plan) {
  const auto& all = self->state.picture->instances;
  for (const auto& name : asked) {
    if (auto i = t.fixed.find(name); i != t.fixed.end())
      plan.explained[name] = "it stays: " + i->second;
    else if (plan.explained.count(name) == 0
             && std::none_of(all.begin(), all.end(),
                             [&](const auto& x) { return x.name == name; }))
      plan.explained[name] = "there is no such instance in the cluster";
  }
}

void plan(self_ptr self) {
  auto& st = self->state;
  if (!st.picture) {
    fail(self, "the cluster was not read yet");
    return;
  }
  auto t = balance::taboo_of(st.machine, facts_of(self), now(self, st.ctx));
  auto question = question_of(self);
  question.explained = st.shown.explaining;
  for (const auto& [name, why] : t.closed)
    question.closed.insert(name);
  for (const auto& [name, why] : t.fixed)
    question.fixed.insert(name);
  auto asked = question.explained;
  make_plan(self, std::move(question),
            [self, asked, t = std::move(t)](plan_answer& answer) {
              explain(self, asked, t, answer);
              finish(self, std::move(answer));
            });
}

void start(self_ptr self) {
  auto& x = self->state.shown;
  if (x.making != 0 || x.asked == x.ready)
    return;
  x.making = x.asked;
  x.explaining = std::exchange(x.explained, {});
  ask_view(self, [self](std::optional<balance::view_news> seen) {
    if (seen)
      self->state.machine.seen = std::move(*seen);
    read_figures(self, [self](const model_answer& figures) {
      self->state.shown.remarks = remarks_of(figures);
      if (figures.model)
        plan(self);
      else
        fail(self, "the model could not be read: " + figures.text);
    });
  });
}

} // namespace

balance_sheet show(self_ptr self, const balance_query& what) {
  auto& st = self->state;
  if (what.plan_now) {
    ++st.shown.asked;
    st.shown.explained.insert(what.explained.begin(), what.explained.end());
    start(self);
  }
  balance::rules rules;
  rules.enabled = st.ctx->rules()->balance.enabled;
  auto sheet
    = balance::sheet_of(st.machine, facts_of(self), rules, now(self, st.ctx));
  if (!st.recovered)
    sheet.text = "reads its journal after a restart";
  sheet.asked = st.shown.asked;
  sheet.plan = st.shown.ready;
  sheet.planned_at = st.shown.at;
  sheet.planned = st.shown.plan;
  if (sheet.remarks.empty() || st.shown.ready != 0)
    sheet.remarks = st.shown.remarks;
  return sheet;
}

void show_round(self_ptr self, const plan_answer& plan) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto looked_at
    = st.shown.ready != 0 && at < st.shown.at + balancer_state::shown_for;
  if (st.shown.making != 0 || looked_at)
    return;
  st.shown.plan = plan;
  st.shown.at = at;
  st.shown.remarks = st.machine.remarks;
}

} // namespace orderly::balancer_parts
