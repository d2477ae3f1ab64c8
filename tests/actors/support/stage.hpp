// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where one actor is tested by itself: virtual time, rules, and questions
// whose answers can be waited for. Whoever acts on it is dismissed with it.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "actors/shell/context.hpp"
#include "sim/lab/clockwork.hpp"

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace orderly {

/// The answer to a question; empty as long as there is none.
template <class Answer>
struct pending {
  struct content {
    std::optional<Answer> value;
    caf::error trouble;
  };

  std::shared_ptr<content> box = std::make_shared<content>();

  explicit operator bool() const { return box->value.has_value(); }

  const Answer& operator*() const { return box->value.value(); }

  const Answer* operator->() const { return &box->value.value(); }

  [[nodiscard]] bool failed() const { return static_cast<bool>(box->trouble); }
};

class stage {
public:
  explicit stage(settings with = {}, std::uint64_t seed = 1)
    : clock_(seed),
      rules_(with),
      ctx_(std::make_shared<context>(std::make_shared<const settings>(with),
                                     clock_.now(), start(), seed, "test")) {
    // nop
  }

  ~stage() {
    for (const auto& x : cast_)
      caf::anon_send_exit(x, caf::exit_reason::kill);
    cast_.clear();
    clock_.settle();
  }

  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;

  static instant start() { return from_ms(1767225600000); }

  [[nodiscard]] const context_ptr& ctx() const { return ctx_; }

  [[nodiscard]] const settings& rules() const { return rules_; }

  void change(const settings& with) {
    rules_ = with;
    ctx_->replace(std::make_shared<const settings>(with));
  }

  [[nodiscard]] instant now() { return ctx_->at(clock_.now()); }

  [[nodiscard]] caf::actor_clock::time_point clock_now() {
    return clock_.now();
  }

  [[nodiscard]] caf::actor_system& system() { return clock_.system(); }

  /// Spawns an actor that ends with the stage.
  template <class... Xs>
  auto enter(Xs&&... xs) {
    return keep(system().spawn(std::forward<Xs>(xs)...));
  }

  /// So does one that was spawned elsewhere.
  template <class Handle>
  Handle keep(Handle who) {
    cast_.push_back(caf::actor_cast<caf::actor>(who));
    return who;
  }

  /// Ends an actor at once, as a crash of the daemon would.
  template <class Handle>
  void kill(const Handle& who) {
    caf::anon_send_exit(who, caf::exit_reason::kill);
    settle();
  }

  /// Runs whoever can run; time stands still.
  void settle() { clock_.settle(); }

  void run_for(millis span) { clock_.run_until(clock_.now() + span); }

  template <class Handle, class... Ts>
  void tell(const Handle& whom, Ts&&... what) {
    caf::anon_send(whom, std::forward<Ts>(what)...);
    settle();
  }

  /// Asks; whatever can be answered at once is answered on return.
  template <class Answer, class Handle, class... Question>
  pending<Answer> ask(const Handle& whom, Question... question) {
    pending<Answer> result;
    system().spawn([whom, ... question = std::move(question),
                    box = result.box](caf::event_based_actor* self) mutable {
      self->request(whom, caf::infinite, std::move(question)...)
        .then([box](Answer& x) { box->value = std::move(x); },
              [box](const caf::error& e) { box->trouble = e; });
    });
    settle();
    return result;
  }

private:
  sim::clockwork clock_;
  settings rules_;
  context_ptr ctx_;
  std::vector<caf::actor> cast_;
};

} // namespace orderly
