// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who treats a node: who says whether it is well, whether it is active and
// whether it is on, who resets it and who fences it. A value that the node's
// actor is given. Nobody else in this room knows whom to ask, nor how long an
// answer may take (ADR 0050).

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/protocol/collector.hpp"
#include "messages/protocol/node.hpp"
#include "messages/protocol/power_switch.hpp"

#include <functional>

namespace orderly {

class node_provider {
public:
  using asker = node_actor::pointer;

  template <class Answer>
  using listener = std::function<void(const Answer&)>;

  /// There was no answer in time.
  using silence = std::function<void()>;

  node_provider() = default;
  node_provider(node_checker checks, power_switch power);

  /// Do its daemons answer? Each question ends with one call of `then`, or of
  /// `silent`; both are skipped if the asker has ended.
  void check(asker self, probe_request what, listener<sighting> then,
             silence silent) const;

  /// Has it done anything since a moment?
  void activity(asker self, activity_request what,
                listener<activity_answer> then, silence silent) const;

  /// What does its power read?
  void status(asker self, power_order what, listener<power_report> then,
              silence silent) const;

  /// Switches it off and on. The asker is asked for its word right before a
  /// command leaves. After silence it may have been commanded.
  void reset(asker self, power_order what, millis limit,
             listener<power_report> then, silence silent) const;

  /// Switches it off, and reads that it is. Likewise.
  void fence(asker self, power_order what, millis limit,
             listener<power_report> then, silence silent) const;

  /// So long a reset or fence may take.
  static millis patience(const settings& rules);

private:
  void command(asker self, power_order what, millis limit,
               listener<power_report> then, silence silent) const;

  node_checker checks_;
  power_switch power_;
};

} // namespace orderly
