// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports/ports.hpp"
#include "sim/ports/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace orderly::sim {

namespace {

struct watching {
  job_watch what;
  instant deadline;
  caf::typed_response_promise<job_state> promise;
};

struct job_port_state : waking {
  std::vector<watching> watches;
  instant timer; ///< earliest wake that is under way; `never`: none
};

using jobs_actor_type = job_port::extend<caf::reacts_to<wake>>;
using jobs_self = jobs_actor_type::stateful_pointer<job_port_state>;

constexpr const char* luxi_is_silent
  = "luxi: the master daemon does not answer";

job_state standing(const lab_state& lab, job_id id) {
  job_state result;
  result.id = id;
  if (lab.cluster.habits.luxi_down || lab.cluster.habits.luxi_stalled) {
    result.text = luxi_is_silent;
    return result;
  }
  result.answered = true;
  result.status = lab.cluster.standings({id}).front().status;
  if (result.status != job_status::lost)
    result.text = lab.cluster.job(id)->text;
  return result;
}

/// Answers the watches that have news or whose time is over.
void serve_watches(jobs_self self, instant now) {
  const auto& lab = *self->state.lab;
  auto& all = self->state.watches;
  auto settled = [&](watching& x) {
    auto news = standing(lab, x.what.id);
    if (x.deadline > now && (!news.answered || news.status == x.what.known))
      return false;
    if (!news.answered)
      news.status = x.what.known;
    x.promise.deliver(news);
    return true;
  };
  all.erase(std::remove_if(all.begin(), all.end(), settled), all.end());
}

void arm(jobs_self self);

void look_again(jobs_self self) {
  self->state.timer = never;
  serve_watches(self, self->state.lab->truth.now());
  arm(self);
}

/// Sees to it that this actor is awake when the next thing happens.
void arm(jobs_self self) {
  auto now = self->state.lab->truth.now();
  auto next = self->state.lab->cluster.next_event();
  for (const auto& x : self->state.watches)
    if (next == never || x.deadline < next)
      next = x.deadline;
  auto& timer = self->state.timer;
  if (next == never || (timer != never && timer <= next))
    return;
  timer = next;
  later(self, next - now, [self, next] {
    if (self->state.timer == next)
      look_again(self);
  });
}

/// With luxi down a sender is either refused at once or hears nothing; in
/// both cases nothing is in the queue, but only the first one knows.
submit_answer submit(lab_state& lab, const job_submission& what, bool refused,
                     bool silent) {
  submit_answer result;
  if (refused) {
    result.outcome = submit_outcome::refused;
    result.text = "luxi: connection refused";
  } else if (silent) {
    result.text = luxi_is_silent;
  } else {
    result = lab.cluster.submit(what, lab.self());
  }
  return result;
}

/// What a luxid that is late was asked, and its answer once there is one.
struct letter {
  bool read = false;
  submit_answer answer;
};

using letter_pointer = std::shared_ptr<letter>;
using submit_promise = caf::typed_response_promise<submit_answer>;

/// Waits for the answer as long as the sender has patience.
void wait_for(jobs_self self, submit_promise promise, letter_pointer mail,
              instant until) {
  auto now = self->state.lab->truth.now();
  auto takes = std::min<millis>(seconds{1}, until - now);
  later(self, takes, [self, promise, mail, until]() mutable {
    if (!mail->read && self->state.lab->truth.now() < until) {
      wait_for(self, promise, mail, until);
      return;
    }
    if (!mail->read)
      mail->answer.text = luxi_is_silent;
    promise.deliver(mail->answer);
    arm(self);
  });
}

/// A luxid that is slow or stalled reads it some day, whoever still waits.
void submit_late(jobs_self self, submit_promise promise,
                 const job_submission& what) {
  auto& lab = *self->state.lab;
  auto mail = std::make_shared<letter>();
  auto patience = lab.truth.now() + lab.rules.cluster.poll_timeout;
  auto read = [&lab, what, mail, patience] {
    auto known = lab.cluster.jobs().size();
    mail->answer = lab.cluster.submit(what, lab.self());
    mail->read = true;
    for (; lab.truth.now() >= patience && known < lab.cluster.jobs().size();
         ++known)
      lab.cluster.mark_unheard(lab.cluster.jobs()[known].id);
  };
  wait_for(self, promise, mail, patience);
  later(self, lab.cluster.habits.luxi_slow, [&lab, read] {
    if (lab.cluster.habits.luxi_stalled)
      lab.cluster.hold(read);
    else
      read();
  });
}

auto on_submission(jobs_self self, const job_submission& what) {
  auto promise = self->make_response_promise<submit_answer>();
  auto& lab = *self->state.lab;
  std::lock_guard<std::mutex> hold{lab.guard};
  enter(self);
  if (lab.gagged)
    return promise;
  for (const auto& job : what.jobs)
    lab.sent[intent_in_trail(job.reason)] = lab.truth.now();
  const auto& habits = lab.cluster.habits;
  auto down = habits.luxi_down;
  if (!down && (habits.luxi_stalled || habits.luxi_slow > millis{})) {
    submit_late(self, promise, what);
    return promise;
  }
  auto refused = down && lab.luck.chance(500);
  auto silent = down && !refused;
  auto takes = silent ? lab.rules.cluster.poll_timeout : lab.port_delay(5, 40);
  later(self, takes, [self, promise, what, refused, silent]() mutable {
    promise.deliver(submit(*self->state.lab, what, refused, silent));
    arm(self);
  });
  return promise;
}

auto on_watch(jobs_self self, const job_watch& what) {
  auto promise = self->make_response_promise<job_state>();
  std::lock_guard<std::mutex> hold{self->state.lab->guard};
  auto now = enter(self);
  auto limit = std::max(what.time_limit, millis{1});
  self->state.watches.push_back({what, now + limit, promise});
  // Even news that are there already take a moment.
  later(self, millis{self->state.lab->prompt_ports ? 1 : 2},
        [self] { look_again(self); });
  return promise;
}

/// A question about the queue; if luxid is not heard in time it is answered
/// late, with nothing but that.
template <class Answer, class Look>
auto ask_queue(jobs_self self, Look look) {
  auto promise = self->make_response_promise<Answer>();
  auto& lab = *self->state.lab;
  std::lock_guard<std::mutex> hold{lab.guard};
  enter(self);
  if (lab.gagged)
    return promise;
  const auto& habits = lab.cluster.habits;
  auto deaf = habits.deaf(lab.rules.cluster.poll_timeout);
  auto takes = deaf ? lab.rules.cluster.poll_timeout
                    : lab.port_delay(5, 30) + habits.luxi_slow;
  later(self, takes, [promise, &lab, look, deaf]() mutable {
    Answer result;
    if (deaf)
      result.text = luxi_is_silent;
    else
      result = look(lab.cluster);
    promise.deliver(std::move(result));
  });
  return promise;
}

auto on_query(jobs_self self, const trail_query& rq) {
  return ask_queue<trail_answer>(self, [rq](const ganeti& cluster) {
    return cluster.find(rq.needle, rq.archived);
  });
}

auto on_lookup(jobs_self self, const job_lookup& rq) {
  return ask_queue<job_lookup_answer>(self, [rq](const ganeti& cluster) {
    return job_lookup_answer{true, cluster.standings(rq.ids), {}};
  });
}

auto on_cancel(jobs_self self, const job_cancel& rq) {
  auto promise = self->make_response_promise<job_state>();
  std::lock_guard<std::mutex> hold{self->state.lab->guard};
  enter(self);
  later(self, self->state.lab->prompt_ports ? millis{1} : millis{10},
        [self, promise, rq]() mutable {
          auto& lab = *self->state.lab;
          if (lab.cluster.habits.luxi_stalled)
            lab.cluster.hold(
              [&lab, rq, by = lab.self()] { lab.cluster.cancel(rq.id, by); });
          else if (!lab.cluster.habits.luxi_down)
            lab.cluster.cancel(rq.id, lab.self());
          promise.deliver(standing(lab, rq.id));
          look_again(self);
        });
  return promise;
}

jobs_actor_type::behavior_type job_impl(jobs_self self, lab_pointer lab) {
  self->state.lab = std::move(lab);
  return {
    [self](const job_submission& what) { return on_submission(self, what); },
    [self](const job_watch& what) { return on_watch(self, what); },
    [self](const trail_query& rq) { return on_query(self, rq); },
    [self](const job_lookup& rq) { return on_lookup(self, rq); },
    [self](const job_cancel& rq) { return on_cancel(self, rq); },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

job_port spawn_job_port(caf::actor_system& sys, const lab_pointer& lab) {
  return sys.spawn(job_impl, lab);
}

} // namespace orderly::sim
