// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/jobs/submitter.hpp"

#include "actors/jobs/queue.hpp"
#include "actors/jobs/record.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/scheduler/leader.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

namespace orderly {

namespace {

using self_ptr = job_submitter_actor::stateful_pointer<job_submitter_state>;
using stage = job_submitter_state::stage;
using item = job_submitter_state::item;

/// Intents of `owner` that ended are no longer needed once it has a new one.
void forget_ended(self_ptr self, const object_id& owner) {
  auto& st = self->state;
  std::vector<journal_entry> gone;
  for (auto i = st.items.begin(); i != st.items.end();) {
    const auto& x = i->second;
    if (x.stage == stage::ended && x.told && x.order.owner == owner) {
      gone.push_back(jobs::removal_of(now(self, st.ctx), i->second));
      i = st.items.erase(i);
    } else {
      ++i;
    }
  }
  if (!gone.empty())
    record(self, st.journal, std::move(gone), [] {});
}

/// Written down as open, then sent, or sought.
void open(self_ptr self, item& x) {
  x.stage = stage::writing;
  x.told = false;
  auto intent = x.order.intent;
  auto entry = jobs::entry_of(now(self, self->state.ctx), x, entry_kind::intent,
                              codes::job, jobs::intent_text(x.order));
  record(self, self->state.journal, {std::move(entry)}, [self, intent] {
    auto i = self->state.items.find(intent);
    if (i == self->state.items.end())
      return;
    auto& written = i->second;
    written.stage = stage::ready;
    if (written.called_back && !written.order.again) {
      written.untried = jobs::is_untried(written);
      jobs::end_called_back(self, written);
      return;
    }
    if (written.order.again)
      jobs::match(self, intent);
    else
      jobs::send_ready(self);
  });
}

/// A later self must know, too.
void note_called_back(self_ptr self, const item& x) {
  record(self, self->state.journal,
         jobs::entry_of(now(self, self->state.ctx), x, entry_kind::note,
                        codes::job_called_back, {}));
}

/// Watched from here on, and cancelled for as long as it can be.
void take_over(self_ptr self, const job_withdraw& what) {
  auto& st = self->state;
  if (!why_no_right(*st.ctx, st.right, now(self, st.ctx)).empty())
    return; // whoever has the right does it
  item x;
  x.order.intent = what.intent;
  x.order.owner = what.owner;
  x.order.why = "sent by another master, or in an earlier life";
  x.order.once = true;
  x.may_send = false;
  x.called_back = true;
  x.deadline = now(self, st.ctx) + st.ctx->rules()->cluster.job_deadline;
  auto& kept
    = st.items.insert_or_assign(what.intent, std::move(x)).first->second;
  jobs::queued(self, kept, what.stray);
  note_called_back(self, kept);
}

/// The owner does not want it any more.
void call_back(self_ptr self, const job_withdraw& what) {
  const auto& intent = what.intent;
  auto i = self->state.items.find(intent);
  // What was never found may be there after all.
  auto unknown
    = i == self->state.items.end()
      || (i->second.stage == stage::ended
          && !(i->second.id == what.stray && is_final(i->second.status)));
  if (unknown && what.stray != 0)
    return take_over(self, what);
  if (i == self->state.items.end() || i->second.stage == stage::ended)
    return;
  auto& x = i->second;
  if (std::exchange(x.called_back, true) && what.stray != 0)
    return; // asked for with each look
  if (x.stage == stage::ready) {
    x.untried = jobs::is_untried(x);
    jobs::end_called_back(self, x);
    return;
  }
  if (x.stage == stage::watching) {
    jobs::cancel(self, x.id);
    jobs::warn_unstopped(self, x);
  }
  if (x.stage == stage::matching)
    jobs::seek_soon(self, x);
  // While it is under way nobody knows yet.
  note_called_back(self, x);
}

/// The owner asks again for what is known already.
void take_known(self_ptr self, item& x, job_order& order, job_client& client) {
  if (x.order.owner != order.owner) {
    self->send(client, job_event{order.intent, order.owner, job_phase::refused,
                                 0, job_status::lost,
                                 "its intent is that of " + x.order.owner,
                                 now(self, self->state.ctx)});
    return;
  }
  x.client = std::move(client);
  if (order.ops.empty()) {
    if (x.told)
      jobs::tell(self, x);
    else if (x.stage == stage::watching && !x.joins.empty())
      self->send(x.client, jobs::event_of(now(self, self->state.ctx), x,
                                          job_phase::submitted, {}));
    return;
  }
  x.order.ops = std::move(order.ops);
  x.may_send = true;
  x.called_back = false;
  x.order.send_before = order.send_before;
  x.order.once = x.order.once || order.once;
  if (x.stage == stage::ended && x.last.absent && !x.order.once) {
    // Asked for again: open again, on disk too, before it is sent.
    x.absences = 0;
    x.deadline = now(self, self->state.ctx) + order.deadline;
    open(self, x);
  } else if (x.told) {
    jobs::tell(self, x);
  } else if (x.stage == stage::watching) {
    // It is in the queue already: its owner's patience is that for a job.
    self->send(x.client, jobs::event_of(now(self, self->state.ctx), x,
                                        job_phase::submitted, {}));
  }
}

void take(self_ptr self, job_order& order, job_client& client) {
  auto& st = self->state;
  auto known = st.items.find(order.intent);
  if (known != st.items.end()) {
    take_known(self, known->second, order, client);
    return;
  }
  if (order.ops.empty()) {
    self->send(client, job_event{order.intent, order.owner, job_phase::refused,
                                 0, job_status::lost, "it was never sent",
                                 now(self, st.ctx), true});
    return;
  }
  forget_ended(self, order.owner);
  item x;
  x.order = std::move(order);
  x.client = std::move(client);
  x.deadline = now(self, st.ctx) + x.order.deadline;
  // One that says it runs for ever keeps nobody else from being sent.
  auto busy = std::count_if(st.items.begin(), st.items.end(), [](auto& kv) {
    return kv.second.stage != stage::ended && !kv.second.overdue;
  });
  if (busy >= st.ctx->rules()->cluster.jobs_open_max) {
    x.status = job_status::lost;
    x.untried = true;
    x.last = jobs::event_of(now(self, st.ctx), x, job_phase::refused,
                            "too many jobs of ours are open");
    jobs::tell(self, x);
    return;
  }
  open(self, st.items.emplace(x.order.intent, x).first->second);
}

/// What was open when the daemon stopped: found by its trail, or not there.
void recover(self_ptr self, recalled& before) {
  auto& st = self->state;
  st.recovered = true;
  for (auto& [key, f] : before.states) {
    auto intent = key.substr(jobs::key_prefix.size());
    auto x = jobs::from_fields(intent, f);
    // Nobody knows how long ago it was sent.
    if (before.aged.count(key) != 0)
      x.deadline = now(self, st.ctx) + st.ctx->rules()->cluster.job_deadline;
    if (x.stage == stage::matching)
      jobs::seek_first(self, x);
    st.items.insert_or_assign(intent, std::move(x));
  }
  for (auto& [intent, x] : st.items) {
    if (x.stage != stage::watching)
      continue;
    if (x.called_back)
      jobs::cancel(self, x.id);
    jobs::watch(self, intent);
  }
  for (auto& [order, client] : st.early)
    take(self, order, client);
  st.early.clear();
  for (const auto& [intent, what] : std::exchange(st.early_back, {}))
    call_back(self, what);
}

/// As far as its trail tells it.
job_standing standing_of(const trail_answer::found& job, act_kind act) {
  job_standing x;
  x.id = job.id;
  x.status = job.status;
  x.renews_disks = act == act_kind::reinstall;
  x.needs_home = act == act_kind::migrate || act == act_kind::fix_storage;
  return x;
}

/// Who sent them may have died before their numbers were written anywhere.
caf::result<job_lookup_answer> look_for_trail(self_ptr self,
                                              const job_lookup& what) {
  auto promise = self->make_response_promise<job_lookup_answer>();
  auto silent = [promise](const caf::error&) mutable {
    promise.deliver(job_lookup_answer{false, {}, "the queue does not answer"});
  };
  self
    ->request(self->state.port, patience::port,
              trail_query{"incident=" + what.trail, true})
    .then(
      [promise, what](const trail_answer& found) mutable {
        job_lookup_answer answer;
        answer.answered = found.answered;
        answer.text = found.text;
        auto is_its = [&what](const intent_id& intent) {
          return std::any_of(what.names.begin(), what.names.end(),
                             [&](const instance_name& name) {
                               return intent.starts_with(what.trail + "/" + name
                                                         + "/");
                             });
        };
        for (const auto& job : found.jobs) {
          auto intent = intent_in_trail(job.reason);
          auto act = act_of(intent);
          if (act && incident_in_trail(job.reason) == what.trail
              && is_its(intent))
            answer.jobs.push_back(standing_of(job, *act));
        }
        promise.deliver(std::move(answer));
      },
      silent);
  return promise;
}

} // namespace

job_submitter_actor::behavior_type job_submitter(self_ptr self, context_ptr ctx,
                                                 job_port port,
                                                 journal_actor journal) {
  die_with_reason(self, "job_submitter");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.port = std::move(port);
  st.journal = std::move(journal);
  self->request(st.journal, caf::infinite, recall{jobs::key_prefix, true})
    .then([self](recalled& before) { recover(self, before); });
  return {
    [self](job_order& order, job_client& client) {
      auto& state = self->state;
      if (state.recovered)
        take(self, order, client);
      else
        state.early.emplace_back(std::move(order), std::move(client));
    },
    [self](job_lookup& what) -> caf::result<job_lookup_answer> {
      if (!what.trail.empty())
        return look_for_trail(self, what);
      if (what.ids.empty())
        return job_lookup_answer{true, {}, {}};
      return self->delegate(self->state.port, std::move(what));
    },
    [self](const job_withdraw& what) {
      if (self->state.recovered)
        call_back(self, what);
      else
        self->state.early_back.insert_or_assign(what.intent, what);
    },
    [self](const lease& right) {
      auto& state = self->state;
      state.right = right;
      if (!right.held && !right.master.empty())
        for (auto& [intent, x] : state.items)
          x.usurped = true;
      jobs::send_ready(self);
    },
    [self](const tick& t) {
      auto& state = self->state;
      if (t.what == job_submitter_state::cancel_tick) {
        jobs::cancel_again(self, t.generation);
        return;
      }
      auto at = now(self, state.ctx);
      std::vector<std::pair<intent_id, stage>> due;
      for (auto& [intent, x] : state.items)
        if (at >= x.not_before)
          due.emplace_back(intent, x.stage);
      for (const auto& [intent, how] : due)
        if (how == stage::matching)
          jobs::match(self, intent);
        else if (how == stage::watching)
          jobs::watch(self, intent);
      jobs::send_ready(self);
    },
  };
}

} // namespace orderly
