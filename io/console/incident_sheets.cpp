// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/incident_sheets.hpp"

#include "actors/policy/base/utc.hpp"
#include "io/console/json_parts.hpp"
#include "io/json/when.hpp"
#include "messages/event.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

using nlohmann::json;

std::string jobs_of(const json& x) {
  std::string all;
  for (const auto& id : part(x, "jobs"))
    if (id.is_number_unsigned())
      all += (all.empty() ? "" : ", ") + id.dump();
  return all;
}

/// Times of events are seconds with a fraction, as the original has them.
std::string ago(const json& x, const char* name, instant now) {
  const auto& seconds = part(x, name);
  if (!seconds.is_number() || seconds.get<double>() <= 0)
    return {};
  auto at = instant{millis{
    static_cast<std::int64_t>(std::min(seconds.get<double>(), 1e11) * 1000)}};
  return fmt::format("{} ({} ago)", http::to_rfc3339(at), age_text(now - at));
}

/// By what the key of the last answer counts.
std::string trust_of(const json& x) {
  auto key = text(x, "key");
  const auto& tags = part(x, "tagged");
  if (tags.is_array() && !tags.empty())
    return std::find(tags.begin(), tags.end(), json(key)) != tags.end()
             ? "tag"
             : "not its tag";
  return key.empty() || text(x, "met") != key ? "" : "first met";
}

/// What it is about: the instance, or the node.
std::string object_of(const json& x) {
  auto instance = text(x, "instance");
  return instance.empty() ? text(x, "node-name") : instance;
}

/// What may be typed about an event by now; empty: nothing, for its tag is on
/// its way.
std::string ways_of(const json& x) {
  auto is = [phase = text(x, "phase")](event_phase what) {
    return phase == to_string(what);
  };
  auto uuid = text(x, "uuid");
  if (is(event_phase::tagging) || is(event_phase::failing))
    return {};
  if (is(event_phase::completed) || is(event_phase::failed))
    return "orderly ack " + uuid;
  if (is(event_phase::acknowledged) || is(event_phase::canceled))
    return "orderly forget " + uuid;
  return "orderly cancel " + uuid;
}

} // namespace

std::string agent_sheet(const json& x, const table_style& style, instant now) {
  if (!flag(x, "asked"))
    return "No agent was asked yet: maintenance.mode is off, agents.port is 0, "
           "or orderlyd has just started.\n";
  table rows{{"NODE", "STATE", "HEARD", "MISSED", "KEY", "BY", "WHY"}};
  for (const auto& one : part(x, "agents"))
    rows.add({text(one, "node"), text(one, "state"), age(one, "heard", now),
              part(one, "missed").dump(), text(one, "key").substr(0, 16),
              trust_of(one), text(one, "why")});
  return rows.text(style);
}

std::string incident_list_sheet(const json& x, const table_style& style) {
  table rows{{"UUID", "KIND", "OBJECT", "ACTION", "PHASE", "JOBS", "WHY"}};
  for (const auto& one : part(x, "incidents"))
    rows.add({text(one, "uuid"), text(one, "kind"), object_of(one),
              text(one, "action"), text(one, "phase"), jobs_of(one),
              text(one, "why")});
  return rows.text(style);
}

std::string incident_sheet(const json& x, const table_style& style,
                           instant now) {
  auto bare = style;
  bare.headers = false;
  table facts{{"", ""}};
  auto add = [&facts](const char* title, std::string what) {
    if (!what.empty())
      facts.add({title, std::move(what)});
  };
  add("incident", text(x, "uuid"));
  add("kind", text(x, "kind"));
  add("object", object_of(x));
  add("action", text(x, "action"));
  add("phase", text(x, "phase"));
  add("why", text(x, "why"));
  add("waits for", text(x, "waits_for"));
  add("jobs", jobs_of(x));
  add("tag", text(x, "tag"));
  if (text(x, "kind") != "event")
    return facts.text(bare);
  add("reported",
      part(x, "original").dump(-1, ' ', false, json::error_handler_t::replace));
  add("seen now", flag(x, "observed") ? "yes" : "no");
  add("since", ago(x, "ctime", now));
  add("changed", ago(x, "mtime", now));
  add("serial no", part(x, "serial_no").dump());
  for (const auto& [name, why] : part(x, "blocked").items())
    add("cannot move",
        fmt::format("{}: {}", name,
                    why.is_string() ? why.get<std::string>() : why.dump()));
  add("you may", ways_of(x));
  return facts.text(bare);
}

} // namespace orderly::io::console
