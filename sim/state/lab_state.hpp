// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Everything that outlives a daemon in simulation: the world, Ganeti, the
// journal's disk, and a record of what was done through the ports. Shared by
// the simulated ports, faults and laws.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/errand.hpp"
#include "messages/event.hpp"
#include "messages/power.hpp"
#include "sim/ganeti/ganeti.hpp"
#include "sim/world/dice.hpp"
#include "sim/world/disk.hpp"
#include "sim/world/plan.hpp"
#include "sim/world/world.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

/// A call of the power port: noted once when it comes in and once when it
/// takes effect and is answered.
struct power_deed {
  bool ended = false;
  instant at;
  node_name node;
  power_verb verb = power_verb::status;
  std::string program;
  node_name machine; ///< whose controller it really is
  // only if `ended`
  bool changed = false;                     ///< it switched something
  bool done = false;                        ///< what the caller was told
  power_state state = power_state::unknown; ///< likewise
  bool lie = false;                         ///< the state told was not so
};

/// How far something is that a person asked of us.
enum class order_step {
  asked,
  taken, ///< it has an id
  refused,
  ended,
};

/// What a person asked at a console: noted at each of its steps.
struct person_order {
  std::uint32_t number = 0; ///< the same at all steps
  order_step step = order_step::asked;
  instant at;
  errand_request wanted;
  errand_id id;        ///< once it is taken
  bool failed = false; ///< at the end
};

/// A person asked for a pause, or for its end, and was told that it is so.
struct pause_word {
  bool on = true;
  instant asked;
};

/// A person stopped an errand, and was told that nothing more of it is begun.
struct stop_word {
  errand_id id;
  instant told;
};

/// What the agent on a node says when it is asked.
struct node_agent {
  hearing how = hearing::heard;
  std::string object = R"({"status": "Ok"})";
  std::string text{};
  millis age{}; ///< of what it says
  bool silent = false;
};

/// What the laws read, in the order in which it happened.
enum class happening : char { entry, deed, job, order, pause, stop };

/// When every simulation begins: 2026-01-01 00:00 UTC.
inline constexpr instant lab_epoch{seconds{1767225600}};

struct lab_state {
  using steady_point = std::chrono::time_point<std::chrono::steady_clock,
                                               std::chrono::nanoseconds>;

  explicit lab_state(const world_plan& plan, settings rules_in = {},
                     instant start = lab_epoch);

  /// A second daemon on the node `at`, in the world of `first`: with a journal
  /// and a calendar of its own, on the same Ganeti or, if `split`, on one of
  /// which `at` was made master without the old one hearing of it.
  lab_state(std::shared_ptr<lab_state> first, const node_name& at, bool split);
  ~lab_state();

  lab_state(const lab_state&) = delete;
  lab_state& operator=(const lab_state&) = delete;

private:
  std::shared_ptr<lab_state> first_; ///< null: this is it
  std::unique_ptr<world> own_truth_;
  std::shared_ptr<ganeti> own_cluster_;
  node_name self_; ///< of a second one

public:
  /// Held by every port while it looks at or changes anything below. The
  /// demo runs ports on several threads; drills have one and may do without.
  std::mutex guard;

  /// What actor clock time `epoch_steady` is in wall time. Simulated clocks
  /// start at zero.
  steady_point epoch_steady{};
  instant epoch_wall = lab_epoch;

  std::uint64_t seed;
  settings rules;
  world& truth;
  ganeti& cluster;
  disk journal;
  dice luck; ///< of the ports
  /// Of questions that only compare: how many there are shifts nothing else.
  dice luck_beside;

  /// Ports answer after a millisecond instead of after a drawn while.
  bool prompt_ports = false;

  /// How long a port takes, between so many milliseconds.
  millis port_delay(std::int64_t least, std::int64_t most);

  /// The same for a node that answers a health check.
  millis answer_delay(bool beside, std::int64_t most);

  /// The daemon should be alive: set by faults, obeyed by the lab.
  bool daemon_wanted = true;

  instant daemon_since; ///< when it was started last
  instant daemon_ended; ///< when it ended last; `never`: it did not yet
  /// Since then it has looked, but for short absences after long lives: what
  /// lasted before them is remembered.
  instant watched_since;

  /// How far the wall clock of the machine that we run on is ahead.
  millis clock_error{};

  /// Until then that machine is suspended: the world goes on without it.
  instant suspended_until;

  /// When its clocks jumped last, by more than the settings bear: after a
  /// suspend, when it is awake again.
  instant luxi_since; ///< luxid answers as it does now
  instant clocks_jumped;

  /// A person sets these, and reloads: the lab obeys.
  std::optional<std::pair<std::string, std::string>> set_asked;

  /// How often a command about one node switched another one.
  std::map<node_name, std::uint32_t> misdirected;

  /// Somebody starts a second daemon: the lab obeys.
  struct second_daemon {
    node_name at;
    bool split = false;
  };

  std::optional<second_daemon> second_asked;

  /// A person wants automation paused, or to go on: the lab tells the daemon.
  std::optional<bool> pause_asked;

  /// While the daemon is being killed: what it still says is not heard.
  bool gagged = false;

  /// Beginnings and ends of all power calls, oldest first. Add to it by
  /// `note`.
  std::vector<power_deed> power_deeds;

  /// What persons asked, step by step. Add to it by `note`.
  std::vector<person_order> orders;

  /// By node; who is not here says Ok.
  std::map<node_name, node_agent> agents;

  std::uint32_t errands_asked = 0; ///< gives numbers to orders

  /// When a job left us last, by its intent. A luxid that is slow or stalled
  /// has it in its queue much later.
  std::map<intent_id, instant> sent;

  /// Pauses that were confirmed. Add to it by `note`.
  std::vector<pause_word> pause_words;

  /// Stops that were confirmed. Add to it by `note`.
  std::vector<stop_word> stop_words;

  /// In which order journal entries, power deeds, jobs and persons' orders
  /// came, each the next one of its own list.
  std::vector<happening> history;

  void note(const power_deed& deed);
  void note(const person_order& order);
  void note(const pause_word& word);
  void note(const stop_word& word);

  /// How often a node's controller, or a person, said off while it was on.
  std::map<node_name, std::uint32_t> lies_told;

  /// What an actor clock reading means.
  [[nodiscard]] instant wall(steady_point t) const;

  /// Time is `now`: lets everything happen that is due.
  void advance(instant now);

  /// The node that we run on.
  [[nodiscard]] const node_name& self() const {
    return first_ ? self_ : truth.self();
  }

  /// Whom the nodes follow, and since when; a master that was not told is not
  /// it any more, whatever its own record says.
  struct mastership {
    node_name who;
    instant since;
  };

  [[nodiscard]] mastership master() const;

  /// Nobody of ours could tell a person anything just now.
  [[nodiscard]] bool is_mute() const;

  /// A controller or a person lied to the other daemon about this node then.
  [[nodiscard]] instant lied_elsewhere(const node_name& node) const;

private:
  [[nodiscard]] lab_state& origin() { return first_ ? *first_ : *this; }

  [[nodiscard]] const lab_state& origin() const {
    return first_ ? *first_ : *this;
  }

  void listen();
  void hear_of_master();
  void note_lie(const node_name& node, instant at);

  // of the first one, for all
  std::vector<std::shared_ptr<ganeti>> masters_;           ///< oldest first
  std::map<node_name, std::map<node_name, instant>> lies_; ///< by who heard
};

} // namespace orderly::sim
