// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an eye beside the daemon sees of the nodes: whose daemons answer us,
// since when, and who has long been ill. Used by the laws alone, which compare
// it with what the daemon believed when it acted.

#pragma once

#include "sim/world/world.hpp"

#include <functional>
#include <map>
#include <vector>

namespace orderly::sim {

class law_sight {
public:
  using patience = std::function<millis(const node_name&)>;

  /// Has a look, if anything can have changed. To be called after each step.
  /// A node that takes longer than its `limit` to answer is ill.
  void look(const world& truth, const node_name& self, instant now,
            const patience& limit);

  /// Its daemons have been answering us without a break for so long; zero: they
  /// do not answer.
  [[nodiscard]] millis answered_for(const node_name& name) const;

  /// Since when it has been answering, now or when it did last; `never`: it
  /// has not.
  [[nodiscard]] instant answering_from(const node_name& name) const;

  /// They answered at some time after `since`, in one go for longer than
  /// `least`: whoever asked in the meantime was told.
  [[nodiscard]] bool answered_since(const node_name& name, instant since,
                                    millis least = {}) const;

  /// The same, and before `until`.
  [[nodiscard]] bool answered_between(const node_name& name, instant since,
                                      instant until, millis least) const;

  /// Since when they do not answer; of a node that answers: since when they
  /// did not before. `never`: they always did.
  [[nodiscard]] instant silent_from(const node_name& name) const;

  /// Likewise, but `never` of a node that answers now.
  [[nodiscard]] instant still_silent_from(const node_name& name) const;

  /// Its heartbeat on storage has been moving without a break for so long, and
  /// no agent lies about any; zero: it stands, or there are no agents.
  [[nodiscard]] millis active_for(const node_name& name) const;

  /// Nodes that have been ill for so long, which are all that would not answer
  /// over a whole link of ours.
  [[nodiscard]] std::vector<node_name> ill_for(millis least) const;

private:
  struct period {
    instant from;
    instant to; ///< `never`: it goes on
  };

  struct track {
    std::vector<period> answering; ///< oldest first
    instant first_look;
    instant ill_since;    ///< `never`: it is well
    instant active_since; ///< `never`: its heartbeat stands
  };

  void look_at(const world& truth, const node_name& self, const sim_node& x,
               millis limit);

  std::map<node_name, track> nodes_;
  std::uint64_t version_ = ~std::uint64_t{0};
  bool honest_ = true; ///< each agent, about its neighbours
  instant now_;
  instant looked_; ///< the time of the look before
  instant
    next_boot_; ///< then the world changes by itself; `never`: it does not
};

} // namespace orderly::sim
