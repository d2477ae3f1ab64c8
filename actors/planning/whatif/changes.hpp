// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is thought to happen to a cluster, as values: somebody read them from
// words, and names are not looked up yet. All of them together are one change,
// so their order means nothing.

#pragma once

#include "actors/planning/model/cluster.hpp"

namespace orderly::planning {

/// A node by its name, or all nodes of a group.
struct whose_nodes {
  bool is_group = false;
  std::string name;

  bool operator==(const whose_nodes&) const = default;
};

/// Empty nodes that are like one that is there, or of these sizes in a group.
struct new_nodes {
  std::int64_t count = 1;
  std::string like; ///< a node; empty: by what follows
  mib memory = 0;
  mib disk = 0;
  std::int64_t cpus = 0;
  std::string group;

  bool operator==(const new_nodes&) const = default;
};

struct more_memory {
  whose_nodes where;
  mib by = 0; ///< on each of them

  bool operator==(const more_memory&) const = default;
};

struct new_instances {
  std::int64_t count = 1;
  mib memory = 0;
  mib disk = 0;
  std::int64_t vcpus = 1;
  disk_template disks = disk_template::plain;
  std::optional<storage_pool> pool; ///< instead of the template's
  std::string group;                ///< empty: in any that is open

  bool operator==(const new_instances&) const = default;
};

struct change_set {
  std::vector<whose_nodes> lost;    ///< with what their own disks hold
  std::vector<whose_nodes> drained; ///< all leave them, and nothing comes
  std::vector<std::string> emptied; ///< groups that all instances leave
  std::vector<new_nodes> added;
  std::vector<more_memory> memory;
  std::vector<new_instances> grown;

  bool operator==(const change_set&) const = default;
};

/// More nodes, or instances, are a slip of whoever asks: nobody buys so many.
inline constexpr std::int64_t most_new = 10'000;

} // namespace orderly::planning
