// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/model/port.hpp"

#include "io/htools/formats/luxi_source.hpp"
#include "io/htools/monitors/ask_monitors.hpp"
#include "io/htools/monitors/cpu_report.hpp"
#include "io/htools/options/options.hpp"
#include "io/model/load.hpp"

#include <caf/actor_system.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::io::model {

namespace {

using clock = std::chrono::steady_clock;

/// Nodes named in a sentence; of more it says how many.
constexpr std::size_t named_max = 3;

/// "the monitor of node3 does not answer in time; that of node4 ...".
std::string missing_text(const std::vector<std::string>& missing) {
  auto shown = std::min(missing.size(), named_max);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "the monitor of " : "; that of ") + missing[i];
  if (missing.size() > shown)
    text += fmt::format("; and {} more", missing.size() - shown);
  return text;
}

/// Puts the load into the model, all of it or nothing; why nothing.
std::string add_load(htools::luxi_reading& got, std::uint16_t port,
                     millis time_limit) {
  if (port == 0)
    return "no monitor is asked, because host_ha.monitor_port is 0";
  auto wanted = nodes_in_use(got.model);
  std::set<node_name> needed{wanted.begin(), wanted.end()};
  std::erase_if(got.live, [&](const htools::live_node& x) {
    return needed.count(x.name) == 0;
  });
  htools::monitor_rules rules;
  rules.port = port;
  rules.time_limit = time_limit;
  std::map<node_name, double> busy;
  std::vector<std::string> missing;
  for (const auto& [node, text] : htools::ask_monitors(got.live, rules)) {
    auto load = text ? htools::read_cpu_report(*text) : text.why();
    if (load)
      busy[node] = *load;
    else
      missing.push_back(node + " " + load.why().text);
  }
  if (!missing.empty())
    return missing_text(missing);
  share_load(got.model, busy);
  return {};
}

} // namespace

model_answer read_now(const read_model& what, const settings& rules) {
  auto end = clock::now() + what.time_limit;
  model_answer answer;
  auto got = htools::read_luxi_live(rules.cluster.luxi_socket,
                                    htools::tool_options{}.kvm_node_memory,
                                    what.time_limit);
  if (!got) {
    answer.text = got.why().text;
    return answer;
  }
  answer.silent = std::move(got->silent);
  std::sort(answer.silent.begin(), answer.silent.end());
  if (what.load) {
    // Who asked waits no longer than the limit: leave a little to answer in.
    auto left = std::chrono::floor<millis>((end - clock::now()) * 9 / 10);
    answer.load_text = add_load(*got, rules.host_ha.monitor_port, left);
    answer.loaded = answer.load_text.empty();
  }
  answer.model
    = std::make_shared<const planning::cluster>(std::move(got->model));
  return answer;
}

model_port spawn_model_port(caf::actor_system& system, const settings& rules) {
  // Of all the settings, what this needs is small: a copy is simplest.
  return system.spawn<caf::detached>(
    [rules](model_port::pointer) -> model_port::behavior_type {
      return {
        [rules](const read_model& what) { return read_now(what, rules); }};
    });
}

} // namespace orderly::io::model
