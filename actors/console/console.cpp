// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/console/console.hpp"

#include <caf/actor_system.hpp>

#include <optional>
#include <utility>
#include <variant>

namespace orderly {

namespace {

using self_ptr = console_actor::stateful_pointer<console_state>;

/// How long a part may take. Less than what HTTP waits for an answer, with what
/// it takes to find the part.
constexpr auto part_patience = seconds{5};

/// A repair is written down, and its tag is a job.
constexpr auto repair_patience = seconds{8};

fault busy() {
  return {fault_kind::timed_out, "orderlyd is starting or too busy to answer; "
                                 "try again in a moment"};
}

/// Of an order that was handed over: no answer does not mean that nothing was
/// done.
fault unsure(const char* why) {
  return {fault_kind::unknown_outcome, why};
}

template <class Word>
console_reply<Word> no_answer(console_part part, fault why) {
  return {{part, std::move(why)}, {}};
}

/// An order that would not be on disk is not taken: told at once, instead of
/// after a wait with an end that nobody knows.
std::optional<fault> refusal(self_ptr self) {
  auto why = self->state.ctx->journal_trouble();
  if (why.empty())
    return std::nullopt;
  return fault{fault_kind::unreachable,
               "nothing was done, because no order is taken while the journal "
               "cannot be written: "
                 + why};
}

/// What a part answers, as a word of the console.
console_scene word_of(scene_answer& x) {
  return std::move(x.now);
}

template <class Word>
Word word_of(Word& x) {
  return std::move(x);
}

/// One part of the tree, how long it may take, and what is told if it was
/// asked and gave no answer in time.
template <class Role>
struct counter {
  console_part part;
  Role front::*place;
  millis wait;
  fault lost;
};

/// Without agents nobody takes words about events.
fault absent() {
  return {fault_kind::refused,
          "nothing of that is watched: no agent is asked (agents.port is 0)"};
}

/// Asks there.
template <class Word, class Answer = Word, class Role, class Question>
caf::result<console_reply<Word>> ask(self_ptr self, counter<Role> at,
                                     Question question) {
  auto promise = self->make_response_promise<console_reply<Word>>();
  self->request(self->state.root, part_patience, ask_counters{})
    .then(
      [=](const front& here) mutable {
        if (!(here.*at.place)) {
          promise.deliver(no_answer<Word>(at.part, absent()));
          return;
        }
        self->request(here.*at.place, at.wait, std::move(question))
          .then(
            [promise](Answer& answer) mutable {
              promise.deliver(console_reply<Word>{{}, word_of(answer)});
            },
            [promise, at](const caf::error&) mutable {
              promise.deliver(no_answer<Word>(at.part, at.lost));
            });
      },
      [promise](const caf::error&) mutable {
        promise.deliver(no_answer<Word>(console_part::core, busy()));
      });
  return promise;
}

/// The same for an order.
template <class Word, class Role, class Question>
caf::result<console_reply<Word>> order(self_ptr self, counter<Role> at,
                                       Question question) {
  if (auto why = refusal(self))
    return no_answer<Word>(console_part::journal, std::move(*why));
  return ask<Word>(self, std::move(at), std::move(question));
}

caf::result<console_reply<console_scene>> look(self_ptr self) {
  return ask<console_scene, scene_answer>(
    self,
    counter<view_counter>{console_part::view, &front::view, part_patience,
                          busy()},
    ask_scene{});
}

caf::result<console_reply<pause_answer>> pause(self_ptr self,
                                               const pause_order& x) {
  return order<pause_answer>(
    self,
    counter<pause_counter>{
      console_part::scheduler, &front::scheduler, part_patience,
      unsure("no answer in time: it takes effect as soon as it is on "
             "disk, and not before; see 'orderly status'")},
    x);
}

caf::result<console_reply<repair_answer>> repair(self_ptr self,
                                                 const repair_request& x) {
  return order<repair_answer>(
    self,
    counter<cluster_counter>{
      console_part::cluster, &front::cluster, repair_patience,
      unsure("no answer in time: the pending tag may or may not be "
             "written; see 'orderly explain' before asking again")},
    x);
}

counter<errand_counter> desk_counter(fault lost) {
  return {console_part::desk, &front::desk, part_patience, std::move(lost)};
}

caf::result<console_reply<errand_sheet>> errand(self_ptr self,
                                                const console_errand& word) {
  if (const auto* query = std::get_if<errand_query>(&word))
    return ask<errand_sheet>(self, desk_counter(busy()), *query);
  auto at = desk_counter(
    unsure("no answer in time: it may or may not have been taken; see 'orderly "
           "errands' before asking again"));
  if (const auto* stop = std::get_if<errand_stop>(&word))
    return order<errand_sheet>(self, at, *stop);
  return order<errand_sheet>(self, at, std::get<errand_request>(word));
}

caf::result<console_reply<event_order_answer>> about_event(self_ptr self,
                                                           event_order x) {
  return order<event_order_answer>(
    self,
    counter<event_counter>{
      console_part::events, &front::events, part_patience,
      unsure("no answer in time: it may or may not have been done; see "
             "'orderly incidents' before asking again")},
    std::move(x));
}

caf::result<console_reply<balance_sheet>> balance(self_ptr self,
                                                  const balance_query& x) {
  return ask<balance_sheet>(self,
                            counter<balance_counter>{console_part::balancer,
                                                     &front::balancer,
                                                     part_patience, busy()},
                            x);
}

} // namespace

console_actor::behavior_type console(self_ptr self, context_ptr ctx,
                                     root_actor root) {
  die_with_reason(self, "console");
  self->state.ctx = std::move(ctx);
  self->state.root = std::move(root);
  return {
    [self](const console_ask<console_look>&) { return look(self); },
    [self](const console_ask<errand_list>& q) {
      return ask<errand_list_answer>(self, desk_counter(busy()), q.word);
    },
    [self](const console_ask<balance_query>& q) {
      return balance(self, q.word);
    },
    [self](const console_ask<pause_order>& q) { return pause(self, q.word); },
    [self](const console_ask<repair_request>& q) {
      return repair(self, q.word);
    },
    [self](const console_ask<console_errand>& q) {
      return errand(self, q.word);
    },
    [self](const console_ask<event_order>& q) {
      return about_event(self, q.word);
    },
  };
}

console_actor spawn_console(caf::actor_system& system, context_ptr ctx,
                            root_actor root) {
  return system.spawn(console, std::move(ctx), std::move(root));
}

} // namespace orderly
