// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the verbs of sim/faults.hpp do to a lab.

#include "sim/faults.hpp"

#include <array>
#include <map>

namespace orderly::sim {

namespace {

using doer = std::string (*)(const fault_order&, lab_state&);

controller controller_from(const std::string& text) {
  static constexpr std::array<controller, 8> all{
    controller::ok,      controller::hang,          controller::fail,
    controller::lies_on, controller::lies_off,      controller::garbage,
    controller::slow,    controller::dies_with_node};
  for (auto x : all)
    if (text == to_string(x))
      return x;
  return controller::ok;
}

std::string do_power(const fault_order& x, lab_state& lab) {
  auto on = x.what == "on";
  const auto& node = lab.truth.node(x.object);
  // A controller that lives on the node's feed goes with it.
  if (node.bmc == controller::dies_with_node || !node.fed)
    lab.truth.set_feed(x.object, on);
  else
    lab.truth.set_power(x.object, on);
  return {};
}

std::string do_crash(const fault_order& x, lab_state& lab) {
  if (!lab.truth.node(x.object).powered)
    return x.object + " has no power, so there is no kernel to crash";
  lab.truth.crash(x.object);
  return {};
}

std::string do_links(const fault_order& x, lab_state& lab) {
  auto cut = x.what == "cut";
  if (x.verb == "network")
    lab.truth.set_management(x.object, cut);
  else if (x.verb == "storage")
    lab.truth.set_storage(x.object, cut);
  else
    lab.truth.set_uplink(cut);
  return {};
}

std::string do_bmc(const fault_order& x, lab_state& lab) {
  lab.truth.set_controller(x.object, controller_from(x.what), millis{x.number});
  return {};
}

std::string do_noded(const fault_order& x, lab_state& lab) {
  lab.truth.set_daemon(x.object, x.what == "down");
  return {};
}

std::string do_habit(const fault_order& x, lab_state& lab) {
  auto& habits = lab.cluster.habits;
  if (x.verb == "luxi")
    habits.luxi_down = x.what == "down";
  else if (x.verb == "luxi drop-replies")
    habits.drop_replies = x.what == "on";
  else if (x.verb == "queue drain")
    habits.drained = x.what == "on";
  else if (x.verb == "jobs fail")
    habits.fail_per_mille = static_cast<std::uint32_t>(x.number);
  else if (x.verb == "jobs lose")
    habits.lose_per_mille = static_cast<std::uint32_t>(x.number);
  else
    habits.factor = static_cast<std::uint32_t>(x.number);
  lab.truth.tell(render(x));
  return {};
}

std::string do_tag(const fault_order& x, lab_state& lab) {
  auto kind = tag_kind::cluster;
  std::string name;
  if (split_object(x.object, "group", name))
    kind = tag_kind::group;
  else if (split_object(x.object, "node", name))
    kind = tag_kind::node;
  else if (split_object(x.object, "instance", name))
    kind = tag_kind::instance;
  if (!lab.cluster.set_tag(kind, name, x.tag, x.what == "add"))
    return "there is no " + x.object + " to tag";
  lab.truth.tell(render(x));
  return {};
}

std::string do_flags(const fault_order& x, lab_state& lab) {
  if (x.what == "offline" || x.what == "online")
    lab.cluster.set_offline(x.object, x.what == "offline");
  else
    lab.cluster.set_drained(x.object, x.what == "drained");
  lab.truth.tell(render(x));
  return {};
}

std::string do_instance(const fault_order& x, lab_state& lab) {
  const auto* inst = lab.cluster.instance(x.object);
  if (!inst)
    return "there is no instance " + x.object;
  if (x.what == "start") {
    if (!lab.truth.alive(inst->primary))
      return inst->primary + " is dead, so " + x.object + " cannot start there";
    lab.cluster.set_admin(x.object, admin_state::up);
    lab.truth.start(x.object, inst->primary);
  } else {
    if (x.what == "stop")
      lab.cluster.set_admin(x.object, admin_state::down);
    lab.truth.stop_everywhere(x.object);
  }
  lab.truth.tell(render(x));
  return {};
}

std::string do_journal(const fault_order& x, lab_state& lab) {
  lab.journal.mood = x.what == "ok"     ? disk_mood::ok
                     : x.what == "fail" ? disk_mood::fail
                                        : disk_mood::slow;
  lab.truth.tell(render(x));
  return {};
}

std::string do_daemon(const fault_order& x, lab_state& lab) {
  lab.daemon_wanted = x.what == "start";
  lab.truth.tell(render(x));
  return {};
}

std::string do_master(const fault_order& x, lab_state& lab) {
  lab.cluster.set_master(x.object);
  lab.truth.tell(render(x));
  return {};
}

struct entry {
  doer act;
  bool on_node;
};

const std::map<std::string, entry>& doers() {
  static const std::map<std::string, entry> all = {
    {"power", {do_power, true}},
    {"crash", {do_crash, true}},
    {"network", {do_links, true}},
    {"storage", {do_links, true}},
    {"uplink", {do_links, false}},
    {"bmc", {do_bmc, true}},
    {"noded", {do_noded, true}},
    {"luxi", {do_habit, false}},
    {"queue drain", {do_habit, false}},
    {"jobs fail", {do_habit, false}},
    {"jobs lose", {do_habit, false}},
    {"job-durations", {do_habit, false}},
    {"luxi drop-replies", {do_habit, false}},
    {"tag", {do_tag, false}},
    {"node", {do_flags, true}},
    {"instance", {do_instance, false}},
    {"journal", {do_journal, false}},
    {"daemon", {do_daemon, false}},
    {"master", {do_master, true}},
  };
  return all;
}

} // namespace

std::string apply(const fault_order& order, lab_state& lab) {
  auto i = doers().find(order.verb);
  if (i == doers().end())
    return "no verb '" + order.verb + "'";
  if (i->second.on_node && !lab.truth.has(order.object))
    return "there is no node " + order.object;
  return i->second.act(order, lab);
}

} // namespace orderly::sim
