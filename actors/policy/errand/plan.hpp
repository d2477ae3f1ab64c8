// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the rows of a plan are made from: nodes by name, and what is on them.
// Private to this folder.

#pragma once

#include "actors/policy/errand/errand.hpp"

#include <string>
#include <variant>
#include <vector>

namespace orderly::errand {

/// The nodes that are named, each once, in natural order; or who is not
/// known.
std::variant<std::vector<node_record>, refusal>
nodes_named(const std::vector<std::string>& names, const surroundings& w);

/// All nodes, in natural order.
std::vector<node_record> all_nodes(const surroundings& w);

/// The nodes of the named groups, in natural order; or which is not known.
std::variant<std::vector<node_record>, refusal>
nodes_of_groups(const std::vector<std::string>& names, const surroundings& w);

/// An earlier emergency power-off marked the node offline, when all that was
/// wanted up there was down, and nothing can have been started there since.
bool is_marked_by_epo(const node_record& node, const surroundings& w);

/// What is wanted up and has its primary there.
std::vector<std::string> lodgers(const node_name& node, const surroundings& w);

/// The nodes of an instance, primary first.
std::vector<node_name> nodes_of(const instance_record& x);

/// Its row, with what is known of it now.
row row_of(const node_record& node);

/// Rows of the epo: errand/plan_epo.cpp.
std::variant<state, refusal> plan_epo(const errand_request& asked,
                                      const epo_errand& x,
                                      const surroundings& w);

} // namespace orderly::errand
