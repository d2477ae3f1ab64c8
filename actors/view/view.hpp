// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The view: what is going on and why, for CLI, HTTP and metrics. Fed by the
// journal (after the commit) and by what actors publish; decides nothing.

#pragma once

#include "actors/shell/shell.hpp"
#include "actors/view/counts.hpp"
#include "actors/view/rows.hpp"
#include "messages/protocol/view.hpp"

#include <deque>
#include <set>

namespace orderly {

struct view_state {
  static inline const char* name = "view";

  context_ptr ctx;
  instant started;
  cluster_picture picture;
  poll_report poll;
  instant read_from; ///< when the last answered reading began
  std::uint32_t removals = 0;
  instant polled;
  guard_standing guard;
  lease right;
  std::map<node_name, node_standing> nodes;
  std::map<node_name, accepted_order> ordered; ///< by persons
  std::map<instance_name, instance_standing> instances;
  std::set<instance_name> unlisted; ///< of these, who is not in the picture
  std::map<std::string, event_standing> events; ///< by UUID
  agent_roster agents;
  std::size_t events_expected = 0; ///< more than there are: some have not told
  std::deque<std::shared_ptr<const journal_entry>> decisions; ///< oldest first
  view_counts counts;
  row_book<node_row, node_record> node_rows;
  row_book<instance_row, instance_record> instance_rows;
  settings_ptr rules_seen; ///< by those rows
  std::shared_ptr<const scene> last;
};

view_actor::behavior_type view(view_actor::stateful_pointer<view_state> self,
                               context_ptr ctx);

} // namespace orderly
