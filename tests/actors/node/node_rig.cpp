// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/node/node_rig.hpp"

#include <caf/typed_event_based_actor.hpp>

namespace orderly {

namespace {

using world_ptr = std::shared_ptr<node_world>;

node_checker::behavior_type daemons(node_checker::pointer self, world_ptr world,
                                    context_ptr ctx) {
  return {
    [self, world, ctx](const probe_request& q) {
      ++world->probes;
      sighting x;
      x.node = q.node;
      x.verdict = world->daemons;
      x.lives = world->lives || world->daemons == health::healthy;
      x.at = ctx->at(self->clock().now());
      return x;
    },
    [](const activity_request&) { return activity_answer{}; },
  };
}

struct switch_state {
  static inline const char* name = "switch";

  std::vector<caf::typed_response_promise<power_report>> hanging;
};

power_report no_turn(const power_order& q, instant at) {
  power_report x;
  x.node = q.node;
  x.verb = q.verb;
  x.intent = q.intent;
  x.tried = false;
  x.held_back = true;
  x.evidence = "too many wait";
  x.at = at;
  return x;
}

/// An order of automation: done if its witness says so.
caf::result<power_report>
command(power_switch::stateful_pointer<switch_state> self,
        const world_ptr& world, const context_ptr& ctx, const power_order& q,
        const power_witness& witness) {
  auto promise = self->make_response_promise<power_report>();
  self->request(witness, caf::infinite, power_last_look{q.intent})
    .then([=](const power_last_word& word) mutable {
      world->words.push_back(word);
      power_report x;
      x.node = q.node;
      x.verb = q.verb;
      x.intent = q.intent;
      x.program = q.programs.at(0);
      x.wish = world->wish;
      x.at = ctx->at(self->clock().now());
      x.commanded = word.stands;
      x.held_back = !word.stands;
      x.answers = word.answers;
      if (word.stands) {
        world->commands.push_back(q.verb);
        x.before = world->power;
        x.state
          = q.verb == power_verb::off ? power_state::off : power_state::on;
        x.confirmed = world->obeys;
        if (world->obeys)
          world->power = x.state;
      }
      x.evidence = word.stands ? "after the command" : word.why;
      promise.deliver(x);
    });
  return promise;
}

warned_office::behavior_type guards(warned_office::pointer, world_ptr world) {
  auto answer = [world] {
    permit p;
    p.granted = world->guarded.empty();
    p.why = world->guarded;
    return p;
  };
  return {
    [answer](const permit_request&) { return answer(); },
    [answer](const permit_request&, const permit_client&) { return answer(); },
    [world](const permit_release& x) { world->released.push_back(x); },
    [](const ask_risky_acts&) { return risky_acts{}; },
    [](const node_standing&) {},
  };
}

power_switch::behavior_type
the_switch(power_switch::stateful_pointer<switch_state> self, world_ptr world,
           context_ptr ctx) {
  return {
    [self, world, ctx](const power_order& q) -> caf::result<power_report> {
      ++world->readings;
      if (!world->answers) {
        self->state.hanging.push_back(
          self->make_response_promise<power_report>());
        return self->state.hanging.back();
      }
      power_report x;
      x.node = q.node;
      x.verb = q.verb;
      x.state = world->power;
      x.confirmed = world->power != power_state::unknown;
      x.evidence = std::string{"power status "} + to_string(world->power);
      x.program = q.programs.at(0);
      x.wish = world->wish;
      x.at = ctx->at(self->clock().now());
      return x;
    },
    [self, world, ctx](const power_order& q,
                       power_witness& witness) -> caf::result<power_report> {
      if (world->crowded) {
        ++world->put_off;
        return no_turn(q, ctx->at(self->clock().now()));
      }
      return command(self, world, ctx, q, witness);
    },
    [](const power_withdraw&) {},
    [](const program_question&) { return program_answer{}; },
  };
}

standing_client::behavior_type onlooker(world_ptr world) {
  return {[world](const node_standing& x) { world->shown = x; }};
}

} // namespace

node_rig::node_rig(settings rules) : on(std::move(rules)) {
  facts.record.name = "n1";
  facts.record.uuid = "uuid-1";
  facts.record.oob_program = "/usr/bin/oob";
  facts.online = std::make_shared<const std::vector<node_name>>(
    std::vector<node_name>{"n1", "n2", "n3"});
}

void node_rig::boot() {
  auto port = on.keep(spawn_fake(on.system(), disk));
  node_peers s;
  auto view = on.keep(spawn_fake(on.system(), std::make_shared<view_fake>()));
  s.journal = on.enter(journal, on.ctx(), port, view);
  auto checks = on.enter(daemons, world, on.ctx());
  s.scheduler = on.enter(guards, world);
  s.provider = {checks, on.enter(the_switch, world, on.ctx())};
  s.jobs = on.keep(spawn_fake(on.system(), jobs));
  s.told = {s.scheduler, on.enter(onlooker, world)};
  actor = on.enter(node, on.ctx(), s, facts.record.name);
  on.settle();
  read();
}

void node_rig::read() {
  facts.read_at = on.now();
  on.tell(actor, facts);
}

void node_rig::run_for(seconds span) {
  for (auto left = span; left > seconds{0}; left -= seconds{1}) {
    on.run_for(seconds{1});
    read();
  }
}

pending<off_word_answer> node_rig::say_off(bool taken_back, millis patience) {
  off_word word;
  word.node = facts.record.name;
  word.who = "bob";
  word.reason = "it is dark";
  word.until = on.now() + patience;
  word.taken_back = taken_back;
  return on.ask<off_word_answer>(actor, word);
}

} // namespace orderly
