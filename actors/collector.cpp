// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/collector.hpp"

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
    auto [question, promise] = std::move(lane.queue.front());
    lane.queue.pop_front();
    ++lane.running;
    auto node = question.node;
    // The port keeps the time limit; ours is for a port that does not answer.
    auto patience = question.time_limit + seconds{5};
    self->request(self->state.port, patience, std::move(question))
      .then(
        [self, &lane, promise = promise, parallel_max](Answer& answer) mutable {
          --lane.running;
          answer.at = now(self, self->state.ctx);
          promise.deliver(std::move(answer));
          run(self, lane, parallel_max);
        },
        [self, &lane, promise = promise, parallel_max,
         node](const caf::error&) mutable {
          --lane.running;
          auto answer = not_looked<Answer>(node, "the check did not answer");
          answer.at = now(self, self->state.ctx);
          promise.deliver(std::move(answer));
          run(self, lane, parallel_max);
        });
  }
}

template <class Request, class Answer>
caf::result<Answer>
admit(self_ptr self, collector_state::lane<Request, Answer>& lane,
      Request& question, std::uint32_t parallel_max, std::uint32_t queued_max) {
  if (lane.running >= parallel_max && lane.queue.size() >= queued_max)
    return not_looked<Answer>(question.node, not_admitted);
  auto promise = self->make_response_promise<Answer>();
  lane.queue.emplace_back(std::move(question), promise);
  run(self, lane, parallel_max);
  return promise;
}

} // namespace

collector_actor::behavior_type collector(self_ptr self, context_ptr ctx,
                                         probe_port port) {
  die_with_reason(self, "collector");
  self->state.ctx = std::move(ctx);
  self->state.port = std::move(port);
  return {
    [self](probe_request& question) {
      auto rules = self->state.ctx->rules();
      return admit<probe_request, sighting>(self, self->state.health, question,
                                            rules->host_ha.probes_parallel_max,
                                            rules->host_ha.probes_queued_max);
    },
    [self](activity_request& question) {
      auto rules = self->state.ctx->rules();
      return admit<activity_request, activity_answer>(
        self, self->state.activity, question,
        rules->host_ha.activity_parallel_max,
        rules->host_ha.activity_queued_max);
    },
  };
}

} // namespace orderly
