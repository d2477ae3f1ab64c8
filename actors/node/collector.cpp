// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/collector.hpp"

#include "actors/shell/patience.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orderly {

namespace {

using self_ptr = collector_actor::stateful_pointer<collector_state>;

template <class Answer>
Answer not_looked(const node_name& node, std::string evidence) {
  Answer result;
  result.node = node;
  result.verdict = decltype(result.verdict)::not_looked;
  result.evidence = std::move(evidence);
  return result;
}

template <class Request, class Answer>
void run(self_ptr self, collector_state::lane<Request, Answer>& lane,
         std::uint32_t parallel_max) {
  while (lane.running < parallel_max && !lane.queue.empty()) {
    auto [question, then] = std::move(lane.queue.front());
    lane.queue.pop_front();
    ++lane.running;
    auto node = question.node;
    // The port keeps the time limit; ours is for a port that does not answer.
    auto patience = question.time_limit + patience::slack;
    self->request(self->state.port, patience, std::move(question))
      .then(
        [self, &lane, then = then, parallel_max](Answer& answer) mutable {
          --lane.running;
          answer.at = now(self, self->state.ctx);
          then(answer);
          run(self, lane, parallel_max);
        },
        [self, &lane, then = then, parallel_max,
         node](const caf::error&) mutable {
          --lane.running;
          auto answer = not_looked<Answer>(node, "the check did not answer");
          answer.at = now(self, self->state.ctx);
          then(answer);
          run(self, lane, parallel_max);
        });
  }
}

/// Is there room for one more?
template <class Request, class Answer>
bool admits(const collector_state::lane<Request, Answer>& lane,
            std::uint32_t parallel_max, std::uint32_t queued_max) {
  return lane.running < parallel_max || lane.queue.size() < queued_max;
}

/// Two at most: those that pass come before those that fell silent, and the
/// last one first.
std::vector<node_name> witnesses(self_ptr self, const node_name& but) {
  auto& st = self->state;
  const auto& rules = st.ctx->rules()->host_ha;
  auto age = 2 * rules.check_interval + rules.check_timeout;
  auto at = now(self, st.ctx);
  std::vector<std::tuple<bool, instant, node_name>> best;
  for (const auto& [name, x] : st.heard)
    if (name != but && at - x.checked <= age)
      best.emplace_back(x.passes, x.at, name);
  auto most = best.begin() + std::min<std::ptrdiff_t>(2, best.size());
  std::partial_sort(best.begin(), most, best.end(), std::greater<>{});
  std::vector<node_name> result;
  for (auto i = best.begin(); i != most; ++i)
    result.push_back(std::move(std::get<node_name>(*i)));
  return result;
}

bool is_alive(const sighting& x) {
  return x.verdict == health::healthy || x.lives;
}

/// What a look and the questions beside it have told so far.
struct comparison {
  caf::typed_response_promise<sighting> promise;
  std::optional<sighting> seen;
  std::vector<node_name> silent;
  std::size_t open = 0; ///< witnesses that have not answered yet
  bool heard = false;   ///< one has
};

using comparison_ptr = std::shared_ptr<comparison>;

void conclude(const comparison_ptr& x) {
  if (!x->seen || !x->promise.pending())
    return;
  auto silent = x->seen->verdict == health::unhealthy && !x->seen->lives;
  if (silent && !x->heard && x->open > 0)
    return;
  if (silent && !x->heard && !x->silent.empty()) {
    x->seen->verdict = health::not_looked;
    x->seen->alone = true;
    x->seen->evidence += fmt::format("; nor {} {}: is our own link cut?",
                                     x->silent.size() == 1 ? "does" : "do",
                                     fmt::join(x->silent, " and "));
  }
  x->promise.deliver(std::move(*x->seen));
}

/// The question about the witness, with the time limit of the other.
void ask_beside(self_ptr self, const comparison_ptr& x, const node_name& name,
                probe_request question) {
  question.node = name;
  question.beside = true;
  question.address = self->state.heard.at(name).address;
  auto patience = question.time_limit + patience::slack;
  ++x->open;
  auto told = [x, name](bool alive) {
    --x->open;
    x->heard = x->heard || alive;
    if (!alive)
      x->silent.push_back(name);
    conclude(x);
  };
  self->request(self->state.port, patience, std::move(question))
    .then([told](const sighting& answer) { told(is_alive(answer)); },
          [told](const caf::error&) { told(false); });
}

caf::result<sighting> look(self_ptr self, probe_request& question,
                           std::uint32_t parallel_max) {
  auto& st = self->state;
  auto x = std::make_shared<comparison>();
  x->promise = self->make_response_promise<sighting>();
  if (!question.sworn)
    for (const auto& name : witnesses(self, question.node))
      ask_beside(self, x, name, question);
  // Before the checks: an act waits for it.
  st.health.queue.emplace_front(question, [x](sighting& answer) {
    x->seen = std::move(answer);
    conclude(x);
  });
  run(self, st.health, parallel_max);
  return x->promise;
}

/// Whoever passes a check is heard; of who does not any more it is remembered,
/// while it is in service.
void hear(self_ptr self, const probe_request& question,
          const sighting& answer) {
  auto& heard = self->state.heard;
  auto known = heard.find(answer.node);
  if (answer.verdict == health::not_looked || question.own)
    return;
  if (answer.verdict == health::healthy)
    heard.insert_or_assign(
      answer.node,
      collector_state::witness{question.address, answer.at, answer.at, true});
  else if (known != heard.end() && question.out)
    heard.erase(known);
  else if (known != heard.end())
    known->second = {question.address, known->second.at, answer.at, false};
}

/// A health check.
caf::result<sighting> check(self_ptr self, probe_request& question,
                            std::uint32_t parallel_max) {
  auto& st = self->state;
  auto promise = self->make_response_promise<sighting>();
  st.health.queue.emplace_back(
    question, [self, promise, question](sighting& answer) mutable {
      hear(self, question, answer);
      promise.deliver(std::move(answer));
    });
  run(self, st.health, parallel_max);
  return promise;
}

} // namespace

collector_actor::behavior_type collector(self_ptr self, context_ptr ctx,
                                         probe_port port) {
  die_with_reason(self, "collector");
  self->state.ctx = std::move(ctx);
  self->state.port = std::move(port);
  return {
    [self](probe_request& question) -> caf::result<sighting> {
      auto rules = self->state.ctx->rules();
      const auto& ha = rules->host_ha;
      if (!admits(self->state.health, ha.probes_parallel_max,
                  ha.probes_queued_max))
        return not_looked<sighting>(question.node, not_admitted);
      return question.last_look ? look(self, question, ha.probes_parallel_max)
                                : check(self, question, ha.probes_parallel_max);
    },
    [self](activity_request& question) -> caf::result<activity_answer> {
      auto& lane = self->state.activity;
      auto rules = self->state.ctx->rules();
      const auto& ha = rules->host_ha;
      if (!admits(lane, ha.activity_parallel_max, ha.activity_queued_max))
        return not_looked<activity_answer>(question.node, not_admitted);
      auto promise = self->make_response_promise<activity_answer>();
      lane.queue.emplace_back(question,
                              [promise](activity_answer& answer) mutable {
                                promise.deliver(std::move(answer));
                              });
      run(self, lane, ha.activity_parallel_max);
      return promise;
    },
  };
}

} // namespace orderly
