// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Every knob of orderly: one struct, units in the names, defaults here and
// nowhere else. The list of knobs with their keys, bounds and help texts is
// in settings.cpp; io/config reads them from TOML.

#pragma once

#include "messages/power.hpp"
#include "messages/standing.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace orderly {

/// Who picks the nodes of a reinstallation: we name them, or the cluster does,
/// which Ganeti 3.0 cannot.
enum class node_picker { named, allocator };

/// Who picks the new node of an instance that moves: we do, so that all that
/// move at once fit, or the cluster's allocator.
enum class target_picker { planned, allocator };

/// What whoever reaches the TCP door may read: what a monitor needs, or all.
enum class shown_to_all { monitoring, all };

/// Which agent may speak for a node of which none is known.
enum class agent_trust { first, tagged };

struct settings {
  struct {
    millis poll_interval = seconds{5}; ///< how often the cluster is read
    millis poll_timeout = seconds{20}; ///< for one reading
    /// An older picture permits no new destructive act.
    millis picture_max_age = seconds{60};
    millis job_deadline = minutes{30}; ///< a job that takes longer is overdue
    millis job_watch_limit = seconds{20}; ///< one question about a job
    /// After a broken submission: wait so long before the queue is searched,
    /// so that a job which was under way is there to be found. A real queue
    /// takes 10 s to accept a job while a master candidate is dead.
    millis job_match_grace = seconds{30};
    millis retry_base = seconds{1}; ///< first pause after a failed call
    millis retry_max = seconds{60};
    std::uint32_t jobs_open_max = 200;   ///< jobs of ours at once
    std::uint32_t job_resubmits_max = 5; ///< after refusals by the queue
    std::string luxi_socket = "/var/run/ganeti/socket/ganeti-query";
    std::string allocator = "hail"; ///< picks nodes where we name none
    std::string remark; ///< put into the reason trail of every job of ours
  } cluster;

  struct {
    bool enabled = true; ///< false: watches and says what it would do
    /// Only nodes that a person configured and enabled are treated.
    bool opt_in = false;
    millis check_interval = seconds{10};
    millis check_timeout = seconds{10};
    millis activity_timeout = seconds{60};
    millis activity_interval_base = seconds{10}; ///< first wait, doubles
    millis activity_interval_max = seconds{60};
    std::uint32_t activity_checks = 10; ///< samples in a window
    double activity_failure_ratio = 0.7;
    millis degraded_period = seconds{300};
    millis recovery_timeout = seconds{60};
    millis recovery_wait = seconds{600};
    std::uint32_t recovery_attempts_max = 1;
    restart_way restart_operation = restart_way::cycle; ///< of a reset
    millis fence_timeout = seconds{60};
    millis retry_base = seconds{10}; ///< pause after a failed reset or fence
    millis retry_max = seconds{250};
    millis evidence_max_age = minutes{10}; ///< older trouble begins anew
    /// Enough for a third of a large cluster to time out at once, or a storm
    /// would be seen too late.
    std::uint32_t probes_parallel_max = 500;
    std::uint32_t probes_queued_max = 5000;
    std::uint32_t activity_parallel_max = 25;
    std::uint32_t activity_queued_max = 2500;
    std::uint16_t daemon_port = 1811;  ///< node daemon; 0: do not ask
    std::uint16_t monitor_port = 1815; ///< monitor's HTTP; 0: do not ask
    /// What holds for the nodes of a group instead, "NAME=VALUE" each; see
    /// policy/settings/group_settings. Table `[host_ha.groups]`.
    std::map<std::string, std::vector<std::string>> groups;
  } host_ha;

  struct {
    bool enabled = false; ///< auto-repair looks at instances
    repair_mode mode = repair_mode::act;
    millis check_interval = seconds{30}; ///< looked at again without news
    std::uint32_t tries_max = 3;         ///< of safe steps (fix-storage)
    millis retry_base = seconds{60};
    millis retry_max = minutes{30};
    /// So long ago the last reading behind a proof may be when it is used.
    millis proof_max_age = minutes{5};
    millis word_max_age = hours{24}; ///< likewise, of a person's word
    /// A node without power control that is marked offline is off, on the word
    /// of whoever marked it.
    bool offline_vouches = false;
    /// Repair jobs begin with such a wait, in which the tag gets their ids. At
    /// zero the tag gets them with the next step or the end.
    millis job_delay = seconds{0};
    node_picker new_nodes = node_picker::named;
    millis mirror_interval = minutes{5}; ///< mirrors are asked; zero: never
    millis room_max_age = seconds{30};   ///< then room is asked for anew
    target_picker targets = target_picker::planned;
    bool single_pass = false; ///< `orderly harep`: look once; not in the file
  } autorepair;

  struct {
    bool enabled = false;         ///< instances that are well are moved
    millis interval = minutes{5}; ///< after a round that moved nothing
    /// Least gain of a step, while the score is below ten times that.
    double threshold = 0.1;
    bool disk_moves = true;   ///< false: only moves that copy no disks
    bool dynamic_load = true; ///< with what the monitors say of CPU load
    /// What a live migration must take off the score, times the nodes.
    double move_cost = 0.05;
    std::uint32_t moves_max = 20; ///< jobs of one round
    millis search_limit = seconds{5};
    millis model_timeout = seconds{60}; ///< to read the figures of all nodes
    millis model_max_age = minutes{10}; ///< then targets are not planned by it
    millis target_timeout = seconds{3}; ///< then the allocator picks
    millis retry_base = minutes{10};    ///< an instance whose move failed waits
    millis retry_max = hours{24};
  } balance;

  struct {
    repair_mode mode = repair_mode::observe; ///< of repair events
    millis interval = minutes{1};            ///< nodes are asked for reports
    millis report_timeout = seconds{5};
    std::uint32_t nodes_max = 2; ///< with events at work
    std::uint32_t begins_per_hour_max = 6;
    std::uint32_t moves_parallel_max = 4; ///< off one node
    std::uint32_t events_per_node_max = 20;
    std::uint32_t debounce = 1; ///< reports that must show it
    std::uint32_t debounce_failover = 2;
    millis evidence_max_age = minutes{10};
    bool early_release = true; ///< of the locks of mirrors that move
    /// What runs is failed over only by a home that answers and stops it; not
    /// in the file.
    bool ask_home = true;
    millis retry_base = seconds{60}; ///< of tags
    millis retry_max = minutes{30};
  } maintenance;

  struct {
    std::uint16_t port = 1817;              ///< zero: no agent is asked
    std::string folder = "/var/lib/ganeti"; ///< client.pem and its kind
    agent_trust trust = agent_trust::first;
  } agents;

  struct {
    /// Helper programs at once. Enough for a score of hung controllers to
    /// leave room for all others.
    std::uint32_t concurrency = 64;
    std::uint32_t queued_max = 1000;
    millis command_timeout = seconds{60}; ///< then TERM
    millis kill_delay = seconds{5};       ///< then KILL
    millis status_poll = seconds{2};      ///< between readings after a command
    std::string program; ///< overrides the cluster's oob_program if not empty
    /// How often each controller is asked whether it could be relied upon;
    /// zero: never, and what has a helper counts as protected.
    millis rehearsal_interval = hours{1};
    /// Helpers that are tried one after the other, by node, `group:NAME` or
    /// `*`; see policy/power_levels. Table `[power.levels]`.
    std::map<std::string, std::vector<std::string>> levels;
  } power;

  struct {
    /// More troubled nodes than both limits allow is a storm: nothing new
    /// that destroys is started.
    std::uint32_t nodes_max = 2;
    std::uint32_t percent_max = 20;
    /// A trouble must be so old before anything destructive is done about it,
    /// so that its companions are seen too.
    millis settle = seconds{15};
    millis cooldown = seconds{60}; ///< calm for so long before acting again
  } storm;

  struct {
    std::uint32_t fences_per_hour_max = 6; ///< fences and resets
    std::uint32_t failovers_per_hour_max = 400;
  } budget;

  struct {
    std::uint32_t parallel_max = 50; ///< permits at once
    /// Acts of one kind that may fill one node at the same time; the cluster
    /// works them off by its own locks.
    std::uint32_t joins_per_node_max = 4;
    /// A refused permit is asked for again after that, if no call came.
    millis hold_retry = seconds{30};
    millis permit_max_age = hours{2}; ///< then taken back
  } rounds;

  struct {
    std::string path = "/var/lib/orderly/journal.db";
    std::uint32_t batch_max = 500; ///< entries in one commit
    std::uint32_t queued_max = 20000;
    millis timeout = seconds{30};        ///< for one commit
    std::uint32_t keep_entries = 200000; ///< older rows are removed at start
    millis lost_linger = minutes{1};     ///< told for so long before we end
    std::uint32_t room_min_mib = 256;    ///< free on its disk; less is told
  } journal;

  struct {
    millis lease = seconds{30}; ///< right to act after one confirmed reading
    std::string own_node;       ///< our own node; empty: this machine's name
    millis clock_tolerance = seconds{3}; ///< a longer jump ends all evidence
  } leader;

  struct {
    std::string address = "127.0.0.1";
    std::uint16_t port = 1816;
    std::string socket = "/run/orderly/orderly.sock";
    std::string reader_socket; ///< for `reader_group`, which may only read
    std::string reader_group;
    std::string hosts; ///< more names that requests may be for, by blanks
    shown_to_all shown = shown_to_all::monitoring;
    std::uint32_t connections_max = 200; ///< of each door
    std::uint32_t connections_per_peer_max = 50;
    std::uint32_t heavy_max = 8; ///< large answers under way at once
    millis request_timeout = seconds{10};
    std::uint32_t decisions_kept = 2000; ///< in memory, for /2/decisions
  } http;

  struct {
    std::uint32_t restarts_max = 5; ///< of one actor, within the period
    millis restart_period = minutes{10};
    millis restart_base = millis{200};
    millis restart_max = seconds{30};
  } supervision;

  std::string log_level = "info";
};

/// A value that is one of a few words: which of `knob::choices`.
struct chosen {
  const void* field = nullptr; ///< of the settings: no two knobs share one
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

/// One knob, bound to a settings object.
struct knob {
  using target = std::variant<bool*, std::uint16_t*, std::uint32_t*, double*,
                              millis*, std::string*, chosen,
                              std::map<std::string, std::vector<std::string>>*>;
  std::string key; ///< dotted, as in TOML: `storm.percent_max`
  target value;
  std::string unit; ///< `s`, `%`, `nodes`, ... or empty
  std::string help; ///< one sentence
  double least = 0; ///< bounds of numbers; durations in seconds
  double most = 0;
  std::vector<std::string> choices; ///< of a text or `chosen`; empty: any
};

/// Bounds of `power.levels`: more is a slip, not a cluster.
inline constexpr std::size_t power_keys_max = 10000;
inline constexpr std::size_t power_levels_max = 8; ///< of one key
inline constexpr std::size_t power_key_length_max = 255;
inline constexpr std::size_t power_path_length_max = 4096;

/// What sentences call the list of one key: `power.levels."node1"`.
std::string power_levels_key(const std::string& name);

/// All knobs of `s`, in the order of the documentation.
std::vector<knob> knobs(settings& s);

/// What is wrong with the values taken together, a sentence each that names
/// the keys; empty if all is well. Single values are checked on reading.
std::vector<std::string> contradictions(const settings& s);

} // namespace orderly
