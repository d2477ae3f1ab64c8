// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/collector.hpp"

#include "actors/policy/settings/group_settings.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/shell/patience.hpp"
#include "messages/same_host.hpp"

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

using collector_self = collector_actor::stateful_pointer<collector_state>;

template <class Answer>
Answer not_looked(const node_name& node, std::string evidence) {
  Answer result;
  result.node = node;
  result.verdict = decltype(result.verdict)::not_looked;
  result.evidence = std::move(evidence);
  return result;
}

template <class Request, class Answer>
void run(collector_self self, collector_state::lane<Request, Answer>& lane,
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

/// Who may say by answering that our own link is not cut.
bool is_witness(const settings& rules, const cluster_record& picture,
                const node_record& x) {
  const auto& own = rules.leader.own_node;
  auto is_self = is_same_host(own.empty() ? picture.master : own, x.name);
  return !x.offline && !is_self && (!keeps_power_record(x) || x.powered);
}

/// How good a witness is: whom we hear comes first, the last one first of
/// them, then who was not asked yet.
enum class rank { silent, unasked, heard };

/// Two at most.
std::vector<const node_record*> witnesses(collector_self self,
                                          const node_name& but) {
  auto& st = self->state;
  if (!st.picture)
    return {};
  auto rules = st.ctx->rules();
  auto age = 2 * rules->host_ha.check_interval + longest_check_timeout(*rules);
  auto at = now(self, st.ctx);
  const auto& nodes = st.picture->nodes;
  std::vector<std::tuple<rank, instant, std::size_t>> best;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto& x = nodes[k];
    if (x.name == but || !is_witness(*rules, *st.picture, x))
      continue;
    auto i = st.heard.find(x.name);
    if (i == st.heard.end() || at - i->second.checked > age)
      best.emplace_back(rank::unasked, never, k);
    else if (!i->second.out)
      best.emplace_back(i->second.passes ? rank::heard : rank::silent,
                        i->second.at, k);
  }
  auto most = best.begin() + std::min<std::ptrdiff_t>(2, std::ssize(best));
  std::partial_sort(best.begin(), most, best.end(), std::greater<>{});
  std::vector<const node_record*> result;
  for (auto i = best.begin(); i != most; ++i)
    result.push_back(&nodes[std::get<std::size_t>(*i)]);
  return result;
}

bool is_alive(const sighting& x) {
  return x.verdict == health::healthy || x.lives;
}

/// What a look and the questions beside it have told so far.
struct comparison {
  probe_request question;
  std::uint32_t parallel_max = 0;
  caf::typed_response_promise<sighting> promise;
  std::optional<sighting> seen;
  std::vector<node_name> silent;
  std::size_t open = 0; ///< witnesses that have not answered yet
  bool heard = false;   ///< one has
  bool again = false;   ///< the node was asked once more
};

using comparison_ptr = std::shared_ptr<comparison>;

void ask_node(collector_self self, const comparison_ptr& x);

/// A silence from before the witness spoke, and longer ago than the node itself
/// may take to answer: it may have come back since.
bool is_old(const comparison& x, instant now) {
  return x.heard && !x.again && now - x.seen->at > x.question.time_limit;
}

void conclude(collector_self self, const comparison_ptr& x) {
  if (!x->seen || !x->promise.pending())
    return;
  auto silent = x->seen->verdict == health::unhealthy && !x->seen->lives;
  if (silent && !x->heard && x->open > 0)
    return;
  if (silent && is_old(*x, now(self, self->state.ctx))) {
    x->again = true;
    x->seen.reset();
    ask_node(self, x);
    return;
  }
  x->seen->unwitnessed = silent && !x->heard && x->silent.empty();
  if (silent && !x->heard && !x->silent.empty()) {
    x->seen->verdict = health::not_looked;
    x->seen->alone = true;
    x->seen->evidence += fmt::format("; nor {} {}: is our own link cut?",
                                     x->silent.size() == 1 ? "does" : "do",
                                     fmt::join(x->silent, " and "));
  }
  x->promise.deliver(std::move(*x->seen));
}

/// The question about the witness, with the time limit of the other, or with
/// its own if that is longer.
void ask_beside(collector_self self, const comparison_ptr& x,
                const node_record& witness, probe_request question) {
  const auto& name = witness.name;
  question.node = name;
  question.beside = true;
  question.address = witness.address;
  question.time_limit
    = std::max(question.time_limit,
               check_timeout_of(*self->state.ctx->rules(), witness.group));
  auto patience = question.time_limit + patience::slack;
  ++x->open;
  auto told = [self, x, name](bool alive) {
    --x->open;
    x->heard = x->heard || alive;
    if (!alive)
      x->silent.push_back(name);
    conclude(self, x);
  };
  self->request(self->state.port, patience, std::move(question))
    .then([told](const sighting& answer) { told(is_alive(answer)); },
          [told](const caf::error&) { told(false); });
}

/// Before the checks: an act waits for it.
void ask_node(collector_self self, const comparison_ptr& x) {
  auto& lane = self->state.health;
  lane.queue.emplace_front(x->question, [self, x](sighting& answer) {
    const auto& ear = self->state.overhearing;
    if (is_alive(answer) && !x->question.by_keeper && ear)
      self->send(ear, answer);
    x->seen = std::move(answer);
    conclude(self, x);
  });
  run(self, lane, x->parallel_max);
}

caf::result<sighting> look(collector_self self, probe_request& question,
                           std::uint32_t parallel_max) {
  auto x = std::make_shared<comparison>();
  x->question = question;
  x->parallel_max = parallel_max;
  x->promise = self->make_response_promise<sighting>();
  if (!question.sworn)
    for (const auto* witness : witnesses(self, question.node))
      ask_beside(self, x, *witness, question);
  ask_node(self, x);
  return x->promise;
}

/// How it took its check is remembered; while the record is not read yet, of
/// whom it is asked says the question.
void hear(collector_self self, const probe_request& question,
          const sighting& answer) {
  auto& heard = self->state.heard;
  if (answer.verdict == health::not_looked || question.own)
    return;
  auto& x = heard[answer.node];
  x.checked = answer.at;
  x.passes = answer.verdict == health::healthy;
  x.out = question.out;
  if (x.passes)
    x.at = answer.at;
}

/// The records of a new reading: of who is gone nothing is kept.
void take(collector_self self, const picture_news& news) {
  auto& st = self->state;
  if (!news.picture || news.picture == st.picture)
    return;
  st.picture = news.picture;
  std::erase_if(st.heard, [&](const auto& kv) {
    return find_record(st.picture->nodes, kv.first) == nullptr;
  });
}

/// A health check.
caf::result<sighting> check(collector_self self, probe_request& question,
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

collector_actor::behavior_type collector(collector_self self, context_ptr ctx,
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
    [self](const picture_news& news) { take(self, news); },
    [self](const node_listener& who) { self->state.overhearing = who; },
  };
}

} // namespace orderly
