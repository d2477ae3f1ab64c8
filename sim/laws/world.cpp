// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about homes and guards: S1 S3 S5 S6 S8 S17. What persons may and
// automation may not is in laws/power.cpp.

#include "sim/laws/laws.hpp"
#include "sim/laws/setting_words.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

namespace {

/// A permit is spent some time before its act takes effect, so two acts may
/// come closer together than their permits did.
constexpr millis budget_window = minutes{55};

/// The longest that anybody may act who was master until then.
constexpr millis farewell = seconds{35};

/// Of two nodes nobody can tell whose link it is.
constexpr std::uint32_t telling = 3;

/// From a person's order until the cluster's record shows it.
constexpr millis noting = seconds{10};

/// A command leaves so long after the guards were asked for the last time.
constexpr millis asked_before = seconds{1};

/// From a reading of the power to the journal entry about it.
constexpr millis entry_delay = seconds{30};

/// From the first look that finds a node alive until what it was given up for
/// is called back.
constexpr millis calling_back = seconds{15};

/// The last one that worked on the instance, whoever sent it.
const sim_job* last_work_on(const lab_state& lab, const instance_name& name) {
  const auto& jobs = lab.cluster.jobs();
  auto works = [&](const sim_job& x) {
    return x.begun != never && !is_bookkeeping(x.spec)
           && std::count(x.instances.begin(), x.instances.end(), name) > 0;
  };
  auto i = std::find_if(jobs.rbegin(), jobs.rend(), works);
  return i == jobs.rend() ? nullptr : &*i;
}

} // namespace

/// What was told of a node that was removed says nothing of another one under
/// its name.
void laws::note_members() {
  if (members_made_ == lab_->cluster.members_made())
    return;
  members_made_ = lab_->cluster.members_made();
  for (const auto& node : lab_->cluster.record().nodes) {
    auto& uuid = uuids_[node.name];
    if (!uuid.empty() && uuid != node.uuid) {
      nodes_.erase(node.name);
      held_.erase(node.name);
    }
    uuid = node.uuid;
  }
}

/// No job and no command started it there: the boot of the node did, and what
/// started it elsewhere began before anybody of ours could see the node alive,
/// or moved it from another home: what runs where no record says so nobody
/// sees.
bool laws::boot_started(const instance_name& name,
                        const node_name& node) const {
  auto i = lab_->truth.autostarted().find(name);
  if (i == lab_->truth.autostarted().end() || i->second.node != node)
    return false;
  const auto* job = last_work_on(*lab_, name);
  auto seen = std::max(i->second.at, lab_->daemon_since);
  return !job || job->begun <= seen + told_after() + calling_back
         || (!job->old_home.empty() && job->old_home != node) || silent(node)
         || lab_->is_mute();
}

/// What a lie made another daemon do is judged by what that one saw.
bool laws::fooled_another(const instance_name& name,
                          const node_name& node) const {
  const auto* job = last_work_on(*lab_, name);
  auto lied = lab_->lied_elsewhere(node);
  return job && !job->intent.empty() && !ours(*job) && lied != never
         && lied <= job->submitted;
}

void laws::check_homes() {
  note_hands();
  const auto& doubles = lab_->truth.doubles();
  // The copy that a lie left alive, or a boot started, stays its doing wherever
  // others start.
  std::erase_if(unseen_homes_, [this](const auto& x) {
    return !lab_->truth.runs_on(x.first, x.second);
  });
  for (const auto& name : doubles) {
    if (known_doubles_.count(name) > 0)
      continue;
    std::string where;
    auto excused = unseen_homes_.count(name) > 0;
    for (const auto& node : lab_->truth.homes(name)) {
      where += (where.empty() ? "" : " and ") + node;
      if (boot_started(name, node))
        unseen_homes_.emplace(name, node);
      excused = excused || fooled(node) || unseen_homes_.count(name) > 0
                || fooled_another(name, node) || started_knowingly(name, node);
    }
    if (excused)
      ++excused_;
    else
      breach("S1", name + " runs on " + where + " at the same time");
  }
  known_doubles_ = doubles;
}

void laws::check_fenced(const std::string& node, const node_story& story,
                        const journal_entry& e) {
  if (!lab_->truth.has(node)) {
    breach("S3", "there is no " + node + " that could be fenced");
    return;
  }
  auto unread
    = story.last_off_read == never || story.last_off_read < story.last_command;
  auto stale = std::min(told_at(e), now_) - story.last_off_read > entry_delay;
  const auto* word = word_about(node);
  if ((unread || stale) && word) {
    if (e.why.find(word->wanted.who) == std::string::npos)
      breach("S3", node + " was called fenced (" + e.why + ") on the word of "
                     + word->wanted.who + ", who is not named");
    if (!lab_->truth.node(node).powered)
      return;
    // Nothing tells a word that was wrong from one that was right until then;
    // and what a disk kept for long was decided before it was written.
    auto late = std::max(now_ - told_at(e), millis{0});
    if (fooled(node) || sight_.answered_for(node) <= look_slack() + late)
      ++excused_;
    else
      breach("S3", node + " was called fenced on the word of "
                     + word->wanted.who + " while it has power and answers");
    return;
  }
  if (unread) {
    breach("S3", node + " was called fenced (" + e.why
                   + ") without a status that was read off since the last "
                     "power command");
    return;
  }
  if (!lab_->truth.node(node).powered || !stale)
    return;
  if (fooled(node))
    ++excused_;
  else
    breach("S3", node + " was called fenced while it has power");
}

/// How old a trouble must be before every look at the node has shown it.
millis laws::seen_after() const {
  return lab_->rules.host_ha.check_interval + longest_patience(lab_->rules)
         + seconds{1};
}

/// In service and recorded on, and nobody wants it off.
bool laws::lives_by_record(const node_name& name) const {
  const auto* record = lab_->cluster.node(name);
  return record && !record->offline && record->powered && !left_alone(name);
}

std::uint32_t laws::living() const {
  std::uint32_t count = 0;
  for (const auto& x : lab_->cluster.record().nodes)
    count += lives_by_record(x.name) ? 1 : 0;
  return count;
}

/// Whether or not anything could be done about it. Our own network is our
/// uplink, which is judged apart (S8). Who came back into service only now
/// was nobody's trouble yet.
std::uint32_t laws::settled_trouble(millis ago) const {
  auto seen = seen_after() + ago;
  auto just_switched_on = [&](const node_name& name) {
    auto i = nodes_.find(name);
    auto ordered = i != nodes_.end() && i->second.wish == power_state::on
                   && i->second.wished_at + seen + noting > now_;
    // By hand, of which only its own first answer tells.
    auto boots = i != nodes_.end() && i->second.wish == power_state::off
                 && lab_->truth.node(name).boots_until + seen > now_;
    return ordered || boots
           || (i != nodes_.end() && boots_by_person(name, i->second));
  };
  // That it is in service again the next reading of the cluster tells.
  auto back = seen + lab_->rules.cluster.poll_interval;
  std::uint32_t count = 0;
  auto unasked = lab_->rules.host_ha.daemon_port == 0;
  for (const auto& name : sight_.ill_for(seen))
    count += name != lab_->self() && lives_by_record(name)
                 && !(unasked && lab_->truth.node(name).daemon_down)
                 && !lab_->cluster.offline_at(name, now_ - back)
                 && !just_switched_on(name)
               ? 1
               : 0;
  return count;
}

/// What the administrator calls a storm, of those that live.
std::uint32_t laws::storm_limit() const {
  const auto& rules = lab_->rules.storm;
  return std::max(rules.nodes_max, living() * rules.percent_max / 100);
}

/// By the guard's rule or because most of them seem gone (S8).
bool laws::is_stormy() const {
  auto trouble = settled_trouble();
  return trouble > storm_limit() || 2 * trouble >= living();
}

bool laws::uplink_long_lost() const {
  auto ours = lab_->self() == lab_->truth.self();
  return ours && lab_->truth.uplink_cut()
         && lab_->truth.uplink_cut_since() + seen_after() <= now_;
}

void laws::check_storm(const std::string& deed, millis ago) {
  auto trouble = settled_trouble(ago);
  if (trouble > storm_limit())
    breach("S5", deed + " while " + std::to_string(trouble) + " of "
                   + std::to_string(living())
                   + " living nodes are in trouble, the limit is "
                   + std::to_string(storm_limit()));
  else if (storm_told_ && lab_->master().since < storm_told_at_
           && now_ - storm_told_at_ > told_after())
    breach("S5", deed + " although the storm that was told is not over");
}

/// Our link has long been cut, and there are enough others to tell.
bool laws::uplink_told() const {
  auto back = std::uint32_t{0}; // whom nobody has seen in service yet
  for (const auto& x : lab_->cluster.record().nodes)
    back += (lab_->cluster.offline_at(x.name, now_ - seen_after())
             || raised_since(x.name, now_ - lab_->rules.host_ha.recovery_wait))
                && lives_by_record(x.name)
              ? 1
              : 0;
  return uplink_long_lost() && living() >= telling + back;
}

void laws::check_mastership(const std::string& deed, bool uplink_excused) {
  auto master = lab_->master();
  if (master.who != lab_->self() && master.since + farewell < now_
      && living() >= telling) {
    // Who cannot ask the new master is told by nobody; only a vote would tell.
    if (lab_->truth.reaches(lab_->self(), master.who))
      breach("S8", deed + " although " + master.who + " is master");
    else
      ++excused_;
  }
  if (uplink_told() && !uplink_excused)
    breach("S8", deed + " although our own link has long been cut");
}

/// Nobody knows how old an answer from before a jump of our clocks is.
void laws::check_clocks(const std::string& deed) {
  const auto& reads = lab_->cluster.reads();
  if (lab_->clocks_jumped != never
      && (reads.empty() || reads.back() < lab_->clocks_jumped))
    breach("S8", deed
                   + " although the cluster has not told who is master "
                     "since our clocks jumped");
}

void laws::spend(std::deque<instant>& spent, std::uint32_t most,
                 const std::string& what) {
  // How long ago an act before a jump of our clocks was nobody can say.
  auto since = now_ - budget_window;
  if (lab_->clocks_jumped != never)
    since = std::max(since, lab_->clocks_jumped);
  while (!spent.empty() && spent.front() < since)
    spent.pop_front();
  spent.push_back(now_);
  if (spent.size() > most)
    breach("S6", what + " is number " + std::to_string(spent.size())
                   + " within an hour, allowed are " + std::to_string(most));
}

void laws::check_power(const power_deed& deed) {
  auto& story = nodes_[deed.node];
  read_power(deed, story);
  if (is_reading(deed.verb))
    return;
  const auto* errand = errand_of(deed);
  // What a person switches off beside a fence is no less off.
  if (deed.verb != power_verb::off || !errand)
    story.last_command = deed.at;
  if (deed.verb != power_verb::off)
    story.raised = deed.at;
  auto what = std::string{to_string(deed.verb)} + " of " + deed.node;
  if (deed.verb == power_verb::cycle)
    story.resets_open += deed.ended ? -1U : 1U;
  if (deed.ended) {
    // A treatment is one, with each helper and, if it is a fence, until it is
    // confirmed, also if somebody switches the node on meanwhile.
    if (errand && deed.changed && deed.verb != power_verb::off)
      story.booted_by_person = deed.at;
    if (errand && deed.verb == power_verb::cycle
        && !lab_->truth.node(deed.node).powered)
      story.put_off = deed.at; // the half that switches on did not work
    auto ours = deed.changed && deed.verb != power_verb::on && !errand;
    auto treated
      = story.phase == ha_phase::fencing || story.phase == ha_phase::recovering;
    if (ours
        && (!treated
            || std::exchange(story.paid_for, story.phase_since)
                 != story.phase_since))
      spend(fences_, lab_->rules.budget.fences_per_hour_max, what);
    return;
  }
  auto intent
    = last_intent_.find(node_object(deed.node) + " " + to_string(deed.verb));
  if (intent == last_intent_.end())
    breach("S17", what + " without a durable intent");
  else if (intents_[intent->second].ended)
    breach("S17", what + " after the outcome of intent " + intent->second
                    + " was written");
  check_command(deed, story);
  if (deed.verb == power_verb::on || errand)
    return;
  // Who was asked right before cannot have known of what came since.
  check_storm(what, asked_before);
  // What was begun in peace may be finished, a fence also after a person's
  // word. What a lost journal said of it nobody knows.
  auto begun = !story.phase || story.phase == ha_phase::fencing
               || story.phase == ha_phase::recovering
               || story.phase == ha_phase::fenced;
  check_mastership(what, begun && !story.uplink_lost_at_entry);
  check_clocks(what);
  check_trouble(deed, what);
  check_paused(deed.at, what);
  if (intent != last_intent_.end())
    check_fresh(intent->second, deed.at, what);
  if (deed.node == lab_->self())
    breach("S8", what + ", our own node");
}

} // namespace orderly::sim
