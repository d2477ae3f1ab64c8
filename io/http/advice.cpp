// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/advice.hpp"

#include "io/http/call.hpp"
#include "io/json/render.hpp"
#include "io/query/values.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using foresight::prospect;
using nlohmann::json;

/// Newest decisions that go with an instance: its own, and of each node.
constexpr size_t own_decisions_max = 5;
constexpr size_t node_decisions_max = 3;

constexpr size_t shared_remarks_max = 100;

const words& needs() {
  static const words all{"fix-storage", "migrate", "failover", "reinstall",
                         "none"};
  return all;
}

const words& outlooks() {
  static const words all = [] {
    words x;
    for (auto i = 0; i <= static_cast<int>(prospect::failed); ++i)
      x.emplace_back(to_string(static_cast<prospect>(i)));
    return x;
  }();
  return all;
}

/// The newest decisions about each object of interest, newest first.
using stories = std::map<object_id, std::vector<const journal_entry*>>;

stories collect(const std::vector<journal_entry>& all,
                const std::vector<const instance_row*>& rows) {
  stories result;
  std::map<object_id, incident_id> incidents;
  for (const auto* row : rows) {
    result[instance_object(row->name)];
    result[node_object(row->primary)];
    for (const auto& name : row->secondaries)
      result[node_object(name)];
  }
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    auto found = result.find(i->object);
    if (found == result.end())
      continue;
    auto& story = found->second;
    if (found->first.compare(0, 5, "node:") != 0) {
      if (story.size() < own_decisions_max)
        story.push_back(&*i);
      continue;
    }
    // Of nodes only the last incident is evidence.
    if (i->incident.empty() || story.size() >= node_decisions_max)
      continue;
    auto& incident = incidents.emplace(i->object, i->incident).first->second;
    if (incident == i->incident)
      story.push_back(&*i);
  }
  return result;
}

json story_of(const instance_row& row, const stories& all) {
  std::vector<const journal_entry*> found;
  std::set<object_id> objects{instance_object(row.name),
                              node_object(row.primary)};
  for (const auto& name : row.secondaries)
    objects.insert(node_object(name));
  for (const auto& object : objects)
    if (auto i = all.find(object); i != all.end())
      found.insert(found.end(), i->second.begin(), i->second.end());
  std::sort(found.begin(), found.end(),
            [](const auto* a, const auto* b) { return a->seq < b->seq; });
  auto list = json::array();
  for (const auto* entry : found)
    list.push_back(render(*entry));
  return list;
}

bool matches(const instance_row& x, const forecast& f, const advice_query& q) {
  const auto& s = x.standing;
  if (!q.phase.empty() && (!s.phase || to_string(*s.phase) != q.phase))
    return false;
  if (!q.outlook.empty() && to_string(f.what) != q.outlook)
    return false;
  if (!q.needed.empty()
      && (s.needed ? q.needed != to_string(*s.needed)
                   : q.needed != "none" || !s.broken))
    return false;
  auto asked = q.all || !q.phase.empty() || !q.outlook.empty();
  // One about a tag of the cluster would make every instance remarkable.
  return asked || f.what != prospect::healthy || !s.remarks.empty();
}

/// Remarks about tags that many instances share, each once.
json shared_remarks(const std::vector<instance_row>& all) {
  std::set<std::string> found;
  for (const auto& x : all)
    for (const auto& remark : x.standing.shared_remarks)
      if (found.size() < shared_remarks_max)
        found.insert(remark);
  return found;
}

json head_of(const view_answer& all) {
  const auto& s = all.status;
  auto status = render(s);
  json head;
  for (const char* key : {"cluster", "master", "now", "polled", "right_to_act",
                          "guard", "autorepair_mode"})
    head[key] = status[key];
  head["holds"] = foresight::hold_text(s);
  head["remarks"] = shared_remarks(all.instances);
  head["instances_total"] = all.instances.size();
  return head;
}

} // namespace

void put_forecast(json& into, const forecast& x) {
  into["outlook"] = to_string(x.what);
  into["advice"] = x.text;
}

result<advice_query>
read_advice_query(const std::map<std::string, std::string>& query) {
  advice_query q;
  auto word = [&query](const char* key, const words& known, std::string& into) {
    auto i = query.find(key);
    if (i == query.end())
      return true;
    into = i->second;
    return is_one_of(known, into);
  };
  if (auto i = query.find("all"); i != query.end()) {
    if (i->second != "1" && i->second != "0")
      return unknown_word("all", i->second, {"0", "1"});
    q.all = i->second == "1";
  }
  if (!word("phase", instance_phases(), q.phase))
    return unknown_word("phase", q.phase, instance_phases());
  if (!word("needed", needs(), q.needed))
    return unknown_word("needed", q.needed, needs());
  if (!word("outlook", outlooks(), q.outlook))
    return unknown_word("outlook", q.outlook, outlooks());
  if (auto i = query.find("after"); i != query.end())
    q.after = i->second;
  if (auto i = query.find("limit"); i != query.end())
    if (!read_number(i->second, q.limit) || q.limit < 1 || q.limit > advice_max)
      return fault{fault_kind::bad_input,
                   fmt::format("'limit' is '{}', it must be a number from 1 to "
                               "{}",
                               i->second, advice_max)};
  return q;
}

json render_advice(const view_answer& all, const advice_query& q) {
  auto nodes = foresight::words_of(all.nodes, all.status.now);
  std::vector<const instance_row*> order;
  for (const auto& x : all.instances)
    if (x.name > q.after)
      order.push_back(&x);
  std::sort(order.begin(), order.end(),
            [](const auto* a, const auto* b) { return a->name < b->name; });
  std::vector<const instance_row*> shown;
  std::vector<forecast> forecasts;
  bool cut = false;
  for (const auto* x : order) {
    auto f = foresight::forecast_for(*x, all.status, nodes);
    if (!matches(*x, f, q))
      continue;
    cut = shown.size() == q.limit;
    if (cut)
      break;
    shown.push_back(x);
    forecasts.push_back(std::move(f));
  }
  auto told = collect(all.decisions, shown);
  auto list = json::array();
  for (size_t i = 0; i < shown.size(); ++i) {
    auto row = render(*shown[i]);
    put_forecast(row, forecasts[i]);
    row["decisions"] = story_of(*shown[i], told);
    list.push_back(std::move(row));
  }
  auto result = head_of(all);
  result["cut"] = cut;
  // What to ask for next, as `after`.
  result["next_after"] = cut ? json(shown.back()->name) : json(nullptr);
  result["instances"] = std::move(list);
  return result;
}

json render_explained(const view_answer& found) {
  const auto& x = found.instances.front();
  auto row = render(x);
  put_forecast(row, foresight::forecast_for(
                      x, found.status,
                      foresight::words_of(found.nodes, found.status.now)));
  auto nodes = json::array();
  for (const auto& node : found.nodes)
    nodes.push_back(render(node));
  row["nodes"] = std::move(nodes);
  auto list = json::array();
  for (const auto& entry : found.decisions)
    list.push_back(render(entry));
  row["decisions"] = std::move(list);
  row["autorepair_mode"] = to_string(found.status.autorepair_mode);
  return row;
}

} // namespace orderly::io::http
