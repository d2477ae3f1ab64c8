// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an emergency power-off cuts off: S43.

#include "sim/laws/laws.hpp"

#include <algorithm>

namespace orderly::sim {

/// A job of the errand has marked the node offline, which it was not before,
/// and nobody took that back.
bool laws::has_marked(const errand_story& errand, const node_name& node) const {
  const auto& all = lab_->cluster.jobs();
  return std::any_of(all.begin(), all.end(), [&](const sim_job& job) {
    return job.status == job_status::success && errand_of(job) == &errand
           && job.spec.ops.front().node == node
           && job.spec.ops.front().offline == true
           && lab_->cluster.offline_since(node, job.ended)
           && !lab_->cluster.offline_since(node, job.begun);
  });
}

/// Ganeti stops nothing on a node that is offline: whoever asks whether it
/// answers, and had the time for it, leaves it on.
void laws::check_cut_off(const errand_story& errand, const power_deed& deed) {
  constexpr millis noticed = seconds{15};
  const auto* epo = std::get_if<epo_errand>(&errand.wanted.what);
  const auto* record = lab_->cluster.node(deed.node);
  if (!epo || deed.verb != power_verb::off || !record || !record->offline
      || has_marked(errand, deed.node)
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
