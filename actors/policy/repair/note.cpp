// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A job's id in the pending tag while that job still waits.

#include "actors/policy/base/intents.hpp"
#include "actors/policy/repair/moves.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// A single pass has no next step that would write it: it is tried twice.
verdict note_again(state s, const facts& seen) {
  std::vector<std::string> old;
  for (const auto& text : seen.instance.tags) {
    auto tag = tags::parse(text);
    const auto* p = tag ? std::get_if<tags::pending>(&*tag) : nullptr;
    if (p != nullptr && p->id == s.repair)
      old.push_back(text);
  }
  s.note = note_intent(s.intent, note_try::second);
  auto ops = tag_job(seen.instance.name, {s.note_text}, std::move(old),
                     tag_order::sets_first);
  submit order{s.note, std::move(ops), "notes the job's id once more"};
  return {std::move(s), {std::move(order)}, {}};
}

} // namespace

/// The tag gets the id of the job that runs, while that job waits.
void note_job(verdict& v, const rules& r) {
  auto& s = v.next;
  if (!tags_apart(r) || s.stage != stage::repairing || s.ops.empty()
      || s.note_text.empty())
    return;
  auto text = pending_text(s);
  auto old = std::exchange(s.note_text, text);
  if (text == old)
    return;
  s.note = note_intent(s.intent, note_try::first);
  const auto& name = main_op(s.ops)->instance;
  auto ops = tag_job(name, {text}, {old}, tag_order::sets_first);
  v.actions.emplace_back(submit{s.note, std::move(ops), "notes the job's id"});
}

/// The job that notes another one's id came to an end.
verdict on_note_ended(state s, const job_ended& e, const rules& r,
                      instant now) {
  if (e.what.phase == job_phase::submitted)
    return {std::move(s), {}, {}};
  auto well
    = e.what.phase == job_phase::ended && e.what.status == job_status::success;
  if (!well && r.single_pass && acts(r) && s.stage == stage::repairing
      && e.what.intent == note_intent(s.intent, note_try::first))
    return note_again(std::move(s), e.seen);
  s.note.clear();
  if (well)
    s.written = std::move(s.note_text);
  if (e.what.phase != job_phase::refused)
    s.noted = end_of(e.what, now);
  // If it failed the next step writes it.
  s.note_text.clear();
  if (s.stage == stage::idle)
    return look(s, e.seen, {}, r, now);
  return {std::move(s), {}, {}};
}

} // namespace orderly::autorepair
