// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A cluster out of four answers of Ganeti's remote API: the bulk lists of
// groups, nodes and instances, and the cluster's own page. source.cpp gets
// them from the files of a folder.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "messages/result.hpp"

#include <string>

namespace orderly::io::htools {

/// An answer, and what faults call it.
struct rapi_body {
  std::string text;
  std::string name;
};

struct rapi_bodies {
  rapi_body groups;
  rapi_body nodes;
  rapi_body instances;
  rapi_body info;
};

/// KVM nodes' own systems are taken to have `kvm_node_memory` unless that is 0.
result<planning::cluster> read_rapi(const rapi_bodies& from,
                                    std::int64_t kvm_node_memory);

} // namespace orderly::io::htools
