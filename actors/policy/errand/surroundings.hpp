// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an errand knows of the world: the last picture of the cluster, what
// was changed since, who is held, and whether anything may be done at all.
// Made by the desk actor for each question.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/errand.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace orderly::errand {

/// Automation leaves a node alone from an epo on until the node is back.
struct hold {
  std::string who;
  std::string why;
  errand_id errand;
  /// It was out of service before, and stays so when it is switched on.
  bool was_offline = false;
  bool was_off = false; ///< it was recorded off before; likewise
  instant at{};         ///< when it was taken
  /// A job of an emergency power-off marked it offline, and it was not seen
  /// off since: the mark is ours up to that serial number of its record. Not
  /// kept; 0: whose it is, is not known.
  std::uint64_t own_until = 0;
  /// `epo --on` tried to switch it on, and it did not come back: a person's
  /// word that it is off gives it up, and ends this. Not kept: while nobody
  /// looked it may have been back.
  bool unreturned = false;
  instant unreturned_at{};     ///< not kept
  bool off_since_then = false; ///< its power was read off; not kept
  // what was told of it, each once
  bool told_living = false; ///< it is in service and answers
  bool told_silent = false; ///< and fell silent after that
  bool told_long = false;   ///< Ganeti's watcher rests long for it
  instant told_adopted{};   ///< of a journal that may be older than its end
  /// Of the node; empty: an older journal does not say.
  std::string uuid = {};
  /// It was drained when it was marked offline: the one mark takes the place of
  /// the other, and whoever takes it back is told so.
  bool was_drained = false;

  friend bool operator==(const hold&, const hold&) = default;
};

/// What we changed in the cluster's record after the picture was read.
struct amendment {
  std::optional<bool> offline;
  std::optional<bool> powered;
  instant at;
};

/// What the desk knows of the world, for one question. Nothing is null.
struct surroundings {
  cluster_picture picture;
  const settings* rules = nullptr;
  const std::map<node_name, amendment>* amended = nullptr;
  /// By our own record; of which uuid, or empty.
  const std::map<node_name, std::string>* recorded_off = nullptr;
  const std::map<node_name, hold>* holds = nullptr;
  const std::map<node_name, power_wish>* wishes = nullptr;
  const std::map<node_name, rehearsal>* rehearsals = nullptr;
  /// Whose power read on last, and since when; or whose daemons answer:
  /// `never`.
  const std::map<node_name, instant>* read_on = nullptr;
  /// Whose power read off last, and since when.
  const std::map<node_name, instant>* read_off = nullptr;
  /// Helpers whose off is not believed, by node; who was caught at a lie last.
  const std::map<node_name, std::vector<std::string>>* doubted = nullptr;
  const std::map<node_name, errand_id>* busy = nullptr; ///< other errands act
  std::size_t acting = 0;  ///< errands that go on and act
  std::size_t reading = 0; ///< errands that go on and only ask
  /// When the reading of the picture was begun: what happened later may not be
  /// in it.
  instant read_at;
  /// Why nothing may be done now, a clause; empty: it may be.
  std::string no_right;
  instant no_right_since;
  /// Why Ganeti's watcher is not known to rest, a clause; empty: it rests.
  std::string watcher_awake;

  /// Null if there is no such node.
  [[nodiscard]] const node_record* raw_node(const node_name& name) const;

  /// The record of `name`, with what we changed since it was read and with
  /// `powered` as the record in force; nothing if there is no such node.
  [[nodiscard]] std::optional<node_record> node(const node_name& name) const;

  /// Null if there is no such instance.
  [[nodiscard]] const instance_record*
  instance(const instance_name& name) const;

  [[nodiscard]] std::vector<std::string> levels(const node_record& x) const;

  /// Those whose off is believed first, and who was caught at a lie last.
  [[nodiscard]] std::vector<std::string>
  believed_first(const node_record& x) const;

  /// How little an off of that helper of the node is believed; 0: it is.
  [[nodiscard]] std::size_t doubt_of(const node_name& node,
                                     const std::string& program) const;

  /// The record with what we know better.
  [[nodiscard]] node_record in_force(node_record x) const;
};

} // namespace orderly::errand
