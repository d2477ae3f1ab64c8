// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons start by hand, and what they could know when they did: of two
// homes that come of it nobody of ours is to blame (S1).

#include "sim/laws/laws.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

namespace {

/// Some job works on it, or may come out of a luxid that stalls.
bool is_worked_on(const lab_state& lab, const instance_name& name) {
  auto works = [&name](const sim_job& x) {
    return !is_final(x.status) && !is_bookkeeping(x.spec)
           && std::count(x.instances.begin(), x.instances.end(), name) > 0;
  };
  const auto& jobs = lab.cluster.jobs();
  return lab.cluster.habits.luxi_stalled
         || std::any_of(jobs.begin(), jobs.end(), works);
}

/// After its start it searches for its jobs.
bool is_searching(const lab_state& lab) {
  constexpr auto search = seconds{15};
  return lab.truth.now() - lab.daemon_since
         < lab.rules.cluster.job_match_grace + search;
}

} // namespace

/// A person who starts an instance at home was told that a job of ours is
/// under way with it, or there was nobody to tell. That is over once it does
/// not run there any more, or the job has ended.
void laws::note_hands() {
  auto rests = [this](const instance_name& name) {
    return !is_worked_on(*lab_, name) && lab_->truth.doubles().count(name) == 0;
  };
  auto is_over = [&](const auto& x) {
    return !lab_->truth.runs_on(x.first, x.second) || rests(x.first);
  };
  std::erase_if(known_hands_, is_over);
  std::erase_if(untold_hands_, is_over);
  std::erase_if(unstopped_, rests);
  for (const auto& [name, hand] : lab_->truth.by_hand()) {
    if (std::exchange(by_hand_[name], hand.at) == hand.at)
      continue;
    if (unstopped_.count(name) > 0)
      known_hands_[name] = hand.node;
    else if ((lab_->is_mute() || is_searching(*lab_))
             && is_worked_on(*lab_, name))
      untold_hands_[name] = hand.node;
  }
}

bool laws::started_knowingly(const instance_name& name,
                             const node_name& node) const {
  auto told = known_hands_.find(name);
  if (told != known_hands_.end() && told->second == node)
    return true;
  auto untold = untold_hands_.find(name);
  return untold != untold_hands_.end() && untold->second == node
         && (unstopped_.count(name) > 0 || lab_->is_mute());
}

} // namespace orderly::sim
