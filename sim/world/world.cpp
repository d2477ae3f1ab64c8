// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/world/world.hpp"

#include <utility>

namespace orderly::sim {

const char* to_string(controller x) {
  switch (x) {
  case controller::ok:
    return "ok";
  case controller::hang:
    return "hang";
  case controller::fail:
    return "fail";
  case controller::lies_on:
    return "lies-on";
  case controller::lies_off:
    return "lies-off";
  case controller::garbage:
    return "garbage";
  case controller::slow:
    return "slow";
  case controller::dies_with_node:
    return "dies-with-node";
  }
  return "?";
}

const char* to_string(file_fault x) {
  switch (x) {
  case file_fault::none:
    return "fine";
  case file_fault::missing:
    return "missing";
  case file_fault::not_executable:
    return "not-executable";
  case file_fault::not_a_file:
    return "not-a-file";
  case file_fault::writable:
    return "writable";
  }
  return "?";
}

void world::add_node(const node_name& name) {
  sim_node x;
  x.name = name;
  nodes_.emplace(name, std::move(x));
  ++version_;
}

bool world::alive(const node_name& name) const {
  const auto& x = nodes_.at(name);
  return x.powered && !x.crashed;
}

bool world::booted(const node_name& name) const {
  return is_booted(nodes_.at(name));
}

bool world::is_booted(const sim_node& x) const {
  return x.powered && !x.crashed && x.boots_until <= now_;
}

const std::set<node_name>& world::homes(const instance_name& name) const {
  static const std::set<node_name> nowhere;
  auto i = homes_.find(name);
  return i == homes_.end() ? nowhere : i->second;
}

sim_node& world::at(const node_name& name) {
  return nodes_.at(name);
}

/// Notes whether the node is in trouble.
void world::judge(sim_node& x) {
  auto bad = !x.powered || x.crashed || x.management_cut
             || (!self_.empty() && x.name != self_
                 && !(passes(self_, x.name) && passes(x.name, self_)));
  if (!bad) {
    x.trouble_since = never;
    troubled_.erase(x.name);
  } else if (x.trouble_since == never) {
    x.trouble_since = now_;
    troubled_.emplace(x.name, now_);
  }
}

void world::changed(sim_node& x, const std::string& text) {
  judge(x);
  ++version_;
  tell(text);
  compare_copies_on(x.name);
}

void world::stop_all(sim_node& x) {
  if (x.autostart && !x.running.empty())
    x.ran = x.running;
  for (const auto& name : x.running) {
    auto i = homes_.find(name);
    i->second.erase(x.name);
    if (i->second.size() < 2)
      doubles_.erase(name);
    if (i->second.empty())
      homes_.erase(i);
  }
  x.running.clear();
}

bool world::set_power(const node_name& name, bool on) {
  auto& x = at(name);
  if (x.powered == on || (on && !x.fed))
    return false;
  x.powered = on;
  x.crashed = false;
  if (on)
    boot_up(x);
  else
    stop_all(x);
  if (!on)
    x.off_at = now_;
  changed(x, "power " + name + (on ? " on" : " off"));
  return true;
}

void world::set_feed(const node_name& name, bool on) {
  at(name).fed = on;
  set_power(name, on);
}

void world::cycle(const node_name& name) {
  auto& x = at(name);
  if (!x.fed)
    return;
  x.powered = true;
  x.crashed = false;
  stop_all(x);
  boot_up(x);
  changed(x, "power " + name + " cycled");
}

void world::crash(const node_name& name) {
  auto& x = at(name);
  if (!x.powered || x.crashed)
    return;
  x.crashed = true;
  stop_all(x);
  changed(x, "crash " + name);
}

void world::set_management(const node_name& name, bool cut) {
  auto& x = at(name);
  if (x.management_cut == cut)
    return;
  x.management_cut = cut;
  changed(x, "network " + name + (cut ? " cut" : " heal"));
}

void world::set_storage(const node_name& name, bool cut) {
  auto& x = at(name);
  if (x.storage_cut == cut)
    return;
  x.storage_cut = cut;
  changed(x, "storage " + name + (cut ? " cut" : " heal"));
}

void world::set_daemon(const node_name& name, bool down) {
  auto& x = at(name);
  if (x.daemon_down == down)
    return;
  x.daemon_down = down;
  x.daemon_lost_at = now_;
  changed(x, "noded " + name + (down ? " down" : " up"));
}

void world::set_uplink(bool cut) {
  if (uplink_cut() == cut)
    return;
  uplink_cut_since_ = cut ? now_ : never;
  ++version_;
  tell(cut ? "uplink cut" : "uplink heal");
}

void world::set_controller(const node_name& name, controller what, millis delay,
                           const std::string& program) {
  auto& x = at(name);
  (program.empty() ? x.bmc : x.helpers[program]) = {what, delay};
  x.helped_at = now_;
  auto file = program.substr(program.rfind('/') + 1);
  changed(x, "bmc " + name + (program.empty() ? "" : "@" + file) + " "
               + to_string(what));
}

void world::mend_controllers(const node_name& name) {
  at(name).helpers.clear();
  set_controller(name, controller::ok);
}

const mood& world::controller_of(const node_name& name,
                                 const std::string& program) const {
  const auto& x = nodes_.at(name);
  auto i = x.helpers.find(program);
  return i == x.helpers.end() ? x.bmc : i->second;
}

void world::set_health(const node_name& name, const std::string& status) {
  at(name).parts.back().status = status;
  ++version_;
  tell(name + " says of its fan " + status);
}

void world::set_file(const std::string& program, file_fault what) {
  files_[program] = what;
  ++version_;
  tell("file " + program + " " + to_string(what));
}

file_fault world::file_of(const std::string& program) const {
  auto i = files_.find(program);
  return i == files_.end() ? file_fault::none : i->second;
}

bool world::start(const instance_name& name, const node_name& where) {
  if (!booted(where))
    return false;
  auto& homes = homes_[name];
  if (!homes.insert(where).second)
    return true;
  at(where).running.insert(name);
  if (homes.size() > 1)
    doubles_.insert(name);
  ++version_;
  compare_copies(name);
  return true;
}

bool world::start_by_hand(const instance_name& name, const node_name& where) {
  by_hand_[name] = {where, now_};
  return start(name, where);
}

void world::stop(const instance_name& name, const node_name& where) {
  auto i = homes_.find(name);
  if (i == homes_.end() || i->second.erase(where) == 0)
    return;
  at(where).running.erase(name);
  if (i->second.size() < 2)
    doubles_.erase(name);
  if (i->second.empty())
    homes_.erase(i);
  ++version_;
}

void world::stop_everywhere(const instance_name& name) {
  auto all = homes(name);
  for (const auto& where : all)
    stop(name, where);
}

const std::set<node_name>& world::copies(const instance_name& name) const {
  static const std::set<node_name> nowhere;
  auto i = copies_.find(name);
  return i == copies_.end() ? nowhere : i->second;
}

node_name world::faulty_mirror(const instance_name& name) const {
  auto i = faulty_mirrors_.find(name);
  return i == faulty_mirrors_.end() ? node_name{} : i->second.where;
}

bool world::syncs(const instance_name& name) const {
  auto i = faulty_mirrors_.find(name);
  return i != faulty_mirrors_.end() && i->second.syncs;
}

instant world::faulty_since(const instance_name& name) const {
  auto i = faulty_mirrors_.find(name);
  return i == faulty_mirrors_.end() ? never : i->second.since;
}

void world::set_copies(const instance_name& name, std::set<node_name> where) {
  // All of them are the same now.
  generations_.erase(name);
  apart_since_.erase(name);
  diverged_.erase(name);
  copies_[name] = std::move(where);
  ++version_;
}

void world::lose_data(const instance_name& name, std::set<node_name> where) {
  data_loss loss{name, now_, {}};
  for (const auto& node : copies(name))
    if (alive(node))
      loss.alive.insert(node);
  losses_.push_back(std::move(loss));
  faulty_mirrors_.erase(name);
  set_copies(name, std::move(where));
  tell("new empty disks for " + name);
}

void world::degrade(const instance_name& name, const node_name& where,
                    bool syncs) {
  auto& x = faulty_mirrors_[name];
  if (x.where != where)
    x = {where, now_, syncs};
  x.syncs = syncs;
  ++version_;
  tell("mirror of " + name + (syncs ? " being synchronised on " : " faulty on ")
       + where);
}

void world::heal_mirror(const instance_name& name) {
  if (faulty_mirrors_.erase(name) == 0)
    return;
  ++version_;
  tell("mirror of " + name + " healed");
}

} // namespace orderly::sim
