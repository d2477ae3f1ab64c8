// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is really so: which machine has power, which kernel lives, where every
// instance really runs. Ganeti's record may differ, controllers may lie; this
// does not. Faults and controllers change it, ports look at it, laws judge by
// it. Time is set by the driver and only moves forward.

#pragma once

#include "messages/ids.hpp"
#include "messages/power.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

/// How a power controller behaves.
enum class controller {
  ok,
  hang,           ///< never answers
  fail,           ///< its helper fails at once
  lies_on,        ///< says on, whatever is so
  lies_off,       ///< says off, whatever is so, and switches nothing
  garbage,        ///< answers nonsense
  slow,           ///< answers right, but late
  dies_with_node, ///< lives on the node's feed
};

const char* to_string(controller x); // "ok", "lies-on", "dies-with-node"

struct mood {
  controller what = controller::ok;
  millis delay{}; ///< for `slow`
};

/// What is wrong with the file of a helper program.
enum class file_fault { none, missing, not_executable, not_a_file, writable };

const char* to_string(file_fault x); // "fine", "missing", "not-executable"

/// How something that tells us about a node behaves.
enum class informer {
  ok,
  silent,     ///< gives no answer
  lies_alive, ///< says that all is well, whatever is so
  lies_dead,  ///< says that nothing moves, whatever is so
};

const char* to_string(informer x); // "ok", "silent", "lies-alive"

/// The way from one node to another.
struct sim_link {
  bool cut = false;
  millis delay{};
};

/// Which writes a copy of a mirror has seen, as DRBD's generations tell.
struct generation {
  std::uint64_t now = 0;
  std::set<std::uint64_t> before;
};

struct sim_node {
  node_name name;
  bool powered = true;  ///< the chassis is on
  bool fed = true;      ///< mains is there
  bool crashed = false; ///< on, but the kernel is dead
  bool management_cut = false;
  bool storage_cut = false;
  bool daemon_down = false; ///< node daemon killed, kernel fine
  instant daemon_lost_at;   ///< when that changed last
  mood bmc; ///< of its controllers, as far as `helpers` says nothing else
  std::map<std::string, mood> helpers; ///< by program
  instant helped_at; ///< when something about these changed last
  instant off_at;    ///< when it lost its power last
  /// What its controllers know of its parts.
  std::vector<health_item> parts{{"PSU 1", "OK"}, {"FAN 1 RPM", "OK"}};
  informer monitor = informer::ok; ///< answers on its own port
  informer agent = informer::ok;   ///< looks at its neighbours' storage
  bool autostart = false;          ///< its boot starts what ran there
  std::set<instance_name> ran;     ///< when it went down, if it autostarts
  instant boots_until;             ///< daemons do not answer before
  instant trouble_since;           ///< `never`: power, kernel, network are fine
  std::set<instance_name> running;
};

/// The data of an instance was given up for new empty disks.
struct data_loss {
  instance_name instance;
  instant at;
  std::set<node_name> alive; ///< nodes with a copy that lived just then
};

/// A copy of its own was written over with that of another node.
struct overwriting {
  instance_name instance;
  instant at;
  node_name where; ///< the copy that is no more
  instant apart;   ///< since when it was not the same
};

class world {
public:
  using listener = std::function<void(const std::string&)>;

  static constexpr millis boot_time = seconds{60};

  // -- building ---------------------------------------------------------------

  void add_node(const node_name& name);

  void set_self(const node_name& name) { self_ = name; }

  /// From now on every change is told as a sentence, such as
  /// "power node3 off".
  void on_event(listener f) { listener_ = std::move(f); }

  /// Tells a sentence about something outside of this class, too.
  void tell(const std::string& text) const {
    if (listener_)
      listener_(text);
  }

  // -- time ------------------------------------------------------------------

  [[nodiscard]] instant now() const { return now_; }

  /// Earlier instants are ignored.
  void advance(instant now);

  // -- looking ---------------------------------------------------------------

  [[nodiscard]] bool has(const node_name& name) const {
    return nodes_.find(name) != nodes_.end();
  }

  /// `name` must exist.
  [[nodiscard]] const sim_node& node(const node_name& name) const {
    return nodes_.at(name);
  }

  [[nodiscard]] const std::map<node_name, sim_node>& nodes() const {
    return nodes_;
  }

  /// Power and a living kernel: what instances need.
  [[nodiscard]] bool alive(const node_name& name) const;

  /// Alive and booted.
  [[nodiscard]] bool booted(const node_name& name) const;

  /// Its node daemon answers us over the management network.
  [[nodiscard]] bool answers(const node_name& name) const {
    return answers(self_, name);
  }

  /// Its node daemon answers `from`; empty: somebody on no node at all.
  [[nodiscard]] bool answers(const node_name& from,
                             const node_name& name) const;

  /// What `from` sends gets to `to` over the management network, and the
  /// reply gets back.
  [[nodiscard]] bool reaches(const node_name& from, const node_name& to) const;

  /// How long question and reply are under way between them.
  [[nodiscard]] millis delay_between(const node_name& from,
                                     const node_name& to) const;

  /// The machine that the address of the controller of `name` leads to.
  [[nodiscard]] const node_name& machine_of(const node_name& name) const;

  /// What is written to a mirror on one of them gets to the other.
  [[nodiscard]] bool replicates(const node_name& a, const node_name& b) const;

  /// The copies of its mirror are the same.
  [[nodiscard]] bool in_step(const instance_name& name) const;

  /// Since when the copy on `node` lacks writes that the other one has;
  /// `never`: it lacks none.
  [[nodiscard]] instant behind_since(const instance_name& name,
                                     const node_name& node) const;

  /// Since when they have not been; `never`: they are.
  [[nodiscard]] instant apart_since(const instance_name& name) const;

  /// The copies of its mirror have different writes of their own.
  [[nodiscard]] bool diverged(const instance_name& name) const {
    return diverged_.count(name) > 0;
  }

  /// Copies with writes of their own that were written over, oldest first.
  [[nodiscard]] const std::vector<overwriting>& overwritings() const {
    return overwritings_;
  }

  struct noted_start {
    node_name node;
    instant at;
  };

  /// What the boot of a node has started last: no doing of anybody's.
  [[nodiscard]] const std::map<instance_name, noted_start>&
  autostarted() const {
    return autostarted_;
  }

  /// What a person has started by hand, and where.
  [[nodiscard]] const std::map<instance_name, noted_start>& by_hand() const {
    return by_hand_;
  }

  bool start_by_hand(const instance_name& name, const node_name& where);

  /// A node's storage shows to its neighbours whether it lives, and agents on
  /// them tell us. Without them we see what answers us ourselves.
  [[nodiscard]] bool agents() const { return agents_; }

  /// Our own link to all other nodes is cut.
  [[nodiscard]] bool uplink_cut() const { return uplink_cut_since_ != never; }

  /// `never` if it is not cut.
  [[nodiscard]] instant uplink_cut_since() const { return uplink_cut_since_; }

  /// The node that we run on; empty: none of them.
  [[nodiscard]] const node_name& self() const { return self_; }

  /// Where `name` really runs; more than one node breaks law S1.
  [[nodiscard]] const std::set<node_name>&
  homes(const instance_name& name) const;

  [[nodiscard]] bool runs_on(const instance_name& name,
                             const node_name& where) const {
    return homes(name).count(where) > 0;
  }

  /// Instances that run on more than one node.
  [[nodiscard]] const std::set<instance_name>& doubles() const {
    return doubles_;
  }

  /// Nodes with a copy of its data on their own disks.
  [[nodiscard]] const std::set<node_name>&
  copies(const instance_name& name) const;

  /// Every data loss so far, oldest first.
  [[nodiscard]] const std::vector<data_loss>& losses() const { return losses_; }

  /// Where its mirror is faulty; empty: nowhere.
  [[nodiscard]] node_name faulty_mirror(const instance_name& name) const;

  /// It is faulty for it is being written anew.
  [[nodiscard]] bool syncs(const instance_name& name) const;

  /// Since when it is faulty there; `never`: it is whole.
  [[nodiscard]] instant faulty_since(const instance_name& name) const;

  /// Nodes without power, kernel, management network or a way from us to them,
  /// and since when.
  [[nodiscard]] const std::map<node_name, instant>& troubled() const {
    return troubled_;
  }

  /// How the controller behaves that `program` talks to.
  [[nodiscard]] const mood& controller_of(const node_name& name,
                                          const std::string& program) const;

  [[nodiscard]] file_fault file_of(const std::string& program) const;

  /// Grows with every change.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  // -- changing --------------------------------------------------------------

  /// The chassis, by controller or button. Off stops all instances there; on
  /// boots the node and starts none. True if something changed.
  bool set_power(const node_name& name, bool on);

  /// Mains. Without it there is no power either; its return boots the node.
  void set_feed(const node_name& name, bool on);

  /// Off and on again: instances stop, a dead kernel lives again.
  void cycle(const node_name& name);

  void crash(const node_name& name);
  void set_management(const node_name& name, bool cut);
  void set_storage(const node_name& name, bool cut);
  void set_daemon(const node_name& name, bool down);
  void set_uplink(bool cut);
  void set_agents(bool exist);

  /// The ways between two nodes, there and back.
  void set_link(const node_name& a, const node_name& b, sim_link there,
                sim_link back);

  void set_monitor(const node_name& name, informer what);
  void set_agent(const node_name& name, informer what);
  void set_autostart(const node_name& name, bool on);

  /// From now on the controller's address of `name` leads to `machine`.
  void set_machine(const node_name& name, const node_name& machine);

  /// Of one helper program, or of all that were not set apart.
  void set_controller(const node_name& name, controller what, millis delay = {},
                      const std::string& program = {});

  /// All its controllers are fine.
  void mend_controllers(const node_name& name);

  /// What is said of its fan: "OK", "WARNING", "CRITICAL", "UNKNOWN".
  void set_health(const node_name& name, const std::string& status);

  void set_file(const std::string& program, file_fault what);

  /// Starts `name` on `where`, even if it runs elsewhere. False if `where`
  /// cannot run anything.
  bool start(const instance_name& name, const node_name& where);

  /// Stops `name` on `where`; nothing happens if it does not run there.
  void stop(const instance_name& name, const node_name& where);

  /// Stops `name` everywhere.
  void stop_everywhere(const instance_name& name);

  /// The data of `name` is on these nodes' disks now, the same as before.
  void set_copies(const instance_name& name, std::set<node_name> where);

  /// The copy on `source` is written over all others, wherever they are.
  void synchronize(const instance_name& name, const node_name& source,
                   std::set<node_name> where);

  /// New empty disks: whatever copies there were are given up.
  void lose_data(const instance_name& name, std::set<node_name> where);

  /// A person gives an instance another name.
  void rename(const instance_name& name, const instance_name& to);

  /// A person gives it up, with its disks: another one may get its name.
  void forget(const instance_name& name);

  /// The mirror of `name` is faulty on `where`, until it is healed; or it is
  /// being written anew there until then.
  void degrade(const instance_name& name, const node_name& where,
               bool syncs = false);
  void heal_mirror(const instance_name& name);

private:
  [[nodiscard]] bool is_booted(const sim_node& x) const;
  sim_node& at(const node_name& name);
  void judge(sim_node& x);
  void changed(sim_node& x, const std::string& text);
  void stop_all(sim_node& x);
  void boot_up(sim_node& x);
  [[nodiscard]] bool passes(const node_name& from, const node_name& to) const;
  void compare_copies(const instance_name& name);
  void compare_copies_on(const node_name& name);

  std::map<node_name, sim_node> nodes_;
  std::map<instance_name, std::set<node_name>> homes_;
  std::map<instance_name, std::set<node_name>> copies_;

  struct faulty_copy {
    node_name where;
    instant since;
    bool syncs = false;
  };

  std::map<instance_name, faulty_copy> faulty_mirrors_;
  std::vector<data_loss> losses_;
  std::map<std::string, file_fault> files_;
  std::set<instance_name> doubles_;
  std::map<node_name, instant> troubled_;
  std::uint64_t version_ = 0;
  node_name self_;
  instant uplink_cut_since_;
  bool agents_ = false;
  std::map<std::pair<node_name, node_name>, sim_link> links_;
  std::map<node_name, node_name> machines_; ///< only what is wired wrongly
  std::map<instance_name, std::map<node_name, generation>> generations_;
  std::uint64_t last_generation_ = 0;
  std::map<instance_name, instant> apart_since_; ///< not in step
  std::set<instance_name> diverged_;
  std::vector<overwriting> overwritings_;
  std::map<instance_name, noted_start> autostarted_;
  std::map<instance_name, noted_start> by_hand_;
  std::set<node_name> booting_; ///< those whose boot will start something
  instant now_;
  listener listener_;
};

} // namespace orderly::sim
