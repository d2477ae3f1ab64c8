// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/renderer.hpp"

#include "io/http/advice.hpp"
#include "io/http/metrics.hpp"
#include "io/http/page.hpp"
#include "io/http/plan.hpp"
#include "io/json/balance_json.hpp"
#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

constexpr std::size_t page_decisions = 60;

const std::string hidden = "not shown here: see 'orderly status', or set "
                           "http.public";

void hide(std::string& text) {
  if (!text.empty())
    text = hidden;
}

/// Nodes of one group.
std::set<std::string> members_of(const scene& all, const std::string& group) {
  std::set<std::string> result;
  for (const auto& row : all.nodes)
    if (row->group == group)
      result.insert(row->name);
  return result;
}

bool lives_on(const instance_row& x, const std::string& node) {
  return x.primary == node
         || std::find(x.secondaries.begin(), x.secondaries.end(), node)
              != x.secondaries.end();
}

std::string phase_of(const instance_row& x) {
  return x.standing.phase ? to_string(*x.standing.phase) : "";
}

} // namespace

bool is_metrics(document_kind x) {
  return x == document_kind::metrics || x == document_kind::public_metrics;
}

bool needs_balance(document_kind x) {
  return is_metrics(x) || x == document_kind::plan
         || x == document_kind::balance;
}

const char* content_type(document_kind x) {
  switch (x) {
  case document_kind::page:
  case document_kind::public_page:
    return "text/html; charset=utf-8";
  case document_kind::metrics:
  case document_kind::public_metrics:
    return "text/plain; version=0.0.4; charset=utf-8";
  default:
    return "application/json";
  }
}

view_answer all_of(const scene& from, std::size_t decisions_max) {
  view_answer all;
  all.status = from.status;
  for (const auto& row : from.nodes)
    all.nodes.push_back(*row);
  for (const auto& row : from.instances)
    all.instances.push_back(*row);
  auto count = std::min(decisions_max, from.decisions.size());
  for (auto i = from.decisions.end() - static_cast<std::ptrdiff_t>(count);
       i != from.decisions.end(); ++i)
    all.decisions.push_back(**i);
  return all;
}

status_row public_part(status_row x) {
  hide(x.guard.paused_by);
  hide(x.guard.budget_text);
  hide(x.right_to_act.text);
  hide(x.poll_error);
  hide(x.journal_trouble);
  x.power_mismatches.clear();
  return x;
}

/// What was made of the rows that are still the same ones is taken over. Both
/// lists are sorted by name.
template <class Row>
void renderer::renew(lines<Row>& known,
                     const std::vector<std::shared_ptr<const Row>>& rows) {
  lines<Row> fresh;
  fresh.reserve(rows.size());
  auto old = known.begin();
  for (const auto& row : rows) {
    while (old != known.end() && old->row->name < row->name)
      ++old;
    if (old != known.end() && old->row == row)
      fresh.push_back(std::move(*old++));
    else
      fresh.push_back({row, to_text(http::render(*row))});
  }
  known.swap(fresh);
}

/// The text is put together in one piece of memory: of a large list that is all
/// that a change of one row costs.
template <class Row, class Fits>
std::string renderer::join(const char* name, const lines<Row>& all,
                           const list_query& q, Fits fits) {
  std::vector<const line<Row>*> shown;
  std::size_t size = 0;
  std::string head = "{";
  for (const auto& x : all) {
    if ((!q.after.empty() && x.row->name <= q.after) || !fits(*x.row))
      continue;
    if (q.limit != 0 && shown.size() == q.limit) {
      // Where to go on, for there is more.
      head += fmt::format("\"cursor\":{},",
                          to_text(nlohmann::json(shown.back()->row->name)));
      break;
    }
    shown.push_back(&x);
    size += x.text.size() + 1;
  }
  head += fmt::format("\"{}\":[", name);
  std::string text;
  text.reserve(head.size() + size + 3);
  text += head;
  for (const auto* x : shown) {
    if (x != shown.front())
      text += ',';
    text += x->text;
  }
  text += "]}";
  return text;
}

std::string renderer::list_nodes(const scene& all, const list_query& q) {
  renew(nodes_, all.nodes);
  return join("nodes", nodes_, q, [&](const node_row& x) {
    return (q.node.empty() || x.name == q.node)
           && (q.group.empty() || x.group == q.group)
           && (q.state.empty() || to_string(x.standing.phase) == q.state);
  });
}

std::string renderer::list_instances(const scene& all, const list_query& q) {
  renew(instances_, all.instances);
  auto group
    = q.group.empty() ? std::set<std::string>{} : members_of(all, q.group);
  return join("instances", instances_, q, [&](const instance_row& x) {
    return (q.node.empty() || lives_on(x, q.node))
           && (q.group.empty() || group.count(x.primary) != 0)
           && (q.state.empty() || phase_of(x) == q.state);
  });
}

std::string renderer::render(document_kind kind, const scene& all,
                             const balance_sheet* balance) {
  auto text = text_of(kind, all, balance);
  if (text.empty() || text.back() != '\n')
    text += '\n';
  return text;
}

std::string renderer::text_of(document_kind kind, const scene& all,
                              const balance_sheet* balance) {
  switch (kind) {
  case document_kind::status:
    return to_text(http::render(all.status));
  case document_kind::public_status:
    return to_text(http::render(public_part(all.status)));
  case document_kind::nodes:
    return list_nodes(all, {});
  case document_kind::instances:
    return list_instances(all, {});
  case document_kind::advice:
    return to_text(
      render_advice(all_of(all, advice_decisions_max), advice_query{}));
  case document_kind::page:
    return status_page(all_of(all, page_decisions));
  case document_kind::public_page:
    return public_page(public_part(all.status));
  case document_kind::metrics:
    return metrics_text(all.status, balance);
  case document_kind::public_metrics:
    return metrics_text(all.status, balance, naming::nodes_hidden);
  case document_kind::plan:
    return to_text(render_next(all_of(all, 1), *balance));
  case document_kind::balance:
    return to_text(http::render(*balance));
  }
  return {};
}

} // namespace orderly::io::http
