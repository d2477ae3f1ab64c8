// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/autorepair_moves.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

opcode tag_opcode(op_kind kind, const instance_name& name,
                  std::vector<std::string> tags) {
  opcode op;
  op.kind = kind;
  op.tags_on = tag_kind::instance;
  op.tag_object = name;
  op.tags = std::move(tags);
  return op;
}

/// Without doubles and without what is set in the same job.
std::vector<std::string> removable(const std::vector<std::string>& wanted,
                                   const std::vector<std::string>& set) {
  std::vector<std::string> result;
  auto in = [](const std::vector<std::string>& all, const std::string& x) {
    return std::find(all.begin(), all.end(), x) != all.end();
  };
  for (const auto& text : wanted)
    if (!in(set, text) && !in(result, text))
      result.push_back(text);
  return result;
}

} // namespace

situation situation_of(const state& s, const facts& seen, incident_id fresh,
                       const rules& r, instant now) {
  auto standing_tags = tags_on(s, seen);
  auto may = permission_of(seen.instance.name, standing_tags, seen.group,
                           seen.group_tags, seen.cluster_tags, now);
  return {seen,
          r,
          now,
          std::move(fresh),
          read_tags(standing_tags, now),
          needed(seen),
          std::move(may)};
}

verdict rest(state s, phase p, std::string why) {
  s.phase = p;
  s.stage = stage::idle;
  s.why = std::move(why);
  return {std::move(s), {}, {}};
}

std::string held(const state& s, const situation& x, const std::string& would) {
  if (!x.limits.enabled)
    return "would " + would + ", but auto-repair is switched off";
  if (x.seen.foreign_job)
    return fmt::format("waits for job {}, which works on {}",
                       *x.seen.foreign_job, x.seen.instance.name);
  if (x.now < s.due)
    return s.last_text;
  return {};
}

std::vector<std::string> leftovers(const situation& x) {
  auto result = x.tags.expired;
  for (const auto& text : x.tags.superseded)
    result.push_back(text);
  for (const auto& old : x.tags.successes)
    if (old.tag.at < x.tags.successes.back().tag.at)
      result.push_back(old.text);
  auto strong = x.may.what == permission::verdict::enabled && x.wants.type
                && *x.wants.type <= x.may.up_to;
  if (!x.wants.broken || strong)
    for (const auto& old : x.tags.enoperms)
      result.push_back(old.text);
  return result;
}

verdict send_tags(state s, const situation& x, const incident_id& base,
                  std::vector<std::string> set, std::vector<std::string> del,
                  std::string why) {
  const auto& name = x.seen.instance.name;
  del = removable(del, set);
  ++s.step;
  s.intent = fmt::format("{}/{}-tag", base, s.step);
  s.stage = stage::noting;
  s.job = 0;
  s.due = never;
  s.ops.clear();
  if (!set.empty())
    s.ops.push_back(tag_opcode(op_kind::tags_set, name, std::move(set)));
  if (!del.empty())
    s.ops.push_back(tag_opcode(op_kind::tags_del, name, std::move(del)));
  s.why = std::move(why);
  submit order{s.intent, s.ops, s.why};
  return {std::move(s), {std::move(order)}, {}};
}

verdict fail(state s, const situation& x, std::string why) {
  auto news = s.phase != phase::failed;
  s.phase = phase::failed;
  s.last_failed = true;
  s.from.clear();
  s.onto.clear();
  if (news)
    s.last_text = why;
  auto text = fmt::format("failed: {}", why);
  auto stop = x.may.what == permission::verdict::suspended
                ? describe(x.may)
                : held(s, x, "write that the repair failed");
  auto answer
    = rest(s, phase::failed, stop.empty() ? text : text + "; " + stop);
  if (stop.empty()) {
    tags::result end{s.type, s.repair, x.now, tags::repair_result::failure,
                     s.jobs};
    auto old = x.tags.superseded;
    if (const auto* p = find(x.tags, s.repair))
      old.push_back(p->text);
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

void close(state& s) {
  s.jobs.clear();
  s.job = 0;
  s.intent.clear();
  s.ops.clear();
  s.act = act_kind::record;
  s.from.clear();
  s.onto.clear();
  s.tries = 0;
  s.due = never;
  s.started = never;
  s.last_failed = false;
  s.last_text.clear();
}

verdict finish(const state& before, verdict v) {
  // A blank state has nothing left to tell, and what was told is no news.
  auto untold = v.next.why != before.told && v.next.why != v.next.told;
  auto news = v.next.phase != before.phase || untold;
  if (!news || v.next == state{})
    return v;
  v.why = v.next.why;
  v.next.told = v.next.why;
  return v;
}

} // namespace orderly::autorepair
