// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One question to an actor of a stage, from outside of its system.

#pragma once

#include "sim/lab/clockwork.hpp"

#include <caf/event_based_actor.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace orderly::sim::conformance {

/// Asks and runs the clock until there is an answer, or the time is over.
template <class Answer, class Handle, class Question>
std::optional<Answer> ask(clockwork& clock, const Handle& whom,
                          Question question, millis limit) {
  auto box = std::make_shared<std::optional<Answer>>();
  clock.system().spawn(
    [whom, question, box](caf::event_based_actor* self) mutable {
      self->request(whom, caf::infinite, question)
        .then([box](Answer& x) { *box = std::move(x); },
              [](const caf::error&) {});
    });
  auto end = clock.now() + limit;
  while (!*box && clock.now() < end)
    clock.run_until(clock.now() + millis{10});
  return std::move(*box);
}

} // namespace orderly::sim::conformance
