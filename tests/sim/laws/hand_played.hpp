// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A lab whose daemon is played by hand: what the law tests are told with.

#pragma once

#include "sim/faults/faults.hpp"
#include "sim/laws/laws.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

struct hand_played {
  explicit hand_played(const std::string& world = "small-5n",
                       settings rules = {})
    : hand_played(*plan_named(world, 1), std::move(rules)) {
    // nop
  }

  explicit hand_played(const world_plan& plan, settings rules = {})
    : lab(plan, std::move(rules)), t(lab.epoch_wall) {
    // nop
  }

  /// Names of the laws broken by what was done since the last look.
  std::set<std::string> broken() {
    look();
    return std::exchange(found, {});
  }

  /// The laws see what was done so far, as after each step of a daemon.
  void look() {
    for (const auto& x : judge.check(lab, t)) {
      INFO(x.sentence);
      CHECK(x.sentence.find(x.name + " broken at +") == 0);
      found.insert(x.name);
    }
  }

  /// Nodes that were fenced are read again meanwhile.
  void wait(millis d) {
    look();
    t += d;
    lab.advance(t);
    look();
    for (const auto& node : fenced)
      power(node, power_verb::status);
  }

  void fault(const std::string& text) {
    auto order = parse_fault(text);
    REQUIRE(order.ok());
    REQUIRE(apply(*order, lab).empty());
  }

  void write(entry_kind kind, const object_id& object, const std::string& code,
             const intent_id& intent = {}) {
    journal_entry e;
    e.at = t;
    e.kind = kind;
    e.object = object;
    e.code = code;
    e.intent = intent;
    e.why = "by hand";
    lab.journal.commit({{e}});
  }

  void phase(const node_name& node, const std::string& name) {
    write(entry_kind::decision, node_object(node), name);
  }

  void phases(const node_name& node, const std::vector<std::string>& names) {
    for (const auto& x : names)
      phase(node, x);
  }

  /// A call of the power port, without any journal.
  void power(const node_name& node, power_verb verb,
             const std::string& program = sim_oob_program) {
    power_deed deed;
    deed.at = t;
    deed.node = node;
    deed.verb = verb;
    deed.program = program;
    lab.note(deed);
    look();
    deed.ended = true;
    deed.done = true;
    const auto& x = lab.truth.node(node);
    if (verb == power_verb::off)
      deed.changed = lab.truth.set_power(node, false);
    if (verb == power_verb::on)
      deed.changed = lab.truth.set_power(node, true);
    if (verb == power_verb::cycle) {
      lab.truth.cycle(node);
      deed.changed = true;
    }
    if (verb == power_verb::status) {
      auto off = x.bmc.what == controller::lies_off || !x.powered;
      deed.state = off ? power_state::off : power_state::on;
      deed.lie = off && x.powered;
      if (deed.lie)
        ++lab.lies_told[node];
    }
    lab.note(deed);
  }

  /// It is cut off from us, and that has been so for a minute.
  void lose_sight(const node_name& node) {
    look();
    fault("network " + node + " cut");
    wait(minutes{1});
  }

  /// Switches off as it should be done.
  void fence(const node_name& node) {
    auto intent = "fence-" + std::to_string(++count);
    phases(node, {"suspect", "fencing"});
    write(entry_kind::intent, node_object(node), "power-off", intent);
    power(node, power_verb::off);
    power(node, power_verb::status);
    write(entry_kind::outcome, node_object(node), "power-off", intent);
    phase(node, "fenced");
    fenced.insert(node);
  }

  /// A person asks for it, and is told that it was written down.
  person_order take(const errand_request& wanted) {
    person_order x;
    x.number = ++lab.errands_asked;
    x.at = t;
    x.wanted = wanted;
    x.wanted.who = "ann";
    lab.note(x);
    x.step = order_step::taken;
    x.id = "errand-" + std::to_string(x.number);
    write(entry_kind::intent, "errand:" + x.id, "errand");
    lab.note(x);
    return x;
  }

  void end(person_order x, bool failed = false) {
    x.at = t;
    x.step = order_step::ended;
    x.failed = failed;
    lab.note(x);
  }

  /// A command to the switch with its intent written first.
  void command(const node_name& node, power_verb verb,
               const std::string& program = sim_oob_program) {
    write(entry_kind::intent, node_object(node), to_string(verb),
          "command-" + std::to_string(++count));
    power(node, verb, program);
  }

  /// What destroys removes a token first, as long as a test does not judge
  /// that.
  std::vector<opcode> with_token(std::vector<opcode> ops) {
    auto act = std::find_if(ops.begin(), ops.end(), [](const opcode& op) {
      return !op.instance.empty();
    });
    auto destroys = std::any_of(ops.begin(), ops.end(), [](const opcode& op) {
      return op.kind == op_kind::instance_failover
             || op.kind == op_kind::recreate_disks
             || op.kind == op_kind::instance_reinstall;
    });
    if (!destroys || !tokens)
      return ops;
    opcode token;
    token.kind = op_kind::tags_del;
    token.tags_on = tag_kind::instance;
    token.tag_object = act->instance;
    token.tags = {"orderly:token:repair:" + std::to_string(++tokens_taken)};
    fault("tag instance:" + token.tag_object + " add " + token.tags.front());
    ops.insert(act, token);
    return ops;
  }

  job_id send(const opcode& op, const intent_id& intent,
              const incident_id& incident = "repair") {
    auto answer = lab.cluster.submit(
      {{{with_token({op}), trail_text(incident, intent), {}}}});
    REQUIRE(answer.ids.size() == 1);
    look();
    return answer.ids[0];
  }

  /// With its intent written first.
  job_id order(const opcode& op, const incident_id& incident = "repair") {
    auto intent = "job-" + std::to_string(++count);
    write(entry_kind::intent, "instance:" + op.instance, "job", intent);
    return send(op, intent, incident);
  }

  static opcode on_instance(op_kind kind, const instance_name& name,
                            const node_name& target = {}) {
    opcode op;
    op.kind = kind;
    op.instance = name;
    op.target = target;
    return op;
  }

  static opcode failover(const instance_name& name) {
    return on_instance(op_kind::instance_failover, name);
  }

  lab_state lab;
  laws judge;
  instant t;
  int count = 0;
  bool tokens = true;
  int tokens_taken = 0;
  std::set<node_name> fenced;
  std::set<std::string> found; ///< laws that were broken and not told yet
};

using names = std::set<std::string>;

} // namespace orderly::sim
