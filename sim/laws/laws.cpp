// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reading what is new, and the laws about the journal's own story.

#include "sim/laws/laws.hpp"

#include "messages/codes.hpp"

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

} // namespace

std::vector<broken_law> laws::check(lab_state& lab, instant now) {
  lab_ = &lab;
  now_ = now;
  if (lab.journal.failed() != batches_failed_) {
    // Lost entries leave gaps in the story: start it anew.
    batches_failed_ = lab.journal.failed();
    for (auto& [name, story] : nodes_)
      story.phase.reset();
  }
  if (lab.journal.files() != journal_files_) {
    // Another file under its name: names of intents may come again, and what
    // was spent, tried and held is forgotten.
    journal_files_ = lab.journal.files();
    journal_since_ = now;
    std::erase_if(intents_, [known = lab.journal.intents()](const auto& x) {
      return known.count(x.first) == 0;
    });
    std::erase_if(last_intent_, [this](const auto& x) {
      return intents_.count(x.second) == 0;
    });
    storm_told_ = false;
    paused_ = never;
    fences_.clear();
    failovers_.clear();
    failures_.clear();
    canceled_.clear();
    failed_repairs_.clear();
    events_failed_.clear();
    held_.clear();
    for (auto& [name, story] : nodes_) {
      story.phase.reset();
      story.hunted_since = story.trouble_since = never;
    }
  }
  look_around();
  note_mirrors();
  note_members();
  note_switch();
  if (lab.cluster.habits.luxi_down || lab.cluster.habits.luxi_stalled)
    luxi_away_ = now;
  read_history();
  if (lab.truth.version() != world_version_) {
    world_version_ = lab.truth.version();
    check_homes();
    check_overwritten();
  }
  if (lab.cluster.version() != queue_version_) {
    queue_version_ = lab.cluster.version();
    note_ended_jobs();
    check_late_jobs();
    check_chosen();
  }
  return std::exchange(broken_, {});
}

void laws::begin(const lab_state& lab) {
  jobs_read_ = lab.cluster.jobs().size();
  overwritings_read_ = lab.truth.overwritings().size();
  known_doubles_ = lab.truth.doubles();
  // Another daemon's doing, or a lie's before our time.
  for (const auto& name : known_doubles_)
    for (const auto& home : lab.truth.homes(name))
      if (home != lab.cluster.instance(name)->primary)
        unseen_homes_[name] = home;
}

/// Another daemon's jobs are judged beside its own journal.
bool laws::ours(const sim_job& job) const {
  return !job.intent.empty()
         && (job.sender.empty() || job.sender == lab_->self());
}

void laws::breach(const std::string& name, const std::string& sentence) {
  auto since = std::chrono::floor<seconds>(now_ - lab_->epoch_wall).count();
  broken_.push_back(
    {name, name + " broken at +" + std::to_string(since) + "s: " + sentence});
}

void laws::read_history() {
  for (; history_read_ < lab_->history.size(); ++history_read_)
    switch (lab_->history[history_read_]) {
    case happening::entry:
      read_entry(lab_->journal.entries()[entries_read_++]);
      break;
    case happening::deed:
      check_power(lab_->power_deeds[deeds_read_++]);
      break;
    case happening::job:
      check_job(lab_->cluster.jobs()[jobs_read_++]);
      break;
    case happening::order:
      read_order(lab_->orders[orders_read_++]);
      check_kept(lab_->orders[orders_read_ - 1]);
      break;
    case happening::pause:
      check_kept(lab_->pause_words[pauses_read_++]);
      break;
    case happening::stop:
      check_kept(lab_->stop_words[stops_read_++]);
      break;
    }
}

/// In the world's time: the clock of our machine may have been set back.
instant laws::told_at(const journal_entry& e) const {
  return std::max(e.at, e.at - lab_->clock_error);
}

namespace {

bool concerns_all(const journal_entry& e) {
  return e.object == "scheduler" || e.object == "overseer"
         || e.code == codes::cluster_silent;
}

} // namespace

/// What is told of all is told of each.
void laws::read_guards(const journal_entry& e) {
  read_pause(e);
  if (e.code == codes::storm && !std::exchange(storm_told_, true))
    storm_told_at_ = now_;
  storm_told_ = storm_told_ && e.code != codes::calm;
  if (e.kind == entry_kind::alert)
    hear_of_all();
}

void laws::hear_of_all() {
  for (auto& [name, story] : nodes_)
    story.alarm = story.alarm || story.hunted_since != never;
}

namespace {

/// That a node is fenced is good news, and says nothing of what ran there.
bool is_of_fence(const journal_entry& e) {
  return e.code.starts_with("A.FENCED") || e.code.starts_with("X.FENCED_POWER")
         || e.code.starts_with("X.FENCED_BY");
}

} // namespace

void laws::read_entry(const journal_entry& e) {
  if (e.kind == entry_kind::intent) {
    auto& x = intents_[e.intent];
    // Written again after a restart it is still the same intent.
    if (x.code.empty())
      x = {e.object, e.code, now_, e.at, false, 0};
    x.decided = std::max(x.decided, told_at(e));
    last_intent_[e.object + " " + e.code] = e.intent;
  }
  if (e.kind == entry_kind::outcome && !e.intent.empty()
      && e.code != codes::job_submitted) {
    auto i = intents_.find(e.intent);
    if (i != intents_.end())
      i->second.ended = true;
  }
  if (concerns_all(e))
    read_guards(e);
  read_kept(e);
  if (e.kind == entry_kind::alert && !is_of_fence(e))
    alerted_[e.object] = now_;
  if (e.kind == entry_kind::decision)
    decided_[e.object] = std::max(decided_[e.object], told_at(e));
  if (e.code == codes::errand_end)
    over_[e.incident] = now_;
  std::string name;
  if (e.code == codes::not_stopped
      && split_object(e.object, "instance", name)) {
    const auto* x = lab_->cluster.instance(name);
    auto seen
      = std::min({x ? sight_.answered_for(x->primary) : millis{0},
                  now_ - lab_->daemon_since, now_ - lab_->master().since});
    if (seen <= told_after() + seconds{15})
      unstopped_.insert(name); // else it came too late to be of use
  }
  auto waits = e.code == codes::foreign_job || e.code == codes::copy_faulty;
  if (waits && split_object(e.object, "instance", name))
    held_up_.insert(name);
  if (e.code == codes::job_called_back || e.code == codes::job_overdue)
    called_back_.insert(e.intent);
  if (e.code == codes::asked && split_object(e.object, "instance", name))
    requested_.insert(name);
  std::string node;
  if (!split_object(e.object, "node", node))
    return;
  auto& story = nodes_[node];
  if (e.kind == entry_kind::alert)
    story.alarm = true;
  story.hold_told = (story.hold_told && e.code != codes::hold_lifted)
                    || (e.code == codes::hold && e.kind == entry_kind::alert);
  if (e.code == codes::proof || e.code == codes::fenced) {
    story.proved = now_;
    check_silent(node,
                 node + " was "
                   + (e.code == codes::proof ? "proved down" : "called fenced")
                   + " (" + e.why + ")",
                 std::max(now_ - told_at(e), millis{0}));
  }
  if (e.kind == entry_kind::decision)
    read_phase(node, e);
}

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
  // A wish of a person ends the treatment.
  auto yields = story.wish != power_state::unknown
                || raised_since(node, story.phase_since);
  // Its daemons have answered since: what was about to be done to it is not
  // right any more.
  auto revived
    = refuses(node) || sight_.answered_since(node, story.phase_since);
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
  return yields || revived || away || misled || is_clock_set(story) || mute
         || succeeded || (fencing ? boots || !begun : idle);
}

/// A person had it switched on: it may boot in peace.
bool laws::may_boot(const std::string& node, const node_story& story,
                    ha_phase next, instant told) const {
  constexpr auto grain = minutes{5}; // from the command to the end of its row
  auto boot = lab_->rules.host_ha.recovery_wait + grain;
  const auto& x = lab_->truth.node(node);
  auto switched_on = x.boots_until != never && told - x.boots_until <= boot;
  // Or so it seemed, by a controller that is not its own.
  auto seemed = story.last_off_read != never
                && (told - story.last_off_read <= boot
                    || story.last_off_read >= story.phase_since);
  // How long it has been up nobody knows after a start, which takes a journal
  // and the cluster's record.
  auto ready = std::max({lab_->daemon_since, lab_->journal.mood_since,
                         lab_->clocks_jumped, luxi_away_});
  auto started = told - ready <= grain;
  return next == ha_phase::recovered && story.phase != ha_phase::fenced
         && (is_clock_set(story) || switched_on || seemed || started
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
               && record && record->offline;
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
