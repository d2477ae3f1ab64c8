// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A model that is some minutes old, brought up to date: places, flags and
// wishes come from the state of record, what nodes have from the model. The
// planner does it before it thinks.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "messages/plan.hpp"

#include <map>

namespace orderly::planning {

struct fresh_cluster {
  cluster now;
  /// Instances that are not as they should be, and what it is, by their place
  /// in `now`. Those wanted up count as running: somebody will start them.
  std::map<int, std::string> unwell;
};

/// What makes a model useless; empty: nothing.
std::string fault_of(const cluster& model);

/// `model` must have no fault. Without a picture only what is under way is
/// new. A node without figures is offline, and dead.
fresh_cluster refresh(const cluster& model, const cluster_picture& picture,
                      const std::map<instance_name, instance_place>& under_way);

/// The index of the node; -1: there is none of that name.
int node_named(const cluster& c, const node_name& name);

/// The index of the instance; -1: there is none of that name.
int instance_named(const cluster& c, const instance_name& name);

} // namespace orderly::planning
