// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Names of things. Plain strings under telling aliases: they come from
// outside, go into journals and tags, and are compared byte for byte.

#pragma once

#include <cstdint>
#include <string>

namespace orderly {

/// A physical host, by the name that the cluster uses for it.
using node_name = std::string;

/// A virtual machine or container, by the name that the cluster uses for it.
using instance_name = std::string;

/// A node group.
using group_name = std::string;

/// One continuing problem: of a node (`n-...`), or the repair of an instance
/// (a lower-case UUID, also written into its pending tag).
using incident_id = std::string;

/// One thing that orderly set out to do, unique for ever; the same intent is
/// never carried out twice.
using intent_id = std::string;

/// A job of the cluster's own queue.
using job_id = std::uint64_t;

/// `node:NAME`, `instance:NAME`, `group:NAME` or the plain name of a service:
/// what a journal row, a decision or a reservation is about.
using object_id = std::string;

inline object_id node_object(const node_name& name) {
  return "node:" + name;
}

inline object_id instance_object(const instance_name& name) {
  return "instance:" + name;
}

inline object_id group_object(const group_name& name) {
  return "group:" + name;
}

/// The cluster as a whole.
inline constexpr const char* whole_cluster = "cluster";

/// True if `object` starts with `kind:`; `name` is then what follows.
inline bool split_object(const object_id& object, const char* kind,
                         std::string& name) {
  auto prefix = std::string{kind} + ":";
  if (object.compare(0, prefix.size(), prefix) != 0)
    return false;
  name = object.substr(prefix.size());
  return true;
}

} // namespace orderly
