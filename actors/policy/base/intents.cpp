// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/base/intents.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace orderly {

namespace {

constexpr std::string_view tag_end = "-tag";
constexpr std::string_view note_end = "-note";
constexpr std::string_view second_note_end = "-2-note";
constexpr std::string_view asked_end = "/0-asked";
constexpr std::string_view node_begin = "n-";
constexpr std::string_view move_begin = "balance-";
constexpr std::string_view event_begin = "event-";
constexpr std::string_view mark_part = "/offline-";

} // namespace

intent_id act_intent(const std::string& base, std::uint32_t step,
                     act_kind act) {
  return fmt::format("{}{}-{}", base, step, to_string(act));
}

intent_id tag_intent(const std::string& base, std::uint32_t step) {
  return fmt::format("{}{}{}", base, step, tag_end);
}

intent_id asked_intent(const incident_id& repair) {
  return fmt::format("{}{}", repair, asked_end);
}

bool is_asked(const intent_id& intent) {
  return intent.ends_with(asked_end);
}

intent_id note_intent(const intent_id& act, note_try which) {
  // Both endings end in `note_end`, so `is_act` knows each of them as a note,
  // which repairs nothing.
  return fmt::format("{}{}", act,
                     which == note_try::first ? note_end : second_note_end);
}

std::optional<act_kind> act_of(const intent_id& intent) {
  for (auto act : {act_kind::failover, act_kind::reinstall, act_kind::migrate,
                   act_kind::fix_storage})
    if (intent.find('/') != intent_id::npos
        && intent.ends_with(fmt::format("-{}", to_string(act))))
      return act;
  return {};
}

bool is_act(const intent_id& intent) {
  constexpr std::array ends{tag_end, note_end, asked_end};
  return !intent.empty()
         && std::none_of(ends.begin(), ends.end(),
                         [&](auto end) { return intent.ends_with(end); });
}

intent_id move_intent(std::uint64_t round, instant at,
                      const instance_name& name) {
  return fmt::format("{}{}-{}-{}", move_begin, round, to_unix(at), name);
}

bool is_move(const intent_id& intent) {
  // The id of a repair, which a person may choose, ends with a slash.
  return intent.starts_with(move_begin) && intent.find('/') == intent_id::npos;
}

intent_id event_intent(const std::string& uuid, std::uint64_t number,
                       const std::string& what) {
  return fmt::format("{}{}-{}-{}", event_begin, uuid, number, what);
}

bool is_of_event(const intent_id& intent) {
  return intent.starts_with(event_begin) && intent.find('/') == intent_id::npos;
}

bool is_command(const intent_id& intent) {
  return is_of_event(intent) && intent.ends_with("-command");
}

incident_id node_incident(const node_name& node, instant now) {
  return fmt::format("{}{}-{}", node_begin, node, to_ms(now));
}

intent_id mark_intent(const incident_id& incident, std::uint32_t number) {
  return fmt::format("{}{}{}", incident, mark_part, number);
}

bool is_mark(const intent_id& intent) {
  return intent.starts_with(node_begin)
         && intent.find(mark_part) != intent.npos;
}

} // namespace orderly
