// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/event_json.hpp"

#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

#include <set>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

/// Texts that may hold any bytes, as JSON.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

/// Seconds with a fraction, as the original has times.
std::string seconds_of(instant t) {
  return fmt::format("{:.3f}", static_cast<double>(to_ms(t)) / 1000);
}

/// All members but the closing brace.
std::string members(const event_standing& x) {
  return fmt::format(
    R"({{"original":{},"action":{},"jobs":[{}],"node":{},"node-name":{},)"
    R"("repair-status":{},"tag":{},"uuid":{},"ctime":{},"mtime":{},)"
    R"("serial_no":{})",
    x.original, quoted(to_string(x.action)), fmt::join(x.jobs, ","),
    quoted(x.node_uuid), quoted(x.node), quoted(repair_status(x.phase)),
    quoted(x.tag), quoted(x.uuid), seconds_of(x.ctime), seconds_of(x.mtime),
    x.serial_no);
}

} // namespace

std::string events_text(const std::vector<event_standing>& all) {
  std::string result = "[";
  for (const auto& x : all)
    result += (result.size() > 1 ? "," : "") + members(x) + "}";
  return result + "]";
}

std::string event_jobs_text(const std::vector<event_standing>& all) {
  std::set<job_id> ids;
  for (const auto& x : all)
    if (!is_final(x.phase))
      ids.insert(x.jobs.begin(), x.jobs.end());
  return fmt::format("[{}]", fmt::join(ids, ","));
}

std::string event_text(const event_standing& x) {
  nlohmann::json blocked = x.blocked;
  return fmt::format(
    R"({},"phase":{},"why":{},"observed":{},"blocked":{}}})", members(x),
    quoted(to_string(x.phase)), quoted(x.why), x.observed ? "true" : "false",
    blocked.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace orderly::io::http
