// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What people are told about an instance: its phase, why, what may be done
// to it, and what would have to happen next.

#include "actors/policy/base/commands.hpp"
#include "actors/policy/base/utc.hpp"
#include "actors/policy/repair/moves.hpp"
#include "actors/policy/repair/tag_oddities.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// Is it certain that it runs nothing and writes nothing, and is not just
/// switched off?
bool is_lost(const node_view& x, const rules& limits, instant now) {
  return x.wanted_off.empty() && missing_proof(x, limits, now).empty();
}

/// Its nodes that are out of service, hold a copy of its data, and may live.
std::vector<node_name> living_copies(const facts& seen, const rules& limits,
                                     instant now) {
  std::vector<node_name> result;
  auto add = [&](const node_view& x) {
    if (x.known && x.offline && !is_lost(x, limits, now))
      result.push_back(x.name);
  };
  add(seen.primary);
  for (const auto& x : seen.secondaries)
    add(x);
  return result;
}

bool has_power_control(const facts& seen, const node_name& node) {
  if (seen.primary.name == node)
    return seen.primary.power_control;
  return std::any_of(
    seen.secondaries.begin(), seen.secondaries.end(),
    [&node](const node_view& x) { return x.name == node && x.power_control; });
}

/// What a person may do, the least harmful first. A reinstall is not named
/// while a copy of the data may live.
std::string ways_out(const std::vector<node_name>& living,
                     tags::repair_type type, const facts& seen,
                     const std::string& permit) {
  std::vector<std::string> backs;
  for (const auto& name : living)
    backs.push_back(return_command(name, has_power_control(seen, name)));
  auto text
    = living.empty()
        ? std::string{}
        : fmt::format("{0} back in service, which keeps its data and "
                      "is right if the node lives: {1}",
                      fmt::join(living, " or "), fmt::join(backs, ", "));
  if (type != tags::repair_type::reinstall)
    return text.empty() ? permit : text + "; or else " + permit;
  if (!living.empty())
    return text
           + fmt::format("; or else proof that {} off: orderly power status "
                         "{}, and until then nothing that would cost the data",
                         living.size() == 1 ? "it is" : "they are",
                         fmt::join(living, " "));
  return fmt::format("one of its nodes to be mended and brought back, which "
                     "keeps its data; or, as the last way, which destroys the "
                     "data of {}: {}",
                     seen.instance.name, permit);
}

/// What must be added where, and what must go, for `type` to be allowed:
/// within one object the least destructive type wins.
std::string stronger(tags::repair_type type, const facts& seen,
                     const permission& may) {
  return fmt::format("add tag {}{} to instance {}, and remove weaker ones "
                     "there: {}",
                     tags::prefix, tags::to_string(type), seen.instance.name,
                     orderly::describe(may));
}

std::string job_text(const state& s) {
  auto what = describe(s.ops);
  if (s.job == 0)
    return "the job: " + what;
  return fmt::format("job {}: {}", s.job, what);
}

std::string idle_waits_for(const state& s, const facts& seen, const need& wants,
                           const permission& may, const tag_record& tags,
                           const std::vector<node_name>& living, instant now) {
  if (!tags.failures.empty())
    return fmt::format("a person to look into it and to remove tag {}",
                       tags.failures.front().text);
  if (may.held)
    return "the end of: " + may.source;
  if (may.what == permission::verdict::suspended)
    return may.until ? "the end of the suspension at " + utc_text(*may.until)
                     : "the removal of " + may.source;
  auto untagged = tags.queue.empty() && tags.strange.empty();
  if (s.phase != phase::failed && !wants.broken && untagged)
    return {};
  if (untagged && wants.type && s.phase != phase::failed) {
    if (may.what == permission::verdict::not_enabled)
      return ways_out(living, *wants.type, seen, tag_to_add(*wants.type, seen));
    if (may.up_to < *wants.type)
      return ways_out(living, *wants.type, seen,
                      stronger(*wants.type, seen, may));
  }
  if (now < s.due)
    return fmt::format("{}; tries again at {}", s.why, utc_text(s.due));
  return s.why;
}

/// Another reinstall holds the node: it does so until its job has ended, and a
/// single pass does not wait for that. Its tag tells what is to be done.
bool leaves_to_next_pass(const state& s) {
  return s.taken && s.act == act_kind::reinstall && s.phase == phase::pending
         && !s.untagged;
}

/// Nothing goes on that a single pass over the cluster would wait for.
bool is_settled(const state& s, const facts& seen, const rules& limits) {
  if (s.stage == stage::repairing)
    return limits.single_pass && s.job != 0 && s.note.empty();
  if (s.stage != stage::idle || !s.note.empty() || (s.wants_room && !seen.room)
      || !s.written.empty() || is_older(seen, s.moved)
      || is_older(seen, s.noted))
    return false;
  if (s.untraced)
    return false;
  for (auto id : s.asked)
    if (seen.jobs.count(id) == 0)
      return false;
  return s.due == never || !s.turned_away
         || (limits.single_pass && leaves_to_next_pass(s));
}

/// Its tags let it be helped. That a person holds its home is no news to that
/// person; that it stays down because another of its nodes is held may be. Once
/// that has its node back a failover may do. Nor is it news that a repair has
/// failed, unless it takes another one by now.
bool is_permitted(const facts& seen, const std::vector<std::string>& own_tags,
                  tag_record tags, permission may, tags::repair_type type,
                  instant now) {
  if (may.held && seen.home_is_free) {
    may = permission_of(seen.instance.name, own_tags, seen.group,
                        seen.group_tags, seen.cluster_tags, now - seen.ahead);
    type = std::min(type, tags::repair_type::failover);
  }
  std::erase_if(tags.failures, [type](const auto& x) {
    return x.tag.type < type && type >= tags::repair_type::failover;
  });
  // A pending tag allows less than the policy, and where nobody acts it stays.
  auto policy = may.what == permission::verdict::enabled && may.up_to >= type
                && tags.failures.empty() && !tags.queue.empty();
  return policy || may_be_repaired(tags, may, type);
}

/// The parts of it, for programs.
void tell_more(instance_standing& r, const state& s, const facts& seen,
               const need& wants, const permission& may, const tag_record& tags,
               const rules& limits) {
  r.misnamed = tags.queue.empty() && !tags.strange.empty();
  r.broken = wants.broken;
  r.wrong = wants.broken ? wants.why : std::string{};
  r.needed = wants.type;
  r.allowed.suspended = may.what == permission::verdict::suspended;
  if (may.what == permission::verdict::enabled)
    r.allowed.most = may.up_to;
  r.permitted_by = may.source;
  if (auto p = plan_for(s, seen, limits))
    r.next = describe(p->ops);
  r.remarks = oddities(seen.instance.tags, "instance " + seen.instance.name);
  for (const auto& p : tags.strange)
    r.remarks.push_back(fmt::format("tag {} on instance {}: {}",
                                    orderly::printable(p.text),
                                    seen.instance.name, strange_text(p, seen)));
  for (auto& text : oddities(seen.group_tags, "group " + seen.group))
    r.shared_remarks.push_back(std::move(text));
  for (auto& text : oddities(seen.cluster_tags, "cluster"))
    r.shared_remarks.push_back(std::move(text));
  if (s.phase == phase::pending || s.stage != stage::idle)
    r.jobs = s.jobs;
  r.settled = is_settled(s, seen, limits);
}

} // namespace

bool wants_picture(const state& s, const facts& seen) {
  auto unwritten = s.phase == phase::failed && !s.repair.empty();
  // Once both its nodes are in service somebody may say that it is well again.
  auto is_out = [](const node_view& x) { return !x.known || x.offline; };
  auto doubtful
    = !s.copy_fault.empty() && !is_out(seen.primary)
      && std::none_of(seen.secondaries.begin(), seen.secondaries.end(), is_out);
  return is_under_way(s) || s.phase == phase::pending || unwritten || doubtful
         || !s.written.empty() || is_older(seen, s.moved)
         || is_older(seen, s.noted);
}

instance_standing standing(const state& s, const facts& seen,
                           const rules& limits, instant now) {
  auto all = tags_on(s, seen);
  auto tags = read_tags(all, now - seen.ahead);
  set_apart(tags, s, seen);
  auto wants = needed(seen);
  auto may = permission_in(seen, all, now);
  instance_standing r;
  r.instance = seen.instance.name;
  r.phase = s.phase;
  r.why = s.why.empty() ? wants.why : s.why;
  if (r.why.empty())
    r.why = "its nodes are in service";
  r.permission = orderly::describe(may);
  r.incident = s.repair;
  r.primary = seen.instance.primary;
  r.may_live = living_copies(seen, limits, now);
  r.permitted
    = wants.type && is_permitted(seen, all, tags, may, *wants.type, now);
  switch (s.stage) {
  case stage::tagging:
  case stage::arming:
  case stage::noting:
  case stage::repairing:
    r.waits_for = s.halted || s.intent.empty() ? s.why : job_text(s);
    break;
  case stage::permitting:
    r.waits_for = s.why;
    break;
  case stage::idle:
    r.waits_for = idle_waits_for(s, seen, wants, may, tags, r.may_live, now);
    break;
  }
  tell_more(r, s, seen, wants, may, tags, limits);
  return r;
}

} // namespace orderly::autorepair
