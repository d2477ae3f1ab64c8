// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One node group in numbers that change with every move: what each node has
// left, reserves and carries, and where each instance is. Built once from a
// cluster; moves.hpp tries and makes moves on it, score.hpp judges it.

#pragma once

#include "actors/planning/moves/labels.hpp"
#include "actors/planning/moves/storage_map.hpp"

#include <memory>

namespace orderly::planning {

/// When is a node short of memory at the start? Ganeti 3.0 compares what the
/// node reports, 3.1 what is certainly free, as both do after every move.
enum class initial_n1 { reported, guaranteed };

struct build_options {
  initial_n1 n1 = initial_n1::guaranteed;
  std::optional<double> vcpu_ratio; ///< instead of the policy's
  double min_disk = 0;              ///< part of a disk that stays free
  bool no_load = false;             ///< as if nobody used anything
  std::vector<std::string> exclusion_prefixes; ///< with colon
};

/// What moves do not change about a node.
struct node_facts {
  double total_memory = 0;
  double total_disk = 0;
  double total_cpus = 0;
  double cpu_speed = 1;
  mib base_memory = 0;    ///< unallocated memory if it had no instances
  mib missing_memory = 0; ///< that nobody accounts for; may be negative
  mib low_disk = 0;
  double vcpu_ratio = 0;
  double high_spindles = 0;
  double total_spindles = 0;
  mib foreign_reserve = 0; ///< for primaries in other groups
  bool exclusive = false;
  bool online = true;
  bool dead = false; ///< not online, and nothing can be copied from it
  /// No move leaves or fills it, or copies from it; it counts as ever. Set it
  /// before a search begins.
  bool closed = false;
};

/// What moves change about a node. The `later` twins count instances too that
/// do not exist yet.
struct node_state {
  mib instance_memory = 0;
  mib reserved = 0; ///< for the worst node to lose
  mib free_disk = 0;
  std::int64_t free_spindles = 0;
  std::int64_t cpus = 0;
  std::int64_t spindles = 0;
  load use{};
  std::int64_t primaries = 0;
  std::int64_t secondaries = 0;
  std::int64_t conflicts = 0; ///< exclusion tags held more than once
  std::int64_t misplaced = 0; ///< Ganeti's location score
  bool short_of_memory = false;
  mib later_memory = 0;
  mib later_disk = 0;
  std::int64_t later_free_spindles = 0;
  std::int64_t later_cpus = 0;
  std::int64_t later_spindles = 0;

  bool operator==(const node_state&) const = default;
};

struct instance_facts {
  mib memory = 0;         ///< that its primary gives, 0 if it is down
  mib reserve = 0;        ///< that its secondary keeps free
  mib later_reserve = 0;  ///< the same, if it were there
  mib size = 0;           ///< of its memory, running or not
  mib disk = 0;           ///< on local disks
  std::int64_t vcpus = 0; ///< 0 if it is offline
  std::int64_t spindles = 0;
  std::optional<std::int64_t> disk_spindles; ///< none if a disk has none
  load use{};
  bool forthcoming = false;
  bool mirrored = false; ///< drbd: a disk on each of two nodes
  bool movable = false;
  bool local = false;
};

struct place {
  int primary = -1;
  int secondary = -1;

  bool operator==(const place&) const = default;
};

class placement {
public:
  /// The nodes of `group`, or of the whole cluster, and the instances whose
  /// primary is there, or that have none yet. `c` must outlive it.
  placement(const cluster& c, std::optional<int> group,
            const build_options& options);

  int node_count() const { return static_cast<int>(states.size()); }

  int instance_count() const { return static_cast<int>(places.size()); }

  /// The number of its group in the cluster.
  int group_of(int node) const;

  /// 0, 1, ... : for those who choose among all nodes.
  std::vector<int> all_nodes() const;

  /// From one line of by_secondary or by_primary to the next.
  std::size_t stride() const { return stride_; }

  mib unallocated(int node, const node_state& s) const {
    return facts[static_cast<std::size_t>(node)].base_memory
           - s.instance_memory;
  }

  /// Memory that `secondary` keeps for the instances of `primary`.
  mib reserve(int secondary, int primary) const {
    return static_cast<mib>(by_secondary[cell(secondary, primary)]);
  }

  /// One more instance like this one, which is nowhere yet; its number.
  int add_copy(int instance);

  /// An instance that is nowhere becomes as large as `x`.
  void resize(int instance, const instance_spec& x);

  void change_reserve(int secondary, int primary, mib by);

  /// The greatest reserve of `node`, as if the one for `primary` was `kept`.
  mib greatest_reserve(int node, int primary, mib kept) const;

  /// The exclusion tags of the instance leave `from` and come to `to`; -1 is
  /// nowhere.
  void retag(int instance, int from, int to);

  /// How often `node` holds the tag.
  int tag_count(int node, int tag) const;

  /// Ganeti's location score of an instance that is at `at`.
  int misplacement(int instance, place at) const;

  const cluster* source;
  std::vector<int> node_index;     ///< in source->nodes
  std::vector<int> instance_index; ///< in source->instances
  /// Of those that have another size than in the source, and of their copies.
  std::vector<std::shared_ptr<const instance_spec>> resized;
  std::vector<node_facts> facts;
  std::vector<node_state> states;
  std::vector<instance_facts> instances;
  std::vector<place> places;
  labels tags; ///< of these nodes and instances
  storage_map storage;
  /// How often an excluding tag is held at a location, minus one, summed.
  std::int64_t shared_locations = 0;
  std::map<std::pair<int, int>, int> location_counts;
  bool any_exclusive = false;
  /// A node that is not online could take over what others lose: so Ganeti 3.0
  /// judges N+1 of a whole cluster.
  bool offline_refuge = false;
  /// Σ of all reserves, for the bound that no plan gets below.
  mib all_reserves = 0;
  /// reserve() as two dense matrices, each contiguous in its second index.
  std::vector<double> by_secondary;
  std::vector<double> by_primary;

private:
  std::size_t cell(int a, int b) const {
    return static_cast<std::size_t>(a) * stride_ + static_cast<std::size_t>(b);
  }

  void add_nodes(std::optional<int> group, const build_options& options);
  void add_instances(const build_options& options);
  void place_instance(int instance);
  void finish(const build_options& options);

  std::size_t stride_ = 0;
  std::vector<int> local_node_;          ///< of each in source->nodes, or -1
  std::vector<std::map<int, int>> held_; ///< of each node: tags of primaries
};

/// What the cluster says of an instance of the placement.
inline const instance_spec& spec_of(const placement& p, int instance) {
  if (at(instance) < p.resized.size() && p.resized[at(instance)])
    return *p.resized[at(instance)];
  return p.source->instances[at(p.instance_index[at(instance)])];
}

/// No placement of these instances on these nodes can score below this.
double lowest_score(const placement& p);

/// `c` after the moves of `p`, which was made of it: where instances are, and
/// what nodes have left. A placement of it scores as `p` does. Tools save it,
/// and whoever plans in several stages begins the next one with it.
cluster moved_cluster(const cluster& c, const placement& p);

} // namespace orderly::planning
