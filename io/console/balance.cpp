// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/balance.hpp"

#include "io/console/balance_sheets.hpp"
#include "io/console/exchange.hpp"
#include "io/console/json_parts.hpp"
#include "io/json/escape.hpp"
#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

using nlohmann::json;

constexpr millis plan_look_interval{300};
/// Ten minutes: figures of all nodes, and a search.
constexpr int plan_looks_max = 2000;
/// Looks without an answer, one after the other.
constexpr int plan_troubles_max = 30;

std::uint64_t number(const json& x, const char* name) {
  auto found = x.find(name);
  return found != x.end() && found->is_number_unsigned()
           ? found->get<std::uint64_t>()
           : 0;
}

/// Shows at a terminal that something goes on, in one line.
class progress {
public:
  explicit progress(surroundings& with) : with_(with) {
    // nop
  }

  ~progress() {
    if (shown_)
      with_.err << "\r\x1b[K" << std::flush;
  }

  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void show(int looks) {
    if (!with_.watched)
      return;
    auto passed = plan_look_interval * looks;
    with_.err << fmt::format("\rasks all nodes and plans: {} s\x1b[K",
                             passed.count() / 1000)
              << std::flush;
    shown_ = true;
  }

private:
  surroundings& with_;
  bool shown_ = false;
};

client_rules rules_of(const command_line& line) {
  client_rules rules;
  rules.socket = line.socket;
  rules.deadline = line.deadline;
  return rules;
}

/// Has a plan made and waits for it: the sheet that has it.
heard plan_now(const command_line& line, surroundings& with) {
  auto rules = rules_of(line);
  auto body = http::to_text(json{{"explain", line.explained}});
  auto got = hear(rules, {"POST", "/2/balance/plan", body});
  if (got.code != exit_ok)
    return got;
  auto asked = number(got.body, "asked");
  progress line_of_it{with};
  auto troubles = 0;
  for (auto looks = 0; number(got.body, "plan") < asked; ++looks) {
    if (looks == plan_looks_max)
      return {
        exit_timed_out, {}, "no plan after ten minutes of waiting", false};
    line_of_it.show(looks);
    if (with.rest)
      with.rest(plan_look_interval);
    auto next = hear(rules, {"GET", "/2/balance", ""});
    if (next.code != exit_ok) {
      if (!next.passing || ++troubles > plan_troubles_max)
        return next;
      continue;
    }
    troubles = 0;
    if (number(next.body, "asked") < asked)
      return {exit_failed,
              {},
              "orderlyd began anew meanwhile, and the plan is lost: ask again",
              false};
    got = std::move(next);
  }
  return got;
}

int finish(surroundings& with, int code) {
  with.out.flush();
  return with.out ? code : tell(with, exit_failed, "cannot write the output");
}

table_style style_of(const command_line& line) {
  return {line.headers, line.separator};
}

} // namespace

int show_plan(const command_line& line, surroundings& with) {
  auto x = plan_now(line, with);
  if (x.code != exit_ok)
    return tell(with, x.code, x.trouble);
  const auto& plan = x.body["planned"];
  auto good = plan.is_object() && plan.value("planned", false);
  if (line.json)
    with.out << http::to_text(x.body) << "\n";
  else if (good)
    with.out << balance_plan_sheet(x.body, style_of(line));
  if (x.body["remarks"].is_array())
    for (const auto& remark : x.body["remarks"])
      if (remark.is_string())
        tell(with, exit_ok, remark.get<std::string>());
  if (!good)
    return finish(
      with, tell(with, exit_failed, "there is no plan: " + word(plan, "text")));
  if (!line.json && plan.contains("moves") && plan["moves"].empty())
    tell(with, exit_ok, "nothing to move: no step gains enough");
  return finish(with, exit_ok);
}

int show_next(const command_line& line, surroundings& with) {
  auto x = listen(line, with, {"GET", "/2/plan", ""});
  if (x.code != exit_ok)
    return x.code;
  const auto& balance = x.body["balance"];
  if (balance.is_object() && balance.value("enabled", false)) {
    auto planned = plan_now(line, with);
    if (planned.code == exit_permission)
      tell(with, exit_ok,
           "moves are as they were planned last, at "
             + word(balance, "planned_at") + ": " + planned.trouble);
    else if (planned.code != exit_ok)
      return tell(with, planned.code, planned.trouble);
    x = listen(line, with, {"GET", "/2/plan", ""});
    if (x.code != exit_ok)
      return x.code;
  }
  if (!part(x.body, "something").is_boolean())
    return tell(with, exit_failed, strange_answer(line.socket));
  if (auto holds = word(x.body, "holds"); !holds.empty())
    tell(with, exit_ok, "nothing is begun because " + holds);
  if (auto spent = word(x.body["guard"], "budget_text"); !spent.empty())
    tell(with, exit_ok, spent);
  if (auto note = word(x.body["balance"], "note"); !note.empty())
    tell(with, exit_ok, note);
  if (line.json)
    with.out << http::to_text(x.body) << "\n";
  else
    with.out << next_sheet(x.body, style_of(line));
  return finish(with,
                x.body.value("something", false) ? exit_something : exit_ok);
}

} // namespace orderly::io::console
