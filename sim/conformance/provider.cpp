// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/provider.hpp"

#include "messages/codes.hpp"
#include "messages/standing.hpp"
#include "sim/conformance/desk.hpp"
#include "sim/conformance/keys.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

constexpr const char* host = "n1";

/// A full window with all its waits, a reset, a fence and some tries of it.
constexpr millis long_enough = minutes{45};

/// What a controller says, as the scenarios spell it.
enum class word { none, on, off, unknown, error, denied, hang, ok };

word word_from(const json& x) {
  static const std::map<std::string, word> all{{"On", word::on},
                                               {"Off", word::off},
                                               {"Unknown", word::unknown},
                                               {"error", word::error},
                                               {"fail", word::error},
                                               {"auth-error", word::denied},
                                               {"hang", word::hang},
                                               {"timeout", word::hang},
                                               {"ok", word::ok}};
  if (x.is_null())
    return word::none;
  auto i = x.is_string() ? all.find(x.get<std::string>()) : all.end();
  if (i == all.end())
    throw std::invalid_argument{x.dump() + " is no answer of a controller"};
  return i->second;
}

helper_answer answer_of(word x) {
  constexpr int denied = 77;
  helper_answer answer;
  switch (x) {
  case word::on:
    answer.out = R"({"powered": true})";
    break;
  case word::off:
    answer.out = R"({"powered": false})";
    break;
  case word::unknown:
    answer.out = R"({"powered": null})";
    break;
  case word::error:
    answer.exit = 1;
    answer.err = "no session";
    break;
  case word::denied:
    answer.exit = denied;
    answer.err = "it refuses the password";
    break;
  case word::hang:
    answer.takes = hours{1};
    break;
  case word::none:
  case word::ok:
    break;
  }
  return answer;
}

/// Three nodes, of which `n1` is the one that dies.
power_given given_with(bool controlled, json rules) {
  rules["host_ha.enabled"] = true;
  rules["host_ha.check_interval"] = "10s";
  json given{
    {"nodes",
     {{{"name", "m"}, {"master", true}},
      {{"name", host},
       {"ndparams", {{"oob_program", controlled ? "/usr/bin/oob" : "!"}}}},
      {{"name", "n2"}}}},
    {"cluster_ndparams", {{"oob_program", "/usr/bin/oob"}}},
    {"settings", std::move(rules)}};
  auto result = read_power_given(given);
  if (!result)
    throw std::invalid_argument{result.why().text};
  return *result;
}

/// The daemon, and a node of it that dies; its controller says one thing
/// before the command that is looked for, and another one after it.
class patient {
public:
  patient(const power_given& given, instant clock, power_verb looked_for)
    : on_(given, clock), verb_(looked_for) {
    if (auto wrong = on_.wait_ready(); !wrong.empty())
      throw std::invalid_argument{wrong};
    on_.on_step = [this] { look(); };
  }

  void answers(power_verb verb, word x) {
    if (x != word::none)
      on_.controllers().always(verb, host, answer_of(x));
    if (verb == power_verb::status && x == word::off)
      on_.machines().set_power(host, false);
  }

  /// From the first call of the command on the status is this.
  void then_answers(word x) { after_ = x; }

  /// From the phase on in which it is to be reset the status is this.
  void answers_in(ha_phase phase, word x) {
    phase_ = phase;
    in_phase_ = x;
  }

  void die() {
    on_.machines().set_storage(host, true);
    on_.machines().crash(host);
  }

  /// Until it is in that phase, or for long enough.
  void run_until(ha_phase phase) {
    for (millis passed{}; passed < long_enough && !was(phase);
         passed += seconds{10})
      on_.let_pass(seconds{10});
  }

  [[nodiscard]] bool was(ha_phase phase) const {
    auto all = on_.entries();
    return std::any_of(all.begin(), all.end(), [&](const journal_entry& x) {
      return x.object == node_object(host) && x.code == to_string(phase);
    });
  }

  [[nodiscard]] bool alerted(const char* code) const {
    auto all = on_.entries();
    return std::any_of(all.begin(), all.end(), [&](const journal_entry& x) {
      return x.object == node_object(host) && x.kind == entry_kind::alert
             && x.code == code;
    });
  }

  /// What the controller was told first; null: no such command.
  [[nodiscard]] json issued() const {
    for (const auto& x : on_.calls())
      if (x.node == host && x.verb == verb_)
        return x.word;
    return nullptr;
  }

private:
  void look() {
    if (phase_ && was(*phase_)) {
      phase_.reset();
      answers(power_verb::status, in_phase_);
    }
    if (after_ != word::none && !issued().is_null())
      answers(power_verb::status, std::exchange(after_, word::none));
  }

  desk_stage on_;
  power_verb verb_;
  word after_ = word::none;
  std::optional<ha_phase> phase_;
  word in_phase_ = word::none;
};

void compare(std::vector<difference>& into, const json& one, const char* key,
             const json& got) {
  auto wanted = one.value(key, json{});
  if (wanted != got)
    into.push_back(
      {fmt::format("{}: {}", one.dump(), key), wanted.dump(), got.dump()});
}

void check_keys(const json& one, const std::vector<std::string>& known) {
  takers all{{"why", of_no_concern}};
  for (const auto& key : known)
    all[key] = of_no_concern;
  if (auto wrong = take_keys(one, "case", all); !wrong.empty())
    throw std::invalid_argument{wrong};
}

} // namespace

std::vector<difference> play_fences(const json& cases, instant clock) {
  std::vector<difference> result;
  for (const auto& one : cases) {
    check_keys(one, {"oobm", "status_before", "off_result", "status_after",
                     "fence", "off_issued"});
    // No reset goes before it.
    patient n{given_with(one.value("oobm", true),
                         {{"host_ha.recovery_attempts_max", 0}}),
              clock, power_verb::off};
    n.answers(power_verb::status,
              word_from(one.value("status_before", json{})));
    n.answers(power_verb::off, word_from(one.value("off_result", json{})));
    n.then_answers(word_from(one.value("status_after", json{})));
    n.die();
    n.run_until(ha_phase::fenced);
    compare(result, one, "fence", n.was(ha_phase::fenced) ? "ok" : "fail");
    compare(result, one, "off_issued", !n.issued().is_null());
  }
  return result;
}

std::vector<difference> play_recoveries(const json& cases, instant clock) {
  std::vector<difference> result;
  for (const auto& one : cases) {
    check_keys(one, {"power", "operation_setting", "driver", "result", "issued",
                     "alert"});
    auto setting = one.value("operation_setting", "CYCLE");
    patient n{given_with(true, {{"host_ha.restart_operation",
                                 setting == "RESET" ? "reset" : "cycle"}}),
              clock, power_verb::cycle};
    auto driver = word_from(one.value("driver", json("ok")));
    n.answers(power_verb::cycle, driver);
    n.answers_in(ha_phase::recovering, word_from(one.value("power", json{})));
    // Whatever could be read before: what was restarted is on.
    if (driver == word::ok)
      n.then_answers(word::on);
    n.die();
    n.run_until(ha_phase::recovered);
    compare(result, one, "result", n.was(ha_phase::recovered) ? "ok" : "fail");
    auto issued = n.issued();
    compare(result, one, "issued",
            issued == "power-cycle"   ? json("CYCLE")
            : issued == "power-reset" ? json("RESET")
                                      : json{});
    compare(result, one, "alert",
            n.alerted(codes::auth_error) ? json(codes::auth_error) : json{});
  }
  return result;
}

} // namespace orderly::sim::conformance
