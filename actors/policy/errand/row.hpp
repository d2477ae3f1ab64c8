// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One row of an errand: what is done about one object, how far that is, and
// what was known of the object when it was asked for.

#pragma once

#include "messages/errand.hpp"
#include "messages/ids.hpp"
#include "messages/power.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace orderly::errand {

enum class step_kind {
  mark_offline,
  power, ///< the verb of the errand
  record,
  shutdown,
  start,
  wait,
  take_back,
  modify,
  check,
  word,
  tag,
  heed, ///< the cluster was read with its tag
};

struct row {
  std::string object;
  row_kind kind = row_kind::node;
  row_state state = row_state::waiting;
  /// Final: it came out as wanted, so what needs it may go on.
  bool met = false;
  std::uint32_t at = 0; ///< index of the step that runs
  /// Of that step, in an emergency power-off of all; part of its intent.
  std::uint32_t tries = 0;
  /// After a restart: asks what became of the step before it begins it.
  bool looking = false;
  std::string text;
  std::string evidence;          ///< of the switch
  std::vector<std::string> by{}; ///< helpers it was ordered by; not kept
  std::string read_by{};         ///< the helper that read its power after that
  power_state power = power_state::unknown;
  std::vector<health_item> items;
  std::vector<std::uint32_t> needs; ///< rows that must be met before
  instant due;   ///< of the next try or probe; `never`: an answer is awaited
  instant until; ///< no answer is awaited any longer; `never`: no bound
  instant moved; ///< when its step was entered, or it ended
  /// When its power command had worked, or was given before a restart and
  /// nobody knows what came of it; or `never`.
  instant switched;
  bool lifted = false; ///< its hold was lifted
  bool marked = false; ///< our job marked it offline; undone if it was stopped
  /// ... and nobody took that back, as long as the serial number of the node's
  /// record is no higher; 0: whose its mark is, is not known.
  std::uint64_t own_until = 0;
  bool interrupted = false; ///< its step was under way at a restart; not kept
  bool asked_after = false; ///< ... and that step's job was asked for; not kept
  bool worked = false;      ///< its power command had, by the journal of before
  instant unright;  ///< since when it waits for the right to act; or `never`
  node_name home{}; ///< of an instance, where it was shut down
  bool was_offline = false; ///< so the record said when it was asked for
  /// The number of its record, which each change raises: then, or as it was
  /// watched last while nothing was done about it; 0: not known.
  std::uint64_t serial = 0;
  bool turned = false;      ///< it was otherwise meanwhile, by other hands
  bool was_drained = false; ///< ... right before it was marked offline by us
  bool was_on = false;    ///< it read on, or answered, right before its command
  bool vain = false;      ///< its power command was not given after all
  bool commanded = false; ///< its power command left us, or may have
  std::string uuid; ///< of the node then: another one of its name is not meant
  std::vector<std::string> had{}; ///< the tags of the setting then

  friend bool operator==(const row&, const row&) = default;
};

} // namespace orderly::errand
