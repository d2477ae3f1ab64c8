// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds for every sequence of events, however mad: long seeded walks
// through the machine, with every step judged.

#include "tests/policy/host_ha_bench.hpp"

#include <set>
#include <utility>

namespace orderly::host_ha {

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

const rules usual{.activity_interval_base = seconds{10},
                  .activity_interval_max = seconds{60},
                  .activity_checks = 3,
                  .degraded_period = seconds{300},
                  .recovery_wait = seconds{600},
                  .recovery_attempts_max = 2,
                  .retry_base = seconds{10},
                  .retry_max = seconds{250}};

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

template <class T>
bool has(const verdict& v) {
  return std::any_of(v.actions.begin(), v.actions.end(), [](const action& a) {
    return std::holds_alternative<T>(a);
  });
}

bool rests(ha_phase x) {
  return x == ha_phase::disabled || x == ha_phase::ineligible
         || x == ha_phase::available || x == ha_phase::fenced;
}

/// Table A.5, written a second time.
bool is_in_table(ha_phase from, ha_phase to) {
  using enum ha_phase;
  static const std::set<std::pair<ha_phase, ha_phase>> table{
    {disabled, available},    {ineligible, available}, {available, ineligible},
    {available, suspect},     {suspect, ineligible},   {suspect, available},
    {suspect, checking},      {suspect, fencing},      {checking, ineligible},
    {checking, available},    {checking, suspect},     {checking, degraded},
    {checking, recovering},   {checking, fencing},     {degraded, ineligible},
    {degraded, available},    {degraded, suspect},     {degraded, fencing},
    {recovering, ineligible}, {recovering, recovered}, {recovering, fencing},
    {recovered, ineligible},  {recovered, available},  {recovered, suspect},
    {fencing, fenced},        {fenced, ineligible},
  };
  return from == to || to == disabled || table.count({from, to}) > 0;
}

bool grants(const event& e, act_kind act) {
  const auto* x = std::get_if<permit_answered>(&e);
  return x && x->granted && x->act == act;
}

bool confirms_fence(const event& e) {
  const auto* x = std::get_if<fence_ended>(&e);
  return x && x->confirmed;
}

bool reads_off(const event& e) {
  const auto* x = std::get_if<power_seen>(&e);
  return x && x->power == power_state::off;
}

bool gives_word(const event& e) {
  return std::holds_alternative<vouched>(e);
}

bool refused_by_wish(const event& e) {
  const auto* reset = std::get_if<recovery_ended>(&e);
  const auto* fence = std::get_if<fence_ended>(&e);
  return (reset && reset->by_wish) || (fence && fence->by_wish);
}

bool is_held(const event& e) {
  const auto* reset = std::get_if<recovery_ended>(&e);
  const auto* fence = std::get_if<fence_ended>(&e);
  return (reset && reset->held) || (fence && (fence->held || fence->answers));
}

bool is_answered(const event& e) {
  const auto* reset = std::get_if<recovery_ended>(&e);
  const auto* fence = std::get_if<fence_ended>(&e);
  return (reset && reset->answers) || (fence && fence->answers);
}

/// May an incident end and a new one begin with this?
bool begins_anew(const state& s, const event& e, const verdict& v,
                 instant now) {
  if (v.next.phase != ha_phase::suspect && v.next.phase != ha_phase::ineligible)
    return false;
  auto old
    = s.trouble_seen == never || now - s.trouble_seen > usual.evidence_max_age;
  const auto* health_check = std::get_if<health_seen>(&e);
  return refused_by_wish(e) || (is_held(e) && is_answered(e) && old)
         || (std::holds_alternative<restarted>(e) && old)
         || (health_check && health_check->verdict == health::unhealthy
             && s.phase == ha_phase::fenced && !s.maintenance);
}

/// What may prove that the node is off.
bool may_prove(const event& e) {
  return confirms_fence(e) || reads_off(e) || gives_word(e);
}

bool fences_unasked(const state& s, const event& e, const verdict& v) {
  return has<fence_power>(v) && s.phase != ha_phase::fencing
         && !grants(e, act_kind::fence);
}

/// The first rule that the step breaks, or null.
const char* broken_rule(const state& s, const event& e, const verdict& v,
                        instant now) {
  const auto& n = v.next;
  if (n.phase != s.phase && v.why.empty())
    return "a change of phase has a why";
  auto by_word = std::holds_alternative<vouched>(e)
                 && n.phase == ha_phase::fenced
                 && s.phase != ha_phase::disabled;
  auto anew = begins_anew(s, e, v, now);
  if (!is_in_table(s.phase, n.phase) && !by_word && !anew)
    return "transitions are those of the table";
  if (!rests(n.phase) && n.due == never)
    return "a state that does not rest has a deadline";
  if (fences_unasked(s, e, v))
    return "no fence without a permit";
  if (n.phase == ha_phase::fencing && s.phase != ha_phase::fencing
      && !has<enter_maintenance>(v))
    return "maintenance before the first power-off";
  if (has<reset_power>(v)
      && (!grants(e, act_kind::reset) || n.recoveries != s.recoveries + 1))
    return "no reset without a permit and without being counted first";
  if (n.recoveries > usual.recovery_attempts_max)
    return "resets never exceed their limit";
  if (n.recoveries < s.recoveries && n.incident == s.incident
      && !n.incident.empty() && n.phase != ha_phase::fenced && !anew
      && !is_held(e))
    return "resets are forgotten only with the incident";
  if (has<release_instances>(v) && !may_prove(e))
    return "nothing is released without a confirmed off";
  if (n.proved_down && !s.proved_down && !may_prove(e))
    return "a proof comes from a reading or a person's word";
  if (n.proved_down && n.phase != ha_phase::fenced)
    return "only a fenced node is proved down";
  if (s.suspect_since != never && n.suspect_since != s.suspect_since
      && n.suspect_since != never && !anew)
    return "the start of an incident never moves";
  if (is_held(e) && (has<reset_power>(v) || has<fence_power>(v)))
    return "what is held back is not sent with the same breath";
  if (std::holds_alternative<restarted>(e) && has<fence_power>(v)
      && now - s.trouble_seen > usual.evidence_max_age)
    return "after a restart nothing destroys on old evidence";
  return nullptr;
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

} // namespace orderly::host_ha
