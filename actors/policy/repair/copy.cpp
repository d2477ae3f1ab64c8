// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of the copy on the mirror. Nobody fails over to one that was
// faulty when it was asked last: once its peer is gone it cannot be asked any
// more, and is no better for that. Nor to one whose node was out of service, or
// silent for a minute, while the instance ran: it is behind until a later
// reading says well. Nor to one that a job of ours was to make and did not make
// to its end.

#include "actors/policy/repair/copy.hpp"

#include "actors/policy/repair/moves.hpp"
#include "messages/disk_faults.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

node_name mirror_of(const facts& seen) {
  auto drbd = seen.instance.disks == disk_template::drbd;
  return drbd && !seen.secondaries.empty() ? seen.secondaries.front().name
                                           : node_name{};
}

/// Nothing that is written now gets there. Whether its home is heard or marked
/// says nothing of that: only one that is proved off writes nothing. Nor does
/// the record say that it stopped, if its home was not heard when it was told.
bool is_behind(const state& s, const facts& seen) {
  const auto& mirror = seen.secondaries.front();
  const auto& home = seen.primary;
  // Its proof may be from before a restart, and not read again yet.
  auto unread = home.fenced && !home.proved_down && seen.just_started;
  auto off = (home.proved_down && home.doubt.empty()) || unread;
  auto may_run = seen.instance.admin == admin_state::up || s.shut_unheard
                 || seen.shut_unheard;
  return mirror.known && mirror.offline && !off && may_run;
}

/// It lacks what was written since.
void note_behind(const state& s, const mirror_news& heard, bool known,
                 instant since, std::string why, facts& seen) {
  // While it is behind nobody asks: what was read since is from between two
  // such times.
  auto last = std::max(s.copy_since, s.copy_last);
  auto anew = !known || heard.at >= last;
  seen.copy_fault = known ? s.copy_fault : std::move(why);
  seen.copy_since = known ? s.copy_since : since;
  seen.copy_last = anew ? seen.read_at : last;
  seen.copy_read = known && s.copy_read;
}

/// Nobody asks any more. What the copy itself said is as true as before, until
/// we have mended it; what was only concluded nobody would ever take back.
void recall_unasked(const state& s, facts& seen) {
  auto mended
    = s.remade > std::max(s.copy_since, s.copy_last) && !s.last_failed;
  seen.copy_unasked = !s.copy_read || mended;
  if (seen.copy_unasked)
    return;
  seen.copy_fault = s.copy_fault;
  seen.copy_since = s.copy_since;
  seen.copy_last = s.copy_last;
  seen.copy_read = true;
}

/// What was heard of it was read, or passed on, before what is known of it was
/// concluded, and says nothing of what was written since: neither that it is
/// well or the good one, nor that it is written anew.
void keep_known(const state& s, bool outdated, facts& seen) {
  seen.copy_fault = s.copy_fault;
  seen.copy_since = s.copy_since;
  seen.copy_last = std::max(s.copy_since, s.copy_last);
  seen.copy_read = s.copy_read;
  seen.mirror_syncs = seen.mirror_syncs && !outdated;
}

void forget_unmade(state& s) {
  s.unmade_from.clear();
  s.unmade_by = 0;
}

/// Ganeti records a new mirror before it is written. Of one that is stopped
/// nobody ever hears how far that came.
bool is_half_made(const state& s, const mirror_news& heard,
                  const node_name& mirror, const facts& seen) {
  auto told = heard.asked && heard.at > s.remade
              && (heard.well || !heard.fault.empty());
  // It was overdue, and its end was asked for.
  auto made = std::any_of(seen.jobs.begin(), seen.jobs.end(), [&](auto& kv) {
    return kv.first == s.unmade_by && kv.second.status == job_status::success;
  });
  return !s.unmade_from.empty() && s.unmade_from != mirror && !told && !made;
}

void recall(const state& s, const mirror_news& heard, facts& seen) {
  recall_home(s, heard, seen);
  auto mirror = mirror_of(seen);
  auto known = s.bad_copy == mirror && !s.copy_fault.empty();
  auto last = std::max(s.copy_since, s.copy_last);
  auto out = is_behind(s, seen);
  if (out || heard.apart != never) {
    auto sure = seen.primary.lives || (!out && !seen.primary.unheard);
    const auto* ran = sure ? "ran" : "may have run";
    note_behind(s, heard, known, out ? seen.read_at : heard.apart,
                fmt::format("{} was {} while {} {} on {}", mirror,
                            out ? "out of service" : "not heard",
                            seen.instance.name, ran, seen.primary.name),
                seen);
    return;
  }
  if (!known && is_half_made(s, heard, mirror, seen)) {
    note_behind(s, heard, known, s.remade,
                "the job that was to make it did not end well", seen);
    seen.copy_unmade = true;
    seen.copy_half = !heard.asked || seen.instance.admin != admin_state::up;
    return;
  }
  // Where nobody asks, nobody would ever hear that it is well again.
  if (!heard.asked) {
    if (known)
      recall_unasked(s, seen);
    return;
  }
  auto news = !known || heard.at > last;
  auto fault = news && !heard.fault.empty() && is_of_these(s, heard.at);
  if ((news && heard.well)
      || (fault && lacks_alone(heard.fault, seen.primary.name)))
    return;
  if (fault) {
    seen.copy_fault = to_string(heard.fault);
    seen.copy_since = known ? s.copy_since : heard.at;
    seen.copy_last = known ? last : heard.at;
    seen.copy_pending = heard.pending && !known;
    seen.copy_read = true;
  } else if (known) {
    keep_known(s, heard.at < last, seen);
  }
}

} // namespace

void recall_copy(const state& s, const mirror_news& heard, facts& seen) {
  if (mirror_of(seen).empty())
    return;
  if (auto next = in_new_roles(s, seen))
    recall(*next, heard, seen);
  else
    recall(s, heard, seen);
}

void remember_copy(state& s, const facts& seen) {
  if (!mirror_of(seen).empty())
    if (auto next = in_new_roles(s, seen))
      s = std::move(*next);
  auto heard = !seen.primary.troubled && !seen.primary.offline;
  if (seen.instance.admin == admin_state::up || heard)
    s.shut_unheard = false;
  else if (seen.shut_unheard)
    s.shut_unheard = true;
  s.home_fault = seen.home_pending ? home_trouble{} : seen.home_fault;
  if (seen.copy_unasked)
    return;
  auto stayed = s.unmade_from == mirror_of(seen) && seen.read_at > s.remade
                && s.asked.empty();
  auto whole = s.unmade_from != mirror_of(seen) && seen.copy_fault.empty();
  if (stayed || whole)
    forget_unmade(s);
  // That it was not made to its end is kept by itself.
  auto known
    = !seen.copy_fault.empty() && !seen.copy_pending && !seen.copy_unmade;
  s.bad_copy = known ? mirror_of(seen) : node_name{};
  s.copy_beside = known ? seen.primary.name : node_name{};
  s.copy_fault = known ? seen.copy_fault : std::string{};
  s.copy_since = known ? seen.copy_since : never;
  s.copy_last = known ? seen.copy_last : never;
  s.copy_read = known && seen.copy_read;
}

void keep_copy(state& to, const state& from, const facts& seen) {
  to.shut_unheard = from.shut_unheard;
  to.home_fault = from.home_fault;
  to.unmade_from = from.unmade_from;
  to.unmade_by = from.unmade_by;
  if (!from.unmade_from.empty())
    to.remade = from.remade;
  if (!seen.copy_unasked)
    return;
  to.remade = from.remade;
  to.bad_copy = from.bad_copy;
  to.copy_beside = from.copy_beside;
  to.copy_fault = from.copy_fault;
  to.copy_since = from.copy_since;
  to.copy_last = from.copy_last;
  to.copy_read = from.copy_read;
}

void note_made(state& s, const job_event& what) {
  auto makes = std::find_if(s.ops.begin(), s.ops.end(), [](const opcode& op) {
    return op.kind == op_kind::replace_disks;
  });
  // What is canceled was so before its last opcode, which makes it.
  auto never_ran = (what.phase == job_phase::refused && !what.absent)
                   || (what.phase == job_phase::ended
                       && what.status == job_status::canceled);
  if (makes == s.ops.end() || never_ran)
    return;
  auto well
    = what.phase == job_phase::ended && what.status == job_status::success;
  if (well) {
    forget_unmade(s);
  } else if (auto in_place = makes->flag; !in_place) {
    s.unmade_from = s.from;
    s.unmade_by = what.id;
  }
}

void note_made(state& s, const job_standing& job) {
  if (job.id == 0 || job.id != s.unmade_by)
    return;
  if (job.status == job_status::success || job.status == job_status::canceled)
    forget_unmade(s);
}

// --- as the journal keeps it ------------------------------------------------

namespace {

void put_home(fields& f, const home_trouble& x) {
  if (x.empty())
    return;
  f.put("poor_home", x.home);
  f.put("poor_beside", x.mirror);
  f.put("poor_fault", x.fault);
  f.put("poor_since", x.since);
  f.put("poor_last", x.last);
  f.put_known("poor_concluded", x.concluded);
}

home_trouble home_from(const fields& f) {
  home_trouble x{f.text("poor_home"),  f.text("poor_beside"),
                 f.text("poor_fault"), f.when("poor_since"),
                 f.when("poor_last"),  f.number("poor_concluded") != 0};
  // An older journal has but the first time.
  x.last = std::max(x.last, x.since);
  return x;
}

} // namespace

void put_copy(fields& f, const state& s) {
  f.put_known("bad_copy", s.bad_copy);
  f.put_known("copy_beside", s.copy_beside);
  f.put_known("copy_fault", s.copy_fault);
  f.put_known("copy_since", s.copy_since);
  f.put_known("copy_last", s.copy_last);
  f.put_known("copy_read", s.copy_read);
  f.put_known("unmade_from", s.unmade_from);
  f.put_known("unmade_by", static_cast<std::int64_t>(s.unmade_by));
  put_home(f, s.home_fault);
  f.put_known("shut_unheard", s.shut_unheard);
  f.put_known("shut_by", s.shut_by);
}

void read_copy(state& s, const fields& f) {
  s.bad_copy = f.text("bad_copy");
  s.copy_beside = f.text("copy_beside");
  s.copy_fault = f.text("copy_fault");
  s.copy_since = f.when("copy_since");
  s.copy_last = f.when("copy_last");
  s.copy_read = f.number("copy_read") != 0;
  s.unmade_from = f.text("unmade_from");
  s.unmade_by = static_cast<job_id>(f.number("unmade_by"));
  s.home_fault = home_from(f);
  s.shut_unheard = f.number("shut_unheard") != 0;
  s.shut_by = f.count("shut_by");
}

} // namespace orderly::autorepair
