// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// State of record: what the cluster's configuration says is so. One picture
// is read at once and never changed afterwards; actors share it.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace orderly {

/// What is wrong with a disk of a mirrored instance, as a node sees it.
struct disk_fault {
  std::string disk;    ///< as the cluster names it: "disk/0"
  bool broken = false; ///< the storage under it, or it is degraded only
  node_name node;
  bool syncing = false; ///< it is being written anew, and whole after that

  friend bool operator==(const disk_fault&, const disk_fault&) = default;
};

/// So long after a mirror was asked an act may rely upon its answer.
inline constexpr millis mirror_good = seconds{20};

/// They are all about to heal by themselves; false: there are none.
bool only_syncs(const std::vector<disk_fault>& all);

/// "disk/0 is degraded on node3, disk/1 is faulty on node3", or nothing.
std::string to_string(const std::vector<disk_fault>& all);

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
  unknown,
};

const char* to_string(disk_template x);
disk_template disk_template_from(const std::string& text);

/// True for storage that every node of the group can reach, so that an
/// instance can restart anywhere.
bool is_external(disk_template x);

enum class admin_state {
  up,      ///< wanted running
  down,    ///< wanted stopped
  offline, ///< parked, holds no memory
};

const char* to_string(admin_state x);

struct node_record {
  node_name name;
  std::string uuid;
  group_name group;
  std::string address; ///< primary IP, where its daemons listen
  bool offline = false;
  bool drained = false;
  bool vm_capable = true;
  bool master_candidate = true;
  bool powered = true; ///< recorded, not observed
  /// Effective helper path; empty and "!": the cluster has none for it.
  std::string oob_program;
  std::vector<std::string> tags;
  std::uint64_t serial_no = 0; ///< one more with each change; 0: not told

  friend bool operator==(const node_record&, const node_record&) = default;
};

struct instance_record {
  instance_name name;
  std::string uuid;
  node_name primary;
  std::vector<node_name> secondaries; ///< drbd: the mirror
  disk_template disks = disk_template::plain;
  admin_state admin = admin_state::up;
  std::vector<std::string> tags;
  std::int64_t memory_mib = 0;
  std::vector<std::int64_t> disks_mib; ///< size of each disk
  std::string os;                      ///< empty: none is recorded

  friend bool operator==(const instance_record&, const instance_record&)
    = default;
};

struct group_record {
  group_name name;
  std::string uuid;
  std::vector<std::string> tags;

  friend bool operator==(const group_record&, const group_record&) = default;
};

/// A job that is not final yet, whoever sent it.
struct running_job {
  job_id id = 0;
  std::vector<instance_name> instances; ///< named by its opcodes
  std::vector<node_name> nodes;         ///< named by its opcodes
  std::string reason; ///< all texts of its reason trail, blank-separated

  friend bool operator==(const running_job&, const running_job&) = default;
};

struct cluster_record {
  std::string name;
  node_name master;
  std::vector<std::string> tags;
  std::vector<group_record> groups;       ///< sorted by name
  std::vector<node_record> nodes;         ///< sorted by name
  std::vector<instance_record> instances; ///< sorted by name
  std::vector<running_job> jobs;          ///< sorted by id
};

using cluster_picture = std::shared_ptr<const cluster_record>;

/// The record of that name in a list sorted by names, or null.
template <class Record>
const Record* find_record(const std::vector<Record>& all,
                          const std::string& name) {
  auto i = std::lower_bound(
    all.begin(), all.end(), name,
    [](const Record& x, const std::string& wanted) { return x.name < wanted; });
  return i != all.end() && i->name == name ? &*i : nullptr;
}

/// What a node has left, as it says itself just now.
struct node_room {
  node_name name;
  std::int64_t memory_mib = 0;
  std::int64_t disk_mib = 0;

  friend bool operator==(const node_room&, const node_room&) = default;
};

} // namespace orderly
