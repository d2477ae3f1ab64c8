// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/metrics.hpp"

#include "io/json/escape.hpp"

#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include <prometheus/check_names.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace orderly::io::http {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using labels = std::vector<ClientMetric::Label>;

/// What the view is known to count. These are always there, so that a rate
/// over them works from the first event on.
struct known_counter {
  const char* key; ///< the view's
  const char* name;
  const char* result; ///< value of the label `result`, empty if there is none
  const char* help;
};

constexpr std::array known_counters{
  known_counter{"alerts", "orderly_alerts_total", "",
                "Alerts for a person to look at."},
  known_counter{"jobs_submitted", "orderly_jobs_submitted_total", "",
                "Jobs that the cluster took from us."},
  known_counter{"jobs_failed", "orderly_jobs_failed_total", "",
                "Jobs of ours that did not end well."},
  known_counter{"power_confirmed", "orderly_fence_attempts_total", "confirmed",
                "Commands to power switches, by whether a reading of the "
                "power state confirmed them."},
  known_counter{"power_unconfirmed", "orderly_fence_attempts_total",
                "unconfirmed",
                "Commands to power switches, by whether a reading of the "
                "power state confirmed them."},
  known_counter{"nodes_fenced", "orderly_nodes_fenced_total", "",
                "Nodes that were powered off for good."},
  known_counter{"polls_answered", "orderly_polls_answered_total", "",
                "Readings of the cluster that were answered."},
  known_counter{"polls_failed", "orderly_poll_errors_total", "",
                "Readings of the cluster that failed."},
};

/// The same of auto-repair, whose counters carry more than one label.
constexpr std::array repair_types{"fix-storage", "migrate", "failover",
                                  "reinstall"};
constexpr std::array repair_results{"success", "failure", "enoperm"};

constexpr std::array move_results{"success", "failure", "dropped"};

constexpr std::array labelled_help{
  std::pair{"orderly_balance_moves_total", "Moves to balance that ended, by "
                                           "their result; dropped: not sent, "
                                           "because they were not right any "
                                           "more."},
  std::pair{"orderly_repairs_started_total", "Repairs of instances that began, "
                                             "by their type."},
  std::pair{"orderly_repairs_ended_total", "Repairs of instances that ended, "
                                           "by their type and result."},
  std::pair{"orderly_jobs_submitted_by_kind_total",
            "Jobs that the cluster took from us, by what they are for."},
};

class book {
public:
  MetricFamily& family(const std::string& name, const std::string& help,
                       MetricType type) {
    auto& x = families_[name];
    if (x.name.empty())
      x = MetricFamily{name, help, type, {}};
    return x;
  }

  void gauge(const std::string& name, const std::string& help, double value,
             labels marks = {}) {
    ClientMetric metric;
    metric.label = std::move(marks);
    metric.gauge.value = value;
    family(name, help, MetricType::Gauge).metric.push_back(std::move(metric));
  }

  void counter(const std::string& name, const std::string& help, double value,
               labels marks = {}) {
    ClientMetric metric;
    metric.label = std::move(marks);
    metric.counter.value = value;
    family(name, help, MetricType::Counter).metric.push_back(std::move(metric));
  }

  [[nodiscard]] std::string text() const {
    std::vector<MetricFamily> all;
    for (const auto& [name, x] : families_)
      all.push_back(x);
    std::ostringstream out;
    prometheus::TextSerializer{}.Serialize(static_cast<std::ostream&>(out),
                                           all);
    return out.str();
  }

private:
  std::map<std::string, MetricFamily> families_;
};

struct counter_key {
  std::string name;
  labels marks;

  friend bool operator<(const counter_key& x, const counter_key& y) {
    return std::tie(x.name, x.marks) < std::tie(y.name, y.marks);
  }
};

counter_key key_of(const known_counter& x) {
  counter_key into{x.name, {}};
  if (*x.result != '\0')
    into.marks.push_back({"result", x.result});
  return into;
}

/// Reads `NAME` or `NAME{label=value,label=value}`, quotes optional.
std::optional<counter_key> parse_key(const std::string& key) {
  for (const auto& x : known_counters)
    if (key == x.key)
      return key_of(x);
  counter_key into;
  auto brace = key.find('{');
  into.name = key.substr(0, brace);
  if (into.name.rfind("orderly_", 0) != 0)
    into.name = "orderly_" + into.name;
  constexpr std::string_view total = "_total";
  if (into.name.size() < total.size()
      || into.name.compare(into.name.size() - total.size(), total.npos, total)
           != 0)
    into.name += total;
  if (!prometheus::CheckMetricName(into.name))
    return std::nullopt;
  if (brace == key.npos)
    return into;
  if (key.back() != '}')
    return std::nullopt;
  std::istringstream rest{key.substr(brace + 1, key.size() - brace - 2)};
  for (std::string pair; std::getline(rest, pair, ',');) {
    auto equals = pair.find('=');
    auto name = pair.substr(0, equals);
    if (equals == pair.npos || !prometheus::CheckLabelName(name))
      return std::nullopt;
    auto value = pair.substr(equals + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    into.marks.push_back({name, valid_utf8(value)});
  }
  return into;
}

const char* help_for(const std::string& name) {
  for (const auto& x : known_counters)
    if (name == x.name)
      return x.help;
  for (const auto& [known, help] : labelled_help)
    if (name == known)
      return help;
  return "Counted by orderlyd since its start.";
}

void put_counters(book& into, const status_row& x) {
  // A series may appear once only, even if the view had two keys for it.
  std::map<counter_key, double> all;
  for (const auto& known : known_counters)
    all[key_of(known)] = 0;
  for (const auto* type : repair_types) {
    all[{"orderly_repairs_started_total", {{"type", type}}}] = 0;
    for (const auto* result : repair_results)
      all[{"orderly_repairs_ended_total", {{"type", type}, {"result", result}}}]
        = 0;
  }
  for (const auto* result : move_results)
    all[{"orderly_balance_moves_total", {{"result", result}}}] = 0;
  for (const auto& [key, value] : x.counters)
    if (auto parsed = parse_key(key))
      all[*parsed] += static_cast<double>(value);
  for (const auto& [key, value] : all)
    into.counter(key.name, help_for(key.name), value, key.marks);
}

double unix_time(instant t) {
  return static_cast<double>(to_ms(t)) / 1000;
}

void put_guard(book& into, const guard_standing& x) {
  const char* state = "1 if this guard holds new destructive acts back.";
  into.gauge("orderly_guard_state", state, x.storm, {{"guard", "storm"}});
  into.gauge("orderly_guard_state", state, x.paused, {{"guard", "pause"}});
  into.gauge("orderly_guard_state", state, x.budget, {{"guard", "budget"}});
  into.gauge("orderly_paused", "1 if a person paused orderly.", x.paused);
  into.gauge("orderly_troubled_nodes", "Nodes that count for the storm guard.",
             x.troubled);
  const char* left = "Destructive acts still allowed in this hour.";
  into.gauge("orderly_budget_remaining", left, x.fences_left,
             {{"action", "fence"}});
  into.gauge("orderly_budget_remaining", left, x.failovers_left,
             {{"action", "failover"}});
  into.gauge("orderly_permits", "Permits to act that are given out.",
             x.permits_out);
}

void put_repairs(book& into, const status_row& x) {
  const char* mode = "1 for the mode that auto-repair is in.";
  for (auto each : {repair_mode::off, repair_mode::observe, repair_mode::act})
    into.gauge("orderly_autorepair_mode", mode, x.autorepair_mode == each,
               {{"mode", to_string(each)}});
  const char* needed = "Broken instances, by the repair type that they take; "
                       "none: no repair helps.";
  auto put = [&](const std::string& type, double count) {
    into.gauge("orderly_repairs_needed", needed, count,
               {{"type", valid_utf8(type)}});
  };
  auto counts = x.repairs_needed;
  for (const auto* type : repair_types)
    counts.emplace(type, 0);
  counts.emplace("none", 0);
  for (const auto& [type, count] : counts)
    put(type, count);
}

void put_power(book& into, const status_row& x, naming who) {
  const char* help = "Nodes, by what the rehearsal of their power control "
                     "gave; only a protected one can be fenced.";
  auto counts = x.nodes_by_protection;
  for (auto known : {protection::none, protection::unrehearsed,
                     protection::proven, protection::unproven})
    counts.emplace(to_string(known), 0);
  for (const auto& [result, count] : counts)
    into.gauge("orderly_nodes_by_protection", help, count,
               {{"result", valid_utf8(result)}});
  if (who == naming::nodes_shown)
    for (const auto& [node, how] : x.power_mismatches)
      into.gauge("orderly_power_mismatch",
                 "1 for each node whose power is not as it is recorded.", 1,
                 {{"node", valid_utf8(node)}, {"how", valid_utf8(how)}});
  into.gauge("orderly_power_mismatches",
             "Nodes whose power is not as it is recorded.",
             static_cast<double>(x.power_mismatches.size()));
}

void put_balance(book& into, const balance_sheet& x) {
  for (auto phase :
       {balance_phase::off, balance_phase::resting, balance_phase::held,
        balance_phase::reading, balance_phase::planning, balance_phase::moving})
    into.gauge("orderly_balance_phase", "1 for the phase that balancing is in.",
               x.phase == phase, {{"phase", to_string(phase)}});
  into.gauge("orderly_balance_round", "Number of the last round of balancing.",
             static_cast<double>(x.round));
  into.gauge("orderly_balance_open_moves", "Moves that are being carried out.",
             static_cast<double>(x.open.size()));
  if (x.planned_at == never)
    return;
  into.gauge("orderly_balance_plan_timestamp_seconds",
             "When the last plan was made, in Unix time.",
             unix_time(x.planned_at));
  for (const auto& group : x.planned.groups) {
    labels mark{{"group", valid_utf8(group.group)}};
    into.gauge("orderly_balance_score",
               "How uneven a node group was when the last plan was made; 0 is "
               "perfectly even.",
               group.before, mark);
    into.gauge("orderly_balance_score_planned",
               "How uneven it would be after the last plan.", group.after,
               mark);
  }
}

} // namespace

std::string metrics_text(const status_row& x, const balance_sheet* balance,
                         naming who) {
  book into;
  into.gauge("orderly_build_info", "The running version; always 1.", 1,
             {{"version", valid_utf8(x.version)}});
  into.gauge("orderly_master", "1 if this orderlyd has the right to act.",
             in_force(x.right_to_act, x.now));
  into.gauge("orderly_journal_writable",
             "1 if the journal takes what is written to it.",
             x.journal_trouble.empty());
  for (const auto& [phase, count] : x.nodes_by_phase)
    into.gauge("orderly_nodes", "Nodes, by the phase of host HA.", count,
               {{"state", valid_utf8(phase)}});
  for (const auto& [phase, count] : x.instances_by_phase)
    into.gauge("orderly_instances", "Instances, by the phase of auto-repair.",
               count, {{"health", valid_utf8(phase)}});
  put_repairs(into, x);
  put_power(into, x, who);
  put_guard(into, x.guard);
  if (balance != nullptr)
    put_balance(into, *balance);
  into.gauge("orderly_start_timestamp_seconds",
             "When this orderlyd started, in Unix time.", unix_time(x.started));
  if (x.polled != never)
    into.gauge("orderly_poll_timestamp_seconds",
               "When the cluster last answered, in Unix time.",
               unix_time(x.polled));
  put_counters(into, x);
  return into.text();
}

} // namespace orderly::io::http
