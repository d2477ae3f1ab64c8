// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is asked of trust: the answers follow from its state, the record and the
// machine of host HA, and are computed anew each time.

#pragma once

#include "actors/policy/trust/trust.hpp"

namespace orderly::trust {

/// Everything that is asked of a state. A view: it lives as long as what it
/// was made from.
class belief {
public:
  belief(const state& s, const surroundings& around, const rules& r)
    : s_(s), around_(around), r_(r) {
    // nop
  }

  /// Is it in service, by the record? Then its daemons are asked, whatever is
  /// wished or held.
  [[nodiscard]] bool is_counted() const;

  /// Should it live? In service, and no person wants it off; or somebody
  /// does, but no order for that is under way and it answered since. The storm
  /// guard counts such nodes, whether or not they can be treated.
  [[nodiscard]] bool should_live() const;

  /// Is an answer from then newer than what a person wants of it?
  [[nodiscard]] bool is_life(instant answer) const;

  /// Since when it answers each check, in service and with no order under way
  /// that will switch it off; `never`: it does not, or that is not known.
  [[nodiscard]] instant answers_since() const;

  /// Likewise since when it does not.
  [[nodiscard]] instant silent_since() const;

  /// Such a node that fails its health check and is under no treatment: it
  /// could not have one, or its turn comes.
  [[nodiscard]] bool fails_untreated(instant at) const;

  /// Without power control its offline mark alone is to prove that it is off.
  [[nodiscard]] bool is_vouched() const;

  /// Is one that cannot be treated looked at all the same? In service it
  /// counts for the storm guard; one that is recorded off may run, and its
  /// death is news; and instances may wait for the silence of one whose mark
  /// vouches for it.
  [[nodiscard]] bool is_watched() const;

  /// True while nobody could fence it: its daemons are asked all the same.
  [[nodiscard]] bool is_unprotected() const;

  /// Why it counts as unprotected just now; empty: it does not.
  [[nodiscard]] std::string unprotected() const;

  /// Why it is left alone for a person's wish; empty: it is not.
  [[nodiscard]] std::string wished_off() const;

  /// Why its being off is no loss of what it holds: a person wants it off, or
  /// had it switched off, and it was not fenced as dead.
  [[nodiscard]] std::string switched_off() const;
  /// Host HA fenced it, or is about to, and it has not lived since: that a
  /// person wants it off, too, changes nothing.
  [[nodiscard]] bool is_dead() const;

  /// Why nothing is placed there though the record has it in service.
  [[nodiscard]] std::string closed() const;

  /// Did that helper say off while the node's daemons answered, and not on
  /// since?
  [[nodiscard]] bool is_caught(const std::string& program) const;

  /// Orders the helpers that are to switch it off: those that are believed come
  /// first, and the others take turns from try to try. One that only says again
  /// that it is off would keep the next level from its turn.
  void sort_by_trust(std::vector<std::string>& programs,
                     std::uint32_t tries) const;

  /// Is its off not believed: was it caught, or another one since it said on
  /// last?
  [[nodiscard]] bool is_doubted(const std::string& program) const;

  /// Why no off of its power control is believed, a clause; empty: it is.
  [[nodiscard]] std::string doubt() const;

  /// Are its daemons asked from time to time?
  [[nodiscard]] bool is_looked_at() const;

  /// A person ordered it on, or has a cycle under way, so that what was read
  /// then says nothing of now.
  [[nodiscard]] bool is_raised_since(instant at) const;

  /// A proof is only as good as the last reading: what is out of service is
  /// read again and again.
  [[nodiscard]] bool wants_reading(instant at) const;

  /// Of its power is only noticed that it was off and is on: in service by the
  /// record after a fence, or seen at work by its neighbours though it is
  /// silent.
  [[nodiscard]] bool only_boots_count() const;

  /// Between two such readings: a proof outlives two that come to nothing.
  [[nodiscard]] millis reading_pause() const;

  /// May its controller be rehearsed, if its turn has come?
  [[nodiscard]] bool may_rehearse() const;

  /// Nothing is wrong with it that we treat.
  [[nodiscard]] bool is_well() const;

  /// Automation leaves it alone for what a person ordered.
  [[nodiscard]] bool is_left() const;

  /// Something of it could start elsewhere, were it proved off.
  [[nodiscard]] bool is_waited_for() const;

private:
  [[nodiscard]] bool may_be_switched() const;
  [[nodiscard]] bool is_known() const;

  const state& s_;
  const surroundings& around_;
  const rules& r_;
};

} // namespace orderly::trust
