// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/record.hpp"

#include "actors/policy/repair/tag_oddities.hpp"
#include "actors/policy/repair/token.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

void sort_results(std::vector<standing_result>& all) {
  std::sort(all.begin(), all.end(),
            [](const standing_result& a, const standing_result& b) {
              return std::tie(a.tag.at, a.tag.id, a.text)
                     < std::tie(b.tag.at, b.tag.id, b.text);
            });
}

/// Of several tags of one id the one with the most jobs is the newest.
void sort_pendings(std::vector<standing_pending>& all) {
  std::sort(all.begin(), all.end(),
            [](const standing_pending& a, const standing_pending& b) {
              auto more_a = b.tag.jobs.size();
              auto more_b = a.tag.jobs.size();
              return std::tie(a.tag.at, a.tag.id, more_a, a.text)
                     < std::tie(b.tag.at, b.tag.id, more_b, b.text);
            });
}

void add(tag_record& r, const tags::result& x, const std::string& text) {
  switch (x.outcome) {
  case tags::repair_result::success:
    r.successes.push_back({x, text});
    return;
  case tags::repair_result::failure:
    r.failures.push_back({x, text});
    return;
  case tags::repair_result::enoperm:
    r.enoperms.push_back({x, text});
    return;
  }
}

template <class T>
void bound(std::vector<T>& all) {
  if (all.size() > tags_at_once)
    all.erase(all.begin() + tags_at_once, all.end());
}

/// The last one stays: it is the newest, next to which others are old.
void bound_before_last(std::vector<standing_result>& all) {
  if (all.size() > tags_at_once)
    all.erase(all.begin() + tags_at_once - 1, all.end() - 1);
}

/// Of a repair in the queue it counts; else nobody needs it any more.
void sort_unbegun(tag_record& r, const std::vector<std::string>& all) {
  for (const auto& text : all)
    if (is_unbegun_mark(text)) {
      auto counts = std::any_of(r.queue.begin(), r.queue.end(),
                                [&](const standing_pending& p) {
                                  return text == unbegun_text(p.tag.id);
                                });
      (counts ? r.unbegun : r.voids).push_back(text);
    }
}

} // namespace

tag_record read_tags(const std::vector<std::string>& all, instant now) {
  tag_record r;
  std::vector<standing_pending> pendings;
  for (const auto& text : all) {
    if (is_token(text))
      r.tokens.push_back(text);
    if (is_void_mark(text))
      r.voids.push_back(text);
    auto tag = tags::parse(text);
    if (!tag)
      continue;
    if (const auto* p = std::get_if<tags::pending>(&*tag))
      pendings.push_back({*p, text});
    else if (const auto* x = std::get_if<tags::result>(&*tag))
      add(r, *x, text);
  }
  sort_results(r.successes);
  sort_results(r.failures);
  sort_results(r.enoperms);
  sort_pendings(pendings);
  std::set<incident_id> taken; // by a result, or by a better pending
  for (const auto* ends : {&r.successes, &r.failures, &r.enoperms})
    for (const auto& x : *ends)
      taken.insert(x.tag.id);
  for (auto& p : pendings) {
    if (!tags::has_room_for_result(p.tag))
      r.unusable.push_back(std::move(p.text));
    else if (!taken.insert(p.tag.id).second)
      r.superseded.push_back(std::move(p.text));
    else
      r.queue.push_back(std::move(p));
  }
  r.expired = expired_suspends(all, now);
  sort_unbegun(r, all);
  for (auto* texts :
       {&r.superseded, &r.unusable, &r.expired, &r.tokens, &r.voids})
    bound(*texts);
  for (auto* ends : {&r.successes, &r.failures, &r.enoperms})
    bound_before_last(*ends);
  bound(r.queue);
  return r;
}

void set_apart(tag_record& r, const state& s, const facts& seen) {
  auto is_ours = [&](const standing_pending& p) {
    const auto& id = p.tag.id;
    return id == s.repair
           || (seen.shared.count(id) == 0
               && std::count(s.strange.begin(), s.strange.end(), id) == 0);
  };
  auto first = std::stable_partition(r.queue.begin(), r.queue.end(), is_ours);
  r.strange.assign(first, r.queue.end());
  r.queue.erase(first, r.queue.end());
}

std::string strange_text(const standing_pending& p, const facts& seen) {
  auto i = seen.shared.find(p.tag.id);
  return fmt::format("repair {} is one of {}, and an id is of one instance: it "
                     "permits nothing here; remove it, and ask anew by orderly "
                     "repair {}",
                     orderly::printable(p.tag.id, 40),
                     i == seen.shared.end() ? "another instance" : i->second,
                     seen.instance.name);
}

bool has_ended(const tag_record& tags, const incident_id& id) {
  for (const auto* all : {&tags.successes, &tags.failures, &tags.enoperms})
    for (const auto& end : *all)
      if (end.tag.id == id)
        return true;
  return false;
}

bool is_unbegun(const tag_record& tags, const incident_id& id) {
  return std::find(tags.unbegun.begin(), tags.unbegun.end(), unbegun_text(id))
         != tags.unbegun.end();
}

const standing_pending* find(const tag_record& tags, const incident_id& id) {
  for (const auto& p : tags.queue)
    if (p.tag.id == id)
      return &p;
  return nullptr;
}

bool may_be_repaired(const tag_record& tags, const permission& may,
                     tags::repair_type type) {
  if (!tags.failures.empty() || may.what == permission::verdict::suspended)
    return false;
  if (tags.queue.empty() && !tags.strange.empty())
    return false;
  return tags.queue.empty()
           ? may.what == permission::verdict::enabled && may.up_to >= type
           : tags.queue.front().tag.type >= type;
}

std::vector<std::string> tags_on(const state& s, const facts& seen) {
  const auto& read = seen.instance.tags;
  if (s.written.empty() || seen.read_at > s.noted)
    return read;
  std::vector<std::string> result;
  if (is_token(s.written)) {
    result = read;
    result.push_back(s.written);
    return result;
  }
  for (const auto& text : read) {
    auto tag = tags::parse(text);
    const auto* old = tag ? std::get_if<tags::pending>(&*tag) : nullptr;
    if (text != s.written && (old == nullptr || old->id != s.repair))
      result.push_back(text);
  }
  result.push_back(s.written);
  return result;
}

std::vector<job_id> joined(std::vector<job_id> a,
                           const std::vector<job_id>& b) {
  for (auto id : b)
    if (std::find(a.begin(), a.end(), id) == a.end())
      a.push_back(id);
  return a;
}

} // namespace orderly::autorepair
