// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/collector.hpp"

#include "actors/policy/settings/group_settings.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/shell/patience.hpp"
#include "messages/host_name.hpp"

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
void run(collector_self self, collector_state::line<Request, Answer>& line,
         const lane::bounds& within) {
  while (auto ticket = line.turns.next(within)) {
    auto [question, then] = line.waiting.extract(*ticket).mapped();
    auto node = question.node;
    auto over = [self, &line, then = std::move(then), within,
                 mine = *ticket](Answer& answer) {
      line.turns.ended(mine);
      answer.at = now(self, self->state.ctx);
      then(answer);
      run(self, line, within);
    };
    // The port keeps the time limit; ours is for a port that does not answer.
    auto patience = question.time_limit + patience::slack;
    self->request(self->state.port, patience, std::move(question))
      .then([over](Answer& answer) { over(answer); },
            [over, node](const caf::error&) {
              auto answer
                = not_looked<Answer>(node, "the check did not answer");
              over(answer);
            });
  }
}

/// Lets it wait for its turn, or refuses it, or another one in its stead.
template <class Request, class Answer>
void enter(collector_self self, collector_state::line<Request, Answer>& line,
           const lane::bounds& within, instant since, bool slow,
           Request question,
           typename collector_state::line<Request, Answer>::then then) {
  auto refuse = [self](const auto& x) {
    auto answer = not_looked<Answer>(x.first.node, not_admitted);
    answer.at = now(self, self->state.ctx);
    x.second(answer);
  };
  auto place = line.turns.offer(since, within, slow);
  auto mine = std::pair{std::move(question), std::move(then)};
  if (!place.admitted) {
    refuse(mine);
    return;
  }
  line.waiting.emplace(place.mine, std::move(mine));
  if (place.displaced)
    refuse(line.waiting.extract(*place.displaced).mapped());
  run(self, line, within);
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
  lane::bounds within;
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
  enter<probe_request, sighting>(
    self, self->state.health, x->within, instant::min(), false, x->question,
    [self, x](sighting& answer) {
      const auto& ear = self->state.overhearing;
      if (is_alive(answer) && !x->question.by_keeper && ear)
        self->send(ear, answer);
      x->seen = std::move(answer);
      conclude(self, x);
    });
}

caf::result<sighting> look(collector_self self, probe_request& question,
                           const lane::bounds& within) {
  auto x = std::make_shared<comparison>();
  x->question = question;
  x->within = within;
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
  forget_others(st.heard, st.picture->nodes);
}

/// A health check.
caf::result<sighting> check(collector_self self, probe_request& question,
                            const lane::bounds& within) {
  auto& st = self->state;
  auto promise = self->make_response_promise<sighting>();
  auto before = st.heard.find(question.node);
  auto known = before != st.heard.end();
  enter<probe_request, sighting>(
    self, st.health, within, known ? before->second.checked : instant{},
    known && !before->second.passes, question,
    [self, promise, question](sighting& answer) mutable {
      hear(self, question, answer);
      promise.deliver(std::move(answer));
    });
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
      lane::bounds within{ha.probes_parallel_max, ha.probes_queued_max};
      return question.last_look ? look(self, question, within)
                                : check(self, question, within);
    },
    [self](activity_request& question) -> caf::result<activity_answer> {
      auto rules = self->state.ctx->rules();
      const auto& ha = rules->host_ha;
      auto promise = self->make_response_promise<activity_answer>();
      enter<activity_request, activity_answer>(
        self, self->state.activity,
        {ha.activity_parallel_max, ha.activity_queued_max},
        now(self, self->state.ctx), false, question,
        [promise](activity_answer& answer) mutable {
          promise.deliver(std::move(answer));
        });
      return promise;
    },
    [self](const picture_news& news) { take(self, news); },
    [self](const node_listener& who) { self->state.overhearing = who; },
  };
}

} // namespace orderly
