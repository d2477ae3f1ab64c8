// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about repairs that rely on one copy: S38 and S40. What could have been
// heard of it, by whoever asks often enough, is known.

#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

namespace {

/// After this a reading of the cluster has shown what changed.
constexpr millis read_in = minutes{1};

} // namespace

/// How often mirrors are asked about may be set anew while orderlyd runs.
void laws::note_mirrors() {
  auto every = lab_->rules.autorepair.mirror_interval;
  if (std::exchange(mirrors_every_, every) != every)
    mirrors_since_ = now_;
}

/// While both it and the instance's home could be asked, since then; without a
/// journal nobody looks. What was heard is not forgotten while the instance is
/// stopped, nor with its name.
std::vector<laws::span_of_time> laws::asked_since(const sim_job& job,
                                                  instant since) const {
  const auto& name = job.instances.front();
  auto from
    = std::max({since, lab_->daemon_since, lab_->clocks_jumped,
                lab_->luxi_since, journal_since_, lab_->journal.mood_since,
                mirrors_since_, sight_.answering_from(job.old_home)});
  auto silent = sight_.still_silent_from(job.old_home);
  auto to = silent == never ? job.submitted : silent;
  // Ganeti asks nobody who is marked offline.
  for (auto t = from; t < to; t += read_in / 2)
    if (lab_->cluster.offline_at(job.old_home, t))
      to = t;
  // The mirror of one that is wanted down is not connected, and tells nothing.
  std::vector<span_of_time> result;
  for (const auto& up : lab_->cluster.wanted_up(name))
    result.push_back(
      {std::max(from, up.from), up.to == never ? to : std::min(to, up.to)});
  return result;
}

namespace {

/// Ganeti asks nobody who is marked offline.
millis longest_in_service(const ganeti& cluster, const node_name& name,
                          instant from, instant to) {
  millis longest{};
  auto since = from;
  for (auto t = from; t < to; t += read_in / 2)
    if (cluster.offline_at(name, t))
      since = t + read_in / 2;
    else
      longest = std::max(
        longest, std::chrono::duration_cast<millis>(t + read_in / 2 - since));
  return longest;
}

} // namespace

/// What was written since the mirror broke is on the old home alone, and what
/// was since the home's own disk broke is on the mirror alone. Whoever looked
/// at both often enough has read it.
void laws::check_copy(const sim_job& job) {
  const auto& name = job.instances.front();
  const auto& truth = lab_->truth;
  const auto* x = lab_->cluster.instance(name);
  // Where nobody asks there is nothing to have been heard in that time.
  if (lab_->rules.autorepair.mirror_interval == millis{0} || !x
      || x->secondaries.empty())
    return;
  auto gives_up = gives_up_mirror(job);
  if (truth.faulty_mirror(name).empty()
      || (truth.faulty_mirror(name) == job.old_home) != gives_up)
    return;
  // The home's disk is read while the mirror answers as well.
  const auto& mirror = x->secondaries.front();
  auto since = truth.faulty_since(name);
  if (gives_up)
    since = std::max(since, sight_.answering_from(mirror));
  constexpr std::size_t at_once = 20; // instances in a question
  auto rounds = static_cast<std::int64_t>(
    1 + lab_->cluster.record().instances.size() / at_once);
  auto enough = rounds * lab_->rules.autorepair.mirror_interval + read_in;
  for (auto [from, to] : asked_since(job, since)) {
    if (auto end = sight_.still_silent_from(mirror); gives_up && end != never)
      to = std::min(to, end);
    auto span = gives_up ? longest_in_service(lab_->cluster, mirror, from, to)
                         : std::chrono::duration_cast<millis>(to - from);
    if (span <= enough)
      continue;
    auto how_long = std::to_string(span / seconds{1}) + " s while ";
    breach(gives_up ? "S40" : "S38",
           named(job)
             + (gives_up ? " makes a new copy from one" : " goes to a copy")
             + " that has been faulty for " + how_long
             + (gives_up ? "both could be asked" : "its home could be asked"));
    return;
  }
}

/// So does what was written while the mirror's node was out of service, which
/// the record says. Where nobody asks, nobody would hear that it caught up.
void laws::check_left(const sim_job& job) {
  const auto& name = job.instances.front();
  const auto& x = *lab_->cluster.instance(name);
  if (x.secondaries.empty()
      || lab_->rules.autorepair.mirror_interval == millis{0})
    return;
  const auto& mirror = x.secondaries.front();
  auto since = lab_->truth.behind_since(name, mirror);
  if (since == never)
    return;
  for (auto [from, to] : asked_since(job, since))
    for (auto t = from; t + read_in <= to; t += read_in / 2)
      if (lab_->cluster.offline_at(mirror, t)
          && lab_->cluster.offline_at(mirror, t + read_in)) {
        breach("S38", named(job) + " goes to a copy that was left behind while "
                        + mirror + " was out of service");
        return;
      }
  // Nor what was written while it was silent for long, if its home was heard
  // late enough in that time, in however short pieces: whoever looks all the
  // time has seen both. A copy that caught up since then is another matter.
  // Whoever has but lost its node daemon refuses, and is heard; our own node is
  // not looked at for this, for we would be gone with it.
  auto silent = sight_.silent_from(mirror);
  if (silent == never || lab_->truth.node(mirror).daemon_lost_at >= silent
      || mirror == lab_->truth.self())
    return;
  auto until = sight_.answered_for(mirror) > millis{0}
                 ? sight_.answering_from(mirror)
                 : job.submitted;
  auto knows
    = std::max({silent + 2 * read_in + look_slack(), since,
                lab_->daemon_since + read_in, lab_->clocks_jumped,
                mirrors_since_, journal_since_, lab_->journal.mood_since});
  // While the record says that it is down nobody expects it to write.
  for (const auto& up : lab_->cluster.wanted_up(name)) {
    auto from = std::max(knows, up.from);
    auto to = up.to == never ? until : std::min(until, up.to);
    auto heard
      = from < to
        && sight_.answered_between(job.old_home, from, to, told_after());
    // That it is not heard is no proof that it writes nothing.
    const auto& home = lab_->truth.node(job.old_home);
    auto on = home.powered ? to : std::min(to, home.off_at);
    if (heard || on - from >= told_after())
      return breach("S38", named(job)
                             + " goes to a copy that was left behind while "
                             + mirror + " was silent");
  }
}

} // namespace orderly::sim
