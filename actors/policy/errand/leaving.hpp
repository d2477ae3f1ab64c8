// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an errand takes away, and what it brings back, while it is under way.

#pragma once

#include "actors/policy/errand/errand.hpp"

#include <map>
#include <set>

namespace orderly::errand {

/// The nodes that it has yet to switch off or take out of service, and why:
/// from the moment it is taken until it is through with them.
std::map<node_name, std::string> leaving(const state& s);

/// Those of them that it has not switched off or taken out yet: a power-off may
/// have been carried out, and its record be under way.
std::set<node_name> falling(const state& s);

/// The nodes that it has yet to switch on, and why.
std::map<node_name, std::string> rising(const state& s);

/// When it switched on or cycled which nodes, or tried to.
std::map<node_name, instant> raised(const state& s);

} // namespace orderly::errand
