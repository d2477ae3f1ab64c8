// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the metrics count, taken from journal entries as they become durable.
// Used by the view only. Keys are names of metrics, some with labels:
// `alerts`, `repairs_ended{type=failover,result=success}`.

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/standing.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace orderly {

class view_counts {
public:
  /// Counts `e`; its `state` must still be there. Never fails.
  void take(const journal_entry& e);

  /// Adds one to a counter that no journal entry tells of.
  void up(const std::string& key) { ++all_[key]; }

  [[nodiscard]] const std::map<std::string, std::uint64_t>& all() const {
    return all_;
  }

private:
  /// What the entries of one instance have told so far.
  struct story {
    incident_id repair; ///< that is under way; empty: none
    repair_type type = repair_type::fix_storage; ///< of that repair
  };

  void follow(const journal_entry& e);
  void follow_move(const journal_entry& e);

  std::map<std::string, std::uint64_t> all_;
  std::map<object_id, story> stories_; ///< of instances in repair
};

} // namespace orderly
