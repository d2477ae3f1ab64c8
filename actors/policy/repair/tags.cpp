// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/tags.hpp"

#include "actors/policy/repair/tag_fields.hpp"

#include <utility>

namespace orderly::tags {

namespace {

std::optional<std::vector<job_id>> jobs_from(std::string_view text) {
  std::vector<job_id> jobs;
  if (text.empty())
    return jobs;
  for (auto part : split(text, '+')) {
    auto id = job_from(part);
    if (!id)
      return std::nullopt;
    jobs.push_back(*id);
  }
  return jobs;
}

suspend suspend_from(std::string_view time) {
  if (time.empty())
    return {};
  auto until = end_from(time);
  return {until, !until};
}

std::optional<tag> pending_from(std::string_view text) {
  auto parts = split(text, ':');
  if (parts.size() != 4)
    return std::nullopt;
  auto type = repair_type_from(parts[0]);
  auto at = time_from(parts[2]);
  auto jobs = jobs_from(parts[3]);
  if (!type || !at || !jobs)
    return std::nullopt;
  return pending{*type, incident_id{parts[1]}, *at, *jobs};
}

std::optional<tag> result_from(std::string_view text) {
  auto parts = split(text, ':');
  if (parts.size() != 5)
    return std::nullopt;
  auto type = repair_type_from(parts[0]);
  auto at = time_from(parts[2]);
  auto outcome = repair_result_from(parts[3]);
  auto jobs = jobs_from(parts[4]);
  if (!type || !at || !outcome || !jobs)
    return std::nullopt;
  return result{*type, incident_id{parts[1]}, *at, *outcome, *jobs};
}

/// As many jobs as fit into `room` bytes: the first, and the last ones,
/// because the newest is the one that may still be running. If there is room
/// for one only, it is the last; if that is too long, the first.
std::string shortened(const std::vector<job_id>& jobs, std::size_t room) {
  if (jobs.empty())
    return {};
  auto first = std::to_string(jobs.front());
  std::string rest;
  for (auto i = jobs.rbegin(); i != jobs.rend() - 1; ++i) {
    auto more = "+" + std::to_string(*i);
    if (first.size() + rest.size() + more.size() > room)
      break;
    rest.insert(0, more);
  }
  auto last = std::to_string(jobs.back());
  if (rest.empty() && last.size() <= room)
    return last;
  return first.size() + rest.size() <= room ? first + rest : std::string{};
}

std::string with_jobs(std::string head, const std::vector<job_id>& jobs) {
  if (head.size() < length_max)
    head += shortened(jobs, length_max - head.size());
  return head;
}

struct formatter {
  std::string operator()(const policy& x) const { return to_string(x.type); }

  std::string operator()(const suspend& x) const {
    if (!x.until)
      return "suspend";
    return "suspend:" + std::to_string(to_unix(*x.until));
  }

  std::string operator()(const pending& x) const {
    return std::string{"pending:"} + to_string(x.type) + ":" + x.id + ":"
           + std::to_string(to_unix(x.at)) + ":";
  }

  std::string operator()(const result& x) const {
    return std::string{"result:"} + to_string(x.type) + ":" + x.id + ":"
           + std::to_string(to_unix(x.at)) + ":" + to_string(x.outcome) + ":";
  }
};

} // namespace

std::optional<tag> parse(std::string_view text) {
  if (!drop_prefix(text, prefix))
    return std::nullopt;
  if (text == "suspend")
    return suspend{};
  if (drop_prefix(text, "suspend:"))
    return suspend_from(text);
  if (drop_prefix(text, "pending:"))
    return pending_from(text);
  if (drop_prefix(text, "result:"))
    return result_from(text);
  if (auto type = repair_type_from(text))
    return policy{*type};
  return std::nullopt;
}

std::string format(const tag& x) {
  auto text = std::string{prefix} + std::visit(formatter{}, x);
  if (const auto* p = std::get_if<pending>(&x))
    return with_jobs(std::move(text), p->jobs);
  if (const auto* p = std::get_if<result>(&x))
    return with_jobs(std::move(text), p->jobs);
  return text;
}

bool has_room_for_result(const pending& x) {
  result end{x.type, x.id, x.at, repair_result::success, {}};
  return !x.id.empty() && format(end).size() <= length_max;
}

} // namespace orderly::tags
