// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A cluster as a planner sees it: groups, nodes, instances and policies, as
// numbers that somebody read somewhere. io/htools fills it from files;
// placement.hpp derives from it what moves change.

#pragma once

#include "messages/ids.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::planning {

/// Sizes in MiB, as everywhere in Ganeti.
using mib = std::int64_t;

/// An index for containers. Indices are int where -1 means none.
inline std::size_t at(int x) {
  return static_cast<std::size_t>(x);
}

enum class disk_template {
  diskless,
  file,
  sharedfile,
  plain,
  blockdev,
  drbd,
  rbd,
  ext,
  gluster,
};

inline constexpr std::array<disk_template, 9> disk_templates{
  disk_template::diskless, disk_template::file,     disk_template::sharedfile,
  disk_template::plain,    disk_template::blockdev, disk_template::drbd,
  disk_template::rbd,      disk_template::ext,      disk_template::gluster};

/// Ganeti's word for it.
std::string_view name_of(disk_template x);

/// The one with that name; none if there is none.
std::optional<disk_template> disk_template_of(std::string_view name);

/// Does it take space on its nodes' own disks?
bool uses_local_disk(disk_template x);

/// Can hbal move such an instance at all?
bool can_move(disk_template x);

/// Do volumes come from the nodes' own disks, or from somewhere else?
enum class storage_type { internal, external };

/// `internal`.
std::string_view name_of(storage_type x);

/// A source of volumes. Pools are opaque: two are the same or they are not.
struct storage_pool {
  storage_type type = storage_type::internal;
  std::string pool = "lvm";

  auto operator<=>(const storage_pool&) const = default;
};

/// internal/lvm for plain and drbd, internal/file for file, and external with
/// the name of the template for all others; nothing for diskless.
std::optional<storage_pool> derived_pool(disk_template x);

enum class instance_status {
  running,
  admin_down,
  admin_offline,
  error_down,
  error_up,
  error_node_down,
  error_node_offline,
  error_wrong_node,
  user_down,
};

/// As the text format writes it: `ADMIN_down`.
std::string_view name_of(instance_status x);
std::optional<instance_status> instance_status_of(std::string_view name);

enum class alloc_policy { preferred, last_resort, unallocable };

std::string_view name_of(alloc_policy x);
std::optional<alloc_policy> alloc_policy_of(std::string_view name);

/// One bound of what an instance may be.
struct instance_size {
  mib memory = 0;
  std::int64_t cpus = 0;
  mib disk = 0;
  std::int64_t disks = 0;
  std::int64_t nics = 0;
  std::int64_t spindles = 0;

  bool operator==(const instance_size&) const = default;
};

struct size_range {
  instance_size min;
  instance_size max;

  bool operator==(const size_range&) const = default;
};

/// What may run in a group, and how dense. Starts as the built-in one.
struct instance_policy {
  instance_size standard{128, 1, 1024, 1, 1, 1};
  std::vector<size_range> ranges{
    {{128, 1, 1024, 1, 1, 1}, {32768, 8, 1048576, 16, 8, 12}}};
  std::vector<disk_template> templates{disk_templates.begin(),
                                       disk_templates.end()};
  double vcpu_ratio = 4.0;
  double spindle_ratio = 32.0;

  bool operator==(const instance_policy&) const = default;
};

struct node_group {
  group_name name;
  std::string uuid;
  alloc_policy allocation = alloc_policy::preferred;
  std::vector<std::string> tags;
  std::vector<std::string> networks;
  instance_policy policy;

  bool operator==(const node_group&) const = default;
};

struct node_spec {
  node_name name;
  double total_memory = 0;
  mib node_memory = 0; ///< of the node's own system
  mib free_memory = 0; ///< as reported
  double total_disk = 0;
  mib free_disk = 0;
  double total_cpus = 0;
  std::int64_t node_cpus = 1; ///< of the node's own system
  double own_cpu_load = 0;    ///< beside what its instances use
  double cpu_speed = 1.0;
  bool offline = false; ///< or drained, not vm_capable, of unknown size
  /// Where it is offline: nothing there runs, and nothing can be copied from
  /// it. A drained node is offline and lives.
  bool dead = false;
  bool master = false;
  bool master_candidate = false; ///< where the source says nothing of masters
  int group = 0;                 ///< index in cluster::groups
  std::int64_t spindles = 1;
  std::int64_t free_spindles = 0;
  bool exclusive_storage = false;
  std::vector<std::string> tags;
  /// Pools that it reaches; all of them if nobody says.
  std::optional<std::vector<storage_pool>> pools;

  bool operator==(const node_spec&) const = default;
};

/// Nothing runs there, and nothing can be copied from it.
inline bool is_dead(const node_spec& n) {
  return n.offline && n.dead;
}

/// Parts of a node's dynamic load, by their place in an array of four.
enum load_part { load_cpu, load_memory, load_disk, load_net, load_parts };

using load = std::array<double, load_parts>;

struct instance_spec {
  instance_name name;
  mib memory = 0;
  mib disk = 0;
  std::int64_t vcpus = 0;
  instance_status status = instance_status::running;
  bool auto_balance = true;
  int primary = 0;    ///< index in cluster::nodes, or -1: nowhere yet
  int secondary = -1; ///< the same, or -1
  disk_template disks = disk_template::diskless;
  /// Where its volumes are; see pool_of() in storage_map.hpp if nobody says.
  std::optional<storage_pool> storage;
  std::vector<std::string> tags;
  std::int64_t spindle_use = 1;
  /// Spindles of each disk, where the disks have them.
  std::vector<std::optional<std::int64_t>> disk_spindles;
  /// Size of each disk; none if only the sum is known.
  std::vector<mib> disk_sizes;
  /// Networks of its interfaces, by uuid.
  std::vector<std::string> networks;
  bool forthcoming = false;
  load use{1, 1, 1, 1};
  bool excluded = false; ///< by the administrator, from any move

  bool operator==(const instance_spec&) const = default;
};

/// Does it take memory of its primary node now?
bool uses_memory(const instance_spec& x);

/// Does it reserve memory on its secondary node?
bool reserves_memory(const instance_spec& x);

/// Counts it as a user of CPUs and of the network?
bool is_online(const instance_spec& x);

struct cluster {
  std::vector<node_group> groups;
  std::vector<node_spec> nodes;
  std::vector<instance_spec> instances;
  std::vector<std::string> tags;
  instance_policy policy;
  /// Pools of the instances of a template that do not say theirs.
  std::map<disk_template, storage_pool> template_pools;

  bool operator==(const cluster&) const = default;
};

/// The longest suffix from a dot on that all nodes and instances share; names
/// are shown without it. Empty if there is none.
std::string common_suffix(const cluster& c);

/// The indices of instances whose nodes lie in different groups: they are
/// never moved.
std::vector<int> split_instances(const cluster& c);

} // namespace orderly::planning
