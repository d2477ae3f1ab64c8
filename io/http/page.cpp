// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/page.hpp"

#include "actors/policy/base/utc.hpp"
#include "actors/policy/foresight/forecast.hpp"
#include "io/json/escape.hpp"
#include "io/json/when.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

constexpr size_t nodes_shown_max = 500;
constexpr size_t instances_shown_max = 200;
constexpr size_t decisions_shown_max = 30;

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10">
<style>
:root { color-scheme: light dark; --line: #8884; --dim: #777; --good: #1a7f37;
  --warn: #b35900; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --good: #4ac26b;
  --warn: #e09b3d; --bad: #ff7b72; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto;
  max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0
  .5rem; } .dim { color: var(--dim); }
dl { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 0; }
dl div { border: 1px solid var(--line); border-radius: 8px; flex: 1 1 14rem;
  padding: .6rem .9rem; } dt { color: var(--dim); font-size: .8rem; }
dd { margin: 0; } .good { color: var(--good); } .warn { color: var(--warn); }
.bad { color: var(--bad); } .good, .warn, .bad { font-weight: 600; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0;
  text-align: left; vertical-align: top; } th { color: var(--dim);
  font-size: .8rem; font-weight: 500; } td.t { white-space: nowrap;
  font-variant-numeric: tabular-nums; }
</style>
)";

std::string card(const char* title, const char* tone, const std::string& word,
                 const std::string& text) {
  return fmt::format("<div><dt>{}</dt><dd><span class=\"{}\">{}</span> "
                     "<span class=\"dim\">{}</span></dd></div>\n",
                     title, tone, escape_html(word), escape_html(text));
}

/// How long before `now`, or nothing if that is not known.
std::string ago(instant then, instant now) {
  return then == never || now == never ? "" : age_text(now - then);
}

std::string guard_card(const guard_standing& x) {
  auto left = fmt::format("{} of {} nodes in trouble; {} fences and {} "
                          "failovers left in this hour",
                          x.troubled, x.nodes, x.fences_left, x.failovers_left);
  if (x.paused)
    return card("Guard", "warn", "paused by " + x.paused_by, left);
  if (x.storm)
    return card("Guard", "bad", "storm", x.storm_text + "; " + left);
  if (x.budget)
    return card("Guard", "bad", "budget spent", x.budget_text + "; " + left);
  return card("Guard", "good", "open", left);
}

std::string power_card(const status_row& x) {
  auto count = [&](protection what) {
    auto i = x.nodes_by_protection.find(to_string(what));
    return i == x.nodes_by_protection.end() ? 0U : i->second;
  };
  auto bad = count(protection::unproven);
  auto text = fmt::format("{} unprotected, {} not rehearsed yet, {} without "
                          "power control; {} not as recorded",
                          bad, count(protection::unrehearsed),
                          count(protection::none), x.power_mismatches.size());
  return card("Power control",
              bad > 0 || !x.power_mismatches.empty() ? "warn" : "good",
              fmt::format("{} protected", count(protection::proven)), text);
}

std::string cards(const status_row& x) {
  auto held = in_force(x.right_to_act, x.now);
  std::string result = "<dl>\n";
  result += card("Right to act", held ? "good" : "warn", held ? "yes" : "no",
                 x.right_to_act.text);
  result += guard_card(x.guard);
  auto read
    = x.polled == never ? std::string{"never"} : ago(x.polled, x.now) + " ago";
  result += card("Last reading of the cluster",
                 x.poll_error.empty() && x.polled != never ? "good" : "bad",
                 read, x.poll_error);
  if (!x.journal_trouble.empty())
    result += card("Journal", "bad", "cannot be written", x.journal_trouble);
  result += card("Acts on", "", "",
                 fmt::format("nodes: {}; instances: {}",
                             x.host_ha ? "yes" : "no, observes only",
                             x.autorepair_mode == repair_mode::act ? "yes"
                             : x.autorepair_mode == repair_mode::observe
                               ? "no, observes only"
                               : "no, auto-repair is off"));
  result += power_card(x);
  return result + "</dl>\n";
}

const char* tone_of(const node_standing& x) {
  if (x.phase == ha_phase::fencing || x.phase == ha_phase::fenced)
    return "bad";
  if (x.troubled)
    return "warn";
  return x.phase == ha_phase::available ? "good" : "dim";
}

std::string table(std::initializer_list<const char*> titles,
                  const std::string& rows, size_t hidden) {
  std::string result = "<div class=\"scroll\"><table><thead><tr>";
  for (const auto* title : titles)
    result += fmt::format("<th scope=\"col\">{}</th>", title);
  result += "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
  if (hidden > 0)
    result += fmt::format("<p class=\"dim\">and {} more</p>\n", hidden);
  return result;
}

std::string why_and_next(const std::string& why, const std::string& waits_for) {
  auto result = escape_html(why);
  if (!waits_for.empty())
    result += fmt::format("{}<span class=\"dim\">waits for: {}</span>",
                          result.empty() ? "" : "<br>", escape_html(waits_for));
  return result;
}

std::string flags_of(const node_row& x) {
  const auto& check = x.standing.power_control;
  auto text = fmt::format(
    "{}{}{}{}{}", x.offline ? "offline " : "", x.drained ? "drained " : "",
    x.power_control ? "" : "no power control ",
    check.result == protection::unproven ? "unprotected " : "",
    x.standing.held.empty() ? "" : "held ");
  if (!check.mismatch.empty())
    text += fmt::format("<span class=\"bad\">{}</span>",
                        escape_html(check.mismatch));
  return text;
}

std::string node_table(const std::vector<node_row>& all, instant now) {
  std::vector<const node_row*> order;
  for (const auto& x : all)
    order.push_back(&x);
  std::stable_sort(order.begin(), order.end(), [](auto* x, auto* y) {
    return x->standing.troubled > y->standing.troubled;
  });
  std::string rows;
  for (size_t i = 0; i < std::min(order.size(), nodes_shown_max); ++i) {
    const auto& x = *order[i];
    const auto& s = x.standing;
    auto flags = flags_of(x);
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"{}\">{}</td>"
                        "<td class=\"t\">{}</td><td>{}</td><td>{}</td></tr>\n",
                        escape_html(x.name), escape_html(x.group), tone_of(s),
                        to_string(s.phase), ago(s.since, now), flags,
                        why_and_next(s.reason, s.waits_for));
  }
  return table({"Node", "Group", "Phase", "For", "Flags", "Why"}, rows,
               all.size() - std::min(all.size(), nodes_shown_max));
}

/// What is wrong with an instance, and which repair that takes.
std::string need_of(const instance_standing& s) {
  auto result = escape_html(s.needed ? to_string(*s.needed) : "");
  if (!s.wrong.empty())
    result += fmt::format("{}<span class=\"dim\">{}</span>",
                          result.empty() ? "" : "<br>", escape_html(s.wrong));
  return result;
}

std::string instance_table(const view_answer& all) {
  auto nodes = foresight::words_of(all.nodes, all.status.now);
  std::string rows;
  size_t troubled = 0;
  for (const auto& x : all.instances) {
    const auto& s = x.standing;
    auto f = foresight::forecast_for(x, all.status, nodes);
    if (f.what == foresight::prospect::healthy
        || f.what == foresight::prospect::unknown)
      continue;
    if (++troubled > instances_shown_max)
      continue;
    rows += fmt::format(
      "<tr><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td>{}</td>"
      "<td>{}</td><td>{}</td></tr>\n",
      escape_html(x.name), escape_html(x.primary),
      s.phase == repair_phase::failed ? "bad" : "warn",
      s.phase ? to_string(*s.phase) : "", need_of(s), escape_html(s.permission),
      escape_html(f.text));
  }
  if (troubled == 0)
    return fmt::format("<p class=\"dim\">none of {}</p>\n",
                       all.instances.size());
  return table({"Instance", "Primary", "Phase", "Needs", "Permission",
                "What will be done"},
               rows, troubled - std::min(troubled, instances_shown_max));
}

std::string decision_table(const std::vector<journal_entry>& all) {
  std::string rows;
  size_t shown = 0;
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    if (i->kind == entry_kind::note && i->why.empty())
      continue;
    if (++shown > decisions_shown_max)
      break;
    rows += fmt::format(
      "<tr><td class=\"t\">{}</td><td class=\"{}\">{}</td>"
      "<td>{}</td><td>{}</td></tr>\n",
      to_rfc3339(i->at), i->kind == entry_kind::alert ? "bad" : "dim",
      to_string(i->kind), escape_html(i->object), escape_html(i->why));
  }
  if (shown == 0)
    return "<p class=\"dim\">none yet</p>\n";
  return table({"Time (UTC)", "Kind", "Object", "Why"}, rows, 0);
}

/// Everything above the tables.
std::string begin_of(const status_row& x) {
  auto cluster = escape_html(x.cluster.empty() ? "no cluster yet" : x.cluster);
  auto master = x.master.empty() ? "unknown" : escape_html(x.master);
  return fmt::format("{}<title>orderly: {}</title></head><body>\n"
                     "<h1>{}</h1>\n<p class=\"dim\">master {}; orderly {}, "
                     "up {}; shown {}</p>\n{}",
                     head, cluster, cluster, master, escape_html(x.version),
                     ago(x.started, x.now), to_rfc3339(x.now), cards(x));
}

} // namespace

std::string status_page(const view_answer& all) {
  const auto& x = all.status;
  auto result = begin_of(x);
  result += "<h2>Nodes</h2>\n" + node_table(all.nodes, x.now);
  result += "<h2>Instances in trouble</h2>\n" + instance_table(all);
  result += "<h2>Last decisions</h2>\n" + decision_table(all.decisions);
  return result + "</body></html>\n";
}

std::string public_page(const status_row& x) {
  std::string counts;
  for (const auto* all : {&x.nodes_by_phase, &x.instances_by_phase})
    for (const auto& [phase, count] : *all)
      counts += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            all == &x.nodes_by_phase ? "nodes" : "instances",
                            escape_html(phase), count);
  return begin_of(x) + "<h2>How many</h2>\n"
         + table({"What", "Phase", "Count"}, counts, 0)
         + "<p class=\"dim\">Names and reasons are shown by 'orderly status', "
           "and here if http.public is \"all\".</p>\n</body></html>\n";
}

} // namespace orderly::io::http
