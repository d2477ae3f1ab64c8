// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/power/report.hpp"

#include "actors/power/endings.hpp"
#include "messages/codes.hpp"

#include <fmt/format.h>

namespace orderly::oob_parts {

namespace {

/// Helpers say as much as they like; of one among several less is kept.
constexpr std::size_t word_max = 300;
constexpr std::size_t evidence_max = 2000;

std::string cut(std::string text, std::size_t most) {
  if (text.size() > most) {
    text.resize(most);
    text += "...";
  }
  return text;
}

std::string health_text(const power_answer& answer) {
  auto bad
    = std::count_if(answer.items.begin(), answer.items.end(), is_worrying);
  return fmt::format("health of {} items, {} of them WARNING or CRITICAL",
                     answer.items.size(), bad);
}

std::string evidence(const oob_state::operation& op) {
  if (op.order.programs.size() == 1)
    return op.said.front().text;
  std::string result;
  for (std::size_t i = 0; i <= op.level; ++i) {
    if (op.said[i].text.empty())
      continue;
    result += fmt::format("{}{}: {}", result.empty() ? "" : "; ",
                          op.order.programs[i], cut(op.said[i].text, word_max));
  }
  return cut(std::move(result), evidence_max);
}

std::string by_whom(const power_order& order) {
  return order.who.empty() ? "" : ", asked for by " + order.who;
}

} // namespace

millis run_limit(const power_order& order, const settings& s) {
  return order.time_limit == millis{0} ? s.power.command_timeout
                                       : order.time_limit;
}

oob_state::word reading(power_verb verb, const power_answer& answer) {
  if (verb == power_verb::health)
    return {power_state::unknown, answer.done
                                    ? health_text(answer)
                                    : "health unknown: " + answer.text};
  auto text = answer.state == power_state::unknown
                ? "power status unknown: " + answer.text
                : fmt::format("power status {}", to_string(answer.state));
  return {answer.state, std::move(text)};
}

std::string complaint(const oob_state::operation& op) {
  return op.commanded && !op.command_ok
           ? "; the command said: " + op.command_text
           : std::string{};
}

std::optional<std::size_t> contrary_level(const oob_state::operation& op) {
  auto mine = op.said[op.level].state;
  if (mine == power_state::unknown)
    return std::nullopt;
  for (std::size_t i = 0; i < op.said.size(); ++i)
    if (op.said[i].state != power_state::unknown && op.said[i].state != mine)
      return i;
  return std::nullopt;
}

power_state agreed(const oob_state::operation& op) {
  auto result = power_state::unknown;
  for (const auto& x : op.said) {
    if (x.state == power_state::unknown)
      continue;
    if (result != power_state::unknown && result != x.state)
      return power_state::unknown;
    result = x.state;
  }
  return result;
}

journal_entry intent_entry(const oob_state::operation& op, instant at) {
  const auto& order = op.order;
  journal_entry entry;
  entry.at = at;
  entry.kind = entry_kind::intent;
  entry.object = node_object(order.node);
  entry.incident = order.incident;
  entry.intent = order.intent;
  entry.code = to_string(order.verb);
  entry.why
    = fmt::format("{}: {}{}", to_string(order.verb), order.why, by_whom(order));
  if (order.programs.size() > 1)
    entry.why += fmt::format(" (helper {} of {}: {})", op.level + 1,
                             order.programs.size(), order.programs[op.level]);
  keep_given(entry, order);
  return entry;
}

journal_entry outcome_entry(const power_report& report,
                            const power_order& order) {
  journal_entry entry;
  entry.at = report.at;
  entry.kind = entry_kind::outcome;
  entry.object = node_object(order.node);
  entry.incident = order.incident;
  entry.intent = order.intent;
  entry.code
    = report.confirmed ? codes::power_confirmed : codes::power_unconfirmed;
  entry.why = fmt::format("{}: {}{}", to_string(order.verb), report.evidence,
                          by_whom(order));
  if (!order.who.empty())
    keep_ending(entry, report);
  return entry;
}

bool by_person(const oob_state::operation& op) {
  return !op.order.who.empty();
}

bool worked_unread(const oob_state::operation& op) {
  return op.order.verb == power_verb::cycle && !by_person(op) && op.command_ok
         && op.said[op.level].state == power_state::unknown;
}

power_report report_of(oob_state::operation&& op, bool confirmed,
                       power_state seen, instant at) {
  power_report report;
  report.node = op.order.node;
  report.verb = op.order.verb;
  report.intent = op.order.intent;
  report.confirmed = confirmed;
  report.state = seen;
  report.items = std::move(op.items);
  report.evidence = evidence(op);
  report.complaint = std::move(op.complaint);
  report.program = op.order.programs[op.level];
  report.level = static_cast<std::uint32_t>(op.level);
  report.tried = op.acted || (op.heard && !op.held_back);
  report.commanded = op.acted;
  report.held_back = op.held_back;
  report.answers = op.answers;
  report.before = op.before;
  report.came_on = op.came_on;
  report.withdrawn = op.unwanted && !op.acted;
  report.at = at;
  return report;
}

power_report refusal(const power_order& order, std::string why, instant at) {
  power_report report;
  report.node = order.node;
  report.verb = order.verb;
  report.intent = order.intent;
  report.evidence = std::move(why);
  report.tried = false;
  report.at = at;
  return report;
}

} // namespace orderly::oob_parts
