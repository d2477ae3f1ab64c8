// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who reaches whom in the simulated world: links between single nodes, and
// controllers whose address leads to another machine.

#include "sim/world/world.hpp"

namespace orderly::sim {

const char* to_string(informer x) {
  switch (x) {
  case informer::ok:
    return "ok";
  case informer::silent:
    return "silent";
  case informer::lies_alive:
    return "lies-alive";
  case informer::lies_dead:
    return "lies-dead";
  }
  return "?";
}

bool world::passes(const node_name& from, const node_name& to) const {
  auto i = links_.find({from, to});
  return i == links_.end() || !i->second.cut;
}

bool world::reaches(const node_name& from, const node_name& to) const {
  if (from == to)
    return true;
  // Our own network is our uplink, not a cut of our node.
  auto off = [&](const node_name& x) {
    if (x == self_)
      return uplink_cut();
    auto i = nodes_.find(x);
    return i != nodes_.end() && i->second.management_cut;
  };
  // Whoever asks wants to hear the reply.
  return !off(from) && !off(to) && passes(from, to) && passes(to, from);
}

bool world::answers(const node_name& from, const node_name& name) const {
  return booted(name) && !nodes_.at(name).daemon_down && reaches(from, name);
}

millis world::delay_between(const node_name& from, const node_name& to) const {
  millis sum{};
  for (const auto& way : {std::pair{from, to}, std::pair{to, from}})
    if (auto i = links_.find(way); i != links_.end())
      sum += i->second.delay;
  return sum;
}

void world::set_link(const node_name& a, const node_name& b, sim_link there,
                     sim_link back) {
  links_[{a, b}] = there;
  links_[{b, a}] = back;
  auto say = [](const sim_link& x) {
    return x.cut ? std::string{" cut"}
           : x.delay == millis{}
             ? std::string{" fine"}
             : " slow by " + std::to_string(x.delay.count()) + " ms";
  };
  judge(at(a));
  judge(at(b));
  ++version_;
  tell("link " + a + " to " + b + say(there) + ", back" + say(back));
  compare_copies_on(a);
}

const node_name& world::machine_of(const node_name& name) const {
  auto i = machines_.find(name);
  return i == machines_.end() ? name : i->second;
}

void world::set_machine(const node_name& name, const node_name& machine) {
  machines_[name] = machine;
  ++version_;
  tell("the controller of " + name + " is that of " + machine);
}

void world::set_agents(bool exist) {
  agents_ = exist;
  ++version_;
  tell(exist ? "agents on" : "agents off");
}

void world::set_monitor(const node_name& name, informer what) {
  at(name).monitor = what;
  ++version_;
  tell("monitor " + name + " " + to_string(what));
}

void world::set_agent(const node_name& name, informer what) {
  at(name).agent = what;
  ++version_;
  tell("agent " + name + " " + to_string(what));
}

} // namespace orderly::sim
