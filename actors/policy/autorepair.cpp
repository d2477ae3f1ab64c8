// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/autorepair.hpp"

#include "actors/policy/autorepair_moves.hpp"
#include "actors/policy/backoff.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

bool contains(const std::vector<std::string>& all, const std::string& x) {
  return std::find(all.begin(), all.end(), x) != all.end();
}

bool has_job(stage x) {
  return x == stage::tagging || x == stage::repairing || x == stage::noting;
}

/// A picture from before the end of our last job shows what was, not what is.
bool is_older(const facts& seen, instant end) {
  return end != never && seen.read_at <= end;
}

std::string text_of_end(const state& s, const job_event& e) {
  auto what = s.ops.empty() ? std::string{"nothing"} : describe(s.ops.front());
  auto job = e.id == 0 ? std::string{"the job"} : fmt::format("job {}", e.id);
  auto text = fmt::format("{} for the {} ", job, what);
  if (e.phase == job_phase::refused)
    text += "was refused";
  else if (e.phase == job_phase::overdue)
    text += "is overdue";
  else
    text += fmt::format("ended with status {}", to_string(e.status));
  return e.text.empty() ? text : text + ": " + e.text;
}

instant end_of(const job_event& e, instant now) {
  return e.at == never ? now : std::min(e.at, now);
}

// --- looking -----------------------------------------------------------------

verdict look(const state& before, const facts& seen, incident_id fresh,
             const rules& r, instant now) {
  auto s = before;
  if (now >= s.due)
    s.due = never;
  if (is_older(seen, s.moved) || is_older(seen, s.noted))
    return {std::move(s), {}, {}};
  if (!s.written.empty()) {
    auto shown = contains(seen.instance.tags, s.written);
    auto text = std::move(s.written);
    s.written.clear();
    if (!shown) {
      // Read too early, or taken away by somebody: the next picture tells.
      s.noted = now;
      auto p = s.phase;
      return rest(std::move(s), p,
                  fmt::format("tag {}, just written, is not there; looks once "
                              "more",
                              text));
    }
  }
  auto x = situation_of(s, seen, std::move(fresh), r, now);
  return decide(s, x);
}

// --- permits -----------------------------------------------------------------

verdict on_permit(const state& before, const permit_answered& e, const rules& r,
                  instant now) {
  auto s = before;
  if (s.stage != stage::permitting) {
    if (e.granted && s.stage != stage::repairing)
      return {std::move(s), {give_back_permit{}}, {}};
    return {std::move(s), {}, {}};
  }
  auto x = situation_of(s, e.seen, {}, r, now);
  auto against = e.granted ? objection(s, x) : std::string{};
  if (!e.granted || !against.empty()) {
    verdict v;
    if (!e.granted) {
      s.due = e.retry_at;
      s.last_text = fmt::format("no permit to {}: {}", verb_of(s.act), e.why);
      against = s.last_text;
    } else {
      v.actions.emplace_back(give_back_permit{});
      against = fmt::format("does not {} now: {}", verb_of(s.act), against);
    }
    s.from.clear();
    s.onto.clear();
    v.next = rest(std::move(s), phase::pending, std::move(against)).next;
    return v;
  }
  auto todo = *plan_for(e.seen);
  ++s.step;
  s.intent = fmt::format("{}/{}-{}", s.repair, s.step, to_string(s.act));
  s.stage = stage::repairing;
  s.job = 0;
  s.ops = {todo.op};
  s.why = fmt::format("{}: {}", describe(todo.op), x.wants.why);
  submit order{s.intent, s.ops, s.why};
  return {std::move(s), {std::move(order)}, {}};
}

// --- jobs --------------------------------------------------------------------

verdict on_started(const state& before, const job_event& e) {
  auto s = before;
  if (!has_job(s.stage) || e.intent != s.intent || e.id == 0 || s.job == e.id)
    return {std::move(s), {}, {}};
  s.job = e.id;
  if (s.stage == stage::repairing)
    s.jobs = joined(std::move(s.jobs), {e.id});
  auto what = s.ops.empty() ? std::string{"nothing"} : describe(s.ops.front());
  s.why = fmt::format("job {}: {}", e.id, what);
  s.told = s.why; // the job's own row says it
  return {std::move(s), {}, {}};
}

void take_written(state& s, const std::string& text) {
  s.written = text;
  auto tag = tags::parse(text);
  if (!tag)
    return;
  if (std::holds_alternative<tags::pending>(*tag)) {
    s.phase = phase::pending;
    return;
  }
  close(s);
  const auto* end = std::get_if<tags::result>(&*tag);
  if (end != nullptr && end->outcome == tags::repair_result::enoperm) {
    s.phase = phase::needs_repair; // its id and type tell when it is outdated
    return;
  }
  auto failed = end != nullptr && end->outcome == tags::repair_result::failure;
  s.phase = failed ? phase::failed : phase::healthy;
  s.repair.clear();
}

verdict on_tags_written(state s, const job_ended& e, const rules& r,
                        instant now) {
  auto ops = std::move(s.ops);
  s.ops.clear();
  s.intent.clear();
  s.job = 0;
  s.stage = stage::idle;
  s.tag_tries = 0;
  s.noted = end_of(e.what, now);
  if (ops.empty() || ops.front().kind != op_kind::tags_set
      || ops.front().tags.empty())
    return {std::move(s), {}, {}};
  take_written(s, ops.front().tags.front());
  s.why = s.phase == phase::healthy ? "repaired" : s.why;
  // The step follows at once: what was written is known without a new look.
  if (s.phase == phase::pending && !is_older(e.seen, s.moved))
    return decide(s, situation_of(s, e.seen, {}, r, now));
  return {std::move(s), {}, {}};
}

verdict on_tags_ended(state s, const job_ended& e, const rules& r,
                      instant now) {
  if (e.what.phase == job_phase::ended && e.what.status == job_status::success)
    return on_tags_written(std::move(s), e, r, now);
  auto text = text_of_end(s, e.what);
  ++s.tag_tries;
  s.due = now + backoff(r.retry_base, r.retry_max, s.tag_tries);
  if (e.what.phase != job_phase::refused)
    s.noted = end_of(e.what, now);
  if (s.phase != phase::failed)
    s.last_text = text;
  s.intent.clear();
  s.ops.clear();
  s.job = 0;
  auto tries = s.tag_tries;
  auto p = s.phase;
  auto v = rest(std::move(s), p, text);
  if (tries == std::max(r.tries_max, 1U))
    v.actions.emplace_back(
      tell{"A.TAGS_STUCK",
           fmt::format("The tags of instance {} could not be changed in {} "
                       "tries: {}. It is tried again with growing pauses.",
                       e.seen.instance.name, tries, text)});
  return v;
}

verdict on_step_failed(state s, const job_ended& e, const rules& r,
                       instant now) {
  auto refused = e.what.phase == job_phase::refused;
  auto text = text_of_end(s, e.what);
  ++s.tries;
  s.from.clear();
  s.onto.clear();
  s.intent.clear();
  s.ops.clear();
  if (!refused) {
    s.last_failed = true;
    s.moved = end_of(e.what, now);
  }
  auto again
    = (refused || s.act != act_kind::failover) && s.tries < r.tries_max;
  auto x = situation_of(s, e.seen, {}, r, now);
  if (!again)
    return fail(std::move(s), x, std::move(text));
  text += fmt::format("; try {} of {} failed", s.tries, r.tries_max);
  s.last_text = text;
  s.due = now + backoff(r.retry_base, r.retry_max, s.tries);
  return rest(std::move(s), phase::pending, std::move(text));
}

/// What became of a job that was only asked for after a restart: it was never
/// sent, or nobody can say.
verdict on_job_missing(state s, const job_ended& e, const rules& r,
                       instant now) {
  auto act = s.act;
  s.from.clear();
  s.onto.clear();
  s.intent.clear();
  if (e.what.phase == job_phase::refused)
    return look(s, e.seen, {}, r, now);
  s.last_failed = true;
  s.act = act_kind::record;
  s.moved = now;
  return rest(std::move(s), phase::pending,
              fmt::format("whether the job to {} was sent before the restart "
                          "is not known",
                          verb_of(act)));
}

verdict on_repair_ended(state s, const job_ended& e, const rules& r,
                        instant now) {
  s.stage = stage::idle;
  s.job = 0;
  s.due = never;
  if (e.what.id != 0)
    s.jobs = joined(std::move(s.jobs), {e.what.id});
  verdict v;
  if (e.what.phase == job_phase::ended
      && e.what.status == job_status::success) {
    s.why = text_of_end(s, e.what);
    s.last_failed = false;
    s.intent.clear();
    s.ops.clear();
    s.moved = end_of(e.what, now);
    v = look(s, e.seen, {}, r, now);
  } else if (s.ops.empty() && e.what.phase != job_phase::ended) {
    v = on_job_missing(std::move(s), e, r, now);
  } else {
    v = on_step_failed(std::move(s), e, r, now);
  }
  v.actions.insert(v.actions.begin(), give_back_permit{});
  return v;
}

verdict on_ended(const state& s, const job_ended& e, const rules& r,
                 instant now) {
  if (e.what.phase == job_phase::submitted)
    return on_started(s, e.what);
  if (!has_job(s.stage) || e.what.intent != s.intent)
    return {s, {}, {}};
  if (s.stage == stage::repairing)
    return on_repair_ended(s, e, r, now);
  return on_tags_ended(s, e, r, now);
}

verdict on_look(const state& s, const looked& e, const rules& r, instant now) {
  if (s.stage == stage::idle)
    return look(s, e.seen, e.fresh_id, r, now);
  if (s.stage == stage::repairing && s.due != never && now >= s.due)
    return resume(s, e.seen, r, now);
  return {s, {}, {}};
}

} // namespace

std::string objection(const state& s, const situation& x) {
  if (is_older(x.seen, s.moved))
    return "the picture of the cluster is too old";
  if (!x.tags.failures.empty())
    return "a failure tag appeared";
  if (x.may.what == permission::verdict::suspended)
    return describe(x.may);
  const auto* p = find(x.tags, s.repair);
  if (p == nullptr)
    return fmt::format("the pending tag of repair {} is gone", s.repair);
  auto todo = plan_for(x.seen);
  if (!todo || todo->act != s.act || todo->from != s.from
      || todo->onto != s.onto)
    return "something else is needed by now: " + x.wants.why;
  if (todo->type > p->tag.type)
    return fmt::format("its pending tag allows {} only",
                       tags::to_string(p->tag.type));
  if (auto stop = held(s, x, verb_of(s.act)); !stop.empty())
    return stop;
  return obstacle_to(*todo, x.seen, x.limits, x.now).text;
}

verdict step(const state& s, const event& e, const rules& r, instant now) {
  if (const auto* news = std::get_if<looked>(&e))
    return finish(s, on_look(s, *news, r, now));
  if (const auto* answer = std::get_if<permit_answered>(&e)) {
    if (s.stage != stage::permitting)
      return on_permit(s, *answer, r, now);
    return finish(s, on_permit(s, *answer, r, now));
  }
  if (const auto* end = std::get_if<job_ended>(&e))
    return finish(s, on_ended(s, *end, r, now));
  return finish(s, on_started(s, std::get<job_started>(e).what));
}

} // namespace orderly::autorepair
