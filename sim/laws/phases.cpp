// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Law S20: which phase of host HA may follow which.

#include "sim/laws/laws.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace orderly::sim {

namespace {

std::optional<ha_phase> phase_of(const std::string& code) {
  // A fallback comes back as itself: only a real name gives the same twice.
  auto x = ha_phase_from(code, ha_phase::disabled);
  if (x == ha_phase_from(code, ha_phase::available))
    return x;
  return std::nullopt;
}

using step = std::pair<ha_phase, ha_phase>;

constexpr std::array<step, 24> steps{{
  {ha_phase::disabled, ha_phase::available},
  {ha_phase::ineligible, ha_phase::available},
  {ha_phase::available, ha_phase::ineligible},
  {ha_phase::available, ha_phase::suspect},
  {ha_phase::suspect, ha_phase::ineligible},
  {ha_phase::suspect, ha_phase::available},
  {ha_phase::suspect, ha_phase::checking},
  {ha_phase::suspect, ha_phase::fencing},
  {ha_phase::checking, ha_phase::ineligible},
  {ha_phase::checking, ha_phase::available},
  {ha_phase::checking, ha_phase::suspect},
  {ha_phase::checking, ha_phase::degraded},
  {ha_phase::checking, ha_phase::recovering},
  {ha_phase::checking, ha_phase::fencing},
  {ha_phase::degraded, ha_phase::ineligible},
  {ha_phase::degraded, ha_phase::available},
  {ha_phase::degraded, ha_phase::suspect},
  {ha_phase::degraded, ha_phase::fencing},
  {ha_phase::recovering, ha_phase::recovered},
  {ha_phase::recovering, ha_phase::fencing},
  {ha_phase::recovering, ha_phase::ineligible},
  {ha_phase::recovered, ha_phase::available},
  {ha_phase::recovered, ha_phase::suspect},
  {ha_phase::recovered, ha_phase::ineligible},
}};

bool may_follow(ha_phase from, ha_phase to) {
  if (from == to || to == ha_phase::disabled)
    return true;
  if (from == ha_phase::fencing)
    return to == ha_phase::fenced;
  if (from == ha_phase::fenced)
    return to == ha_phase::ineligible;
  for (const auto& x : steps)
    if (x == step{from, to})
      return true;
  return false;
}

bool is_hunted(ha_phase x) {
  return x == ha_phase::suspect || x == ha_phase::checking
         || x == ha_phase::recovering || x == ha_phase::fencing;
}

/// Nobody can say whether the node is at work: no other one answers us, or no
/// agent looks at its storage.
bool is_unseen(const lab_state& lab, const node_name& node) {
  const auto& truth = lab.truth;
  for (const auto& x : lab.cluster.record().nodes)
    if (x.name != node && truth.has(x.name) && truth.answers(lab.self(), x.name)
        && (!truth.agents()
            || (truth.node(x.name).agent != informer::silent
                && !truth.node(x.name).storage_cut)))
      return false;
  return true;
}

} // namespace

void laws::begin_phase(node_story& story, ha_phase next, bool gives_way,
                       const incident_id& incident) {
  // A reset that seems to have worked may have been in vain.
  auto another = std::exchange(story.incident, incident) != incident;
  if (!is_hunted(next) && next != ha_phase::recovered)
    story.trouble_since = never;
  else if (story.trouble_since == never || gives_way || another)
    story.trouble_since = now_;
  if (!is_hunted(next)) {
    story.hunted_since = never;
  } else if (story.hunted_since == never || gives_way) {
    story.hunted_since = now_;
    story.alarm = false;
  }
  story.boots.enter(next, now_);
  story.phase = next;
  story.phase_since = now_;
}

/// A treatment that ends before it is through, for a reason that is good.
bool laws::may_give_way(const std::string& node, const node_story& story,
                        ha_phase next) const {
  auto fencing = story.phase == ha_phase::fencing;
  auto treated = fencing || story.phase == ha_phase::recovering;
  auto watched = next == ha_phase::suspect || next == ha_phase::ineligible;
  if (!treated || !watched)
    return false;
  // A wish of a person ends the treatment, also one that came to nothing.
  auto yields = story.wish != power_state::unknown
                || story.wished_at > story.phase_since
                || raised_since(node, story.phase_since);
  // Its daemons have answered since, or its neighbours see it at work: what was
  // about to be done to it is not right any more.
  auto revived = refuses(node) || sight_.active_for(node) > millis{0}
                 || sight_.answered_since(node, story.phase_since);
  // Nobody was there to see whether the trouble goes on, or so it seems by a
  // calendar that was set. What it saw last is on disk with a minute's grain.
  constexpr millis absence = minutes{9};
  auto away = lab_->daemon_since > story.phase_since
              && lab_->daemon_since - story.phase_since >= absence;
  // A restart reads the power again: it may be all that spoke for the fence.
  auto restarted = lab_->daemon_since > story.phase_since;
  auto begun = !restarted && !story.tried.empty();
  auto idle = restarted && story.resets_open == 0; // no reset is under way
  auto mute = lab_->journal.mood_since > story.phase_since;
  // A lie began it, and its controller has ceased to tell it.
  auto misled = fencing && story.lied_about != never
                && story.lied_about >= story.phase_since;
  // Another node was master meanwhile, and knows better.
  auto succeeded = lab_->master().since > story.phase_since;
  // Somebody switched on what is fenced for having lost its power.
  auto boots = lab_->truth.node(node).boots_until > story.phase_since;
  // Nothing of it could leave while what spoke for it grew old.
  constexpr millis grows_old = minutes{1};
  auto waited = now_ - std::max(story.phase_since, story.last_command);
  auto outdated
    = is_unseen(*lab_, node) && story.resets_open == 0 && waited > grows_old;
  return yields || revived || away || misled || is_clock_set(story) || mute
         || outdated || succeeded || (fencing ? boots || !begun : idle);
}

/// The record says offline, or said so by what can have been read last.
bool laws::marked_lately(const std::string& node) const {
  const auto& cluster = lab_->cluster;
  if (!cluster.node(node))
    return false;
  auto since = now_ - lab_->rules.cluster.poll_interval;
  for (auto t = now_; t >= since; t -= seconds{1})
    if (cluster.offline_at(node, t))
      return true;
  return false;
}

/// A person had it switched on: it may boot in peace.
bool laws::may_boot(const std::string& node, const node_story& story,
                    ha_phase next, instant told) const {
  constexpr auto grain = minutes{5}; // from the command to the end of its row
  auto boot = lab_->rules.host_ha.recovery_wait + grain;
  const auto& x = lab_->truth.node(node);
  auto switched_on = x.boots_until != never && told - x.boots_until <= boot;
  // Or so it seemed, by a controller that is not its own, or was silent since.
  auto seemed = story.last_off_read != never
                && (told - std::max(story.last_off_read, story.on_read) <= boot
                    || story.last_off_read >= story.phase_since);
  // A person has just had it treated again, and it has been silent since.
  auto again = story.phase == ha_phase::available
               && told - story.phase_since <= grain
               && !sight_.answered_since(node, story.phase_since);
  // How long it has been up nobody knows after a start, which takes a journal
  // and the cluster's record.
  auto ready = std::max({lab_->daemon_since, lab_->journal.mood_since,
                         lab_->clocks_jumped, luxi_away_});
  auto started = told - ready <= grain;
  return next == ha_phase::recovered && story.phase != ha_phase::fenced
         && (is_clock_set(story) || switched_on || seemed || started || again
             || told - story.raised <= boot || raised_since(node, told - boot));
}

void laws::read_phase(const std::string& node, const journal_entry& e) {
  auto next = phase_of(e.code);
  auto& story = nodes_[node];
  if (!next || story.phase == next)
    return;
  // A reset under way might switch it on after the word.
  auto sworn = *next == ha_phase::fenced && story.phase
               && story.phase != ha_phase::disabled && story.resets_open == 0
               && word_about(node);
  auto treated
    = story.phase == ha_phase::recovering || story.phase == ha_phase::fencing;
  // A person took it back into service, and it does not work.
  const auto* record = lab_->cluster.node(node);
  auto returned = story.phase == ha_phase::fenced && *next == ha_phase::suspect
                  && record && !record->offline;
  // Or took it out of service under its fence, or has us observe only.
  auto taken = story.phase == ha_phase::fencing && *next == ha_phase::ineligible
               && marked_lately(node);
  auto observed
    = treated && *next == ha_phase::suspect && !lab_->rules.host_ha.enabled;
  if (story.phase && !may_follow(*story.phase, *next) && !sworn && !returned
      && !taken && !observed && !may_give_way(node, story, *next)
      && !may_boot(node, story, *next, told_at(e)))
    breach("S20", node + " went from " + to_string(*story.phase) + " to "
                    + to_string(*next) + ", which no rule allows");
  if (*next == ha_phase::fencing || *next == ha_phase::recovering) {
    // Also where nothing needs to be switched: a dead node's instances go.
    // What a slow journal says was decided before.
    check_storm(std::string{to_string(*next)} + " of " + node,
                std::max(now_ - told_at(e), millis{0}));
    story.uplink_lost_at_entry = uplink_told();
  }
  if (*next == ha_phase::fencing) {
    story.fencing_since = now_;
    story.tried.clear();
  }
  if (*next == ha_phase::fenced) {
    story.fenced_since = now_;
    check_fenced(node, story, e);
  }
  // What a treatment gives way to is another trouble, which begins now. So does
  // what a journal knows of that has failed meanwhile.
  auto gives_way = (!story.phase || treated || story.phase == ha_phase::fenced)
                   && *next == ha_phase::suspect;
  begin_phase(story, *next, gives_way, e.incident);
}

} // namespace orderly::sim
