// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Shares the CPU load of nodes out among their instances, as hbal does with
// what the monitors say. Used by the model port.

#pragma once

#include "actors/planning/model/cluster.hpp"

#include <map>
#include <vector>

namespace orderly::io::model {

/// The nodes of `c` with CPUs in use by instances: without their load it
/// cannot be shared out.
std::vector<node_name> nodes_in_use(const planning::cluster& c);

/// An instance gets of its node's load what it has of the vcpus in use there.
/// Where nothing is known, or nothing is in use, it gets what its vcpus have
/// on average elsewhere. `busy` are busy CPUs by node.
void share_load(planning::cluster& c, const std::map<node_name, double>& busy);

} // namespace orderly::io::model
