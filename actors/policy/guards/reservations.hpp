// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The reservation table: who works on what. Jobs that run at the same time
// never share an instance, and no node is left by one and filled by another
// (S11, S12). What is moved for balance stands in nobody's way: it keeps others
// from its instance only, and takes no node that is in use.

#pragma once

#include "messages/permit.hpp"

#include <map>
#include <set>
#include <string>

namespace orderly::reservations {

struct reservation {
  permit_request what;
  std::uint64_t id = 0;
  instant at; ///< when it was used last
  /// When it was judged. Wider places and a renewal leave that as it was: what
  /// has outdated it since outdates it still.
  instant granted_at;
  /// It is tried again and again: a command of it is out now and then, and it
  /// has none of the places that others wait for.
  bool stuck = false;
};

struct table {
  std::map<object_id, reservation> by_owner;
};

struct answer {
  bool go = true;
  std::string why; ///< "instance web1 is held by node:node3"
};

/// Can `wanted` run beside what runs? An owner that holds something already
/// is asked to give it back first, unless it is the very same request or that
/// one widened.
/// `joins_max`: so many of the same kind of act may fill one node.
answer fits(const table& t, const permit_request& wanted,
            std::uint32_t parallel_max, std::uint32_t joins_max = 1);

/// How many places are taken: by what is urgent, or by all; what is moved for
/// balance, and what is stuck, has none.
std::size_t count(const table& t, bool urgent);

/// Does the owner hold a permit for this very thing already?
bool holds(const table& t, const permit_request& wanted);

/// What the owner holds for the same act and incident goes on with it.
void reserve(table& t, const permit_request& wanted, std::uint64_t id,
             instant now);

/// True if there was something to give back.
bool release(table& t, const object_id& owner);

} // namespace orderly::reservations
