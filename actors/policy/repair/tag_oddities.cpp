// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/tag_oddities.hpp"

#include "actors/policy/repair/tag_fields.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

namespace {

using namespace tags;

/// A field of a tag in a sentence.
std::string quoted(std::string_view field) {
  return "'" + printable(field, 40) + "'";
}

std::string about_type(std::string_view text) {
  if (repair_type_from(text))
    return {};
  return quoted(text)
         + " is no repair type (fix-storage, migrate, failover, reinstall)";
}

std::string about_time(std::string_view text) {
  if (time_from(text))
    return {};
  if (is_integer(text))
    return fmt::format("its time {} is out of range", quoted(text));
  return fmt::format("its time {} is no number of seconds", quoted(text));
}

std::string about_jobs(std::string_view text) {
  if (text.empty())
    return {};
  for (auto part : split(text, '+')) {
    if (job_from(part))
      continue;
    if (part.empty())
      return "a job id is missing beside a plus in its job list";
    return fmt::format("{} in its job list is no job id", quoted(part));
  }
  return {};
}

std::string about_id(repair_type type, std::string_view id, instant at) {
  if (id.empty())
    return "its id is empty";
  if (!has_room_for_result({type, incident_id{id}, at, {}}))
    return fmt::format("its id of {} bytes leaves no room for the tag that "
                       "ends the repair (a tag has at most {})",
                       id.size(), length_max);
  return {};
}

/// The first that is not empty.
template <class... Texts>
std::string first_of(Texts... all) {
  std::string result;
  (void)((result = std::move(all), !result.empty()) || ...);
  return result;
}

std::string about_fields(std::string_view text, const char* kind,
                         std::size_t wanted) {
  auto parts = split(text, ':');
  if (parts.size() != wanted)
    return fmt::format("it has {} {} after {}:, not {}", parts.size(),
                       parts.size() == 1 ? "field" : "fields", kind, wanted);
  return first_of(about_type(parts[0]), about_time(parts[2]),
                  about_jobs(parts.back()));
}

std::string about_pending(std::string_view text) {
  if (auto wrong = about_fields(text, "pending", 4); !wrong.empty())
    return wrong;
  auto parts = split(text, ':');
  return about_id(*repair_type_from(parts[0]), parts[1], *time_from(parts[2]));
}

std::string about_result(std::string_view text) {
  if (auto wrong = about_fields(text, "result", 5); !wrong.empty())
    return wrong;
  auto parts = split(text, ':');
  if (parts[1].empty())
    return "its id is empty";
  if (!repair_result_from(parts[3]))
    return quoted(parts[3]) + " is no result (success, failure, enoperm)";
  return {};
}

std::string about_suspend(std::string_view text) {
  if (text.empty() || end_from(text))
    return {};
  auto wrong = time_from(text)
                 ? fmt::format("its time {} is none", quoted(text))
                 : about_time(text);
  return wrong + "; it counts as suspended for ever";
}

} // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string result;
  result.reserve(std::min(text.size(), most));
  for (auto c : text.substr(0, most)) {
    if (c >= ' ' && c <= '~' && c != '\\')
      result += c;
    else
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  if (text.size() > most)
    result += fmt::format("... ({} bytes)", text.size());
  return result;
}

std::string oddity(std::string_view tag) {
  if (!drop_prefix(tag, prefix))
    return tag == prefix.substr(0, prefix.size() - 1) ? "it ends too early"
                                                      : "";
  if (tag == "suspend")
    return {};
  if (drop_prefix(tag, "suspend:"))
    return about_suspend(tag);
  if (drop_prefix(tag, "pending:"))
    return about_pending(tag);
  if (drop_prefix(tag, "result:"))
    return about_result(tag);
  if (tag == "pending" || tag == "result")
    return "its fields are missing";
  if (tag.empty())
    return "it ends too early";
  if (repair_type_from(tag))
    return {};
  return quoted(tag)
         + " is none of fix-storage, migrate, failover, reinstall, suspend, "
           "pending:..., result:...";
}

std::vector<std::string> oddities(const std::vector<std::string>& all,
                                  const std::string& where) {
  std::vector<std::string> result;
  std::size_t more = 0;
  for (const auto& text : all) {
    auto wrong = oddity(text);
    if (wrong.empty())
      continue;
    if (result.size() == oddities_max)
      ++more;
    else
      result.push_back(fmt::format("tag {} on {}: {}", printable(text),
                                   printable(where, 300), wrong));
  }
  if (more != 0)
    result.push_back(
      fmt::format("and {} more on {}", more, printable(where, 300)));
  return result;
}

} // namespace orderly
