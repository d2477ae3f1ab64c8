// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Faults and other events from outside, by name: one vocabulary for drills,
// swarms and the demo. See `fault_help` for the verbs.

#pragma once

#include "messages/result.hpp"
#include "sim/state/lab_state.hpp"

#include <map>
#include <string>
#include <vector>

namespace orderly::sim {

/// One order, parsed: its words, checked for form but not against a world.
struct fault_order {
  std::string verb; ///< "power", "jobs fail", ...
  /// The node, instance, tagged object or program; may be empty. A helper
  /// program of a node is `node3@oob-b`.
  std::string object;
  std::string what;        ///< "off", "cut", ...
  std::string tag;         ///< for `tag`; else a second node, name or value
  std::int64_t number = 0; ///< per mille, factor, count, or milliseconds
  node_name on;            ///< at the daemon there; empty: at the first one

  friend bool operator==(const fault_order&, const fault_order&) = default;
};

/// Reads one line such as "power node3 off". A fault names the mistake and
/// lists the verbs.
result<fault_order> parse_fault(const std::string& text);

/// A fault or command line, and whose daemon it is about: what comes behind
/// "on NODE"; no node is the first daemon.
struct addressed {
  node_name on;
  std::string text;
};

addressed address(const std::string& text);

/// Makes it so. The text is empty, or says why it could not be done (no such
/// node, ...); then nothing was changed.
std::string apply(const fault_order& order, lab_state& lab);

/// What verbs do is in two files; these are of sim/faults/apply_world.cpp.
using doer = std::string (*)(const fault_order&, lab_state&);

struct doing {
  doer act;
  bool on_node; ///< its object is a node, which must exist
};

const std::map<std::string, doing>& world_doings();

/// The line that `parse_fault` reads as `order`.
std::string render(const fault_order& order);

/// The path of a helper program: a bare name stands for one of ours.
std::string helper_path(const std::string& name);

/// One line a verb: its form.
const std::vector<std::string>& fault_help();

} // namespace orderly::sim
