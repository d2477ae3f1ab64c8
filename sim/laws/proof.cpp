// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about what is certain of a node: S2 S33, and which lies excuse. They
// count from what controllers, persons and daemons really said, not from what
// was written about it.

#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// A status that was read off says nothing about later.
constexpr millis reading_age = minutes{10};

/// So long a person stands by a word.
constexpr millis word_age = hours{24};

} // namespace

/// Whoever looks as often as the settings say has been told by then.
millis laws::told_after() const {
  return 2 * lab_->rules.host_ha.check_interval;
}

bool laws::silent(const node_name& node) const {
  return sight_.answered_for(node) <= look_slack();
}

/// What boots refuses connections, and nothing that is off does.
bool laws::refuses(const node_name& node) const {
  const auto& truth = lab_->truth;
  return truth.alive(node) && truth.reaches(lab_->self(), node);
}

/// It was said to be off while it was on, and nobody could know better: since
/// before that its daemons have not answered us, or only just now.
bool laws::fooled(const node_name& node) const {
  auto i = nodes_.find(node);
  auto quiet = sight_.silent_from(node);
  auto lied = lab_->lied_elsewhere(node);
  if (i != nodes_.end() && !is_found_out(node, i->second))
    lied = std::max(lied, i->second.lied_about);
  return lied != never && quiet != never && lied >= quiet && silent(node);
}

/// The helper that lied had been read beside living daemons before, for which
/// it is not to be believed until it says on. A life that lost its journal, or
/// did not get to ask the daemons, does not know.
bool laws::is_found_out(const node_name& node, const node_story& story) const {
  auto i = story.caught.find(story.liar);
  return i != story.caught.end() && i->second < story.lied_about
         && i->second > std::max(journal_since_, lab_->journal.mood_since)
         && sight_.answered_between(node, i->second, story.lied_about,
                                    look_slack());
}

/// A person's word counts for a node that nobody can switch, if it may.
bool laws::vouched(const node_name& name) const {
  const auto* x = lab_->cluster.node(name);
  return x && x->offline && levels_of(name).empty()
         && lab_->rules.autorepair.offline_vouches;
}

/// `late`: so long ago it was so, though it is on disk only now.
void laws::check_silent(const node_name& node, const std::string& what,
                        millis late) {
  auto since = sight_.answered_for(node);
  if (since > told_after() + late)
    breach("S33", what + " although its daemons have been answering for "
                    + std::to_string(since.count() / 1000) + " s");
}

/// Some controller of it was read off a moment ago, after it was last told to
/// switch on and last seen alive.
bool laws::read_off(const node_name& node, instant when, instant least) const {
  auto i = nodes_.find(node);
  if (i == nodes_.end())
    return false;
  auto at = i->second.last_off_read;
  return at != never && at > i->second.raised && at + reading_age >= when
         && at > least && !sight_.answered_since(node, at, told_after());
}

/// Our clocks had jumped when it left us: how old anything from before is,
/// nobody knows.
bool laws::left_after_jump(const sim_job& job) const {
  auto i = lab_->sent.find(job.intent);
  return lab_->clocks_jumped != never && i != lab_->sent.end()
         && i->second >= lab_->clocks_jumped;
}

/// A person said so who was not told that it came to nothing, and the node was
/// not seen alive since.
bool laws::sworn_off(const node_name& node, instant when) const {
  return std::any_of(errands_.begin(), errands_.end(), [&](const auto& entry) {
    const auto& x = entry.second;
    return std::holds_alternative<confirm_errand>(x.wanted.what)
           && x.targets.count(node) > 0 && x.since + word_age >= when
           && !sight_.answered_since(node, x.since, told_after());
  });
}

/// After the order that switched it off a person has said so, and it did not
/// live since: what it holds is lost.
bool laws::said_lost(const node_name& node, instant ordered) const {
  return std::any_of(errands_.begin(), errands_.end(), [&](const auto& entry) {
    const auto& x = entry.second;
    return std::holds_alternative<confirm_errand>(x.wanted.what)
           && x.targets.count(node) > 0 && x.since >= ordered
           && now_ - x.since <= word_age
           && !sight_.answered_since(node, x.since, told_after());
  });
}

/// Each of its controllers is silent, or says off anyway: if it was switched on
/// since a person said off, nothing shows it.
bool laws::says_nowhere_on(const node_name& node) const {
  auto levels = levels_of(node);
  return std::none_of(levels.begin(), levels.end(), [&](const auto& program) {
    if (lab_->truth.file_of(program) != file_fault::none)
      return false;
    switch (lab_->truth.controller_of(node, program).what) {
    case controller::hang:
    case controller::fail:
    case controller::garbage:
    case controller::lies_off:
      return false;
    case controller::ok:
    case controller::slow:
    case controller::lies_on:
    case controller::dies_with_node:
      break;
    }
    return true;
  });
}

void laws::check_proof(const sim_job& job) {
  const auto& home = job.old_home;
  if (lab_->cluster.offline_at(home, job.submitted))
    check_silent(home, named(job) + " was sent off " + home);
  if (vouched(home) && silent(home))
    return;
  auto proved = nodes_[home].proved;
  auto written
    = proved != never && !sight_.answered_since(home, proved, told_after());
  if (!written)
    breach("S2", named(job) + " has no proof that " + home + " is down");
  else if (!read_off(home, job.submitted,
                     left_after_jump(job) ? lab_->clocks_jumped : never)
           && !sworn_off(home, job.submitted))
    breach("S2",
           named(job) + " has no proof that " + home
             + " is down which is still good: nothing was read off, and "
               "nobody said so, since it was last told to switch on or "
               "seen alive, not too long ago and since our clocks jumped");
}

/// What a helper said, and whether it was to be seen through.
void laws::read_power(const power_deed& deed, node_story& story) {
  story.boots.note(deed, 2 * lab_->rules.host_ha.recovery_wait);
  if (!deed.ended)
    return;
  if (deed.state == power_state::on) {
    story.caught.erase(deed.program);
    // Whoever reads "on" time and again cannot know that another machine's
    // controller says so: an order for off seems to be over.
    if (story.on_read == never || story.on_read < story.wished_at)
      story.on_read = deed.at;
    else if (deed.at - story.on_read > minutes{1}
             && story.wish == power_state::off)
      story.wish = power_state::unknown;
  }
  if (deed.state != power_state::off)
    return;
  story.last_off_read = deed.at;
  story.on_read = never;
  if (!deed.lie)
    return;
  story.lied_about = deed.at;
  story.liar = deed.program;
  if (sight_.answered_for(deed.node) > told_after())
    story.caught.emplace(deed.program, deed.at);
}

} // namespace orderly::sim
