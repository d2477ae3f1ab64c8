// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/plan.hpp"

#include "actors/policy/foresight/forecast.hpp"
#include "actors/policy/foresight/next_acts.hpp"
#include "io/json/balance_json.hpp"
#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

namespace orderly::io::http {

namespace {

using nlohmann::json;

/// What is to be known about the moves that are or are not listed.
std::string balance_note(const balance_sheet& x) {
  if (!x.enabled)
    return "balancing is off (balance.enabled): no move is counted; 'orderly "
           "balance --dry-run' shows what it would do";
  if (x.planned_at == never)
    return "no plan of balancing was made yet: no move is counted";
  if (!x.planned.planned)
    return "there is no plan of balancing: " + x.planned.text;
  return {};
}

} // namespace

json render_next(const view_answer& all, const balance_sheet& balance) {
  auto status = render(all.status);
  json result;
  for (const char* key : {"cluster", "master", "now", "polled", "right_to_act",
                          "guard", "autorepair_mode", "host_ha"})
    result[key] = status[key];
  result["holds"] = foresight::hold_text(all.status);
  result["balance"] = {{"phase", to_string(balance.phase)},
                       {"text", balance.text},
                       {"enabled", balance.enabled},
                       {"planned_at", render_time(balance.planned_at)},
                       {"next_round", render_time(balance.next_round)},
                       {"note", balance_note(balance)}};
  auto rows = json::array();
  for (const auto& x : foresight::next_acts(all, balance))
    rows.push_back({{"what", x.what},
                    {"object", x.object},
                    {"state", to_string(x.state)},
                    {"act", x.act},
                    {"why", x.why}});
  // What waits or is held is still to come: only an empty list is nothing, and
  // only while nobody waits for the spent budget.
  result["something"] = !rows.empty() || all.status.guard.budget;
  result["acts"] = std::move(rows);
  return result;
}

} // namespace orderly::io::http
