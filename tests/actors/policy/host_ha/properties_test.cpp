// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds for every sequence of events, however mad: long seeded walks
// through the machine, with every step judged.

#include "tests/actors/policy/host_ha/laws.hpp"

#include <set>

namespace orderly::host_ha::host_ha_properties_test {

using namespace laws;

namespace {

/// splitmix64: the same dice everywhere.
struct dice {
  std::uint64_t x;

  std::uint64_t roll() {
    auto z = (x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t below(std::uint64_t n) { return roll() % n; }

  bool flip() { return below(2) == 0; }
};

std::string text(dice& d) {
  static const char* const texts[] = {"", "1811 refused", "a=b\n%;+", "off"};
  return texts[d.below(4)];
}

act_kind any_act(dice& d) {
  return static_cast<act_kind>(d.below(6));
}

instant any_time(dice& d, instant now) {
  return d.below(8) == 0 ? never : now + seconds{d.below(100)} - seconds{50};
}

event any_event(dice& d, const state& s, instant now) {
  switch (d.below(17)) {
  case 0:
    return health_seen{d.below(6) == 0 ? health::healthy : health::unhealthy,
                       text(d)};
  case 1:
    return health_seen{health::unknown, text(d)};
  case 2:
  case 3:
    return activity_seen{d.below(8) == 0   ? activity::active
                         : d.below(8) == 0 ? activity::unknown
                                           : activity::inactive,
                         text(d)};
  case 4:
    return activity_refused{};
  case 5:
    return power_seen{static_cast<power_state>(d.below(3)), d.below(4) == 0,
                      text(d), now};
  case 6:
  case 7: {
    auto act = s.wants && d.below(4) != 0 ? *s.wants : any_act(d);
    return permit_answered{act, d.flip(), text(d), any_time(d, now), d.flip()};
  }
  case 8:
    return recovery_ended{d.flip(), text(d), d.below(8) == 0, d.below(4) == 0,
                          d.flip()};
  case 9:
    return fence_ended{d.below(3) == 0, text(d),         any_time(d, now),
                       d.below(8) == 0, d.below(4) == 0, d.below(4) == 0,
                       d.flip()};
  case 10:
    return eligibility{d.below(3) != 0, text(d)};
  case 11:
    return enabled{};
  case 12:
    return d.below(20) == 0 ? event{disabled{}} : event{restarted{}};
  case 13:
    return returned{};
  case 14:
    switch (d.below(20)) {
    case 0:
      return vouched{text(d), {}};
    case 1:
      return ordered_on{any_time(d, now), text(d)};
    case 2:
      return proof_expired{text(d)};
    case 3:
    case 4:
      return looked{static_cast<health>(d.below(4))};
    case 5:
      return permit_called{};
    default:
      break;
    }
    [[fallthrough]];
  default:
    return deadline{};
  }
}

state any_state(dice& d, instant now) {
  state s;
  s.phase = static_cast<ha_phase>(d.below(10));
  s.since = any_time(d, now);
  s.reason = text(d);
  s.incident = text(d);
  s.suspect_since = any_time(d, now);
  s.checks = static_cast<std::uint32_t>(d.below(5));
  s.failures = static_cast<std::uint32_t>(d.below(5));
  s.unknowns = static_cast<std::uint32_t>(d.below(5));
  s.due = any_time(d, now);
  if (d.flip())
    s.wants = d.flip() ? act_kind::fence : act_kind::reset;
  s.held = text(d);
  s.recoveries = static_cast<std::uint32_t>(d.below(3));
  s.recovery_dispatched = d.flip();
  s.fence_tries = static_cast<std::uint32_t>(d.below(UINT32_MAX));
  s.fence_dispatched = d.flip();
  s.fence_sent = d.flip();
  s.trouble_seen = any_time(d, now);
  s.returned = any_time(d, now);
  s.raised = any_time(d, now);
  s.boot_read = any_time(d, now);
  s.boots = static_cast<std::uint32_t>(d.below(5));
  s.unseen_since = any_time(d, now);
  s.unread_fences = static_cast<std::uint32_t>(d.below(5));
  s.stuck_alerted = d.flip();
  s.healthy_again_told = d.flip();
  s.maintenance = d.flip();
  s.power = static_cast<power_state>(d.below(3));
  s.fence_reason = d.flip() ? "X.FENCED_POWER_OFF" : text(d);
  if (d.flip())
    s.proved_down
      = proof{text(d),
              d.flip() ? proof_level::power_status : proof_level::operator_word,
              text(d), any_time(d, now)};
  if (s.proved_down && d.flip())
    s.word = proof{s.proved_down->node, proof_level::operator_word, text(d),
                   any_time(d, now)};
  s.last_health = static_cast<health>(d.below(3));
  s.eligible = d.flip();
  s.ineligible_why = text(d);
  s.guard_told = d.flip();
  s.outcome_unknown = d.flip();
  return s;
}

} // namespace

TEST_CASE("no sequence of events breaks a rule of the machine") {
  dice d{20240229};
  state s;
  auto now = t0;
  std::set<ha_phase> seen;
  for (int i = 0; i < 200'000; ++i) {
    now += seconds{d.below(20)};
    if (s.due != never && d.below(4) == 0)
      now = std::max(now, s.due);
    auto e = any_event(d, s, now);
    auto v = step("n1", s, e, usual, now);
    if (const auto* rule = broken_rule(s, e, v, now)) {
      INFO("step " << i << ", event " << e.index() << ", " << to_string(s.phase)
                   << " -> " << to_string(v.next.phase) << ": " << v.why);
      FAIL(rule);
    }
    s = v.next;
    seen.insert(s.phase);
    if (!(from_fields(to_fields(s)) == s))
      FAIL("the journal does not give back the state");
  }
  CHECK(seen.size() == 10);
}

TEST_CASE("every event is legal in every state, even a damaged one") {
  dice d{7};
  int moved = 0;
  for (int i = 0; i < 100'000; ++i) {
    auto s = any_state(d, t0);
    auto e = any_event(d, s, t0);
    auto v = step("n1", s, e, usual, t0);
    auto again = step("n1", s, e, usual, t0);
    if (v.next.phase != s.phase && v.why.empty())
      FAIL("a change of phase has a why");
    if (!rests(v.next.phase) && v.next.due == never)
      FAIL("a state that does not rest has a deadline");
    if (fences_unasked(s, e, v))
      FAIL("no fence without a permit");
    if (has<release_instances>(v) && !may_prove(e))
      FAIL("nothing is released without a confirmed off");
    if (!(v.next == again.next) || v.why != again.why)
      FAIL("the same event gives the same answer");
    moved += v.next.phase != s.phase;
  }
  // Or the states would be too damaged to say anything.
  CHECK(moved > 1'000);
}

TEST_CASE("every state survives the journal") {
  dice d{11};
  for (int i = 0; i < 5'000; ++i) {
    auto s = any_state(d, t0);
    auto kept = to_fields(s);
    if (!(from_fields(kept) == s))
      FAIL("lost in state " << i);
  }
  auto values = to_fields(state{}).all();
  values["later_invention"] = "x";
  values.erase("checks");
  values["recoveries"] = "-3";
  values["phase"] = "suspect";
  values["wants"] = "failover";
  values["proof"] = "divine";
  auto s = from_fields(fields{values});
  CHECK(s.phase == ha_phase::suspect);
  CHECK(s.checks == 0);
  CHECK(s.recoveries == 0);
  CHECK_FALSE(s.wants);
  CHECK_FALSE(s.proved_down);
  CHECK(from_fields(fields{}) == state{});
}

TEST_CASE("unknown answers alone never lead to a reset or a fence") {
  dice d{13};
  for (int run = 0; run < 50; ++run) {
    state s;
    auto now = t0;
    for (int i = 0; i < 400; ++i) {
      now = s.due != never ? std::max(now, s.due) : now + seconds{10};
      event e = deadline{};
      switch (d.below(6)) {
      case 0:
        e = health_seen{d.flip() ? health::unhealthy : health::unknown, "x"};
        break;
      case 1:
        e = activity_seen{activity::unknown, "storage is away"};
        break;
      case 2:
        e = power_seen{power_state::unknown, false, "no answer", now};
        break;
      case 3:
        e = permit_answered{d.flip() ? act_kind::fence : act_kind::reset, true,
                            "", never, false};
        break;
      case 4:
        if (d.below(10) == 0)
          e = restarted{};
        break;
      default:
        break;
      }
      s = step("n1", s, e, usual, now).next;
      REQUIRE((!s.wants && s.recoveries == 0));
      REQUIRE(s.phase != ha_phase::recovering);
      REQUIRE(s.phase != ha_phase::fencing);
    }
  }
}

namespace {

/// What a world without faults answers to `a` about a dead node.
std::optional<event> honest_answer(const action& a, instant now) {
  if (std::holds_alternative<check_activity>(a))
    return activity_seen{activity::inactive, "nothing moves"};
  if (std::holds_alternative<read_power>(a))
    return power_seen{power_state::on, false, "ipmi", now};
  if (std::holds_alternative<reset_power>(a))
    return recovery_ended{true, "status on"};
  if (std::holds_alternative<fence_power>(a))
    return fence_ended{true, "status off", now};
  if (const auto* x = std::get_if<ask_permit>(&a))
    return permit_answered{x->act, true, "", never, false};
  return std::nullopt;
}

} // namespace

TEST_CASE("after any chaos a dead node is fenced once the world is honest") {
  dice d{17};
  for (int run = 0; run < 300; ++run) {
    state s;
    auto now = t0;
    for (auto i = d.below(200); i > 0; --i) {
      now += seconds{d.below(30)};
      s = step("n1", s, any_event(d, s, now), usual, now).next;
    }
    // What was in flight is lost; from here on every order is answered.
    s = step("n1", s, enabled{}, usual, now).next;
    s = step("n1", s, eligibility{true, ""}, usual, now).next;
    for (int i = 0; i < 200 && s.phase != ha_phase::fenced; ++i) {
      std::vector<event> todo{health_seen{health::unhealthy, "dead"}};
      if (s.due != never) {
        now = std::max(now, s.due);
        todo.push_back(deadline{});
      }
      for (std::size_t k = 0; k < todo.size(); ++k) {
        auto v = step("n1", s, todo[k], usual, now);
        s = v.next;
        for (const auto& a : v.actions)
          if (auto answer = honest_answer(a, now))
            todo.push_back(*answer);
      }
    }
    INFO("run " << run << " ends " << to_string(s.phase) << ": " << s.reason);
    REQUIRE(s.phase == ha_phase::fenced);
  }
}

} // namespace orderly::host_ha::host_ha_properties_test
