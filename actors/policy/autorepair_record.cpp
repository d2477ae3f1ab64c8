// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/autorepair_record.hpp"

#include <algorithm>
#include <tuple>

namespace orderly::autorepair {

namespace {

/// An id is only of use if the result of its repair can be written.
bool usable(const tags::pending& x) {
  if (x.id.empty())
    return false;
  tags::result end{x.type, x.id, x.at, tags::repair_result::success, {}};
  return tags::format(end).size() <= tags::length_max;
}

bool has_result(const std::vector<standing_result>& all,
                const incident_id& id) {
  return std::any_of(all.begin(), all.end(),
                     [&](const standing_result& x) { return x.tag.id == id; });
}

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

} // namespace

tag_record read_tags(const std::vector<std::string>& all, instant now) {
  tag_record r;
  std::vector<standing_pending> pendings;
  for (const auto& text : all) {
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
  for (auto& p : pendings) {
    const auto& id = p.tag.id;
    if (!usable(p.tag))
      r.unusable.push_back(std::move(p.text));
    else if (find(r, id) != nullptr || has_result(r.successes, id)
             || has_result(r.failures, id) || has_result(r.enoperms, id))
      r.superseded.push_back(std::move(p.text));
    else
      r.queue.push_back(std::move(p));
  }
  r.expired = expired_suspends(all, now);
  return r;
}

const standing_pending* find(const tag_record& tags, const incident_id& id) {
  for (const auto& p : tags.queue)
    if (p.tag.id == id)
      return &p;
  return nullptr;
}

std::vector<std::string> tags_on(const state& s, const facts& seen) {
  const auto& read = seen.instance.tags;
  if (s.written.empty() || seen.read_at > s.noted)
    return read;
  std::vector<std::string> result;
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
