// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/demo.hpp"

#include "actors/balance/planner.hpp"
#include "actors/policy/checks/verdict.hpp"
#include "sim/faults/faults.hpp"
#include "sim/ports/ports.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>

#include <cstdlib>
#include <deque>
#include <filesystem>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace orderly {

struct mischief {};

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::mischief)

namespace orderly {

namespace {

struct gremlin_state {
  sim::lab_pointer lab;
  sim::dice luck{20};
  std::deque<std::string> repairs; ///< of what is broken now
  std::uint32_t rounds = 0;
};

void break_it(const sim::lab_pointer& lab, const std::string& text) {
  auto order = sim::parse_fault(text);
  if (!order)
    return;
  std::lock_guard<std::mutex> hold{lab->guard};
  auto trouble = sim::apply(*order, *lab);
  spdlog::info("demo: {}{}{}", text, trouble.empty() ? "" : ": ", trouble);
}

/// Breaks something that a person would repair after a while.
void break_something(gremlin_state& st) {
  std::vector<node_name> nodes;
  for (const auto& [name, node] : st.lab->truth.nodes())
    if (name != st.lab->self() && node.trouble_since == never)
      nodes.push_back(name);
  if (nodes.empty())
    return;
  const auto& node = nodes[st.luck.below(nodes.size())];
  // The first thing to happen is worth waiting for.
  switch (st.rounds++ == 0 ? 3 : st.luck.below(4)) {
  case 0:
    break_it(st.lab, "network " + node + " cut");
    st.repairs.push_back("network " + node + " heal");
    break;
  case 1:
    break_it(st.lab, "crash " + node);
    st.repairs.push_back("node " + node + " online");
    break;
  default:
    break_it(st.lab, "power " + node + " off");
    st.repairs.push_back("power " + node + " on");
    st.repairs.push_back("node " + node + " online");
  }
}

/// Until something breaks: time to open the page.
constexpr seconds first_mischief{25};

caf::behavior gremlin(caf::stateful_actor<gremlin_state>* self,
                      sim::lab_pointer lab) {
  self->state.lab = std::move(lab);
  self->delayed_send(self, first_mischief, mischief{});
  return {
    [self](mischief) {
      auto& st = self->state;
      while (!st.repairs.empty()) {
        break_it(st.lab, st.repairs.front());
        st.repairs.pop_front();
      }
      break_something(st);
      auto pause = seconds{static_cast<std::int64_t>(120 + st.luck.below(120))};
      self->delayed_send(self, pause, mischief{});
    },
  };
}

} // namespace

result<std::string> make_demo_folder() {
  auto made
    = (std::filesystem::temp_directory_path() / "orderly-demo-XXXXXX").string();
  if (::mkdtemp(made.data()) == nullptr)
    return fault{fault_kind::io, "cannot make a folder like " + made};
  return made;
}

settings demo_settings(const std::string& folder, std::uint16_t port) {
  settings s;
  s.autorepair.enabled = true;
  s.host_ha.check_interval = seconds{3};
  s.host_ha.check_timeout = seconds{2};
  s.host_ha.activity_checks = 4;
  s.host_ha.activity_interval_base = seconds{4};
  s.host_ha.activity_interval_max = seconds{9};
  s.host_ha.recovery_wait = seconds{90};
  s.host_ha.degraded_period = seconds{60};
  s.storm.settle = seconds{6};
  s.cluster.poll_interval = seconds{2};
  s.journal.path = folder + "/journal.db";
  s.http.port = port;
  s.http.socket = folder + "/orderly.sock";
  s.http.shown = shown_to_all::all;
  return s;
}

ports spawn_demo(caf::actor_system& system, journal_port journal,
                 const settings& rules,
                 std::chrono::steady_clock::time_point clock_zero,
                 instant calendar_zero) {
  auto plan = sim::make_plan(20, 200, 2, 1);
  plan.name = "demo";
  auto lab = std::make_shared<sim::lab_state>(plan, rules);
  lab->epoch_steady = clock_zero;
  lab->epoch_wall = calendar_zero;
  auto result = sim::spawn_sim_ports(system, lab, checks::judge());
  result.journal = std::move(journal);
  result.planner = system.spawn<caf::detached>(planner);
  result.placer = system.spawn<caf::detached>(planner);
  system.spawn<caf::hidden>(gremlin, lab);
  return result;
}

} // namespace orderly
