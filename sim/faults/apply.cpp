// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the verbs of sim/faults/faults.hpp do to a lab.

#include "sim/faults/faults.hpp"

#include <array>
#include <map>

namespace orderly::sim {

namespace {

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

/// The node of `node3@oob-b`.
node_name node_of(const std::string& object) {
  return object.substr(0, object.find('@'));
}

std::string do_power(const fault_order& x, lab_state& lab) {
  auto on = x.what == "on";
  const auto& node = lab.truth.node(x.object);
  // A controller that lives on the node's feed goes with it.
  if (node.bmc.what == controller::dies_with_node || !node.fed)
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
  auto at = x.object.find('@');
  auto program = at == std::string::npos ? std::string{}
                                         : helper_path(x.object.substr(at + 1));
  lab.truth.set_controller(node_of(x.object), controller_from(x.what),
                           millis{x.number}, program);
  return {};
}

std::string do_health(const fault_order& x, lab_state& lab) {
  auto status = x.what;
  for (auto& c : status)
    c = static_cast<char>(c - 'a' + 'A');
  lab.truth.set_health(x.object, status);
  return {};
}

std::string do_helper(const fault_order& x, lab_state& lab) {
  for (auto what :
       {file_fault::none, file_fault::missing, file_fault::not_executable,
        file_fault::not_a_file, file_fault::writable})
    if (x.what == to_string(what))
      lab.truth.set_file(helper_path(x.object), what);
  return {};
}

std::string do_watcher(const fault_order& x, lab_state& lab) {
  lab.cluster.set_watcher(x.what == "on");
  lab.truth.tell(render(x));
  return {};
}

std::string do_noded(const fault_order& x, lab_state& lab) {
  lab.truth.set_daemon(x.object, x.what == "down");
  return {};
}

std::string do_habit(const fault_order& x, lab_state& lab) {
  auto& habits = lab.cluster.habits;
  if (x.verb == "luxi") {
    habits.luxi_down = x.what == "down";
    lab.luxi_since = lab.truth.now();
  } else if (x.verb == "luxi drop-replies")
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

/// A person repaired everything about the node and takes it back.
void return_node(const node_name& name, lab_state& lab) {
  lab.truth.mend_controllers(name);
  lab.truth.set_management(name, false);
  lab.truth.set_storage(name, false);
  lab.truth.set_daemon(name, false);
  // A dead kernel is of no use: it gets booted.
  if (lab.truth.node(name).crashed)
    lab.truth.cycle(name);
  lab.truth.set_feed(name, true);
  lab.cluster.set_offline(name, false);
  lab.cluster.set_drained(name, false);
}

std::string do_flags(const fault_order& x, lab_state& lab) {
  if (x.what == "returned")
    return_node(x.object, lab);
  else if (x.what == "offline" || x.what == "online")
    lab.cluster.set_offline(x.object, x.what == "offline");
  else if (x.what == "drained" || x.what == "undrained")
    lab.cluster.set_drained(x.object, x.what == "drained");
  else
    lab.cluster.set_vm_capable(x.object, x.what == "vm-capable");
  lab.truth.tell(render(x));
  return {};
}

std::string do_instance(const fault_order& x, lab_state& lab) {
  const auto* inst = lab.cluster.instance(x.object);
  if (!inst)
    return "there is no instance " + x.object;
  if (x.what == "up" || x.what == "down") {
    lab.cluster.set_admin(x.object,
                          x.what == "up" ? admin_state::up : admin_state::down);
  } else if (x.what == "start") {
    if (!lab.truth.alive(inst->primary))
      return inst->primary + " is dead, so " + x.object + " cannot start there";
    lab.cluster.set_admin(x.object, admin_state::up);
    lab.truth.start_by_hand(x.object, inst->primary);
  } else {
    if (x.what == "stop")
      lab.cluster.set_admin(x.object, admin_state::down);
    lab.truth.stop_everywhere(x.object);
  }
  lab.truth.tell(render(x));
  return {};
}

/// A person moves a running instance, by a job like any other's.
std::string do_migrate(const fault_order& x, lab_state& lab) {
  const auto* inst = lab.cluster.instance(x.object);
  if (!inst)
    return "there is no instance " + x.object;
  if (!lab.truth.has(x.tag))
    return "there is no node " + x.tag;
  opcode op;
  op.kind = op_kind::instance_migrate;
  op.instance = x.object;
  if (inst->disks != disk_template::drbd)
    op.target = x.tag;
  else if (inst->secondaries.front() != x.tag)
    return x.object + " has its mirror on " + inst->secondaries.front();
  lab.cluster.submit({{job_spec{{op}, "gnt:client", {}}}});
  lab.truth.tell(render(x));
  return {};
}

std::string do_room(const fault_order& x, lab_state& lab) {
  lab.cluster.set_full(x.object, x.what == "full");
  lab.truth.tell(render(x));
  return {};
}

std::string do_mirror(const fault_order& x, lab_state& lab) {
  const auto* inst = lab.cluster.instance(x.object);
  if (!inst)
    return "there is no instance " + x.object;
  if (inst->disks != disk_template::drbd || inst->secondaries.empty())
    return x.object + " has no mirror";
  if (x.what != "healed")
    lab.truth.degrade(x.object, inst->secondaries.front(), x.what == "syncing");
  else
    lab.truth.heal_mirror(x.object);
  return {};
}

std::string do_archive(const fault_order& x, lab_state& lab) {
  auto all = x.object == "all";
  if (!all && !lab.cluster.instance(x.object))
    return "there is no instance " + x.object;
  auto count = lab.cluster.archive_all(all ? "" : x.object);
  lab.truth.tell(render(x) + ": " + std::to_string(count) + " jobs");
  return {};
}

std::string do_fail_next(const fault_order& x, lab_state& lab) {
  if (!lab.cluster.instance(x.object))
    return "there is no instance " + x.object;
  auto fate = x.what == "error"      ? job_fate::error
              : x.what == "canceled" ? job_fate::canceled
                                     : job_fate::lost;
  lab.cluster.foretell(x.object, fate, static_cast<std::uint32_t>(x.number));
  lab.truth.tell(render(x));
  return {};
}

std::string do_journal(const fault_order& x, lab_state& lab) {
  lab.journal.mood = x.what == "ok"     ? disk_mood::ok
                     : x.what == "fail" ? disk_mood::fail
                                        : disk_mood::slow;
  lab.journal.mood_since = lab.truth.now();
  lab.truth.tell(render(x));
  return {};
}

std::string do_daemon(const fault_order& x, lab_state& lab) {
  lab.daemon_wanted = x.what == "start";
  lab.truth.tell(render(x));
  return {};
}

std::string do_machine(const fault_order& x, lab_state& lab) {
  lab.daemon_wanted = false;
  lab.journal.reboot();
  lab.truth.tell(render(x));
  return {};
}

std::string do_pause(const fault_order& x, lab_state& lab) {
  lab.pause_asked = x.what == "on";
  lab.truth.tell(render(x));
  return {};
}

std::string do_master(const fault_order& x, lab_state& lab) {
  lab.cluster.set_master(x.object);
  lab.truth.tell(render(x));
  return {};
}

const std::map<std::string, doing>& doings() {
  static const std::map<std::string, doing> all = {
    {"power", {do_power, true}},
    {"crash", {do_crash, true}},
    {"network", {do_links, true}},
    {"storage", {do_links, true}},
    {"uplink", {do_links, false}},
    {"bmc", {do_bmc, true}},
    {"health", {do_health, true}},
    {"helper", {do_helper, false}},
    {"watcher", {do_watcher, false}},
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
    {"migrate", {do_migrate, false}},
    {"room", {do_room, true}},
    {"mirror", {do_mirror, false}},
    {"archive", {do_archive, false}},
    {"fail-next", {do_fail_next, false}},
    {"journal", {do_journal, false}},
    {"daemon", {do_daemon, false}},
    {"machine", {do_machine, false}},
    {"pause", {do_pause, false}},
    {"master", {do_master, true}},
  };
  return all;
}

} // namespace

std::string helper_path(const std::string& name) {
  return name.starts_with("/") ? name : "/usr/lib/orderly/" + name;
}

std::string apply(const fault_order& order, lab_state& lab) {
  auto i = doings().find(order.verb);
  if (i == doings().end())
    i = world_doings().find(order.verb);
  if (i == world_doings().end())
    return "no verb '" + order.verb + "'";
  auto node = order.verb == "bmc" ? node_of(order.object) : order.object;
  if (i->second.on_node && !lab.truth.has(node))
    return "there is no node " + node;
  return i->second.act(order, lab);
}

} // namespace orderly::sim
