// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words between people and the power desk. What a person asks for is an
// errand: a list of rows, one a node or instance, that are worked off and
// told as a sheet. The command line makes requests and prints sheets, the
// desk does what lies between; a sheet can be asked for again until it ended.

#pragma once

#include "messages/cluster.hpp"
#include "messages/power.hpp"
#include "messages/standing.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace orderly {

using errand_id = std::string; ///< "power-12": unique; its order says nothing

/// `orderly power on|off|cycle|status`, `orderly health`.
struct power_errand {
  power_verb verb = power_verb::status;
  /// In any order; empty means all nodes with power control for readings, and
  /// is refused for everything else.
  std::vector<node_name> nodes;
  /// off: the node is marked offline first. If false that is left out, and it
  /// need not be (`--ignore-status`). on, cycle: what relies on the node being
  /// off is waited for; if false it is not.
  bool mark_offline = true;
  bool auto_promote = false; ///< others may become master candidates
  /// Only the helper runs: what the opcode OP_OOB_COMMAND does. With
  /// `mark_offline` a node must be offline before off.
  bool bare = false;
  millis time_limit{};             ///< of one helper run; zero: the setting
  millis power_delay = seconds{2}; ///< between two power-ons
};

/// `orderly node modify`. What is not set stays as it is.
struct modify_errand {
  node_name node;
  std::optional<bool> powered; ///< the record, without touching the node
  std::optional<bool> offline;
  std::optional<std::string> program; ///< oob_program; "!" and "" opt out
  bool auto_promote = false;
};

/// `orderly node info`: changes nothing and asks no controller.
struct info_errand {
  std::vector<node_name> nodes; ///< empty: all
};

/// `orderly epo`: emergency power-off, and back on.
struct epo_errand {
  bool on = false;
  bool groups = false; ///< `names` are node groups
  bool all = false;    ///< the whole cluster; `names` must be empty
  std::vector<std::string> names;
  millis time_limit{};       ///< of one helper run; zero: the setting
  millis shutdown_timeout{}; ///< of an instance; zero: the cluster's default
  millis power_delay = seconds{2};
};

/// `orderly verify`: helper programs, and records against the world.
struct verify_errand {};

/// `orderly confirm-off`.
struct confirm_errand {
  node_name node;
  /// Taken though no other node answers either, so that our own link may be
  /// what is cut (`--ignore-silence`).
  bool ignore_silence = false;
};

enum class ha_action {
  list,
  providers,
  configure,
  enable,
  disable,
  settings,
};

inline const char* to_string(ha_action x) {
  switch (x) {
  case ha_action::list:
    return "list";
  case ha_action::providers:
    return "providers";
  case ha_action::configure:
    return "configure";
  case ha_action::enable:
    return "enable";
  case ha_action::disable:
    return "disable";
  case ha_action::settings:
    return "settings";
  }
  return "?";
}

/// Whose switch of host HA is meant.
enum class ha_scope { nodes, group, cluster };

inline const char* to_string(ha_scope x) {
  return x == ha_scope::cluster ? "cluster"
         : x == ha_scope::group ? "group"
                                : "nodes";
}

/// `orderly ha`: which nodes host HA treats.
struct ha_errand {
  ha_action action = ha_action::list;
  ha_scope scope = ha_scope::nodes;
  /// Nodes, groups, or hypervisors of providers. Empty means all for what only
  /// shows. Of settings it is the group, or nothing.
  std::vector<std::string> names;
  std::string provider; ///< for configure
};

enum class setting_action { list, set, unset };

inline const char* to_string(setting_action x) {
  return x == setting_action::set     ? "set"
         : x == setting_action::unset ? "unset"
                                      : "list";
}

/// `orderly cluster`: settings that hold whoever is the master, as tags of the
/// cluster.
struct setting_errand {
  setting_action action = setting_action::list;
  std::string key;   ///< by any of its names; empty for list
  std::string value; ///< for set
};

struct errand_request {
  std::variant<power_errand, modify_errand, info_errand, epo_errand,
               verify_errand, confirm_errand, ha_errand, setting_errand>
    what;
  std::string who;    ///< as the door says; empty: somebody
  std::string reason; ///< for the journal; may be empty
  /// Only say what it would be about: the sheet has its rows, nothing is
  /// done.
  bool dry = false;
  /// How many nodes the person means. Off, cycle and epo of more than
  /// `count_needed_above` nodes are refused unless it matches.
  std::optional<std::uint32_t> count;
};

inline constexpr std::uint32_t count_needed_above = 5;

enum class row_state {
  waiting, ///< for its turn
  running,
  done,
  failed,      ///< `text` says why
  unsupported, ///< the node has no power control
  skipped,     ///< nothing to do, or what it needs failed; `text` says which
};

inline const char* to_string(row_state x) {
  switch (x) {
  case row_state::waiting:
    return "waiting";
  case row_state::running:
    return "running";
  case row_state::done:
    return "done";
  case row_state::failed:
    return "failed";
  case row_state::unsupported:
    return "unsupported";
  case row_state::skipped:
    return "skipped";
  }
  return "?";
}

/// True once nothing will change about it any more.
inline bool is_final(row_state x) {
  return x >= row_state::done;
}

/// What a line of a sheet is about.
enum class row_kind {
  node,
  instance,
  program,
  group,
  cluster,
  provider,
  setting,
};

inline const char* to_string(row_kind x) {
  switch (x) {
  case row_kind::node:
    return "node";
  case row_kind::instance:
    return "instance";
  case row_kind::program:
    return "program";
  case row_kind::group:
    return "group";
  case row_kind::cluster:
    return "cluster";
  case row_kind::provider:
    return "provider";
  case row_kind::setting:
    return "setting";
  }
  return "?";
}

/// How host HA stands to a node, or its switch above nodes.
struct ha_card {
  std::string provider; ///< as it was configured; empty: none
  bool enabled = false; ///< by its own switch
  bool treated = false; ///< and by those above it
  ha_phase state = ha_phase::disabled;
  std::string why; ///< a sentence; of the state, or of why it is off

  friend bool operator==(const ha_card&, const ha_card&) = default;
};

/// One line of a sheet.
struct errand_row {
  std::string object; ///< a name, or a path: see `kind`
  row_kind kind = row_kind::node;
  row_state state = row_state::waiting;
  /// What goes on now: "power-off", "shutdown". Of a setting: who set it.
  std::string step;
  /// Why it failed or was skipped; a remark. Of a setting its value, of a
  /// provider what it serves.
  std::string text;
  power_state power = power_state::unknown; ///< as read; nodes
  std::vector<health_item> items;           ///< health
  // nodes, for lists and questions
  std::optional<node_record> record; ///< `powered` is the record in force
  bool power_control = false;
  bool master = false;
  std::vector<instance_name> primaries;   ///< instances
  std::vector<instance_name> secondaries; ///< instances
  power_wish wish;
  rehearsal power_check;
  std::optional<ha_card> ha; ///< for `orderly ha`
  std::string built_in;      ///< of a setting of the cluster: its default
};

/// Why a request was turned away, for programs.
enum class refused_for {
  nothing,   ///< it was accepted
  usage,     ///< who asked must ask otherwise
  not_found, ///< what it names is not there
  state,     ///< it cannot be done as things are
};

inline const char* to_string(refused_for x) {
  switch (x) {
  case refused_for::nothing:
    return "";
  case refused_for::usage:
    return "usage";
  case refused_for::not_found:
    return "not-found";
  case refused_for::state:
    return "refused";
  }
  return "?";
}

/// How an errand stands.
/// What an errand is about, in one word.
enum class errand_kind {
  power_on,
  power_off,
  power_cycle,
  power_status,
  health,
  node_modify,
  node_info,
  epo,
  epo_on,
  verify,
  confirm_off,
  ha_list,
  ha_providers,
  ha_configure,
  ha_enable,
  ha_disable,
  ha_settings,
  cluster_list,
  cluster_set,
  cluster_unset,
};

/// The words of persons and journals for it, in order.
inline constexpr std::array errand_kind_words{
  "power-on",     "power-off",    "power-cycle", "power-status",
  "health",       "node-modify",  "node-info",   "epo",
  "epo-on",       "verify",       "confirm-off", "ha-list",
  "ha-providers", "ha-configure", "ha-enable",   "ha-disable",
  "ha-settings",  "cluster-list", "cluster-set", "cluster-unset"};

inline const char* to_string(errand_kind x) {
  return errand_kind_words.at(static_cast<std::size_t>(x));
}

struct errand_sheet {
  bool found = true;               ///< false: there is no such errand
  errand_id id;                    ///< empty if refused or dry
  std::optional<errand_kind> kind; ///< nullopt: there is none, or not yet
  std::string who;
  instant began; ///< when it was asked for
  instant ended; ///< `never`: it goes on, or was refused
  /// Why nothing was or will be done, one sentence for a person; empty if it
  /// was accepted.
  std::string refusal;
  refused_for refusal_kind = refused_for::nothing;
  std::string doing; ///< what goes on now, a clause
  std::vector<errand_row> rows;
  /// What a person should read, oldest first: warnings and advice. Warnings
  /// are in the journal too.
  std::vector<std::string> remarks;
  bool failed = false; ///< some row did not do as it should: exit code 1
};

struct errand_query {
  errand_id id;
};

/// Starts nothing more of it, and takes back what waits for its turn. What
/// runs goes on to its end.
struct errand_stop {
  errand_id id;
  std::string who;
};

/// Which errands are there? The sheets come without rows.
struct errand_list {};

struct errand_list_answer {
  std::vector<errand_sheet> errands; ///< newest last
};

/// A person's order that will switch a node, or take it out of service, and
/// was accepted.
struct accepted_order {
  power_verb verb = power_verb::off; ///< on, off or cycle
  std::string who;
  std::string why;
  errand_id errand;
  bool running = false;  ///< else it waits for its turn
  std::string step;      ///< that runs: "power-off", "mark-offline"
  instant at;            ///< when it was asked for
  std::string waits_for; ///< what must end before; empty: its turn, at most

  friend bool operator==(const accepted_order&, const accepted_order&)
    = default;
};

/// All that were accepted and have not ended, by node. The whole list, by the
/// desk.
struct accepted_orders {
  std::map<node_name, accepted_order> nodes;
};

} // namespace orderly
