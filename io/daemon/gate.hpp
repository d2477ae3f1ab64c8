// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The gate: where threads that are no actors knock. Finds the tree's current
// front for each question, so that a restarted core is found again.

#pragma once

#include "actors/tree/tree.hpp"
#include "io/http/routes.hpp"

#include <caf/typed_actor.hpp>

#include <atomic>
#include <functional>
#include <memory>

namespace orderly {

/// For all readers at once.
struct gate_scene {
  std::shared_ptr<std::function<void(result<std::shared_ptr<const scene>>)>>
    then;
};

struct gate_order {
  pause_order order;
  std::shared_ptr<std::function<void(result<pause_answer>)>> then;
};

struct gate_repair {
  repair_request wanted;
  std::shared_ptr<std::function<void(result<repair_answer>)>> then;
};

/// One word about an errand.
struct gate_errand {
  io::http::errand_word word;
  std::shared_ptr<std::function<void(result<errand_sheet>)>> then;
};

struct gate_errands {
  std::shared_ptr<std::function<void(result<errand_list_answer>)>> then;
};

struct gate_balance {
  balance_query query;
  std::shared_ptr<std::function<void(result<balance_sheet>)>> then;
};

using gate_actor
  = caf::typed_actor<caf::reacts_to<gate_scene>, caf::reacts_to<gate_order>,
                     caf::reacts_to<gate_repair>, caf::reacts_to<gate_errand>,
                     caf::reacts_to<gate_errands>,
                     caf::reacts_to<gate_balance>>;

gate_actor spawn_gate(caf::actor_system& system, root_actor root,
                      context_ptr ctx);

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
