// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/maintd.hpp"

#include "io/json/event_json.hpp"
#include "sim/conformance/match.hpp"
#include "sim/conformance/rounds.hpp"

#include <algorithm>

namespace orderly::sim::conformance {

namespace {

/// Oldest first: in the order in which they were noted.
std::vector<json> kept_incidents(const scene& now) {
  auto all = now.events;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.ctime < b.ctime;
  });
  std::vector<json> result;
  for (auto& one : json::parse(io::http::events_text(all)))
    result.push_back(std::move(one));
  return result;
}

/// A scenario of HTTP is one request.
json script_of(const scenario& x) {
  if (x.tool != "http")
    return x.when.value("script", json::array());
  auto step = x.when;
  step.erase("tool");
  step["step"] = "http";
  return json::array({step});
}

} // namespace

std::vector<difference> play_maintd(const scenario& x, instant clock,
                                    std::string* said) {
  auto given = read_maintd_given(x.given, clock);
  if (!given)
    return {trouble("given", given.why().text)};
  round_stage on{*given, clock};
  outcome got;
  got.runs.began = on.now();
  for (const auto& step : script_of(x))
    if (auto wrong = on.step(step); !wrong.empty())
      return {trouble("when.script", wrong)};
  got.runs.ended = on.now();
  auto end = on.look();
  got.jobs = on.sent();
  got.tags = comparable_tags(on.cluster().record());
  got.old_ids = ids_in(x.given.dump());
  got.incidents = kept_incidents(*end);
  got.http = on.http();
  got.record = &on.cluster().record();
  if (said != nullptr)
    for (const auto& row : end->decisions)
      *said += row->object + " " + row->code + ": " + row->why + "\n";
  return judge(x.expect, got);
}

} // namespace orderly::sim::conformance
