// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/balance/evacuations.hpp"

#include "actors/balance/places.hpp"

namespace orderly::balancer_parts {

namespace {

evacuation_question question_for(self_ptr self, const evacuation_wanted& what) {
  auto& st = self->state;
  evacuation_question q;
  q.model = st.figures.model;
  q.picture = st.picture;
  q.under_way = under_way(self);
  q.leaves = what.leaves;
  q.closed = what.closed;
  for (const auto* all : {&st.troubled, &st.leaving, &st.upkeep})
    for (const auto& [name, why] : *all)
      q.closed.insert(name);
  for (const auto& name : st.figures.silent)
    if (q.leaves.count(name) == 0)
      q.closed.insert(name);
  return q;
}

evacuation_answer no_plan(std::string why) {
  evacuation_answer none;
  none.text = std::move(why);
  return none;
}

void ask(self_ptr self, balancer_state::evacuator one) {
  auto limit = self->state.ctx->rules()->balance.target_timeout
               + self->state.ctx->rules()->balance.search_limit;
  auto answer = one.answer;
  self->request(self->state.placer, limit, question_for(self, one.what))
    .then(
      [answer](evacuation_answer& x) mutable { answer.deliver(std::move(x)); },
      [answer](const caf::error&) mutable {
        answer.deliver(no_plan("the planner does not answer in time"));
      });
}

} // namespace

void serve_evacuators(self_ptr self, const std::string& trouble) {
  for (auto& one : std::exchange(self->state.evacuators, {}))
    if (trouble.empty())
      ask(self, std::move(one));
    else
      one.answer.deliver(no_plan(trouble));
}

caf::result<evacuation_answer> evacuate(self_ptr self,
                                        const evacuation_wanted& what) {
  auto& st = self->state;
  if (!st.model || !st.placer)
    return no_plan("nobody plans here");
  if (!st.picture)
    return no_plan("the cluster was not read yet");
  if (st.evacuators.size() >= balancer_state::places_max)
    return no_plan("too many ask at once");
  auto promise = self->make_response_promise<evacuation_answer>();
  st.evacuators.push_back({what, promise});
  auto age = now(self, st.ctx) - st.figures_at;
  if (st.figures.model && age <= st.ctx->rules()->balance.model_max_age)
    serve_evacuators(self, {});
  else
    refresh(self);
  return promise;
}

} // namespace orderly::balancer_parts
