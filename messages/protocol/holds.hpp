// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons' errands mean for nodes.

#pragma once

#include "messages/ha_switches.hpp"
#include "messages/permit.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/view.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <map>
#include <set>
#include <string>

namespace orderly {

/// Which nodes automation leaves alone, and why: an emergency power-off is
/// under way there; and which are as good as gone, because a person ordered
/// them off. The whole lists, by the desk; once at its start even if they are
/// empty, because the cluster actor reads nothing before it knows.
struct holds {
  std::map<node_name, std::string> nodes;
  /// Nothing is placed there: "power-3 of root will switch it off".
  std::map<node_name, std::string> leaving;
  /// Those of `leaving` whose step was not made yet: they are not reset before.
  std::set<node_name> falling;
  /// Nothing may rely on their being off: "power-4 of root will switch it on".
  std::map<node_name, std::string> rising;
  /// When an order switched them on, or tried to: what was read off before is
  /// worth nothing.
  std::map<node_name, instant> raised;
  ha_switches switches; ///< of host HA

  friend bool operator==(const holds&, const holds&) = default;
};

/// The power records that the cluster cannot keep, and what persons want. The
/// whole lists, by the desk: nodes not named are recorded on.
struct power_records {
  std::set<node_name> off;
  std::map<node_name, power_wish> wishes;
};

/// Is told what persons' errands mean for nodes.
using holds_client = caf::typed_actor<
  /// By the cluster actor, when `leaving` changed: only that is sure to be new.
  caf::reacts_to<holds>>;

/// Is told by the desk what errands mean.
using holds_keeper = caf::typed_actor<
  /// By the desk, when something of it changed. The first one begins the
  /// readings; members whom a later one concerns hear of it at once.
  caf::reacts_to<holds>,
  /// Takes the place of the lists before; before the first one all nodes
  /// count as recorded on by us, and nobody wants anything.
  caf::reacts_to<power_records>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::holds)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_records)
