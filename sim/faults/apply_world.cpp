// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the verbs of sim/faults/faults.hpp do to a lab that are about what is
// around the nodes: links, informers, controllers' wiring, luxid and its queue,
// the journal's file, clocks, and who belongs to the cluster.

#include "sim/faults/faults.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace orderly::sim {

namespace {

informer informer_from(const std::string& text) {
  for (auto x : {informer::silent, informer::lies_alive, informer::lies_dead})
    if (text == to_string(x))
      return x;
  return informer::ok;
}

std::string do_informers(const fault_order& x, lab_state& lab) {
  if (x.verb == "agents")
    lab.truth.set_agents(x.what == "on");
  else if (x.verb == "agent")
    lab.truth.set_agent(x.object, informer_from(x.what));
  else
    lab.truth.set_monitor(x.object, informer_from(x.what));
  return {};
}

/// What the script on a node says, or why its agent has nothing to say.
std::string do_report(const fault_order& x, lab_state& lab) {
  node_agent said;
  if (x.tag == "silent")
    said.silent = true;
  else if (x.tag == "unverified" || x.tag == "failed") {
    said.how = x.tag == "failed" ? hearing::failed : hearing::unverified;
    said.text = x.tag == "failed" ? "its script failed"
                                  : "it is signed by a key that is not its own";
  } else if (x.tag != "ok") {
    auto object = nlohmann::json::parse(x.tag, nullptr, false);
    if (!object.is_object())
      return "'" + x.tag + "' is no JSON object";
    said.object = x.tag;
  }
  lab.agents[x.object] = said;
  lab.truth.tell(render(x));
  return {};
}

std::string do_link(const fault_order& x, lab_state& lab) {
  if (!lab.truth.has(x.tag) || x.tag == x.object)
    return "a link needs two nodes";
  sim_link there{x.what == "cut", millis{x.number}};
  sim_link back{x.what == "cut" || x.what == "one-way", millis{x.number}};
  lab.truth.set_link(x.object, x.tag, there, back);
  return {};
}

std::string do_wiring(const fault_order& x, lab_state& lab) {
  if (x.verb == "bmc own") {
    lab.truth.set_machine(x.object, x.object);
    return {};
  }
  if (!lab.truth.has(x.tag))
    return "there is no node " + x.tag;
  lab.truth.set_machine(x.object, x.tag);
  if (x.verb == "bmc swap")
    lab.truth.set_machine(x.tag, x.object);
  return {};
}

std::string do_autostart(const fault_order& x, lab_state& lab) {
  lab.truth.set_autostart(x.object, x.what == "on");
  return {};
}

std::string do_luxi(const fault_order& x, lab_state& lab) {
  // What waits is done after it was said that luxid goes on.
  lab.truth.tell(render(x));
  lab.luxi_since = lab.truth.now();
  if (x.verb == "luxi stall")
    lab.cluster.set_stalled(x.what == "on");
  else
    lab.cluster.habits.luxi_slow = millis{x.number};
  return {};
}

std::string do_queue(const fault_order& x, lab_state& lab) {
  auto count = x.verb == "queue lose"
                 ? lab.cluster.lose_jobs(static_cast<std::size_t>(x.number))
                 : lab.cluster.interrupt_jobs();
  lab.truth.tell(x.verb + ": " + std::to_string(count) + " jobs");
  return {};
}

std::string do_picture(const fault_order& x, lab_state& lab) {
  lab.cluster.habits.torn = x.what == "torn-nodes"       ? tear::nodes
                            : x.what == "torn-instances" ? tear::instances
                                                         : tear::none;
  lab.truth.tell(render(x));
  return {};
}

std::string do_file(const fault_order& x, lab_state& lab) {
  if (x.verb == "journal lost")
    lab.journal.lose();
  else if (x.verb == "journal backup")
    lab.journal.back_up();
  else if (!lab.journal.restore())
    return "there is no backup of the journal to restore";
  lab.truth.tell(render(x));
  return {};
}

std::string do_clock(const fault_order& x, lab_state& lab) {
  auto by = millis{x.number};
  auto steps = x.verb == "clock step";
  if (steps)
    lab.clock_error += by;
  else
    lab.suspended_until = lab.truth.now() + by;
  lab.journal.calendar_ahead = lab.clock_error;
  if (std::chrono::abs(by) > lab.rules.leader.clock_tolerance)
    lab.clocks_jumped = steps ? lab.truth.now() : lab.suspended_until;
  lab.truth.tell(render(x));
  return {};
}

std::string do_reload(const fault_order& x, lab_state& lab) {
  lab.set_asked = {x.object, x.tag};
  lab.truth.tell(render(x));
  return {};
}

std::string do_second(const fault_order& x, lab_state& lab) {
  if (x.object == lab.self())
    return "orderly runs on " + x.object + " already";
  auto split = x.verb == "second-master";
  const auto& nodes = lab.cluster.record().nodes;
  auto votes = std::count_if(nodes.begin(), nodes.end(), [&](const auto& n) {
    return lab.truth.answers(x.object, n.name);
  });
  if (split && static_cast<std::size_t>(votes) * 2 <= nodes.size())
    return x.object + " reaches no majority of the nodes: it cannot be master";
  if (split && lab.truth.answers(x.object, lab.self()))
    return lab.self() + " would hear of it and step down; cut them apart";
  lab.second_asked = {x.object, split};
  lab.truth.tell(render(x));
  return {};
}

std::string do_members(const fault_order& x, lab_state& lab) {
  auto& cluster = lab.cluster;
  auto trouble
    = x.verb == "add-node"          ? cluster.add_node(x.object)
      : x.verb == "remove-node"     ? cluster.remove_node(x.object)
      : x.verb == "remove-instance" ? cluster.remove_instance(x.object)
      : x.verb == "add-instance"    ? cluster.add_instance(x.object, x.tag)
                                    : cluster.rename_instance(x.object, x.tag);
  if (trouble.empty())
    lab.truth.tell(render(x));
  return trouble;
}

} // namespace

const std::map<std::string, doing>& world_doings() {
  static const std::map<std::string, doing> all = {
    {"agents", {do_informers, false}},
    {"agent", {do_informers, true}},
    {"monitor", {do_informers, true}},
    {"report", {do_report, true}},
    {"link", {do_link, true}},
    {"bmc swap", {do_wiring, true}},
    {"bmc share", {do_wiring, true}},
    {"bmc own", {do_wiring, true}},
    {"autostart", {do_autostart, true}},
    {"luxi stall", {do_luxi, false}},
    {"luxi slow", {do_luxi, false}},
    {"queue interrupt", {do_queue, false}},
    {"queue lose", {do_queue, false}},
    {"picture", {do_picture, false}},
    {"journal lost", {do_file, false}},
    {"journal backup", {do_file, false}},
    {"journal restore", {do_file, false}},
    {"clock step", {do_clock, false}},
    {"suspend", {do_clock, false}},
    {"set-live", {do_reload, false}},
    {"add-node", {do_members, false}},
    {"remove-node", {do_members, false}},
    {"add-instance", {do_members, false}},
    {"remove-instance", {do_members, false}},
    {"rename-instance", {do_members, false}},
    {"second-daemon", {do_second, true}},
    {"second-master", {do_second, true}},
  };
  return all;
}

} // namespace orderly::sim
