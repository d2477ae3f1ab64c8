// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/balance_json.hpp"

#include "io/json/render.hpp"
#include "io/json/strict_reader.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;

constexpr std::size_t explained_max = 100;

json render_place(const instance_place& x) {
  return {{"primary", x.primary}, {"secondary", x.secondary}};
}

json render_plan(const plan_answer& x) {
  auto moves = json::array();
  for (const auto& move : x.moves)
    moves.push_back(render(move));
  auto groups = json::array();
  for (const auto& group : x.groups)
    groups.push_back({{"group", group.group},
                      {"before", group.before},
                      {"after", group.after},
                      {"steps", group.steps},
                      {"cut", group.cut}});
  return {{"planned", x.planned},
          {"moves", std::move(moves)},
          {"groups", std::move(groups)},
          {"explained", x.explained},
          {"text", x.text}};
}

} // namespace

json render(const planned_move& x) {
  auto ops = json::array();
  for (const auto& op : x.ops)
    ops.push_back(describe(op));
  return {{"instance", x.instance},   {"from", render_place(x.from)},
          {"to", render_place(x.to)}, {"path", path_of(x)},
          {"steps", std::move(ops)},  {"level", x.wave},
          {"score", x.score},         {"gain", x.gain},
          {"cost", x.cost},           {"why", x.why}};
}

json render(const balance_sheet& x) {
  auto open = json::array();
  for (const auto& move : x.open) {
    auto row = render(move.what);
    row["job"] = move.job;
    row["stage"] = move.text;
    open.push_back(std::move(row));
  }
  auto planned = x.planned_at != never;
  return {{"phase", to_string(x.phase)},
          {"text", x.text},
          {"enabled", x.enabled},
          {"round", x.round},
          {"next_round", render_time(x.next_round)},
          {"open", std::move(open)},
          {"asked", x.asked},
          {"plan", x.plan},
          {"planned_at", render_time(x.planned_at)},
          {"planned", planned ? render_plan(x.planned) : json(nullptr)},
          {"remarks", x.remarks},
          {"closed", x.closed},
          {"fixed", x.fixed}};
}

result<std::vector<std::string>> read_explained(const std::string& body) {
  std::vector<std::string> names;
  if (body.empty())
    return names;
  auto x = parse_strictly(body);
  if (!x)
    return x.why();
  strict_reader read{*x, ""};
  read.read_names("explain", names, explained_max);
  if (auto wrong = read.wrong(); !wrong.empty())
    return fault{fault_kind::bad_input, wrong};
  return names;
}

} // namespace orderly::io::http
