// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A step that may have been sent, and that the queue does not
// know, has forgotten, or never told of: that is no proof that it never ran,
// nor that it never will. Its token is removed: who removed it first decides.

#include "actors/policy/base/job_errors.hpp"
#include "actors/policy/repair/moves.hpp"
#include "actors/policy/repair/token.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// The step has left its mark: where the instance is, or a tag that the same
/// job was to set first.
std::string trace_of(const state& s, const situation& x) {
  const auto& home = x.seen.instance.primary;
  if (!s.from.empty() && home != s.from)
    return fmt::format("its primary is {} by now", home);
  const auto* p = find(x.tags, s.repair);
  if (s.untagged && p != nullptr)
    return fmt::format("tag {}, which the same job was to set, is there",
                       p->text);
  return {};
}

/// The step is over: it is judged like any other.
void forget_step(state& s) {
  s.unsure = false;
  s.token = token_state::none;
  s.act = act_kind::record;
  s.last_failed = s.failed_at_home = false;
  s.from.clear();
  s.onto.clear();
  s.beside.clear();
}

/// We were first at its token.
verdict never_begins(state s) {
  auto why = fmt::format("the job to {} was not carried out, and cannot begin "
                         "any more: its token is removed",
                         verb_of(s.act));
  if (s.shut_by == s.token_number)
    s.wanted_up = false;
  forget_step(s);
  s.untraced = false;
  s.asked.clear(); // it did nothing
  auto p = s.phase;
  return rest(std::move(s), p, std::move(why));
}

/// Its places were kept as long as it might still begin.
verdict end_doubt(verdict v) {
  if (!v.next.unsure)
    v.actions.insert(v.actions.begin(), give_back_permit{});
  return v;
}

/// Luxid may still be about to read it. Whoever removes its token leaves a
/// mark: if the job is sent twice the second one finds nothing to remove.
verdict remove_token(state s, const situation& x) {
  auto p = s.phase;
  auto what
    = s.asked.empty()
        ? fmt::format("whether the job to {} was sent is not known",
                      verb_of(s.act))
        : fmt::format("how the job to {} ended is not known", verb_of(s.act));
  if (auto stop = held_up(s, x, "remove its token"); !stop.empty())
    return rest(std::move(s), p, fmt::format("{}; {}", what, stop));
  auto text = own_token(s);
  auto mark = void_text(s.repair, s.token_number);
  auto base = s.repair;
  auto v = send_tags(std::move(s), x, base, {}, {std::move(text)},
                     what + "; removes its token, so that it cannot begin");
  auto& ops = std::get<submit>(v.actions.back()).ops;
  auto marks = tag_job(x.seen.instance.name, {std::move(mark)}, {},
                       tag_order::sets_first);
  ops.insert(ops.end(), marks.begin(), marks.end());
  v.next.ops = ops;
  return v;
}

} // namespace

verdict on_absent(state s, const job_ended& e, instant now) {
  s.unsure = true;
  s.sought = std::exchange(s.intent, {});
  s.ops.clear();
  s.note_text = s.note.empty() ? std::string{} : s.note_text;
  s.moved = end_of(e.what, now);
  // If it was first to remove its token it is judged as any that is forgotten.
  if (e.what.id != 0)
    s.asked = joined(std::move(s.asked), {e.what.id});
  auto p = s.phase;
  auto what
    = e.what.id == 0
        ? fmt::format("whether the job to {} was sent is not known: {}",
                      verb_of(s.act), e.what.text)
        : fmt::format("how job {} to {} ended is not known: the queue has "
                      "forgotten it",
                      e.what.id, verb_of(s.act));
  auto why = fmt::format("{}; looks at the instance and its tags", what);
  return rest(std::move(s), p, std::move(why));
}

namespace {

/// Its token is gone, and no job of it was found.
verdict judge_untraced(state s, const situation& x) {
  if (works_at_home(s.act)) {
    // It cannot begin any more, and where the instance is tells the rest.
    s.untraced = false;
    auto at_home = s.failed_at_home || !s.last_failed;
    forget_step(s);
    ++s.tries;
    s.last_failed = true;
    s.failed_at_home = at_home;
    return end_doubt(decide(s, x));
  }
  auto why = fmt::format("unknown whether the job to {} ran: its token is "
                         "gone, and the queue and its archive know no job",
                         verb_of(s.act));
  // Who does not act judges nothing: it stays as it is, a spent token.
  s.unsure = s.untraced = !acts(x.limits);
  return end_doubt(fail(std::move(s), x, std::move(why)));
}

} // namespace

verdict settle(state s, const situation& x) {
  // Who only observes removes nothing, but sees that it is gone.
  if (s.token == token_state::sent && !acts(x.limits)
      && !has_tag(x.seen, own_token(s))) {
    s.token = token_state::none;
    s.untraced = true;
    s.traced_after = x.now;
  }
  if (s.token == token_state::sent)
    return remove_token(std::move(s), x);
  if (s.untraced) {
    // The mark says that one of our jobs removed the token before its step
    // could. The one that we know of failed, because it came second.
    if (has_tag(x.seen, void_text(s.repair, s.token_number)))
      return end_doubt(never_begins(std::move(s)));
    // An earlier copy of ours may be between its removal and its mark.
    if (auto job = worked_on(x); !job.empty())
      return rest(std::move(s), phase::pending, std::move(job));
    take_trails(s, x);
    if (s.untraced) {
      auto why
        = fmt::format("asks the queue for the job to {}", verb_of(s.act));
      return rest(std::move(s), phase::pending, std::move(why));
    }
    if (!s.asked.empty()) {
      forget_step(s);
      return end_doubt(decide(s, x));
    }
    return judge_untraced(std::move(s), x);
  }
  auto mark = trace_of(s, x);
  if (!mark.empty()) {
    auto why = fmt::format("unknown whether the job to {} ran: the queue and "
                           "its archive know no job, but {}",
                           verb_of(s.act), mark);
    s.unsure = !acts(x.limits); // else it is judged anew later
    return end_doubt(fail(std::move(s), x, std::move(why)));
  }
  forget_step(s);
  auto p = s.untagged ? phase::needs_repair : s.phase;
  s.untagged = false;
  // Judged like any other with the next picture.
  s.noted = x.now;
  return end_doubt(rest(std::move(s), p,
                        "the job was never sent: queue, archive, the instance "
                        "and its tags agree"));
}

bool tells_of_token(const job_event& e) {
  return e.phase == job_phase::ended
         && (e.status == job_status::success
             || (e.status == job_status::error && is_missing_tag(e.text)));
}

verdict on_token_removed(state s, const job_ended& e, instant now) {
  auto found = e.what.status == job_status::success;
  s.intent.clear();
  s.ops.clear();
  s.job = 0;
  s.tag_tries = 0;
  s.noted = end_of(e.what, now);
  if (found)
    return end_doubt(never_begins(std::move(s)));
  // The step was first, or a person, or an earlier job of ours: the queue knows
  // by now, or its mark tells.
  s.token = token_state::none;
  s.untraced = true;
  s.traced_after = now;
  s.moved = s.noted;
  return rest(std::move(s), phase::pending,
              fmt::format("the token of the job to {} is gone: it has begun "
                          "after all, or somebody removed it; asks the queue",
                          verb_of(s.act)));
}

} // namespace orderly::autorepair
