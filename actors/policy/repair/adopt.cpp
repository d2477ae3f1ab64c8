// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Repairs that somebody else began, or we in an earlier life: all that is
// known of them is a tag, and what the queue says of the jobs in it.

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/job_errors.hpp"
#include "actors/policy/repair/copy.hpp"
#include "actors/policy/repair/moves.hpp"
#include "actors/policy/repair/token.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// Of an id that nobody else drew.
std::uint32_t dice_of(const incident_id& fresh) {
  std::uint32_t result = 0;
  const auto* from = fresh.data();
  std::from_chars(from, from + std::min<std::size_t>(fresh.size(), 6), result,
                  16);
  return result;
}

/// The same repair may have been taken up before, by a life that is forgotten
/// or for a tag that was there before; another daemon may take it up in the
/// same second. So its steps are counted from the time, and from what this
/// daemon drew: an intent, and a token, is used only once.
std::uint32_t steps_before(instant now, const incident_id& fresh) {
  constexpr std::int64_t own = 1000; // more than a repair from the start takes
  constexpr std::int64_t per_daemon = 10;
  constexpr std::int64_t daemons = 1000;
  constexpr std::int64_t bound = 4'000'000'000;
  constexpr auto per_second = per_daemon * daemons;
  auto time = std::max(to_unix(now), std::int64_t{0}) % (bound / per_second);
  auto drawn = dice_of(fresh) % daemons;
  return static_cast<std::uint32_t>(own + time * per_second
                                    + drawn * per_daemon);
}

} // namespace

void take_trails(state& s, const situation& x) {
  if (x.seen.traced == s.repair
      && (s.traced_after == never || x.seen.traced_at > s.traced_after))
    s.untraced = false;
  for (const auto& [repair, job] : x.seen.trails)
    if (repair == s.repair
        && std::find(s.jobs.begin(), s.jobs.end(), job) == s.jobs.end()) {
      s.jobs.push_back(job);
      std::sort(s.jobs.begin(), s.jobs.end()); // the last one is named last
      s.asked = joined(std::move(s.asked), {job});
      s.act = act_kind::record;
    }
}

void take_older(state& s, const incident_id& fresh, instant now) {
  s.untraced = s.type >= tags::repair_type::failover;
  s.step = steps_before(now, fresh);
  // The step that it was for may have been sent since.
  if (s.token == token_state::standing)
    s.token = token_state::none;
}

void take_restarted(state& s, instant now) {
  s.tags_withdrawn = false; // what only changes tags is judged afresh
  if (s.phase != phase::pending || s.stage != stage::idle || s.unsure
      || s.type < tags::repair_type::failover)
    return;
  s.untraced = true;
  s.traced_after = now;
}

void adopt(state& s, const tags::pending& tag, const situation& x) {
  if (s.repair != tag.id) {
    auto called_back = s.withdrawn;
    auto young = std::move(s.young);
    close(s);
    s.young = std::move(young);
    s.withdrawn = called_back;
    s.repair = tag.id;
    s.asked = tag.jobs;
    s.step = steps_before(x.now, x.fresh);
    // A tag that came with its own job does not name it.
    s.untraced = tag.type >= tags::repair_type::failover;
    // What was answered when it was taken up before knows nothing of since.
    if (x.seen.traced == tag.id)
      s.traced_after = x.seen.traced_at;
  }
  // Also of one that it knows: an older journal does not know its mark, and a
  // job that failed may have left it.
  if (is_unbegun(x.tags, tag.id) && !is_older(x.seen, s.moved)
      && !is_older(x.seen, s.noted))
    s.young = tag.id;
  s.type = tag.type;
  s.started = tag.at;
  s.jobs = joined(std::move(s.jobs), tag.jobs);
  s.phase = phase::pending;
  s.untagged = false;
  take_trails(s, x);
}

const std::string* token_of_another(const situation& x,
                                    const incident_id& repair) {
  for (const auto& token : x.tags.armed)
    if (is_token_of(token, repair))
      return &token;
  return nullptr;
}

std::string first_armed(const situation& x, const incident_id& repair) {
  const auto* own = token_of_another(x, repair);
  return own != nullptr ? *own : x.tags.armed.front();
}

verdict armed_by_another(state s, const situation& x, std::string token) {
  // The job that spends it is not in the queue yet: it is sought afterwards.
  s.untraced = true;
  s.traced_after = x.now;
  if (s.armed_since == never)
    s.armed_since = x.now;
  auto owner = repair_of_token(token);
  auto why
    = fmt::format("another daemon takes the next step of repair {}", owner);
  auto stop = held_up(s, x, "remove its token");
  if (x.now - s.armed_since < tag_patience || !stop.empty())
    return rest(std::move(s), phase::pending,
                stop.empty() ? std::move(why) : why + "; " + stop);
  auto base = s.repair;
  return send_tags(std::move(s), x, base, {}, {std::move(token)},
                   why + ", but does not: removes its token");
}

namespace {

/// A reinstall has done something by the time that it finds no place.
bool found_no_room(const job_standing& job) {
  return !job.renews_disks && job.status == job_status::error
         && is_want_of_room(job.text);
}

/// Of what the queue has forgotten the tag's permission tells.
bool needed_home(const state& s, const job_standing& job) {
  return job.needs_home
         || (job.status == job_status::lost
             && s.type < tags::repair_type::failover);
}

/// Its disks may be new and empty. Of what the queue has forgotten only the
/// tag's permission is known.
bool may_have_cut(const state& s, const job_standing& job) {
  return job.renews_disks
         || (job.status == job_status::lost
             && s.type == tags::repair_type::reinstall);
}

/// What was called back in time did nothing, and failed at nothing; a
/// reinstallation may have come as far as its new, empty disks. Nor did one
/// whose token we, or another, had removed: that goes first.
bool did_nothing(const state& s, const job_standing& job) {
  auto ours = s.withdrawn
              || std::find(s.called_off.begin(), s.called_off.end(), job.id)
                   != s.called_off.end();
  auto back = ours && job.status == job_status::canceled && !job.renews_disks;
  return back || found_no_room(job)
         || (job.status == job_status::error && is_missing_tag(job.text));
}

/// To have found none is a wait, not a failure (ADR 0020).
void await_room(state& s, const situation& x, instant ended) {
  s.last_text = "its last job found no place";
  s.room_tries = std::max(s.room_tries, 1U);
  s.due
    = ended + backoff(x.limits.retry_base, x.limits.retry_max, s.room_tries);
}

/// What harms nobody is tried again, after as long as if we had sent it.
void await_retry(state& s, const situation& x, instant ended,
                 std::uint32_t failed_last) {
  if (!x.wants.type || *x.wants.type >= tags::repair_type::failover
      || s.tries >= x.limits.tries_max)
    return;
  s.last_text = failed_last == 1
                  ? std::string{"its last job failed"}
                  : fmt::format("its last {} jobs failed", failed_last);
  s.due = ended + backoff(x.limits.retry_base, x.limits.retry_max, failed_last);
  if (x.now >= s.due)
    s.due = never;
}

/// What was called back says nothing of the tries before it.
void note_failures(state& s, bool ran, bool failed, bool at_home,
                   std::uint32_t in_a_row) {
  s.failed_at_home = at_home && (s.failed_at_home || !s.last_failed);
  s.last_failed = failed;
  if (ran)
    s.tries = in_a_row == 0 ? 0 : std::max(s.tries, in_a_row);
}

} // namespace

std::string unknown_end(state& s, const situation& x) {
  // An older journal knows repairs that have no tag yet.
  if (s.untraced)
    take_trails(s, x);
  if (s.untraced)
    return fmt::format("asks whether repair {} has sent a job before",
                       s.repair);
  if (s.asked.empty())
    return {};
  std::uint32_t failed_last = 0;
  auto failed = false;
  auto ran = false;      // one at least did something
  auto roomless = false; // the last one found no place
  auto at_home = true;   // what failed needed the home
  instant ended;
  auto moved = s.moved;
  for (auto id : s.asked) {
    auto i = x.seen.jobs.find(id);
    if (i == x.seen.jobs.end())
      return fmt::format("asks how job {} of repair {} ended", id, s.repair);
    if (!is_final(i->second.status))
      return fmt::format("waits for job {} of repair {}, which is {}", id,
                         s.repair, to_string(i->second.status));
    auto good = i->second.status == job_status::success;
    roomless = found_no_room(i->second);
    auto idle = did_nothing(s, i->second);
    if ((!idle || roomless) && is_young(s) && !is_unbegun(x.tags, s.repair))
      s.young.clear(); // its first step came
    if (!idle) {
      note_made(s, i->second);
      ran = true;
      failed_last = good ? 0 : failed_last + 1;
      failed = failed || !good;
      at_home = at_home && (good || needed_home(s, i->second));
      if (may_have_cut(s, i->second))
        s.cut = !good;
    }
    ended = i->second.ended;
    // What is long forgotten by the queue shows in any picture.
    if (i->second.status != job_status::lost)
      moved = std::max(moved, ended == never ? x.now : std::min(ended, x.now));
  }
  s.asked.clear();
  s.withdrawn = false;
  s.moved = moved;
  note_failures(s, ran, failed, failed && at_home, failed_last);
  if (roomless && ended != never)
    await_room(s, x, ended);
  if (failed_last > 0 && ended != never)
    await_retry(s, x, ended, failed_last);
  if (is_older(x.seen, s.moved))
    return "its jobs have ended; looks what came of them";
  return {};
}

bool lives_somewhere(act_kind act, const facts& seen) {
  return seen.primary.lives
         || (act == act_kind::reinstall
             && std::any_of(seen.secondaries.begin(), seen.secondaries.end(),
                            [](const node_view& x) { return x.lives; }));
}

std::string open_end(const state& s, const situation& x) {
  for (auto id : s.asked) {
    auto i = x.seen.jobs.find(id);
    if (i == x.seen.jobs.end())
      return fmt::format("asks how job {} ended", id);
    if (!is_final(i->second.status))
      return fmt::format("waits for job {}, which is {}", id,
                         to_string(i->second.status));
  }
  return {};
}

bool ended_well_after_all(const state& s, const situation& x) {
  return !s.asked.empty()
         && std::all_of(s.asked.begin(), s.asked.end(), [&](job_id id) {
              auto i = x.seen.jobs.find(id);
              return i != x.seen.jobs.end()
                     && i->second.status == job_status::success;
            });
}

bool goes_on_elsewhere(const state& s, const situation& x) {
  return has_ended(x.tags, s.repair)
         || std::any_of(x.seen.strays.begin(), x.seen.strays.end(),
                        [&](const stray_job& job) {
                          return job.intent.starts_with(s.repair + "/")
                                 && std::find(s.jobs.begin(), s.jobs.end(),
                                              job.id)
                                      == s.jobs.end();
                        });
}

namespace {

tags::repair_type type_of(act_kind act) {
  switch (act) {
  case act_kind::reinstall:
    return tags::repair_type::reinstall;
  case act_kind::migrate:
    return tags::repair_type::migrate;
  case act_kind::fix_storage:
    return tags::repair_type::fix_storage;
  default:
    return tags::repair_type::failover;
  }
}

/// Something else is needed by now, or nothing is. Of a mirror that was not
/// asked yet nobody knows whether it is to be mended.
bool is_unwanted(const stray_job& job, const situation& x) {
  if (x.wants.type)
    return *x.wants.type != type_of(job.act);
  return job.act != act_kind::fix_storage
         || (!x.wants.broken && x.seen.mirror_read_at != never);
}

/// It would fail there. Where it names none it fills the mirror's.
bool fills_bad_place(const stray_job& job, const facts& seen) {
  if (!job.bad_place.empty())
    return true;
  return !seen.secondaries.empty()
         && !bad_target(job.act, seen.secondaries.front().name, seen).empty();
}

} // namespace

std::vector<stray_job> groundless(const facts& seen, const rules& r,
                                  instant now) {
  std::vector<stray_job> result;
  if (seen.strays.empty())
    return result;
  auto x = situation_of({}, seen, {}, r, now);
  for (const auto& job : seen.strays) {
    auto repair = job.intent.substr(0, job.intent.find('/'));
    // Luxid read it late, after its repair had ended.
    auto late = repair == seen.over || has_ended(x.tags, repair);
    auto misplaced = acts(r) && fills_bad_place(job, seen);
    if (!is_risky(job.act)) {
      // A migration of what is stopped is a failover, and off a home that is
      // marked offline one that no proof was asked for.
      if (late || misplaced || is_unwanted(job, x) || !against_all(x).empty())
        result.push_back(job);
      continue;
    }
    // Where it has moved already the job has begun.
    auto begun
      = job.act == act_kind::reinstall && !late
        && std::find(job.nodes.begin(), job.nodes.end(), seen.instance.primary)
             != job.nodes.end();
    if (begun)
      continue;
    auto type = type_of(job.act);
    auto young = is_unbegun(x.tags, repair);
    // Whoever does not act leaves it to others unless somebody lives there.
    auto unproved = !missing_proofs(job.act, seen, r, now).empty()
                    && (acts(r) || lives_somewhere(job.act, seen));
    if (is_unwanted(job, x) || unproved || misplaced
        || !unpermitted({repair, type, false, young}, x).empty())
      result.push_back(job);
  }
  return result;
}

/// A mirror is asked every few minutes; if it cannot be asked for so long it is
/// not going to be.
constexpr minutes mirror_patience{15};

bool awaits_mirror(const state& s, const situation& x) {
  if (x.seen.instance.admin != admin_state::up || s.moved == never
      || x.seen.mirror_read_at > s.moved || x.now - s.moved >= mirror_patience)
    return false;
  auto todo = plan_for(s, x.seen, x.limits);
  auto matters = x.wants.broken ? todo && todo->by_fault : s.mending;
  return matters;
}

std::string spent(const state& s, const situation& x, const plan& todo) {
  if (!s.last_failed || (is_risky(todo.act) && s.act != act_kind::record))
    return {};
  if (is_risky(todo.act))
    return fmt::format("{} after jobs that failed or are not known any more, "
                       "and to {} is not tried twice",
                       x.wants.why, verb_of(todo.act));
  if (s.tries >= x.limits.tries_max)
    return fmt::format("{} after {} jobs that failed", x.wants.why, s.tries);
  return {};
}

} // namespace orderly::autorepair
