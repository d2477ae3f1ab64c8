// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode_job.hpp"
#include "io/ganeti/decode_standing.hpp"
#include "io/ganeti/encode.hpp"
#include "io/ganeti/port_actors.hpp"

#include <algorithm>
#include <chrono>

namespace orderly::io {

namespace {

using job_port_self = job_port_actor::stateful_pointer<job_port_state>;
using answer_text = result<std::string>;

/// Waits have connections of their own: they hold them for long.
constexpr std::size_t waits_max = 24;
constexpr std::size_t questions_max = 8;

/// Luxid writes every job to disk on every candidate, and waits for dead
/// ones. Below the submitter's own patience.
constexpr millis submission_limit = seconds{100};

/// Beyond the time that a wait asks for, and for the look that follows it.
constexpr millis wait_grace = seconds{5};

/// No real wait without news is over so soon.
constexpr millis job_wait_least = millis{300};

job_state no_answer(job_id id, job_status known, std::string text) {
  return {id, false, known, std::move(text)};
}

submit_answer submission_failed(const fault& why) {
  return {submit_outcome::unknown, {}, why.text};
}

caf::typed_response_promise<submit_answer> submit(job_port_self self,
                                                  const job_submission& order) {
  auto& st = self->state;
  auto promise = self->make_response_promise<submit_answer>();
  if (order.jobs.empty()) {
    promise.deliver(submit_answer{submit_outcome::accepted, {}, {}});
    return promise;
  }
  auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  auto ns = std::chrono::nanoseconds{since_epoch}.count();
  auto question = encode_submission(order.jobs, ns, st.picture.get());
  if (!question) {
    promise.deliver(
      submit_answer{submit_outcome::refused, {}, question.why().text});
    return promise;
  }
  st.questions.ask(
    *st.client, *question, submission_limit,
    [promise, n = order.jobs.size()](const answer_text& reply) mutable {
      promise.deliver(reply ? decode_submission(*reply, n)
                            : submission_failed(reply.why()));
    });
  return promise;
}

/// Asks for the job as it is now and gives that to `then`.
template <class Then>
void look(job_port_self self, job_id id, job_status known, millis limit,
          Then then) {
  auto& st = self->state;
  st.questions.ask(
    *st.client, question_for_job(id), limit,
    [id, known, then = std::move(then)](const answer_text& reply) mutable {
      if (!reply) {
        then(no_answer(id, known, reply.why().text));
        return;
      }
      auto state = decode_job(*reply, id);
      then(state ? *state : no_answer(id, known, state.why().text));
    });
}

/// Many watches share few connections: each then waits for less long, so
/// that all have their turn within `limit`.
seconds fair_share(millis limit, std::size_t watches) {
  auto share = limit;
  if (2 * watches > waits_max)
    share = limit * waits_max / (2 * watches);
  return std::chrono::floor<seconds>(share);
}

/// A wait ended without a change that can be told at once.
void conclude_wait(job_port_self self, const job_watch& order,
                   std::string failed,
                   caf::typed_response_promise<job_state> promise) {
  look(self, order.id, order.known, wait_grace,
       [order, failed = std::move(failed), promise](job_state now) mutable {
         // Told as an answer, this would be asked again at once.
         if (now.answered && now.status == order.known && !failed.empty()
             && !is_final(now.status))
           now = no_answer(order.id, order.known, std::move(failed));
         promise.deliver(std::move(now));
       });
}

caf::typed_response_promise<job_state> watch(job_port_self self,
                                             const job_watch& order) {
  auto& st = self->state;
  auto promise = self->make_response_promise<job_state>();
  auto share = fair_share(order.time_limit, ++st.watches);
  auto begin = std::chrono::steady_clock::now();
  st.questions.ask(
    *st.waiter, question_for_change(order.id, order.known, share),
    std::max<millis>(order.time_limit, share) + wait_grace,
    [self, order, promise, begin](const answer_text& reply) mutable {
      --self->state.watches;
      if (!reply) {
        // In line for too long is no fault of luxid's.
        auto waited = reply.why().kind == fault_kind::unreachable;
        conclude_wait(self, order, waited ? "" : reply.why().text, promise);
        return;
      }
      auto status = decode_change(*reply, order.known);
      if (!status) {
        conclude_wait(self, order, status.why().text, promise);
        return;
      }
      // The look tells the error, or that it is really lost.
      if (!*status || is_final(**status)) {
        conclude_wait(self, order, {}, promise);
        return;
      }
      auto took = std::chrono::steady_clock::now() - begin;
      if (**status == order.known && took < job_wait_least)
        promise.deliver(no_answer(order.id, order.known,
                                  "luxid does not wait for changes of job "
                                    + std::to_string(order.id)));
      else
        promise.deliver(job_state{order.id, true, **status, {}});
    });
  return promise;
}

/// Reads the whole queue for all who wait for that. Who comes during a
/// reading waits for the next one: this one may have missed their job.
void search_queue(job_port_self self) {
  auto& st = self->state;
  if (st.searching || st.searches.empty())
    return;
  st.searching = true;
  auto limit = std::min<millis>(st.time_limit(), seconds{25});
  // The archive can be large: it is read only for those who need it.
  auto archived = std::any_of(st.searches.begin(), st.searches.end(),
                              [](const auto& x) { return x.archived; });
  st.questions.ask(
    *st.client, question_for_all_jobs(archived), limit,
    [self, archived,
     searches = std::move(st.searches)](const answer_text& reply) mutable {
      using trails_type = result<std::vector<job_trail>>;
      auto trails
        = reply ? decode_trails(*reply, archived) : trails_type{reply.why()};
      for (auto& x : searches)
        x.promise.deliver(trails ? search_trails(*trails, x.needle)
                                 : trail_answer{false, {}, trails.why().text});
      self->state.searching = false;
      search_queue(self);
    });
  st.searches.clear();
}

caf::typed_response_promise<job_lookup_answer> stand(job_port_self self,
                                                     const job_lookup& order) {
  auto& st = self->state;
  auto promise = self->make_response_promise<job_lookup_answer>();
  // Without ids luxid would tell of all jobs.
  if (order.ids.empty()) {
    promise.deliver(job_lookup_answer{true, {}, {}});
    return promise;
  }
  st.questions.ask(
    *st.client, question_for_standings(order.ids), st.time_limit(),
    [promise, ids = order.ids](const answer_text& reply) mutable {
      using standings = result<std::vector<job_standing>>;
      auto found
        = reply ? decode_standings(*reply, ids) : standings{reply.why()};
      promise.deliver(found ? job_lookup_answer{true, std::move(*found), {}}
                            : job_lookup_answer{false, {}, found.why().text});
    });
  return promise;
}

caf::typed_response_promise<job_state> cancel(job_port_self self, job_id id) {
  auto& st = self->state;
  auto promise = self->make_response_promise<job_state>();
  st.questions.ask(*st.client, encode_cancel(id), st.time_limit(),
                   [self, id, promise](const answer_text& reply) mutable {
                     auto said = reply ? decode_cancel(*reply)
                                       : result<std::string>{reply.why()};
                     auto text = said ? *said : said.why().text;
                     auto failed = !said;
                     look(self, id, job_status::queued,
                          self->state.time_limit(),
                          [id, promise, text, failed](job_state now) mutable {
                            if (now.answered && failed && !is_final(now.status))
                              now = no_answer(id, now.status, text);
                            else if (now.text.empty())
                              now.text = text;
                            promise.deliver(std::move(now));
                          });
                   });
  return promise;
}

} // namespace

job_port_actor::behavior_type
ganeti_job_port(job_port_self self, loop* on, std::string socket_path,
                std::function<millis()> time_limit) {
  auto& st = self->state;
  luxi_limits limits;
  limits.connections_max = questions_max;
  st.client = std::make_unique<luxi_client>(*on, socket_path, limits);
  limits.connections_max = waits_max;
  st.waiter
    = std::make_unique<luxi_client>(*on, std::move(socket_path), limits);
  st.time_limit = std::move(time_limit);
  st.questions.start(self);
  return {
    [self](const job_submission& order) { return submit(self, order); },
    [self](const job_watch& order) { return watch(self, order); },
    [self](const trail_query& order) {
      auto promise = self->make_response_promise<trail_answer>();
      self->state.searches.push_back({order.needle, order.archived, promise});
      search_queue(self);
      return promise;
    },
    [self](const job_lookup& order) { return stand(self, order); },
    [self](const job_cancel& order) { return cancel(self, order.id); },
    [self](const luxi_done& reply) { self->state.questions.done(reply); },
    [self](const picture_seen& news) { self->state.picture = news.picture; },
  };
}

} // namespace orderly::io
