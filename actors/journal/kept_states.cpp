// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/journal/kept_states.hpp"

#include <set>
#include <utility>

namespace orderly {

namespace {

constexpr const char* calendar_field = "calendar";

/// What is kept of the calendars themselves.
constexpr const char* calendars_key = "calendars";

const std::string& key_of(const journal_entry& x) {
  return x.state_key.empty() ? x.object : x.state_key;
}

} // namespace

void kept_states::load(std::map<std::string, fields> found,
                       std::string_view calendar, instant now, instant last) {
  states_ = std::move(found);
  fields written;
  if (auto row = states_.extract(calendars_key))
    written = std::move(row.mapped());
  std::set<std::string> named;
  for (const auto& [key, state] : states_)
    named.insert(start_in(state.text(calendar_field)));
  calendars_ = calendars{written, named};
  calendars_.begin(calendar, now, last);
  written_ = calendars_.kept() == written;
}

void kept_states::stamp(journal_entry& entry, std::string_view calendar) {
  if (entry.state && !entry.state->empty() && !calendar.empty())
    entry.state->put(calendar_field, calendar);
}

bool kept_states::take_news(std::string_view calendar, journal_entry& row) {
  if (calendars_.follow(calendar))
    written_ = false;
  if (calendar.empty() || std::exchange(written_, true))
    return false;
  row.state_key = calendars_key;
  row.state = calendars_.kept();
  return true;
}

void kept_states::keep(const journal_entry& entry) {
  const auto& key = key_of(entry);
  if (!entry.state || key == calendars_key)
    return;
  if (entry.state->empty())
    states_.erase(key);
  else
    states_.insert_or_assign(key, *entry.state);
}

void kept_states::tell(recalled& to, const kept& x) const {
  auto state = x.second;
  auto calendar = state.text(calendar_field);
  state.erase(calendar_field);
  if (!calendars_.is_sure(calendar))
    to.undated.insert(x.first);
  if (calendars_.is_former(calendar))
    to.aged.insert(x.first);
  if (auto by = calendars_.since(calendar); by && *by != millis{0})
    state.shift(*by);
  to.states.emplace(x.first, std::move(state));
}

void kept_states::tell(recalled& to, const std::string& key) const {
  if (auto i = states_.find(key); i != states_.end())
    tell(to, *i);
}

void kept_states::tell_all(recalled& to, const std::string& prefix) const {
  for (auto i = states_.lower_bound(prefix);
       i != states_.end() && i->first.starts_with(prefix); ++i)
    tell(to, *i);
}

} // namespace orderly
