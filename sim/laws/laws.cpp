// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reading what is new, and the laws about the journal's own story.

#include "sim/laws/laws.hpp"

#include "messages/codes.hpp"
#include "sim/laws/entry_words.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

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

} // namespace orderly::sim
