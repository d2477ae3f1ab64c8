// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/read.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

constexpr std::int64_t usual_clock = 1700000000;

fault bad(const std::string& where, const std::string& what) {
  return {fault_kind::bad_input, where + ": " + what};
}

/// Puts the text under `key` into `into`. What is wrong, or nothing.
std::string take_text(const json& x, const char* key, bool required,
                      std::string& into) {
  auto i = x.find(key);
  if (i == x.end())
    return required ? fmt::format("key \"{}\" is missing", key) : std::string{};
  if (!i->is_string())
    return fmt::format("key \"{}\" is no text", key);
  into = i->get<std::string>();
  return {};
}

std::string take_object(const json& x, const char* key, json& into) {
  into = x.value(key, json::object());
  return into.is_object() ? std::string{}
                          : fmt::format("key \"{}\" is no object", key);
}

result<scenario> read_scenario(const json& x, const std::string& where) {
  if (!x.is_object())
    return bad(where, "it is no object");
  scenario s;
  std::string wrong = take_text(x, "id", true, s.id);
  auto place = s.id.empty() ? where : fmt::format("{} ({})", where, s.id);
  for (auto* key : {"profile", "title"})
    if (wrong.empty())
      wrong = take_text(x, key, false, key[0] == 'p' ? s.profile : s.title);
  if (wrong.empty())
    wrong = take_object(x, "given", s.given);
  if (wrong.empty())
    wrong = take_object(x, "when", s.when);
  if (wrong.empty())
    wrong = take_object(x, "expect", s.expect);
  if (wrong.empty())
    wrong = take_text(s.when, "tool", false, s.tool);
  // Suites about machines name a kind instead of a tool.
  if (wrong.empty() && s.tool.empty())
    wrong = take_text(x, "kind", false, s.tool);
  if (wrong.empty() && s.tool.empty())
    wrong = "key \"when.tool\" is missing, and so is \"kind\"";
  if (!wrong.empty())
    return bad(place, wrong);
  s.whole = x;
  return s;
}

} // namespace

result<suite> read_suite(const std::string& text, const std::string& name) {
  auto all = json::parse(text, nullptr, false);
  if (all.is_discarded())
    return bad(name, "it is no JSON");
  auto found = all.is_object() ? all.find("scenarios") : all.end();
  if (!all.is_object() || found == all.end() || !found->is_array())
    return bad(name, "key \"scenarios\" is missing, or no list");
  suite s;
  s.name = name;
  auto about = all.value("about", json::object());
  auto clock = about.is_object() ? about.value("clock", json(usual_clock))
                                 : json(usual_clock);
  if (!clock.is_number_integer() || clock.get<std::int64_t>() < 0)
    return bad(name, "key \"about.clock\" is no number of seconds");
  s.clock = from_ms(clock.get<std::int64_t>() * 1000);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < found->size(); ++i) {
    auto one
      = read_scenario((*found)[i], fmt::format("{}: scenario {}", name, i + 1));
    if (!one)
      return one.why();
    if (!ids.insert(one->id).second)
      return bad(name, fmt::format("two scenarios have the id {}", one->id));
    s.scenarios.push_back(std::move(*one));
  }
  return s;
}

bool like(const std::string& pattern, const std::string& text) {
  std::size_t p = 0;
  std::size_t t = 0;
  auto star = std::string::npos; // the last one seen, and
  std::size_t tried = 0;         // how far it has reached
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = t;
    } else if (p < pattern.size()
               && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string::npos;
}

bool selected(const selection& by, const scenario& x) {
  auto fits
    = [](const std::vector<std::string>& patterns, const std::string& text) {
        return patterns.empty()
               || std::any_of(
                 patterns.begin(), patterns.end(),
                 [&](const std::string& one) { return like(one, text); });
      };
  return fits(by.ids, x.id) && fits(by.profiles, x.profile);
}

} // namespace orderly::sim::conformance
