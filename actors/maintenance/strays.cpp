// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/strays.hpp"

#include "actors/maintenance/past.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/maintenance/event.hpp"
#include "actors/scheduler/leader.hpp"
#include "actors/shell/patience.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::intake_parts {

namespace {

/// How the intent of each repair command ends.
constexpr const char* command_needle = "-command";

/// A job that nobody judges any more: its event is known to another master
/// only, or has given it up because nobody found it.
bool is_stray(const intake_state& st, const running_job& job) {
  auto intent = intent_in_trail(job.reason);
  if (!is_of_event(intent))
    return false;
  auto i = st.events.find(incident_in_trail(job.reason));
  if (i == st.events.end())
    return true;
  // Its actor has not told yet what it waits for.
  if (!i->second.standing || !i->second.actor)
    return false;
  const auto& open = i->second.standing->open;
  const auto& jobs = i->second.standing->jobs;
  return std::find(open.begin(), open.end(), intent) == open.end()
         && std::find(jobs.begin(), jobs.end(), job.id) == jobs.end();
}

bool may_act(self_ptr self) {
  const auto& st = self->state;
  return why_no_right(*st.ctx, st.right, now(self, st.ctx)).empty();
}

/// It is not over for us, and its command may be about to leave.
bool wants_command(const event_standing& x) {
  return x.action == event_action::live_repair && !is_final(x.phase);
}

using found_jobs = std::vector<trail_answer::found>;

/// Commands that had ended when we looked, but for our own and what was before
/// them.
void take_ended(self_ptr self, const found_jobs& found,
                const std::vector<job_standing>& how) {
  auto& st = self->state;
  std::string news;
  for (const auto& x : how)
    for (const auto& job : found) {
      auto ran
        = x.status == job_status::success || x.status == job_status::error;
      if (job.id != x.id || !ran || x.ended == never)
        continue;
      for (const auto& node : job.nodes) {
        auto ours = st.own_last.find(node);
        if (ours != st.own_last.end() && job.id <= ours->second)
          continue;
        auto& known = st.strays[node];
        if (known.job >= job.id)
          continue;
        // By a calendar that was set back it may seem to be from later.
        auto at = std::min(x.ended, now(self, st.ctx));
        known = {job.id, at, at};
        news = node;
      }
    }
  if (!news.empty())
    keep_past(self, node_object(news),
              news + ": a command of another master was found");
}

/// The answer that was waited for, unless mastership has changed meanwhile.
void end_search(self_ptr self, std::uint64_t turn, bool done) {
  auto& search = self->state.search;
  if (search.turn != turn)
    return;
  search.asked = false;
  search.done = done;
  if (done)
    spread(self);
}

void look_up(self_ptr self, std::uint64_t turn, found_jobs found) {
  job_lookup wanted;
  for (const auto& job : found)
    wanted.ids.push_back(job.id);
  if (wanted.ids.empty())
    return end_search(self, turn, true);
  self->request(self->state.peers.jobs, patience::port, std::move(wanted))
    .then(
      [self, turn, found = std::move(found)](const job_lookup_answer& answer) {
        if (answer.answered)
          take_ended(self, found, answer.jobs);
        end_search(self, turn, answer.answered);
      },
      [self, turn](const caf::error&) { end_search(self, turn, false); });
}

} // namespace

bool search_commands(self_ptr self) {
  auto& st = self->state;
  auto wanted
    = std::any_of(st.events.begin(), st.events.end(), [](const auto& x) {
        return x.second.standing && wants_command(*x.second.standing);
      });
  if (st.search.done || st.search.asked || !wanted || !st.recovered
      || !may_act(self))
    return st.search.done;
  st.search.asked = true;
  st.search.turn = ++st.searches;
  auto turn = st.search.turn;
  self
    ->request(st.peers.queue, patience::port,
              trail_query{command_needle, false})
    .then(
      [self, turn](const trail_answer& answer) {
        if (!answer.answered)
          return end_search(self, turn, false);
        auto found = answer.jobs;
        std::erase_if(found, [self](const auto& job) {
          return !is_command(intent_in_trail(job.reason))
                 || !is_stray(self->state, {job.id, {}, {}, job.reason});
        });
        look_up(self, turn, std::move(found));
      },
      [self, turn](const caf::error&) { end_search(self, turn, false); });
  return false;
}

void drop_stray(intake_state& st, const node_name& node) {
  auto known = st.strays.extract(node);
  if (!known.empty())
    note_own(st, node, known.mapped().job);
}

void note_own(intake_state& st, const node_name& node, job_id job) {
  auto& last = st.own_last[node];
  last = std::max(last, job);
}

void note_strays(self_ptr self) {
  auto& st = self->state;
  if (!st.recovered || !st.picture)
    return;
  std::string news;
  for (const auto& job : st.picture->jobs)
    if (is_stray(st, job) && is_command(intent_in_trail(job.reason)))
      for (const auto& node : job.nodes) {
        auto& known = st.strays[node];
        if (known.job != job.id)
          news = node;
        auto at = now(self, st.ctx);
        known = {job.id, at, known.job == job.id ? known.since : at};
      }
  if (!news.empty())
    keep_past(self, node_object(news),
              news + ": a command of another master was seen");
}

void call_back_strays(self_ptr self) {
  auto& st = self->state;
  if (!st.recovered || !may_act(self))
    return;
  for (const auto& job : st.picture->jobs)
    if (is_stray(st, job))
      self->send(st.peers.jobs,
                 job_withdraw{intent_in_trail(job.reason), job.id,
                              object_of_event(incident_in_trail(job.reason))});
}

std::string unknown_work(const intake_state& st, const event_standing& x) {
  const auto* node
    = st.picture ? find_record(st.picture->nodes, x.node) : nullptr;
  if (x.action != event_action::live_repair || node == nullptr)
    return {};
  // Its master, or we, may have heard of the same trouble later only.
  constexpr millis same_trouble = hours{1};
  if (auto job = st.strays.find(x.node);
      job != st.strays.end() && job->second.job != 0
      && x.ctime <= job->second.at + same_trouble)
    return fmt::format("job {}, of an event that nobody knows here, may have "
                       "repaired {}: look, and cancel this one",
                       job->second.job, x.node);
  for (const auto& tag : node->tags)
    if (auto uuid = maintenance::event_of_tag(tag);
        !uuid.empty() && st.events.count(uuid) == 0)
      return fmt::format("{} bears {}, of an event that nobody knows here: "
                         "remove it if a repair command may run again",
                         x.node, tag);
  return {};
}

} // namespace orderly::intake_parts
