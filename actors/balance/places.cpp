// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/balance/places.hpp"

#include "actors/balance/evacuations.hpp"
#include "actors/policy/base/backoff.hpp"

#include <algorithm>

namespace orderly::balancer_parts {

namespace {

/// The least pause after a model that could not be read.
constexpr millis read_again_base = minutes{1};

target_answer nowhere(std::string why) {
  target_answer none;
  none.text = std::move(why);
  return none;
}

bool plans_places(self_ptr self) {
  auto& st = self->state;
  return st.ctx->rules()->autorepair.targets == target_picker::planned
         && st.model && st.placer;
}

bool are_fresh(self_ptr self, millis age) {
  auto& st = self->state;
  return st.figures.model && now(self, st.ctx) - st.figures_at <= age;
}

void answer_all(self_ptr self, const std::string& why) {
  auto all = std::exchange(self->state.seekers, {});
  for (auto& x : all)
    x.answer.deliver(nowhere(why));
}

/// Something is wrong, or soon will be: repairs may ask for places.
bool may_be_asked(self_ptr self) {
  auto& st = self->state;
  if (st.ctx->rules()->balance.enabled || !st.troubled.empty())
    return true;
  std::set<node_name> left;
  for (const auto& node : st.picture->nodes)
    if (node.offline || node.drained)
      left.insert(node.name);
  const auto& all = st.picture->instances;
  return !left.empty()
         && std::any_of(all.begin(), all.end(), [&](const auto& x) {
              return left.count(x.primary) != 0;
            });
}

/// Mirrored instances that leave a node go to their mirrors, and ask nobody.
void count_mirrored(const cluster_record& picture,
                    std::map<instance_name, instance_place>& going) {
  auto leaves = std::set<node_name>{};
  auto gone = std::set<node_name>{};
  for (const auto& node : picture.nodes) {
    if (node.offline || node.drained || !node.vm_capable)
      leaves.insert(node.name);
    if (node.offline)
      gone.insert(node.name);
  }
  for (const auto& x : picture.instances)
    if (!x.secondaries.empty() && leaves.count(x.primary) != 0
        && gone.count(x.secondaries.front()) == 0)
      going.emplace(x.name, instance_place{x.secondaries.front(), x.primary});
}

/// Where it is; nowhere if there is no such instance.
instance_place place_in(const cluster_record& picture,
                        const instance_name& name) {
  auto i
    = std::lower_bound(picture.instances.begin(), picture.instances.end(), name,
                       [](const instance_record& a, const instance_name& b) {
                         return a.name < b;
                       });
  if (i == picture.instances.end() || i->name != name)
    return {};
  return {i->primary,
          i->secondaries.empty() ? node_name{} : i->secondaries.front()};
}

bool has_job(const cluster_record& picture, const instance_name& name) {
  return std::any_of(
    picture.jobs.begin(), picture.jobs.end(), [&](const running_job& job) {
      return std::find(job.instances.begin(), job.instances.end(), name)
             != job.instances.end();
    });
}

target_question question_for(self_ptr self, const place_question& what) {
  auto& st = self->state;
  target_question q;
  q.model = st.figures.model;
  q.picture = st.picture;
  q.under_way = all_under_way(self);
  q.under_way.erase(what.instance);
  q.instance = what.instance;
  q.leaves_primary = what.leaves_primary;
  q.leaves_secondary = what.leaves_secondary;
  for (const auto& [name, why] : st.troubled)
    q.closed.insert(name);
  for (const auto* all : {&st.leaving, &st.upkeep})
    for (const auto& [name, why] : *all)
      q.closed.insert(name);
  q.closed.insert(st.figures.silent.begin(), st.figures.silent.end());
  return q;
}

} // namespace

std::map<instance_name, instance_place> all_under_way(self_ptr self) {
  auto result = under_way(self);
  count_mirrored(*self->state.picture, result);
  return result;
}

void refresh(self_ptr self) {
  auto& st = self->state;
  if (st.reading_figures)
    return;
  st.reading_figures = true;
  read_figures(self, [self](const model_answer& figures) {
    auto& state = self->state;
    state.reading_figures = false;
    if (figures.model) {
      state.failures = 0;
      state.read_again = never;
      serve_seekers(self);
      serve_evacuators(self, {});
      return;
    }
    auto rules = state.ctx->rules();
    state.read_again = now(self, state.ctx)
                       + backoff(read_again_base, rules->balance.model_max_age,
                                 ++state.failures);
    auto why = "the model could not be read: " + figures.text;
    answer_all(self, why);
    serve_evacuators(self, why);
  });
}

void serve_seekers(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  auto at = now(self, st.ctx);
  while (!st.seekers.empty()
         && at - st.seekers.front().at >= rules->balance.target_timeout) {
    st.seekers.front().answer.deliver(nowhere("asked for too long ago"));
    st.seekers.pop_front();
  }
  if (st.placing || st.seekers.empty())
    return;
  if (!are_fresh(self, rules->balance.model_max_age)) {
    if (at < st.read_again)
      answer_all(self, "there is no model of the cluster just now");
    else
      refresh(self);
    return;
  }
  st.placing = true;
  auto next = std::move(st.seekers.front());
  st.seekers.pop_front();
  auto done = [self, next](target_answer answer) mutable {
    auto& state = self->state;
    state.placing = false;
    auto then = now(self, state.ctx);
    // Whoever asked has given up: nobody goes there.
    if (then - next.at >= state.ctx->rules()->balance.target_timeout)
      answer = nowhere("asked for too long ago");
    if (answer.found)
      state.promises[next.what.instance]
        = {answer.to, place_in(*state.picture, next.what.instance), then};
    next.answer.deliver(std::move(answer));
    serve_seekers(self);
  };
  self
    ->request(st.placer, rules->balance.target_timeout,
              question_for(self, next.what))
    .then([done](target_answer& x) mutable { done(std::move(x)); },
          [done](const caf::error&) mutable {
            done(nowhere("the planner does not answer in time"));
          });
}

caf::result<target_answer> place(self_ptr self, const place_question& what) {
  auto& st = self->state;
  if (!plans_places(self))
    return nowhere("nobody plans targets here");
  if (!st.picture)
    return nowhere("the cluster was not read yet");
  if (st.seekers.size() >= balancer_state::places_max)
    return nowhere("too many ask for a place at once");
  auto promise = self->make_response_promise<target_answer>();
  st.promises.erase(what.instance); // it goes elsewhere, or not yet
  st.seekers.push_back({what, promise, now(self, st.ctx)});
  serve_seekers(self);
  return promise;
}

void keep_figures(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  auto at = now(self, st.ctx);
  std::erase_if(st.promises, [&](const auto& x) {
    const auto& [name, what] = x;
    // It is there, or it went elsewhere, or nothing came of it.
    auto still = place_in(*st.picture, name) == what.before;
    auto idle = at - what.at > balancer_state::promise_grace
                && !has_job(*st.picture, name);
    return !still || idle || at - what.at > rules->cluster.job_deadline;
  });
  if (plans_places(self) && at >= st.read_again
      && !are_fresh(self, rules->balance.model_max_age * 3 / 4)
      && may_be_asked(self))
    refresh(self);
}

} // namespace orderly::balancer_parts
