// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which neighbours are asked whether a node is active: those that can see it
// and are well themselves, who is asked least first. Pure.

#pragma once

#include "messages/ids.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace orderly::checks {

/// A node as a witness of another.
struct neighbour {
  node_name name;
  std::string group;
  std::string family;        ///< of what runs its instances
  bool online = true;        ///< in service by the record
  bool heard = true;         ///< it passed a check lately
  bool in_trouble = false;   ///< an incident of its own is open
  bool able = true;          ///< its agent is new enough to look
  std::uint32_t looking = 0; ///< questions that it works on
};

/// More questions than that nobody works on at once.
inline constexpr std::uint32_t questions_most = 4;

/// Whom to ask about `subject`, the first one first; of two that are asked as
/// much the name decides.
std::vector<node_name> choose_neighbours(const neighbour& subject,
                                         std::vector<neighbour> all);

} // namespace orderly::checks
