// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads what Ganeti asks of an instance allocator: the cluster as it is, and
// one request about it. hail answers it; other tools take the cluster alone.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "io/htools/formats/json_value.hpp"

#include <variant>

namespace orderly::io::htools {

/// An instance that does not exist yet.
struct new_instance {
  planning::instance_spec spec; ///< nowhere
  std::int64_t nodes = 1;
  std::optional<std::string> group;
  std::optional<std::vector<std::string>> restricted;
};

struct allocate_request {
  new_instance what;
};

struct multi_allocate_request {
  std::vector<new_instance> what;
};

struct relocate_request {
  std::string instance;
  std::int64_t nodes = 1;
  std::vector<std::string> from;
};

enum class evacuation_mode { primary, secondary, all };

struct node_evacuate_request {
  std::vector<std::string> instances;
  evacuation_mode mode = evacuation_mode::all;
};

struct change_group_request {
  std::vector<std::string> instances;
  std::vector<std::string> groups; ///< by uuid; none: any other
};

struct allocate_secondary_request {
  std::string instance;
};

using request_kind
  = std::variant<allocate_request, multi_allocate_request, relocate_request,
                 node_evacuate_request, change_group_request,
                 allocate_secondary_request>;

struct allocator_request {
  planning::cluster nodes;
  request_kind what;
};

/// `file` is only named in faults. KVM nodes' own systems are taken to have
/// `kvm_node_memory` unless that is 0.
result<allocator_request> read_request(std::string_view text,
                                       const std::string& file,
                                       std::int64_t kvm_node_memory);

/// The cluster alone, each instance once; there need be no request.
result<planning::cluster> read_request_cluster(std::string_view text,
                                               const std::string& file,
                                               std::int64_t kvm_node_memory);

} // namespace orderly::io::htools
