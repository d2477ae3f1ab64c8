// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who waits for a permit, and who of them comes first. Nobody is granted
// anything while waiting: who could go is called, and asks anew with what it
// sees then. A request that was kept and granted later would be evidence that
// has grown old.

#pragma once

#include "actors/policy/guards/reservations.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orderly {

class waiting_list {
public:
  /// Who was called has its place kept so long.
  static constexpr millis answered_within = seconds{2};

  /// Who has waited so long is overtaken by nothing that could wait itself:
  /// without that, whoever needs several nodes at once could wait for ever.
  static constexpr millis overtaken_for_max = minutes{10};

  /// One request each of so many owners; more ask again by the clock alone.
  static constexpr std::size_t waiting_max = 10'000;

  /// So many of those who wait too long hold others back at a time.
  static constexpr std::size_t aged_max = 50;

  /// One owner, with the last that it asked for.
  struct entry {
    permit_request what;
    instant since;          ///< it asked for that act first
    instant until;          ///< it asks again by then, or is forgotten
    instant called = never; ///< it was told that it could go, once an asking
    /// No guard forbids it: only what others hold is in its way, or it lets
    /// the companions of its trouble be seen first.
    bool for_place = false;
  };

  /// It was refused just now, and wants to be called. False: there are too
  /// many already.
  bool keep(const permit_request& wanted, bool for_place, instant now,
            instant until);

  /// It has its permit, or wants none any more.
  void forget(const object_id& owner);

  /// Those who did not ask again; who they were.
  std::vector<object_id> forget_late(instant now);

  /// It was told that it could go.
  void call(const object_id& owner, instant now);

  /// The places of those whose time to answer is over are free again.
  void give_up_calls(instant now);

  [[nodiscard]] const entry* find(const object_id& owner) const;

  [[nodiscard]] std::size_t size() const { return by_owner_.size(); }

  /// Called, and still expected to ask.
  [[nodiscard]] const std::set<object_id>& called() const { return called_; }

  /// What costs most by waiting first; of equals who asked first.
  [[nodiscard]] std::vector<object_id> in_order(instant now) const;

  /// Whom a request has to let go first, though it would fit.
  struct precedence {
    object_id owner;       ///< empty: nobody
    bool failover = false; ///< as failovers do; else because it waits too long
  };

  /// The cluster hands out its locks in the order of asking: what can wait
  /// keeps no failover from them, nor for ever whoever waits longer.
  [[nodiscard]] precedence who_goes_first(const reservations::table& t,
                                          const permit_request& wanted,
                                          instant now) const;

  /// `t` with the places of those who were called and come before `wanted`.
  [[nodiscard]] reservations::table with_called(reservations::table t,
                                                const permit_request& wanted,
                                                instant now) const;

private:
  [[nodiscard]] entry entry_of(const permit_request& wanted, instant now) const;

  std::map<object_id, entry> by_owner_;
  std::set<object_id> called_;
  std::set<object_id> failovers_; ///< that wait for a place
  /// Of those who wait for a place, moves for balance left out.
  std::set<std::pair<instant, object_id>> by_age_;
};

} // namespace orderly
