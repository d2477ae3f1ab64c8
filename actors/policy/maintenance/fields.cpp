// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the journal keeps of an event.

#include "actors/policy/maintenance/event.hpp"

#include <charconv>
#include <sstream>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

constexpr event_phase last_phase = event_phase::forgotten;
constexpr work_kind last_kind = work_kind::untag;
constexpr char gap = '\t'; ///< no name has one

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> result;
  std::istringstream in{text};
  for (std::string part; std::getline(in, part, at);)
    result.push_back(part);
  return result;
}

std::uint64_t number_in(const std::string& text) {
  std::uint64_t result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

/// Only what was sent outlives a restart.
std::string text_of(const std::vector<work>& open) {
  std::string result;
  for (const auto& w : open)
    if (w.stage == work_stage::sent)
      result
        += fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}{0}{7}{0}{8}{0}{9}\n",
                       gap, to_string(w.kind), w.intent, w.job,
                       w.overdue     ? 2
                       : w.withdrawn ? 1
                                     : 0,
                       w.instance, w.target, w.from.primary, w.from.secondary,
                       to_string(w.admin));
  return result;
}

std::optional<work_kind> kind_from(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(last_kind); ++i)
    if (text == to_string(static_cast<work_kind>(i)))
      return static_cast<work_kind>(i);
  return std::nullopt;
}

std::vector<work> open_from(const std::string& text) {
  constexpr std::size_t least = 4;
  std::vector<work> result;
  for (const auto& line : split(text, '\n')) {
    auto parts = split(line, gap);
    auto kind = parts.size() < least ? std::nullopt : kind_from(parts[0]);
    if (!kind)
      continue;
    parts.resize(9);
    work w;
    w.kind = *kind;
    w.stage = work_stage::sent;
    w.intent = parts[1];
    w.job = number_in(parts[2]);
    w.overdue = parts[3] == "2";
    w.withdrawn = w.overdue || parts[3] == "1";
    w.instance = parts[4];
    w.target = parts[5];
    w.from = {parts[6], parts[7]};
    for (auto admin : {admin_state::down, admin_state::offline})
      if (parts[8] == to_string(admin))
        w.admin = admin;
    result.push_back(std::move(w));
  }
  return result;
}

std::string text_of(const std::vector<job_id>& jobs) {
  return fmt::format("{}", fmt::join(jobs, " "));
}

} // namespace

fields to_fields(const state& s) {
  fields f;
  if (s.phase == event_phase::forgotten)
    return f;
  f.put("uuid", s.uuid);
  f.put("node", s.node);
  f.put("node_uuid", s.node_uuid);
  f.put("action", to_string(s.action));
  f.put("original", s.original);
  f.put("identity", s.identity);
  f.put("phase", to_string(s.phase));
  f.put("ctime", s.ctime);
  f.put("begun", s.begun);
  f.put("given_up", s.given_up);
  if (s.phase == event_phase::noted && s.mark_seen != never)
    f.put("mark_seen", s.mark_seen); // another's: it stays as it was seen first
  f.put("mtime", s.mtime);
  f.put("serial_no", static_cast<std::int64_t>(s.serial_no));
  f.put("seen", std::int64_t{s.seen});
  f.put("absent", std::int64_t{s.absent});
  f.put("seen_at", s.seen_at);
  f.put("jobs", text_of(s.jobs));
  f.put("tag", s.tag);
  f.put("acted", std::int64_t{s.acted ? 1 : 0});
  f.put("tagged", std::int64_t{s.tagged ? 1 : 0});
  f.put("marked", std::int64_t{s.marked ? 1 : 0});
  f.put("put_out", std::int64_t{s.put_out ? 1 : 0});
  f.put("changed", s.changed);
  f.put("sent", static_cast<std::int64_t>(s.sent));
  f.put("open", text_of(s.open));
  f.put("reason", s.reason);
  f.put("why", s.why);
  return f;
}

state from_fields(const fields& f) {
  state s;
  s.uuid = f.text("uuid");
  s.node = f.text("node");
  s.node_uuid = f.text("node_uuid");
  s.action
    = event_action_from(f.text("action")).value_or(event_action::live_repair);
  s.original = f.text("original");
  s.identity = f.text("identity");
  for (int i = 0; i <= static_cast<int>(last_phase); ++i)
    if (f.text("phase") == to_string(static_cast<event_phase>(i)))
      s.phase = static_cast<event_phase>(i);
  s.ctime = f.when("ctime");
  s.begun = f.when("begun");
  s.given_up = f.when("given_up");
  s.mark_seen = f.when("mark_seen");
  s.mtime = f.when("mtime");
  s.serial_no = static_cast<std::uint64_t>(f.number("serial_no", 1));
  s.seen = static_cast<std::uint32_t>(f.number("seen", 1));
  s.absent = static_cast<std::uint32_t>(f.number("absent"));
  s.seen_at = f.when("seen_at");
  for (const auto& id : split(f.text("jobs"), ' '))
    s.jobs.push_back(number_in(id));
  s.tag = f.text("tag");
  // Who does not say it comes from a life that did not tell them apart.
  s.acted = f.number("acted", s.jobs.empty() ? 0 : 1) != 0;
  s.tagged = f.number("tagged") != 0;
  s.marked = f.number("marked") != 0;
  s.put_out = f.number("put_out") != 0;
  s.changed = f.when("changed");
  s.sent = static_cast<std::uint64_t>(f.number("sent"));
  s.open = open_from(f.text("open"));
  s.reason = f.text("reason");
  s.why = f.text("why");
  return s;
}

} // namespace orderly::maintenance
