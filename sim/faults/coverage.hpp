// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a run met: pairs of a state that a node or an instance was in and a
// fault that came in that moment, such as "node fencing" and "luxi down". A
// fault that names a node meets the state of that node, one that concerns
// everybody the states of all things that are not well. Hunts count the pairs
// and prefer the rare ones.

#pragma once

#include "messages/journal_entry.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orderly::sim {

/// A state, and a sort of fault as `sort_of` names it.
using state_and_fault = std::pair<std::string, std::string>;

/// How often each pair was met.
using coverage = std::map<state_and_fault, std::uint64_t>;

/// A node or an instance was in a state for a while.
struct stay {
  object_id object;
  std::string state;
  instant from;
  instant to;           ///< `never`: to the end
  bool is_calm = false; ///< nothing goes on about it meanwhile
};

/// Looks on at one run.
class onlooker {
public:
  /// An entry of the journal became durable, now.
  void entry(const journal_entry& e, instant now);

  /// This fault, or command line of a person, comes now.
  void fault(const std::string& text);

  [[nodiscard]] const std::set<state_and_fault>& met() const { return met_; }

  [[nodiscard]] const std::vector<stay>& stays() const { return stays_; }

private:
  void enter(stay next);
  [[nodiscard]] const std::string* state_of(const object_id& object) const;

  std::map<object_id, std::size_t> last_; ///< of each, among the stays
  std::vector<stay> stays_;
  std::set<state_and_fault> met_;
};

/// The form of a fault, without what it is about: "power off", "crash".
struct fault_sort {
  std::string name;
  std::string verb;   ///< "power", "jobs fail"
  std::string object; ///< "NODE", ... as in `fault_help`; empty: none
  std::string choice; ///< "off"; empty: there is none

  friend bool operator==(const fault_sort&, const fault_sort&) = default;
};

/// All that faults.hpp knows, read from its help.
const std::vector<fault_sort>& fault_sorts();

/// Null: it is none.
const fault_sort* sort_of(const std::string& fault);

/// Can a fault of this sort be about the object, or does it concern everybody?
bool can_concern(const fault_sort& sort, const object_id& object);

/// All pairs of a node's or an instance's state and a sort of fault that can
/// concern it.
std::vector<state_and_fault> all_pairs();

} // namespace orderly::sim
