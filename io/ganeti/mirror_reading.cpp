// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode_job.hpp"
#include "io/ganeti/decode_live.hpp"
#include "io/ganeti/encode.hpp"
#include "io/ganeti/port_actors.hpp"

#include <algorithm>
#include <chrono>

namespace orderly::io {

namespace {

using cluster_port_self
  = cluster_port_actor::stateful_pointer<cluster_port_state>;
using answer_text = result<std::string>;
using std::chrono::steady_clock;

/// No real wait without news is over so soon.
constexpr millis mirror_wait_least{300};

/// For calls that luxid answers at once.
constexpr millis short_call = seconds{5};

/// One job that looks at mirrors, from its submission to its result.
struct reading {
  caf::typed_response_promise<mirrors_answer> promise;
  steady_clock::time_point deadline;
  job_id id = 0;
  job_status known = job_status::queued;

  [[nodiscard]] millis left() const {
    return std::chrono::ceil<millis>(deadline - steady_clock::now());
  }
};

using shared_reading = std::shared_ptr<reading>;

void fail(reading& r, const std::string& why) {
  r.promise.deliver(
    mirrors_answer{false, {}, "mirrors were not read: " + why, {}});
}

/// Nobody waits for the job any more: it should not hold its locks.
void give_up(cluster_port_self self, reading& r, const std::string& why) {
  auto& st = self->state;
  st.questions.ask(*st.client, encode_cancel(r.id), short_call,
                   [](const answer_text&) {
                     // Canceled or not, nothing depends on it.
                   });
  fail(r, why + ", job " + std::to_string(r.id) + " was canceled");
}

void fetch(cluster_port_self self, shared_reading r) {
  auto& st = self->state;
  st.questions.ask(*st.client, question_for_job(r->id),
                   std::max(r->left(), mirror_wait_least),
                   [r](const answer_text& reply) {
                     auto found = reply ? decode_job_result(*reply, r->id)
                                        : result<json>{reply.why()};
                     if (!found) {
                       fail(*r, found.why().text);
                       return;
                     }
                     auto answer = decode_mirrors(*found);
                     if (answer)
                       r->promise.deliver(std::move(*answer));
                     else
                       fail(*r, answer.why().text);
                   });
}

void await_end(cluster_port_self self, shared_reading r) {
  auto& st = self->state;
  auto share = std::chrono::floor<seconds>(r->left());
  if (share < seconds{1}) {
    give_up(self, *r, "the nodes did not answer in time");
    return;
  }
  auto begin = steady_clock::now();
  st.questions.ask(*st.client, question_for_change(r->id, r->known, share),
                   share + short_call,
                   [self, r, begin](const answer_text& reply) {
                     using change = std::optional<job_status>;
                     auto status = reply ? decode_change(*reply, r->known)
                                         : result<change>{reply.why()};
                     if (!status) {
                       give_up(self, *r, status.why().text);
                       return;
                     }
                     if (!*status || is_final(**status)) {
                       fetch(self, r);
                       return;
                     }
                     auto took = steady_clock::now() - begin;
                     if (**status == r->known && took < mirror_wait_least) {
                       give_up(self, *r, "luxid does not wait for changes");
                       return;
                     }
                     r->known = **status;
                     await_end(self, r);
                   });
}

} // namespace

caf::typed_response_promise<mirrors_answer>
ask_mirrors(cluster_port_self self, const read_mirrors& order) {
  auto r = std::make_shared<reading>();
  r->promise = self->make_response_promise<mirrors_answer>();
  if (order.instances.empty()) {
    r->promise.deliver(mirrors_answer{true, {}, {}, {}});
    return r->promise;
  }
  r->deadline = steady_clock::now() + order.time_limit;
  auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  auto ns = std::chrono::nanoseconds{since_epoch}.count();
  auto& st = self->state;
  st.questions.ask(*st.client, question_for_mirrors(order.instances, ns),
                   order.time_limit, [self, r](const answer_text& reply) {
                     if (!reply) {
                       fail(*r, reply.why().text);
                       return;
                     }
                     auto sent = decode_submission(*reply, 1);
                     if (sent.outcome != submit_outcome::accepted) {
                       fail(*r, sent.text);
                       return;
                     }
                     r->id = sent.ids.front();
                     await_end(self, r);
                   });
  return r->promise;
}

} // namespace orderly::io
