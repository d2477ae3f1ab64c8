// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/monitors/monitor_loads.hpp"

#include "io/htools/formats/fields.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

const char* collector_of(load_kind x) {
  return x == load_kind::xen ? xen_collector : cpu_collector;
}

/// What one node said, as a text or as a part of one.
template <class Report>
void take(monitor_answers& to, const node_name& node, const Report& report) {
  auto note = [&](const auto& got) {
    if (!got)
      to.missing.push_back(node + " " + got.why().text);
    return got.ok();
  };
  if (to.kind == load_kind::node) {
    if (auto got = read_cpu_report(report); note(got))
      to.busy[node] = *got;
  } else if (auto got = read_xen_report(report); note(got)) {
    to.instances.insert(got->begin(), got->end());
  }
}

/// The report of that collector among those of a node.
const json_value* report_among(const json_value& reports, const char* name) {
  for (const auto& x : reports.items) {
    const auto* found = x.member("name");
    if (found && found->kind == json_value::is::text && found->text == name)
      return &x;
  }
  return nullptr;
}

/// Vcpus in use on each node; its own system counts, as in the reference.
std::vector<double> cpus_in_use(const cluster& c) {
  std::vector<double> result;
  for (const auto& n : c.nodes)
    result.push_back(static_cast<double>(n.node_cpus));
  for (const auto& x : c.instances)
    if (x.primary >= 0 && is_online(x) && !x.forthcoming)
      result[at(x.primary)] += static_cast<double>(x.vcpus);
  return result;
}

void use_nodes(cluster& c, const std::map<node_name, double>& busy) {
  auto used = cpus_in_use(c);
  double all_busy = 0;
  double all_used = 0;
  std::vector<std::optional<double>> of_one(c.nodes.size());
  for (std::size_t n = 0; n < c.nodes.size(); ++n) {
    auto found = busy.find(c.nodes[n].name);
    if (found == busy.end())
      continue;
    c.nodes[n].own_cpu_load = found->second;
    if (!(used[n] > 0))
      continue;
    of_one[n] = found->second / used[n];
    all_busy += found->second;
    all_used += used[n];
  }
  for (auto& x : c.instances) {
    auto told = x.primary < 0 ? std::nullopt : of_one[at(x.primary)];
    // Where nothing is known, as elsewhere.
    auto each = told.value_or(all_used > 0 ? all_busy / all_used : 0);
    x.use[load_cpu] = each * static_cast<double>(x.vcpus);
    if (told && !x.forthcoming)
      c.nodes[at(x.primary)].own_cpu_load -= x.use[load_cpu];
  }
}

/// Instances of nodes in service of which nothing is said.
std::vector<std::string> untold(const cluster& c, const instance_loads& loads) {
  std::vector<std::string> result;
  for (const auto& x : c.instances)
    if (x.primary >= 0 && !is_dead(c.nodes[at(x.primary)])
        && loads.count(x.name) == 0)
      result.push_back('"' + x.name + '"');
  return result;
}

void use_instances(cluster& c, const instance_loads& loads) {
  double all = 0;
  double vcpus = 0;
  for (const auto& x : c.instances)
    if (auto found = loads.find(x.name); found != loads.end()) {
      all += found->second;
      vcpus += static_cast<double>(x.vcpus);
    }
  auto each = vcpus > 0 ? all / vcpus : 0;
  for (auto& x : c.instances) {
    auto found = loads.find(x.name);
    x.use[load_cpu] = found != loads.end()
                        ? found->second
                        : each * static_cast<double>(x.vcpus);
  }
}

} // namespace

result<monitor_answers> read_monitor_file(std::string_view text,
                                          const std::string& file,
                                          const cluster& c, load_kind kind) {
  auto all = read_json(text, file);
  if (!all)
    return all.why();
  if (all->kind != json_value::is::list)
    return fault{fault_kind::bad_input,
                 file
                   + ": Unable to read list: it is no list of nodes with "
                     "their reports"};
  std::map<std::string, const json_value*> by_node;
  for (const auto& row : all->items) {
    json_reader r{row, file + ": a node"};
    auto name = r.text("node");
    const auto& reports = r.list("reports");
    if (r.trouble())
      return *r.trouble();
    by_node[name] = &reports;
  }
  monitor_answers result;
  result.kind = kind;
  for (const auto& n : c.nodes) {
    auto found = by_node.find(n.name);
    const auto* report = found == by_node.end()
                           ? nullptr
                           : report_among(*found->second, collector_of(kind));
    if (report)
      take(result, n.name, *report);
    else if (!is_dead(n))
      result.missing.push_back(n.name + " has none there");
  }
  return result;
}

monitor_answers ask_monitors_of(const cluster& c, load_kind kind,
                                monitor_rules rules) {
  rules.path = fmt::format("/1/report/default/{}", collector_of(kind));
  rules.by_name = true;
  std::vector<live_node> nodes;
  for (const auto& n : c.nodes)
    if (!is_dead(n))
      nodes.push_back({n.name, n.name});
  monitor_answers result;
  result.kind = kind;
  for (const auto& [node, text] : ask_monitors(nodes, rules))
    if (text)
      take(result, node, std::string_view{*text});
    else
      result.missing.push_back(node + " " + text.why().text);
  return result;
}

std::string use_answers(cluster& c, const monitor_answers& answers) {
  constexpr std::size_t named_max = 3;
  const auto* collector = collector_of(answers.kind);
  if (auto missing = answers.missing; !missing.empty()) {
    auto more = missing.size() - std::min(missing.size(), named_max);
    missing.resize(missing.size() - more);
    // The reference's words first.
    return fmt::format("Didn't receive an answer by all MonDs, {}'s data will "
                       "be ignored: {}{}",
                       collector, fmt::join(missing, "; "),
                       more > 0 ? fmt::format("; and {} more", more) : "");
  }
  if (answers.kind == load_kind::node) {
    use_nodes(c, answers.busy);
    return {};
  }
  if (auto names = untold(c, answers.instances); !names.empty())
    return fmt::format("No CPU information available for [{}]: {}'s data will "
                       "be ignored",
                       join(names, ','), collector);
  use_instances(c, answers.instances);
  return {};
}

} // namespace orderly::io::htools
