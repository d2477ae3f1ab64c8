// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an emergency power-off cuts off: S43.

#include "sim/laws/laws.hpp"

namespace orderly::sim {

/// Which of them are offline by the record.
std::set<node_name>
laws::out_of_service(const std::set<node_name>& nodes) const {
  std::set<node_name> result;
  for (const auto& name : nodes)
    if (const auto* x = lab_->cluster.node(name); x && x->offline)
      result.insert(name);
  return result;
}

/// Ganeti stops nothing on a node that is offline: whoever asks whether it
/// answers, and had the time for it, leaves it on.
void laws::check_cut_off(const errand_story& errand, const power_deed& deed) {
  constexpr millis noticed = minutes{1};
  const auto* epo = std::get_if<epo_errand>(&errand.wanted.what);
  if (!epo || deed.verb != power_verb::off || errand.out.count(deed.node) == 0
      || sight_.answered_for(deed.node) < noticed)
    return;
  for (const auto& x : lab_->cluster.record().instances)
    if (x.primary == deed.node && x.admin == admin_state::up
        && lab_->truth.runs_on(x.name, deed.node))
      breach("S43", "the emergency power-off " + errand.id + " cuts off "
                      + x.name + ", which runs on " + deed.node
                      + " though that is marked offline");
}

} // namespace orderly::sim
