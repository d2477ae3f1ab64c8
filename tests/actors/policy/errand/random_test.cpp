// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever happens in whatever order: no row is lost, none begins before what
// it needs, none is done twice under another name, and every errand ends.

#include "actors/policy/errand/grounds.hpp"
#include "tests/actors/policy/errand/rig.hpp"

#include <random>

namespace orderly::errand::errand_random_test {

namespace {

class weather {
public:
  explicit weather(std::uint32_t seed) : dice_(seed) {
    b_.risky.reset(); // answered with all the rest
    b_.add_instance("i1", "n1", {"n2"});
    b_.add_instance("i2", "n2", {"n3"});
    b_.add_instance("i3", "n3");
    b_.add_instance("i4", "bare", {"n1"});
    b_.rules.power.concurrency = 1 + roll(3);
    for (auto& x : b_.cluster.nodes)
      if (x.name != "m") {
        x.offline = roll(4) == 0;
        x.powered = x.oob_program.empty() || roll(4) != 0;
      }
    b_.begin(b_.request(some_errand()));
    for (const auto& r : b_.s.rows)
      objects_.push_back(r.object);
    look();
  }

  void blow(int steps) {
    for (int i = 0; i < steps && b_.s.ended == never; ++i) {
      auto before = b_.s.rows;
      something();
      check(before);
      look();
    }
  }

  /// From now on everything is answered well.
  void calm() {
    b_.no_right.clear();
    for (int i = 0; i < 2000 && b_.s.ended == never; ++i) {
      auto before = b_.s.rows;
      if (b_.todo.empty())
        b_.wait(minutes{1});
      else
        answer(0, true);
      check(before);
      look();
    }
    CHECK(b_.s.ended != never);
    CHECK(due_at(b_.s, b_.look(), b_.now) == never);
  }

private:
  std::uint32_t roll(std::uint32_t n) {
    return static_cast<std::uint32_t>(dice_() % n);
  }

  decltype(errand_request::what) some_errand() {
    std::vector<std::string> names;
    for (const char* name : {"n1", "n2", "n3", "bare"})
      if (roll(2) == 0)
        names.emplace_back(name);
    if (names.empty())
      names.emplace_back("n2");
    epo_errand e;
    e.names = names;
    e.on = roll(2) == 0;
    switch (roll(8)) {
    case 0:
      return rig::power(power_verb::off, names);
    case 1:
      return rig::power(power_verb::on, names);
    case 2:
      return rig::power(power_verb::cycle, names);
    case 3:
      return rig::power(power_verb::status, {});
    case 4:
      return verify_errand{};
    default:
      e.all = roll(2) == 0;
      if (e.all)
        e.names.clear();
      return e;
    }
  }

  void something() {
    switch (roll(12)) {
    case 0:
      b_.wait(seconds{roll(120)});
      return;
    case 1:
      if (roll(4) == 0)
        b_.restart();
      return;
    case 2:
      if (roll(10) == 0)
        b_.feed(stopped{"eve"});
      return;
    case 3:
      b_.feed(job_told{{roll(9), roll(4), roll(3)}, true, false, "stray"});
      return;
    case 4:
      if (roll(8) == 0 && !b_.cluster.instances.empty())
        b_.cluster.instances.pop_back();
      return;
    case 5:
      if (!b_.no_right.empty())
        b_.no_right.clear();
      else if (roll(4) == 0)
        b_.lose_right();
      return;
    default:
      if (b_.todo.empty())
        b_.wait(minutes{1});
      else
        answer(roll(static_cast<std::uint32_t>(b_.todo.size())), roll(4) != 0);
    }
  }

  void answer(std::size_t which, bool well) {
    auto x = b_.todo[which];
    b_.todo.erase(b_.todo.begin() + static_cast<std::ptrdiff_t>(which));
    if (const auto* j = std::get_if<send_job>(&x)) {
      b_.feed(job_told{j->at, well, roll(3) == 0, "text", roll(2) == 0});
    } else if (const auto* p = std::get_if<give_power>(&x)) {
      if (!well && roll(2) == 0) {
        b_.feed(unanswered{p->at, "silence"});
        return;
      }
      power_report r;
      r.confirmed = well;
      r.state
        = p->order.verb == power_verb::off ? power_state::off : power_state::on;
      if (well)
        proved_.insert(p->order.node);
      b_.feed(power_told{p->at, r});
    } else if (const auto* a = std::get_if<ask_risky>(&x)) {
      b_.feed(risky_told{a->at, {well, {}}});
    } else if (const auto* q = std::get_if<probe>(&x)) {
      b_.feed(probe_told{q->at, well ? health::healthy : health::unhealthy});
    } else if (const auto* c = std::get_if<check_program>(&x)) {
      b_.feed(program_told{c->at, well ? "" : "wrong"});
    }
  }

  /// What is newly asked for.
  void look() {
    const auto* e = std::get_if<epo_errand>(&b_.s.asked.what);
    for (const auto& x : b_.todo) {
      if (const auto* j = std::get_if<send_job>(&x)) {
        if (j->order.ops.empty())
          continue; // it is only asked what became of it
        auto [i, fresh] = jobs_.emplace(j->order.intent, j->order.ops);
        CHECK((fresh || i->second == j->order.ops));
        const auto& op = j->order.ops.at(0);
        if (op.powered)
          CHECK(proved_.count(op.node) == 1);
        if (op.kind == op_kind::instance_startup)
          for (auto need : b_.s.rows[j->at.row].needs)
            CHECK((is_final(b_.s.rows[need].state) && b_.s.rows[need].met));
      } else if (const auto* p = std::get_if<give_power>(&x)) {
        CHECK_FALSE(p->order.programs.empty());
        if (e != nullptr && !e->on)
          for (const auto& r : b_.s.rows)
            CHECK(
              (r.kind != row_kind::instance || (is_final(r.state) && r.met)));
        if (p->order.verb == power_verb::off
            || p->order.verb == power_verb::cycle)
          CHECK(p->order.node != "m");
      }
    }
  }

  void check(const std::vector<row>& before) {
    REQUIRE(b_.s.rows.size() == objects_.size());
    std::size_t busy = 0;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const auto& r = b_.s.rows[i];
      CHECK(r.object == objects_[i]);
      if (is_final(before[i].state))
        CHECK(r.state == before[i].state);
      else if (before[i].state == row_state::running)
        CHECK(r.state != row_state::waiting);
      if (r.state == row_state::running) {
        CHECK(r.at < steps_of(b_.s, r).size());
        if (steps_of(b_.s, r)[r.at] != step_kind::wait
            && !waits_for_acts(b_.s, r))
          ++busy;
      }
    }
    // Rows that waited for their node may take a step beyond the places.
    if (!std::holds_alternative<epo_errand>(b_.s.asked.what))
      CHECK(busy <= b_.rules.power.concurrency);
    for (const auto& [node, uuid] : b_.recorded_off)
      CHECK(proved_.count(node) == 1);
  }

  std::mt19937 dice_;
  rig b_;
  std::vector<std::string> objects_;
  std::map<intent_id, std::vector<opcode>> jobs_;
  std::set<node_name> proved_;
};

} // namespace

TEST_CASE("no row is lost, begins too early or is done twice, whatever "
          "happens") {
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    weather w{seed};
    w.blow(60);
    w.calm();
  }
}

} // namespace orderly::errand::errand_random_test
