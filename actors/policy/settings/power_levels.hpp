// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which helper programs switch a node's power, in which order they are tried,
// and whether the record agrees with them. Pure; used by whoever gives a power
// order or judges a node.
//
//   [power.levels] NODE
//   else none, if the cluster's own oob_program is "!"
//   else [power.levels] "group:NAME", else "*"
//   else power.program, if it is set
//   else the cluster's own oob_program: of the node, else of its group, else
//   of the cluster, as the cluster resolves it
//
// In a list of levels the word "cluster" stands for the cluster's own
// oob_program. An empty list, "!" or "" is an opt-out, wherever it stands; an
// oob_program of nothing is none, for the cluster cannot tell it from unset.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/cluster.hpp"
#include "messages/power.hpp"

#include <string>
#include <vector>

namespace orderly {

/// In `power.levels`: the helper program that Ganeti's record names.
inline constexpr const char* the_clusters = "cluster";

/// In keys of `power.levels`: all nodes of the group that is named behind it.
inline constexpr const char* of_group = "group:";

/// Absolute paths, first one first; empty: the node has no power control.
std::vector<std::string> power_levels(const node_record& node,
                                      const settings& s);

/// Has it any? Cheaper than counting them.
bool has_power_control(const node_record& node, const settings& s);

/// The most levels that any node can have, at least 1: patience grows with it.
std::uint32_t levels_most(const settings& s);

/// True if the cluster itself keeps a power record for this node: it has a
/// helper program of its own there, for which Ganeti takes "!" as well.
bool keeps_power_record(const node_record& node);

/// What is recorded of its power against what was read, a sentence without its
/// end; empty: they agree, or nothing is known.
std::string mismatch_text(const node_name& node, bool recorded_on,
                          power_state seen);

/// Why this text cannot be a node's oob_program, or empty: it must be an
/// absolute path, "!" or nothing.
std::string why_no_program(const std::string& text);

} // namespace orderly
