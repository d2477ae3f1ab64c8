// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/tags.hpp"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace orderly::tags {

namespace {

constexpr std::array<std::pair<repair_type, const char*>, 4> types{{
  {repair_type::fix_storage, "fix-storage"},
  {repair_type::migrate, "migrate"},
  {repair_type::failover, "failover"},
  {repair_type::reinstall, "reinstall"},
}};

constexpr std::array<std::pair<repair_result, const char*>, 3> results{{
  {repair_result::success, "success"},
  {repair_result::failure, "failure"},
  {repair_result::enoperm, "enoperm"},
}};

std::optional<repair_result> repair_result_from(std::string_view text) {
  for (const auto& [value, name] : results)
    if (text == name)
      return value;
  return std::nullopt;
}

template <class T>
std::optional<T> integer(std::string_view text) {
  T value{};
  const auto* last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, value);
  if (text.empty() || error != std::errc{} || end != last)
    return std::nullopt;
  return value;
}

/// nullopt also for seconds whose milliseconds are no int64.
std::optional<instant> time_from(std::string_view text) {
  constexpr auto most = std::chrono::floor<seconds>(millis::max()).count();
  auto value = integer<std::int64_t>(text);
  if (!value || *value > most || *value < -most)
    return std::nullopt;
  return instant{seconds{*value}};
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    auto end = text.find(mark);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::vector<job_id>> jobs_from(std::string_view text) {
  std::vector<job_id> jobs;
  if (text.empty())
    return jobs;
  for (auto part : split(text, '+')) {
    auto id = integer<job_id>(part);
    if (!id)
      return std::nullopt;
    jobs.push_back(*id);
  }
  return jobs;
}

bool drop_prefix(std::string_view& text, std::string_view what) {
  if (text.substr(0, what.size()) != what)
    return false;
  text.remove_prefix(what.size());
  return true;
}

suspend suspend_from(std::string_view time) {
  if (time.empty())
    return {};
  auto until = time_from(time);
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

/// `head` and as many jobs as fit: the first, and the last ones, because the
/// newest is the one that may still be running.
std::string with_jobs(std::string head, const std::vector<job_id>& jobs) {
  if (jobs.empty())
    return head;
  auto first = std::to_string(jobs.front());
  std::string rest;
  std::size_t kept = 0;
  for (auto i = jobs.rbegin(); i != jobs.rend() - 1; ++i, ++kept) {
    auto more = "+" + std::to_string(*i);
    auto size = head.size() + first.size() + rest.size() + more.size();
    if (size > length_max)
      break;
    rest.insert(0, more);
  }
  if (kept == 0 && jobs.size() > 1)
    first = std::to_string(jobs.back());
  if (head.size() + first.size() + rest.size() > length_max)
    return head;
  return head + first + rest;
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

const char* to_string(repair_type x) {
  for (const auto& [value, text] : types)
    if (value == x)
      return text;
  return "?";
}

std::optional<repair_type> repair_type_from(std::string_view text) {
  for (const auto& [value, name] : types)
    if (text == name)
      return value;
  return std::nullopt;
}

const char* to_string(repair_result x) {
  for (const auto& [value, text] : results)
    if (value == x)
      return text;
  return "?";
}

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

} // namespace orderly::tags
