// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A failover or reinstall that may have been sent, and of which neither the
// queue nor its archive knows: absence alone is no proof that it never ran.

#include "actors/policy/repair/moves.hpp"

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

} // namespace

verdict on_absent(state s, const job_ended& e, instant now) {
  s.unsure = true;
  s.intent.clear();
  s.ops.clear();
  s.note_text = s.note.empty() ? std::string{} : s.note_text;
  s.moved = end_of(e.what, now);
  auto p = s.phase;
  auto why = fmt::format("whether the job to {} was sent is not known: {}; "
                         "looks at the instance and its tags",
                         verb_of(s.act), e.what.text);
  return rest(std::move(s), p, std::move(why));
}

verdict settle(state s, const situation& x) {
  auto mark = trace_of(s, x);
  if (!mark.empty()) {
    auto why = fmt::format("unknown whether the job to {} ran: the queue and "
                           "its archive know no job, but {}",
                           verb_of(s.act), mark);
    s.unsure = !acts(x.limits); // else it is judged anew later
    return fail(std::move(s), x, std::move(why));
  }
  s.unsure = false;
  s.act = act_kind::record;
  s.last_failed = false;
  s.from.clear();
  s.onto.clear();
  s.beside.clear();
  auto p = s.untagged ? phase::needs_repair : s.phase;
  s.untagged = false;
  // Judged like any other with the next picture.
  s.noted = x.now;
  return rest(std::move(s), p,
              "the job was never sent: queue, archive, the instance and its "
              "tags agree");
}

} // namespace orderly::autorepair
