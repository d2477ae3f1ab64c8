// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/moves.hpp"

#include "actors/policy/base/intents.hpp"
#include "actors/policy/repair/token.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

permission permission_in(const facts& seen,
                         const std::vector<std::string>& own_tags,
                         instant now) {
  if (seen.held.empty())
    return permission_of(seen.instance.name, own_tags, seen.group,
                         seen.group_tags, seen.cluster_tags, now - seen.ahead);
  permission none;
  none.what = permission::verdict::suspended;
  none.source = seen.held;
  none.held = true;
  return none;
}

situation situation_of(const state& s, const facts& seen, incident_id fresh,
                       const rules& r, instant now) {
  auto standing_tags = tags_on(s, seen);
  auto may = permission_in(seen, standing_tags, now);
  auto tags = read_tags(standing_tags, now - seen.ahead);
  set_apart(tags, s, seen);
  // Its own is spent, or removed, by a job that is there for that; one that is
  // not counted on any more goes with the next tags.
  std::erase(tags.tokens, own_token(s));
  auto last = token_text(s.repair, s.token_number);
  for (const auto& p : tags.queue)
    std::erase_if(tags.tokens, [&](const std::string& text) {
      if (text == last || !is_token_of(text, p.tag.id))
        return false;
      tags.armed.push_back(text);
      return true;
    });
  return {seen,
          r,
          now,
          std::move(fresh),
          std::move(tags),
          needed(seen),
          std::move(may),
          s.wants_room};
}

verdict rest(state s, phase p, std::string why) {
  s.phase = p;
  s.stage = stage::idle;
  s.why = std::move(why);
  return {std::move(s), {}, {}};
}

std::string worked_on(const situation& x) {
  if (!x.seen.foreign_job)
    return {};
  return fmt::format("waits for job {}, which works on {}", *x.seen.foreign_job,
                     x.seen.instance.name);
}

namespace {

/// Auto-repair does nothing at all.
std::string inactive(const situation& x, const std::string& would) {
  if (!x.limits.enabled)
    return "would " + would + ", but auto-repair is switched off";
  if (x.limits.observe)
    return "would " + would + ", but auto-repair only observes";
  return {};
}

/// It is somebody else's turn, or too early.
std::string busy(const state& s, const situation& x) {
  if (auto job = worked_on(x); !job.empty())
    return job;
  if (x.now < s.due)
    return s.last_text.empty() ? "waits before it tries again" : s.last_text;
  return {};
}

} // namespace

std::string held_up(const state& s, const situation& x,
                    const std::string& would) {
  auto text = inactive(x, would);
  return text.empty() ? busy(s, x) : text;
}

std::string held(const state& s, const situation& x, const std::string& would) {
  if (auto text = inactive(x, would); !text.empty())
    return text;
  // Its pending tag came with the job, and permits nothing by itself.
  auto permits = x.may.what == permission::verdict::enabled && x.wants.type
                 && x.may.up_to >= *x.wants.type;
  if (s.revoked && x.wants.broken && !permits)
    return "its job was called back, and it is not permitted any more: "
           + orderly::describe(x.may);
  if (is_young(s) && x.wants.broken && !permits)
    return "it is not permitted any more: " + orderly::describe(x.may);
  return busy(s, x);
}

namespace {

/// What a person removes is not set anew by a job that was sent before: that
/// ends where it does not find what it replaces. What permits nothing is there
/// before that goes.
tag_order order_for(const std::vector<std::string>& set, const rules& r) {
  auto permits = std::any_of(set.begin(), set.end(), [](const auto& text) {
    auto tag = tags::parse(text);
    return tag && std::holds_alternative<tags::pending>(*tag);
  });
  return permits && r.tokens ? tag_order::removes_first : tag_order::sets_first;
}

} // namespace

verdict send_tags(state s, const situation& x, const incident_id& base,
                  std::vector<std::string> set, std::vector<std::string> del,
                  std::string why) {
  const auto& name = x.seen.instance.name;
  ++s.step;
  s.intent = tag_intent(intent_base(base, x), s.step);
  s.stage = stage::noting;
  s.tags_withdrawn = false;
  s.wants_room = false;
  s.job = 0;
  s.due = never;
  auto order_of_tags = order_for(set, x.limits);
  s.ops = tag_job(name, std::move(set), std::move(del), order_of_tags);
  s.why = std::move(why);
  submit order{s.intent, s.ops, s.why, x.seen.read_at};
  return {std::move(s), {std::move(order)}, {}};
}

std::string pending_text(const state& s) {
  return tags::format(tags::pending{s.type, s.repair, s.started, s.jobs});
}

bool is_outdated(const state& s, const standing_pending& p) {
  auto now = tags::parse(pending_text(s));
  return !now || std::get<tags::pending>(*now) != p.tag;
}

verdict send_pending(state s, const situation& x, std::string why) {
  auto old = leftovers(x);
  for (const auto& end : x.tags.enoperms)
    old.push_back(end.text);
  std::vector<std::string> texts{pending_text(s)};
  // It only notes what waits: that permits nothing.
  if (x.limits.tokens) {
    s.young = s.repair;
    texts.push_back(unbegun_text(s.repair));
  }
  auto base = s.repair;
  auto v = send_tags(std::move(s), x, base, std::move(texts), std::move(old),
                     std::move(why));
  v.next.stage = stage::tagging;
  return v;
}

std::vector<std::string> unbegun_mark(const state& s, const situation& x) {
  // What the job before has written an older picture does not show yet.
  auto stands
    = is_older(x.seen, s.noted) ? is_young(s) : is_unbegun(x.tags, s.repair);
  return stands ? std::vector{unbegun_text(s.repair)}
                : std::vector<std::string>{};
}

bool has_token(const state& s, const situation& x) {
  const auto& all = x.seen.instance.tags;
  return s.token == token_state::standing
         && (is_older(x.seen, s.noted)
             || std::find(all.begin(), all.end(), own_token(s)) != all.end());
}

void drop_token(std::vector<std::string>& del, const state& s,
                const situation& x) {
  for (auto& mark : unbegun_mark(s, x))
    del.push_back(std::move(mark));
  if (has_token(s, x))
    del.push_back(own_token(s));
}

std::vector<opcode> prelude(const state& s, const situation& x) {
  std::vector<std::string> old;
  if (s.untagged) {
    old = leftovers(x);
    for (const auto& end : x.tags.enoperms)
      old.push_back(end.text);
  } else if (const auto* p = find(x.tags, s.repair)) {
    if (!is_outdated(s, *p))
      return {};
    // A picture from before the last tag job still shows tags that this job has
    // removed; to remove them again would fail.
    if (!is_older(x.seen, s.noted))
      old = leftovers(x);
    old.push_back(p->text);
  }
  const auto& name = x.seen.instance.name;
  return tag_job(name, {pending_text(s)}, std::move(old),
                 tag_order::sets_first);
}

bool only_ends(const std::vector<opcode>& ops) {
  auto is_result = [](const std::string& text) {
    auto tag = tags::parse(text);
    return tag && std::holds_alternative<tags::result>(*tag);
  };
  return !ops.empty() && ops.front().kind == op_kind::tags_set
         && std::all_of(ops.begin(), ops.end(), [&](const opcode& op) {
              return op.kind == op_kind::tags_del
                     || (op.kind == op_kind::tags_set
                         && std::all_of(op.tags.begin(), op.tags.end(),
                                        is_result));
            });
}

bool ends_well(const std::vector<opcode>& ops) {
  const auto* set = tags_set_by(ops);
  return set != nullptr
         && std::any_of(set->begin(), set->end(), [](const auto& text) {
              auto tag = tags::parse(text);
              const auto* end
                = tag ? std::get_if<tags::result>(&*tag) : nullptr;
              return end != nullptr
                     && end->outcome == tags::repair_result::success;
            });
}

const opcode* main_op(const std::vector<opcode>& ops) {
  auto i = std::find_if(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind == op_kind::instance_failover
           || op.kind == op_kind::instance_migrate
           || op.kind == op_kind::replace_disks
           || op.kind == op_kind::recreate_disks;
  });
  if (i != ops.end())
    return &*i;
  return ops.empty() ? nullptr : &ops.front();
}

std::string describe(const std::vector<opcode>& ops) {
  const auto* op = main_op(ops);
  return op != nullptr ? orderly::describe(*op) : std::string{"nothing"};
}

std::string otherwise_done(const plan& todo) {
  if (todo.act == act_kind::migrate)
    return todo.ops.back().flag
             ? "it was stopped since, and is not moved as if it ran"
             : "it was started since, and is not moved as if it were stopped";
  return "something else is to be done by now: " + describe(todo.ops);
}

verdict fail(state s, const situation& x, std::string why, bool later) {
  auto news = s.phase != phase::failed;
  s.from.clear();
  s.onto.clear();
  if (!acts(x.limits)) {
    s.act = act_kind::record;
    auto p = s.phase;
    auto stop = held(s, x, "write that the repair failed");
    return rest(std::move(s), p, fmt::format("{}; {}", why, stop));
  }
  s.phase = phase::failed;
  s.last_failed = true;
  // Told and written before, by a life of which this journal knows nothing.
  if (!x.tags.failures.empty())
    return rest(std::move(s), phase::failed,
                fmt::format("failed before: {}", why));
  if (news)
    s.last_text = why;
  auto text = fmt::format("failed: {}", why);
  auto stop = x.may.what == permission::verdict::suspended
                ? orderly::describe(x.may)
                : held_up(s, x, "write that the repair failed");
  auto answer = rest(s, phase::failed,
                     stop.empty() || stop == why ? text : text + "; " + stop);
  if (stop.empty() && !later) {
    tags::result end{s.type, s.repair, x.now, tags::repair_result::failure,
                     s.jobs};
    auto old = x.tags.superseded;
    if (const auto* p = find(x.tags, s.repair))
      old.push_back(p->text);
    drop_token(old, s, x);
    answer = send_tags(std::move(s), x, end.id, {tags::format(end)},
                       std::move(old), text);
  }
  if (news)
    answer.actions.emplace_back(
      tell{"A.REPAIR_FAILED", fmt::format("The repair of instance {} failed: "
                                          "{}. Look into it, then remove its "
                                          "failure tag.",
                                          x.seen.instance.name, why)});
  return answer;
}

ask_permit question_of(const state& s) {
  ask_permit question{s.act, {s.from}, {}};
  for (const auto& name : {s.onto, s.beside})
    if (!name.empty())
      question.joins.push_back(name);
  return question;
}

void turn_to(state& s, act_kind act) {
  if (s.act == act)
    return;
  auto known = tries_of(s, act);
  if (s.act != act_kind::record) {
    s.tries_before = s.tries;
    s.act_before = s.act;
  }
  s.tries = known;
  s.act = act;
}

void lay_down(state& s) {
  auto due = s.tag_tries > 0 ? s.due : never;
  auto tries = s.tag_tries;
  auto young = std::move(s.young);
  close(s);
  s.repair.clear();
  s.young = std::move(young);
  s.due = due;
  s.tag_tries = tries;
}

void close(state& s) {
  s.left.clear();
  s.left_seen = never;
  s.cut = false;
  s.jobs.clear();
  s.job = 0;
  s.intent.clear();
  s.ops.clear();
  s.act = act_kind::record;
  s.from.clear();
  s.onto.clear();
  s.beside.clear();
  s.note_text.clear();
  s.untagged = false;
  s.token = token_state::none;
  s.sought.clear();
  if (is_young(s))
    s.young.clear(); // that of another repair stays
  s.armed_since = s.traced_after = never;
  s.wanted_up = false;
  s.shut_by = 0;
  s.mending = false;
  s.turned_away = false;
  s.taken = false;
  s.withdrawn = false;
  s.revoked = false;
  s.halted = false;
  s.unsure = false;
  s.untraced = false;
  s.asked.clear();
  s.room_tries = 0;
  s.unsent = 0;
  s.tries = s.tries_before = 0;
  s.act_before = act_kind::record;
  s.due = never;
  s.started = never;
  s.last_failed = s.failed_at_home = false;
  s.last_text.clear();
}

verdict finish(const state& before, verdict v, const rules& r) {
  if (!r.enabled) {
    v.why.clear();
    return v;
  }
  // A state that is over has nothing left to tell, and what was told is no
  // news.
  auto untold = v.next.why != before.told && v.next.why != v.next.told
                && v.next.why != before.why;
  // A question is no decision: nobody needs to be told of it.
  untold = untold && (!v.next.wants_room || before.wants_room);
  auto news = v.next.phase != before.phase || untold;
  auto over = v.next.why.empty() && v.next.told.empty();
  if (!news || over)
    return v;
  v.why = v.next.why;
  v.next.told = v.next.why;
  return v;
}

} // namespace orderly::autorepair
