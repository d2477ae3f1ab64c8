// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The gate: where threads that are no actors knock. Asks the console, and
// nobody else, and hands its answers on to callbacks.

#pragma once

#include "actors/shell/context.hpp"
#include "io/http/routes.hpp"
#include "messages/protocol/console.hpp"

#include <caf/typed_actor.hpp>

#include <atomic>
#include <functional>
#include <memory>

namespace orderly {

/// One question for the console, and where its answer goes.
template <class Word, class Answer>
struct gate_question {
  console_ask<Word> ask;
  std::shared_ptr<std::function<void(result<Answer>)>> then;
};

/// For all readers at once.
using gate_scene = gate_question<console_look, console_scene>;
using gate_order = gate_question<pause_order, pause_answer>;
using gate_repair = gate_question<repair_request, repair_answer>;
/// One word about an errand.
using gate_errand = gate_question<console_errand, errand_sheet>;
using gate_errands = gate_question<errand_list, errand_list_answer>;
using gate_balance = gate_question<balance_query, balance_sheet>;

using gate_event = gate_question<event_order, event_order_answer>;

/// Questions: `then` is called once, from the gate's thread, with the answer or
/// with why there is none within the console's own patience.
using gate_reader
  = caf::typed_actor<caf::reacts_to<gate_scene>, caf::reacts_to<gate_errands>,
                     caf::reacts_to<gate_balance>>;
/// Orders: likewise. Without an answer nobody knows whether it was taken, and the
/// fault says where to look.
using gate_taker
  = caf::typed_actor<caf::reacts_to<gate_order>, caf::reacts_to<gate_repair>,
                     caf::reacts_to<gate_errand>, caf::reacts_to<gate_event>>;
using gate_actor = gate_reader::extend_with<gate_taker>;

gate_actor spawn_gate(caf::actor_system& system, console_actor console);

/// What the HTTP routes call. Empty before `open`: then all is refused, for
/// doors are there before there is anything behind them.
class gate_way {
public:
  void open(gate_actor gate, context_ptr ctx);

  /// Keeps `x` in use.
  static io::http::backend backend_of(const std::shared_ptr<gate_way>& x);

  /// More lines for the metrics.
  std::function<std::string()> more_metrics;

private:
  struct behind {
    gate_actor gate;
    context_ptr ctx;
  };

  /// Hands `x` to the gate; false if it is not there yet.
  template <class Question>
  bool knock(Question x) const;

  std::atomic<std::shared_ptr<const behind>> behind_;
};

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::gate_scene)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::gate_order)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::gate_repair)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::gate_errand)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::gate_errands)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::gate_balance)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::gate_event)
