// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the steps of errands leave the house.

#include "actors/desk/errands.hpp"

#include "actors/power/oob.hpp"
#include "actors/shell/patience.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::desk_parts {

bool is_current(self_ptr self, std::uint64_t number, const errand::spot& at) {
  auto i = self->state.errands.find(number);
  if (i == self->state.errands.end() || at.row >= i->second.rows.size())
    return false;
  const auto& r = i->second.rows[at.row];
  return r.state == row_state::running && r.at == at.step
         && r.tries == at.tries;
}

namespace {

/// Whoever does it has its own limits: it gives up first, and says so.
constexpr millis answers_later = minutes{1};

constexpr millis watcher_pause = hours{1};
constexpr millis watcher_again = minutes{30};
constexpr millis watcher_retry = minutes{1};
constexpr millis watcher_limit = seconds{30}; ///< of Ganeti's answer
constexpr std::uint32_t watcher_tries = 5;    ///< to let it go on

struct runner {
  self_ptr self;
  std::uint64_t number;
  instant decided;

  /// The disk held the step back, and the node may be another one by now. Jobs
  /// bear a limit of their own, and readings are never too late.
  bool is_held_up(const errand::spot& at) const {
    auto& st = self->state;
    auto age = now(self, st.ctx) - decided;
    if (age <= st.ctx->rules()->cluster.picture_max_age
        || errand::is_reading(st.errands.at(number).asked))
      return false;
    feed(self, number,
         errand::held_up{at, fmt::format("it took {} s to write it down, and "
                                         "nothing was done: look at it, and "
                                         "ask again",
                                         age / seconds{1})});
    return true;
  }

  /// Asks `whom` and feeds what `then` makes of the answer.
  template <class Answer, class Handle, class Question, class Then>
  void ask(const Handle& whom, millis patience, Question question,
           const errand::spot& at, const char* silence, Then then) const {
    if (!is_current(self, number, at))
      return;
    self->request(whom, patience, std::move(question))
      .then([self = self, number = number,
             then](const Answer& x) { feed(self, number, then(x)); },
            [self = self, number = number, at, silence](const caf::error&) {
              feed(self, number, errand::unanswered{at, silence});
            });
  }

  void operator()(const errand::send_job& x) const {
    if (is_current(self, number, x.at))
      self->send(self->state.peers.jobs, x.order,
                 caf::actor_cast<job_client>(self));
  }

  void operator()(const errand::call_back& x) const {
    self->send(self->state.peers.jobs, job_withdraw{x.intent});
  }

  void operator()(const errand::take_power_back& x) const {
    self->send(self->state.peers.oob, x.what);
  }

  void operator()(const errand::look_soon&) const {
    if (self->state.cluster)
      self->send(*self->state.cluster, attention{});
  }

  void operator()(const errand::give_power& x) const {
    if (!is_current(self, number, x.at)
        || (!is_reading(x.order.verb) && is_held_up(x.at)))
      return;
    // What waited in the switch's queue still takes its time afterwards.
    auto patience
      = 2 * power_patience(*self->state.ctx->rules(), x.order) + answers_later;
    self
      ->request(self->state.peers.oob, patience, x.order,
                caf::actor_cast<power_witness>(self))
      .then(
        [self = self, number = number, at = x.at](const power_report& report) {
          feed(self, number, errand::power_told{at, report});
        },
        [self = self, number = number, at = x.at](const caf::error&) {
          feed(self, number,
               errand::unanswered{at, "the power switch did not answer"});
        });
  }

  void operator()(const errand::ask_risky& x) const {
    if (!is_current(self, number, x.at) || is_held_up(x.at))
      return;
    self
      ->request(self->state.peers.scheduler, patience::neighbour,
                ask_risky_acts{})
      .then(
        [self = self, number = number, at = x.at](risky_acts& answer) {
          feed(self, number, errand::risky_told{at, std::move(answer)});
        },
        [self = self, number = number, at = x.at](const caf::error&) {
          feed(self, number, errand::risky_told{at, {false, {}}});
        });
  }

  void operator()(const errand::probe& x) const {
    ask<sighting>(self->state.peers.collector, patience::look, x.question, x.at,
                  "the check did not answer", [at = x.at](const sighting& s) {
                    return errand::probe_told{at, s.verdict};
                  });
  }

  void operator()(const errand::check_program& x) const {
    if (!is_current(self, number, x.at) || is_held_up(x.at))
      return;
    ask<program_answer>(self->state.peers.oob, patience::neighbour,
                        program_question{x.program}, x.at,
                        "the helper could not be looked at in time",
                        [at = x.at](const program_answer& answer) {
                          return errand::program_told{at, answer.wrong};
                        });
  }

  void operator()(const errand::give_word& x) const {
    if (!self->state.cluster) {
      feed(self, number,
           errand::unanswered{x.at, "the cluster was not read yet"});
      return;
    }
    // Whoever judges it gives up first: what it says last is what counts.
    auto left = x.word.until - now(self, self->state.ctx);
    ask<off_word_answer>(
      *self->state.cluster, std::max<millis>(left, millis{0}) + answers_later,
      x.word, x.at, "the node's keeper did not answer",
      [at = x.at](const off_word_answer& answer) {
        return errand::word_told{at, answer.taken, answer.text};
      });
  }

  void operator()(const errand::take_word_back& x) const {
    if (!self->state.cluster)
      return;
    auto word = x.word;
    word.taken_back = true;
    ask<off_word_answer>(*self->state.cluster, patience::neighbour,
                         std::move(word), x.at,
                         "the node's keeper did not answer",
                         [at = x.at](const off_word_answer& answer) {
                           return errand::word_taken_back{at, answer.taken};
                         });
  }

  void operator()(const errand::amend&) const {
    // noted already
  }

  void operator()(const errand::tell&) const {
    // in the journal already
  }

  void operator()(const errand::keep_powered&) const {
    // told by carry_out
  }

  void operator()(const errand::take_hold&) const {
    // told by carry_out
  }

  void operator()(const errand::lift_hold&) const {
    // told by carry_out
  }
};

/// What went wrong with the watcher, for those whose epo goes on.
void watcher_failed(self_ptr self, bool pausing, const std::string& why) {
  auto& st = self->state;
  auto first = st.watcher_failures++ == 0;
  st.watcher_text = why;
  auto at = now(self, st.ctx);
  st.watcher_due = pausing || st.watcher_failures < watcher_tries
                     ? at + watcher_retry
                     : never;
  if (first) {
    auto text = fmt::format(
      "The cluster's watcher could not be {}: {}; {}",
      pausing ? "paused" : "told to go on", why,
      pausing ? "it would start instances that were shut down, "
                "so no node is switched off before it is"
              : "it goes on by itself within an hour, or does so by now");
    for (auto& [number, s] : st.errands)
      if (s.ended == never && std::holds_alternative<epo_errand>(s.asked.what)
          && s.remarks.size() < errand::remarks_max)
        s.remarks.push_back(text);
    record(
      self, st.peers.journal,
      entry_about(self, st.ctx, "desk", entry_kind::alert, "watcher", text));
  }
  arm(self);
}

} // namespace

void note(self_ptr self, const errand::action& x) {
  auto& st = self->state;
  if (const auto* a = std::get_if<errand::amend>(&x)) {
    auto& known = st.amended[a->node];
    if (a->offline)
      known.offline = a->offline;
    if (a->powered)
      known.powered = a->powered;
    known.at = now(self, st.ctx);
    st.alerted.erase(node_object(a->node));
  } else if (const auto* p = std::get_if<errand::keep_powered>(&x)) {
    if (p->powered)
      st.recorded_off.erase(p->node);
    else
      st.recorded_off.insert_or_assign(p->node, p->uuid);
    st.alerted.erase(node_object(p->node));
  } else if (const auto* h = std::get_if<errand::take_hold>(&x)) {
    // An answer of before its power-on was tried does not say that it is back.
    if (h->what.unreturned && !st.held[h->node].unreturned
        && st.answered.erase(h->node) > 0)
      st.read_on.erase(h->node);
    st.held.insert_or_assign(h->node, h->what);
  } else if (const auto* l = std::get_if<errand::lift_hold>(&x)) {
    st.held.erase(l->node);
  }
}

void carry_out(self_ptr self, std::uint64_t number,
               const std::vector<errand::action>& actions, instant decided) {
  auto any = [&actions](auto sort) {
    return std::any_of(actions.begin(), actions.end(), [](const auto& x) {
      return std::holds_alternative<decltype(sort)>(x);
    });
  };
  // First of all: automation must know before anything goes down.
  if (any(errand::keep_powered{}))
    publish_records(self);
  auto taken = any(errand::take_hold{});
  auto lifted = any(errand::lift_hold{});
  if (taken || lifted)
    publish_holds(self);
  auto& st = self->state;
  if ((taken && (!st.watcher_paused || st.watcher_due == never))
      || (lifted && st.held.empty()))
    tell_watcher(self);
  for (const auto& x : actions)
    std::visit(runner{self, number, decided}, x);
}

void wake_waiting(self_ptr self) {
  std::vector<std::uint64_t> waiting;
  if (!self->state.going)
    return;
  auto w = surroundings_of(self);
  for (const auto& [number, s] : self->state.errands)
    if (errand::awaits_reading(s, w))
      waiting.push_back(number);
  for (auto number : waiting)
    feed(self, number, errand::woken{});
}

void look_again(self_ptr self) {
  ask_for_wishes(self);
  if (self->state.cluster)
    self->send(*self->state.cluster, attention{});
}

void tell_watcher(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto pausing = !st.held.empty();
  if (std::exchange(st.watcher_paused, pausing) != pausing)
    st.watcher_failures = 0;
  st.watcher_due = pausing ? at + watcher_again : never;
  // Told to go on it may do so, whatever is answered, and whenever.
  if (!pausing)
    st.watcher_rests = never;
  auto number = ++st.watcher_orders;
  if (!st.cluster) {
    st.watcher_due = at + watcher_retry;
    arm(self);
    return;
  }
  pause_watcher order;
  order.until = pausing ? at + watcher_pause : never;
  order.time_limit = watcher_limit;
  self->request(*st.cluster, patience::neighbour, order)
    .then(
      [self, pausing, number,
       until = order.until](const watcher_answer& answer) {
        if (number != self->state.watcher_orders)
          return; // it was told otherwise since
        if (!answer.done) {
          watcher_failed(self, pausing, answer.text);
          return;
        }
        self->state.watcher_failures = 0;
        self->state.watcher_rests = until;
        wake_waiting(self);
      },
      [self, pausing, number](const caf::error&) {
        if (number == self->state.watcher_orders)
          watcher_failed(self, pausing, "it did not answer");
      });
  arm(self);
}

void publish_orders(self_ptr self) {
  auto& st = self->state;
  accepted_orders all;
  // The one that was asked for first comes first at the switch, too.
  for (const auto& [number, s] : st.errands)
    all.nodes.merge(errand::orders_of(s));
  if (all.nodes == st.ordered)
    return;
  st.ordered = all.nodes;
  self->send(st.peers.view, std::move(all));
}

void ask_for_wishes(self_ptr self) {
  auto& st = self->state;
  if (st.asking_wishes)
    return;
  st.asking_wishes = true;
  self->request(st.peers.wishes, patience::neighbour, ask_wishes{})
    .then(
      [self](power_wishes& answer) {
        self->state.asking_wishes = false;
        take_wishes(self, answer);
      },
      [self](const caf::error&) { self->state.asking_wishes = false; });
}

void arm(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto due = st.watcher_due == never ? instant::max() : st.watcher_due;
  if (st.holds_due != never)
    due = std::min(due, st.holds_due);
  if (st.going) {
    auto w = surroundings_of(self);
    for (const auto& [number, s] : st.errands)
      if (auto when = errand::due_at(s, w, at); when != never)
        due = std::min(due, when);
  }
  if (due == instant::max() || due == st.armed)
    return;
  st.armed = due;
  constexpr millis least_pause{1};
  st.next.set(
    self, std::max(std::chrono::duration_cast<millis>(due - at), least_pause));
}

void resume(self_ptr self) {
  auto& st = self->state;
  if (st.going || !st.recovered || !st.picture || !st.right)
    return;
  st.going = true;
  if (st.ctx->rules()->autorepair.single_pass)
    return; // a pass from cron is nobody's daemon: it honours holds, no more
  if (!st.held.empty())
    tell_watcher(self);
  std::vector<std::uint64_t> open;
  for (const auto& [number, s] : st.errands)
    if (s.ended == never)
      open.push_back(number);
  for (auto number : open)
    feed(self, number,
         errand::resumed{st.adopted, st.endings, st.given, st.watched});
}

} // namespace orderly::desk_parts
