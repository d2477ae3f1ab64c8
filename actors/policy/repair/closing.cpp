// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How a repair ends while nothing of it is under way: well, without
// permission, or making way for another.

#include "actors/policy/repair/moves.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

std::vector<std::string> with_enoperms(std::vector<std::string> texts,
                                       const situation& x) {
  for (const auto& old : x.tags.enoperms)
    texts.push_back(old.text);
  return texts;
}

namespace {

/// It ends, and with it what stands of it. `s.type` is what it was too weak
/// for.
verdict not_permitted(state s, const situation& x, const standing_pending& p,
                      std::string why) {
  tags::result end{p.tag.type, s.repair, x.now, tags::repair_result::enoperm,
                   s.jobs};
  auto del = with_enoperms(leftovers(x), x);
  del.push_back(p.text);
  drop_token(del, s, x);
  auto base = s.repair;
  return send_tags(std::move(s), x, base, {tags::format(end)}, std::move(del),
                   std::move(why));
}

} // namespace

std::string home_unseen(const facts& seen) {
  const auto& home = seen.primary;
  if (home.troubled || home.unheard)
    return fmt::format("its home {} does not answer just now", home.name);
  return home.unchecked
           ? fmt::format("its home {} was not asked yet", home.name)
           : std::string{};
}

bool is_gone(const node_view& x) {
  return x.troubled || x.offline || x.unheard;
}

namespace {

/// What it says of a repair, whenever it says it: `at` and the jobs move on.
bool says_end(const std::vector<std::string>& texts, const tags::result& end) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    auto tag = tags::parse(text);
    const auto* x = tag ? std::get_if<tags::result>(&*tag) : nullptr;
    return x != nullptr && x->id == end.id && x->outcome == end.outcome;
  });
}

} // namespace

std::string ends_otherwise(const state& s, const situation& x) {
  if (!only_ends(s.ops))
    return {};
  auto bare = s;
  bare.stage = stage::idle;
  bare.intent.clear();
  bare.ops.clear();
  bare.job = 0;
  auto v = decide(bare, x);
  const auto* texts = tags_set_by(v.next.ops);
  auto tag = tags::parse(tags_set_by(s.ops)->front());
  const auto* end = tag ? std::get_if<tags::result>(&*tag) : nullptr;
  if (texts != nullptr && end != nullptr && says_end(*texts, *end))
    return {};
  // Failed it is, though it would be written later.
  if (end != nullptr && end->outcome == tags::repair_result::failure
      && v.next.phase == phase::failed && v.next.repair == end->id
      && x.tags.failures.empty())
    return {};
  return "how it ends is judged anew: " + v.next.why;
}

/// Of more pending tags than this those that name no job are ended together,
/// whether there were any or not.
constexpr std::size_t turns_max = 10;

verdict all_done(state s, const situation& x) {
  auto stop = held(s, x, "write that the repair ended well");
  // The record does not know of a death before it is marked.
  if (auto unseen = home_unseen(x.seen); stop.empty() && !unseen.empty())
    return rest(std::move(s), phase::pending,
                fmt::format("in order again by the record, but {}", unseen));
  if (!stop.empty())
    return rest(std::move(s), phase::pending, "in order again; " + stop);
  std::vector<std::string> set;
  auto del = leftovers(x);
  for (const auto& p : x.tags.queue) {
    // Its jobs are sought when it is its turn. A tag that came with its own
    // job does not name that.
    auto may_have_jobs = !p.tag.jobs.empty()
                         || (x.tags.queue.size() <= turns_max
                             && p.tag.type >= tags::repair_type::failover
                             && !is_unbegun(x.tags, p.tag.id));
    if (p.tag.id != s.repair && may_have_jobs)
      continue;
    tags::result end{p.tag.type, p.tag.id, x.now, tags::repair_result::success,
                     p.tag.id == s.repair ? s.jobs : p.tag.jobs};
    set.push_back(tags::format(end));
    del.push_back(p.text);
  }
  drop_token(del, s, x);
  for (const auto& old : x.tags.successes)
    if (to_unix(old.tag.at) < to_unix(x.now))
      del.push_back(old.text);
  auto why = fmt::format("{} is in order again: repair {} ended well",
                         x.seen.instance.name, s.repair);
  auto base = s.repair;
  return send_tags(std::move(s), x, base, std::move(set), std::move(del),
                   std::move(why));
}

verdict fail_once_free(state s, const situation& x, std::string why) {
  if (auto stop = held(s, x, "write that the repair failed"); !stop.empty())
    return rest(std::move(s), phase::pending, why + "; " + stop);
  return fail(std::move(s), x, std::move(why));
}

verdict stopped(state s, const situation& x) {
  return fail_once_free(std::move(s), x,
                        "its reinstallation was called back, but its shutdown "
                        "had run by then: it is marked down and was up before");
}

bool is_in_the_way(const state& s, const situation& x) {
  return (is_young(s) || s.revoked) && x.tags.queue.size() > 1
         && (x.may.what != permission::verdict::enabled
             || x.may.up_to < *x.wants.type);
}

verdict make_way(state s, const situation& x, const standing_pending& p) {
  auto why = fmt::format("{}; {}: repair {} makes way for the next",
                         x.wants.why, orderly::describe(x.may), s.repair);
  if (auto stop = held_up(s, x, "end the repair"); !stop.empty())
    return rest(std::move(s), phase::pending, why + "; " + stop);
  return not_permitted(std::move(s), x, p, std::move(why));
}

verdict too_risky(state s, const situation& x, const standing_pending& p) {
  auto needs = *x.wants.type;
  // Where its node died by now, that may be what its job there has failed at.
  auto failed = s.last_failed && !(s.failed_at_home && is_gone(x.seen.primary));
  auto why = failed
               ? fmt::format("{} after jobs that failed", x.wants.why)
               : fmt::format("{}; needs {}, but repair {} may not go beyond {}",
                             x.wants.why, tags::to_string(needs), s.repair,
                             tags::to_string(p.tag.type));
  if (auto stop = held_up(s, x, "end the repair"); !stop.empty())
    return rest(std::move(s), phase::pending, why + "; " + stop);
  if (failed)
    return fail(std::move(s), x, std::move(why));
  s.type = needs;
  return not_permitted(std::move(s), x, p, std::move(why));
}

} // namespace orderly::autorepair
