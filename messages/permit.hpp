// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words of the scheduler: whoever wants to do something that can hurt asks
// for a permit first and gives it back afterwards. Who is refused is called
// when it could go, and asks again.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <string>
#include <vector>

namespace orderly {

enum class act_kind {
  fence,       ///< power a node off for good
  reset,       ///< power-cycle a node
  failover,    ///< restart an instance elsewhere
  migrate,     ///< move an instance live
  fix_storage, ///< rebuild a mirror
  reinstall,   ///< new empty disks elsewhere, and the system anew
  rebalance,   ///< move an instance that is well, to balance
  evacuate,    ///< work on a node for a repair event, or move what is on it
  record,      ///< change flags or tags only
};

inline const char* to_string(act_kind x) {
  switch (x) {
  case act_kind::fence:
    return "fence";
  case act_kind::reset:
    return "reset";
  case act_kind::failover:
    return "failover";
  case act_kind::migrate:
    return "migrate";
  case act_kind::fix_storage:
    return "fix-storage";
  case act_kind::reinstall:
    return "reinstall";
  case act_kind::rebalance:
    return "rebalance";
  case act_kind::evacuate:
    return "evacuate";
  case act_kind::record:
    return "record";
  }
  return "?";
}

/// Acts that storm guard, budget and pause hold back.
inline bool is_destructive(act_kind x) {
  return x == act_kind::fence || x == act_kind::reset || x == act_kind::failover
         || x == act_kind::reinstall;
}

/// Asks to act on the named things under one workflow. Whoever holds this very
/// permit and asks again, before one more try of the same act, is judged by
/// what forbids every act: the right to act, host_ha.enabled, a pause, a storm,
/// a budget of none, another master since. It costs nothing, and a "no" leaves
/// the permit where it is. Balancing and repair events are judged by all
/// guards.
struct permit_request {
  object_id owner;
  act_kind act = act_kind::record;
  incident_id incident;
  std::vector<instance_name> instances; ///< held alone
  std::vector<node_name> leaves; ///< nodes left; shared by those who leave
  std::vector<node_name> joins;  ///< nodes that take load; shared by equal acts
  std::vector<node_name> also;   ///< nodes that its job works on besides
  /// Its job must not wait for a lock in its middle: it shares no node with
  /// anybody whose job works there, but for what a dead node needs.
  bool alone = false;
  instant since; ///< when the trouble was first seen
  /// The act is under way already (found after a restart): reserve, do not
  /// judge.
  bool resumed = false;
  /// The owner holds a permit for this act and now knows more of where it goes:
  /// this request takes its place if it fits beside all others.
  bool widened = false;
};

/// The answer: go, or not now, and why. Who is called before `retry_at` asks
/// again then.
struct permit {
  bool granted = false;
  std::uint64_t id = 0; ///< its number; it is given back by its owner's name
  std::string why;      ///< why not
  instant retry_at;     ///< not before that, unless called
  bool storm = false;   ///< held back by the storm guard
  bool spent = false;   ///< held back because the hourly budget is spent
  bool taken = false;   ///< another permit holds what it needs
  /// Another node was master since it was granted: what it rests on is old.
  bool outdated = false;
};

/// Which failovers and reinstallations hold a permit? They rely on nodes being
/// off, from the permit to the end of their job.
struct ask_risky_acts {};

struct risky_acts {
  bool known = true; ///< false: nobody could tell
  std::vector<permit_request> acts;
};

/// What this owner was refused it could have now: it asks again, with what it
/// sees by now, if it still wants it. No permit, and nothing to give back.
struct permit_called {
  object_id owner;
};

/// Also of what was only waited for.
struct permit_release {
  object_id owner;
  /// Nothing was destroyed under it: the hourly budget gets its share back.
  /// What was paid before a restart stays spent.
  bool unused = false;
  /// Its act is still out, though nothing is kept free for it any more. Whether
  /// it was used is told once more, when that ends.
  bool out = false;
};

/// By a person: hold all new destructive acts, or go on.
struct pause_order {
  bool pause = true;
  std::string who;
  std::string reason;
};

struct pause_answer {
  bool done = false; ///< false: it was so already, or too many wait
  std::string text;
};

/// Published by the scheduler whenever it changes.
struct guard_standing {
  bool paused = false;
  std::string paused_by;
  bool storm = false;
  std::string storm_text; ///< "3 of 5 nodes are in trouble, limit 2"
  std::uint32_t troubled = 0;
  std::uint32_t nodes = 0;
  std::uint32_t fences_left = 0;    ///< budget; an act counts for an hour
  std::uint32_t failovers_left = 0; ///< likewise
  std::uint32_t permits_out = 0;
  bool budget = false;     ///< the spent budget holds something back
  std::string budget_text; ///< what is spent, and who waits since when

  friend bool operator==(const guard_standing&, const guard_standing&)
    = default;
};

/// The right to act, pushed by the leader; valid until that instant.
struct lease {
  bool held = false;
  instant until;      ///< if it is not held, when that was known
  std::string text;   ///< who is master, or why we may not act
  node_name master{}; ///< as the cluster said last; empty: it did not

  friend bool operator==(const lease&, const lease&) = default;
};

/// May we act at that moment?
inline bool in_force(const lease& x, instant now) {
  return x.held && now < x.until;
}

} // namespace orderly
