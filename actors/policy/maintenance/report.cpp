// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/report.hpp"

#include "actors/policy/maintenance/exact_json.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

constexpr std::size_t command_length_max = 255;

// The words of a report.
constexpr const char* status_key = "status";
constexpr const char* command_key = "command";
constexpr const char* status_ok = "Ok";

report unknown(hearing how, std::string text) {
  report x;
  x.how = how;
  x.text = std::move(text);
  return x;
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
         || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

} // namespace

report read_report(const diagnosis& x) {
  if (x.how != hearing::heard)
    return unknown(x.how, x.text.empty() ? "no reason is given" : x.text);
  auto object = read_exact(x.object);
  if (!object.wrong.empty())
    return unknown(hearing::failed,
                   "the report cannot be read: " + object.wrong);
  if (!object.is_object)
    return unknown(hearing::failed, "the report is no object");
  auto status = object.texts.find(status_key);
  if (status == object.texts.end())
    return unknown(hearing::failed, "the report has no status");
  report result;
  if (status->second == status_ok) {
    result.what = saying::ok;
    return result;
  }
  auto asked = event_action_from(status->second);
  if (!asked)
    return unknown(hearing::failed,
                   fmt::format("the report has a status that is not known: {}",
                               status->second.substr(0, 40)));
  result.what = saying::asks;
  result.action = *asked;
  result.original = x.object;
  result.identity = std::move(object.canonical);
  auto command = object.texts.find(command_key);
  if (command != object.texts.end())
    result.command = command->second;
  return result;
}

std::string wrong_with_command(const std::string& name) {
  if (name.empty())
    return "the report names no command";
  if (name.size() > command_length_max
      || !std::all_of(name.begin(), name.end(), is_name_char))
    return "the report's command is no plain name of letters, digits, _ and -";
  return {};
}

std::string command_in(const std::string& original) {
  auto object = read_exact(original);
  auto i = object.texts.find(command_key);
  return i == object.texts.end() ? std::string{} : i->second;
}

} // namespace orderly::maintenance
