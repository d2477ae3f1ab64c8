// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The oob actor on a stage: fake controllers, a real journal actor on paper,
// and orders as node actors and persons give them.

#pragma once

#include "actors/journal/journal.hpp"
#include "actors/power/oob.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

namespace orderly::oob_rig {

using verbs = std::vector<power_verb>;

/// Controllers that do what they are told.
struct chassis {
  std::map<node_name, bool> is_off;

  power_answer operator()(const power_request& q) {
    power_answer x;
    x.node = q.node;
    x.done = true;
    if (q.verb == power_verb::status)
      x.state = is_off[q.node] ? power_state::off : power_state::on;
    else if (q.verb == power_verb::health)
      x.items = {{"FAN 1", "OK"}, {"Temp", "CRITICAL"}};
    else
      is_off[q.node] = q.verb == power_verb::off;
    return x;
  }
};

inline power_answer failed(const power_request& q, std::string text) {
  power_answer x;
  x.node = q.node;
  x.text = std::move(text);
  return x;
}

inline power_answer is(const power_request& q, power_state state) {
  power_answer x;
  x.node = q.node;
  x.done = true;
  x.state = q.verb == power_verb::status ? state : power_state::unknown;
  return x;
}

inline power_order order_of(const node_name& node, power_verb verb,
                            bool insist = false) {
  power_order x;
  x.insist = insist;
  x.node = node;
  x.verb = verb;
  x.programs = {"/helper"};
  x.incident = "n-1";
  x.intent = is_reading(verb) ? "" : "i-" + node;
  x.why = "because";
  return x;
}

/// The same, by a person.
inline power_order order_by(std::string who, const node_name& node,
                            power_verb verb) {
  auto x = order_of(node, verb);
  x.incident.clear();
  x.who = std::move(who);
  x.why = "maintenance";
  return x;
}

/// What the witness says, and how often it was asked.
struct testimony {
  std::optional<power_last_word> word = power_last_word{true, false, {}};
  std::uint32_t asked = 0;
};

/// Without a word of it the question hangs.
inline power_witness::behavior_type
sworn(power_witness::pointer self, const std::shared_ptr<testimony>& what) {
  auto hanging = std::make_shared<
    std::vector<caf::typed_response_promise<power_last_word>>>();
  return {[self, what,
           hanging](const power_last_look&) -> caf::result<power_last_word> {
    ++what->asked;
    if (what->word)
      return *what->word;
    hanging->push_back(self->make_response_promise<power_last_word>());
    return hanging->back();
  }};
}

struct rig {
  explicit rig(settings rules = {}) : on(std::move(rules)) {
    power->calls.answer = [this](const power_request& q) {
      return says(machines(q), millis{100});
    };
    witness = on.enter(sworn, said);
    start();
  }

  /// Journal and oob actor; again: after a crash of both.
  void start() {
    memory = on.enter(journal, on.ctx(), on.keep(spawn_fake(on.system(), disk)),
                      on.keep(spawn_fake(on.system(), seen)));
    actor = on.enter(oob, on.ctx(), on.keep(spawn_fake(on.system(), power)),
                     memory);
    on.settle();
    give_right();
  }

  void crash() {
    on.kill(actor);
    on.kill(memory);
  }

  void give_right(millis length = hours{10}) {
    on.tell(actor, lease{true, on.now() + length, "right to act"});
  }

  pending<power_report> order(const node_name& node, power_verb verb,
                              bool insist = false) {
    return give(order_of(node, verb, insist));
  }

  /// With a witness, whatever it says, if it is an act.
  pending<power_report> give(power_order x) {
    if (is_reading(x.verb))
      return on.ask<power_report>(actor, std::move(x));
    return on.ask<power_report>(actor, std::move(x), witness);
  }

  /// Every status reading says `x`, every command is done.
  void always(power_state x) {
    power->calls.answer
      = [x](const power_request& q) { return says(is(q, x), millis{100}); };
  }

  /// Calls so far of this helper.
  [[nodiscard]] verbs calls_of(const std::string& program) const {
    verbs result;
    for (const auto& x : power->calls.asked)
      if (x.program == program)
        result.push_back(x.verb);
    return result;
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<view_fake> seen = std::make_shared<view_fake>();
  std::shared_ptr<power_fake> power = std::make_shared<power_fake>();
  std::shared_ptr<testimony> said = std::make_shared<testimony>();
  chassis machines;
  stage on;
  journal_actor memory;
  oob_actor actor;
  power_witness witness;
};

} // namespace orderly::oob_rig
