// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/tables.hpp"

#include "io/sqlite/checksum.hpp"
#include "io/sqlite/schema.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/core.h>

namespace orderly::io {

namespace {

std::string to_json(const fields& state) {
  auto object = nlohmann::json::object();
  for (auto& [name, value] : state.all())
    object[name] = value;
  // Text that is not UTF-8 has no place in JSON: its bytes are replaced.
  using handler = nlohmann::json::error_handler_t;
  return object.dump(-1, ' ', false, handler::replace);
}

fields from_json(const std::string& key, const std::string& text) {
  auto object = nlohmann::json::parse(text, nullptr, false);
  fields out;
  if (!object.is_object())
    throw damaged_rows{"the state of " + key + " is no JSON object"};
  for (auto& [name, value] : object.items()) {
    if (!value.is_string())
      throw damaged_rows{"the state of " + key + " holds more than texts"};
    out.put(name, value.get_ref<const std::string&>());
  }
  return out;
}

entry_kind kind_of(const std::string& text) {
  constexpr std::array all{entry_kind::decision, entry_kind::intent,
                           entry_kind::outcome, entry_kind::alert,
                           entry_kind::note};
  for (auto kind : all)
    if (text == to_string(kind))
      return kind;
  throw damaged_rows{"an entry is of the unknown kind '" + text + "'"};
}

std::int64_t sum_of_entry(const journal_entry& e) {
  checksum sum;
  sum.add(static_cast<std::int64_t>(e.seq)).add(to_ms(e.at));
  for (std::string_view text :
       {std::string_view{to_string(e.kind)}, std::string_view{e.object},
        std::string_view{e.incident}, std::string_view{e.intent},
        std::string_view{e.code}, std::string_view{e.why}})
    sum.add(text);
  return sum.value();
}

std::int64_t sum_of_state(const std::string& key, const std::string& json) {
  return checksum{}.add(key).add(json).value();
}

} // namespace

journal_entry entry_of(const statement& row) {
  journal_entry e;
  e.seq = static_cast<std::uint64_t>(row.number(0));
  e.at = from_ms(row.number(1));
  e.kind = kind_of(row.text(2));
  e.object = row.text(3);
  e.incident = row.text(4);
  e.intent = row.text(5);
  e.code = row.text(6);
  e.why = row.text(7);
  return e;
}

journal_entry read_entry(const statement& row) {
  auto e = entry_of(row);
  if (row.number(8) != sum_of_entry(e))
    throw damaged_rows{
      fmt::format("entry {} is not as it was written", row.number(0))};
  return e;
}

std::pair<std::string, fields> state_of(const statement& row) {
  auto key = row.text(0);
  auto state = from_json(key, row.text(1));
  return {std::move(key), std::move(state)};
}

std::pair<std::string, fields> read_state(const statement& row) {
  if (row.number(2) != sum_of_state(row.text(0), row.text(1)))
    throw damaged_rows{"the state of " + row.text(0)
                       + " is not as it was written"};
  return state_of(row);
}

std::int64_t read_meta(database& db, const char* key) {
  statement s{db, "SELECT value, crc FROM meta WHERE key = ?"};
  s.bind(1, key);
  if (!s.step())
    return 0;
  auto value = s.number(0);
  if (s.number(1) != checksum{}.add(key).add(value).value())
    throw damaged_rows{
      fmt::format("the number '{}' is not as it was written", key)};
  return value;
}

void tables::verify() {
  statement entries{db_, "SELECT * FROM entries"};
  while (entries.step()) {
    last_seq_ = std::max(last_seq_, read_entry(entries).seq);
    ++entries_;
  }
  last_seq_
    = std::max(last_seq_, static_cast<std::uint64_t>(meta("trimmed_through")));
  statement states{db_, "SELECT * FROM states"};
  while (states.step()) {
    (void)read_state(states);
    states_sum_ += states.number(2);
    ++states_;
  }
  if (meta("seal") != seal_value())
    throw damaged_rows{"rows that were written are not there"};
}

std::int64_t tables::seal_value() const {
  return checksum{}
    .add(static_cast<std::int64_t>(last_seq_))
    .add(entries_)
    .add(states_)
    .add(states_sum_)
    .value();
}

void tables::seal() {
  set_meta("seal", seal_value());
}

void tables::insert(const journal_entry& e) {
  constexpr auto seq_max
    = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (e.seq <= last_seq_ || e.seq > seq_max)
    throw refusal{
      fault_kind::refused,
      fmt::format("entry {} cannot follow entry {}", e.seq, last_seq_)};
  statement s{db_, "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  s.bind(1, static_cast<std::int64_t>(e.seq));
  s.bind(2, to_ms(e.at));
  s.bind(3, to_string(e.kind));
  s.bind(4, e.object);
  s.bind(5, e.incident);
  s.bind(6, e.intent);
  s.bind(7, e.code);
  s.bind(8, e.why);
  s.bind(9, sum_of_entry(e));
  s.run();
  last_seq_ = e.seq;
  ++entries_;
}

std::optional<std::int64_t> tables::sum_of(const std::string& key) {
  statement s{db_, "SELECT crc FROM states WHERE key = ?"};
  s.bind(1, key);
  return s.step() ? std::optional{s.number(0)} : std::nullopt;
}

void tables::keep_state(const std::string& key, const fields& state) {
  if (auto before = sum_of(key)) {
    states_sum_ -= *before;
    --states_;
  }
  if (state.empty()) {
    statement s{db_, "DELETE FROM states WHERE key = ?"};
    s.bind(1, key);
    return s.run();
  }
  auto json = to_json(state);
  auto sum = sum_of_state(key, json);
  statement s{db_, "INSERT OR REPLACE INTO states VALUES (?, ?, ?)"};
  s.bind(1, key);
  s.bind(2, json);
  s.bind(3, sum);
  s.run();
  states_sum_ += sum;
  ++states_;
}

void tables::trim(std::uint32_t keep) {
  statement find{db_, "SELECT seq FROM entries ORDER BY seq DESC "
                      "LIMIT 1 OFFSET ?"};
  find.bind(1, std::int64_t{keep});
  if (!find.step())
    return;
  auto through = find.number(0);
  find.reset();
  statement remove{db_, "DELETE FROM entries WHERE seq <= ?"};
  remove.bind(1, through);
  remove.run();
  set_meta("trimmed_through", through);
  entries_ = db_.number("SELECT count(*) FROM entries");
}

void tables::set_meta(const char* key, std::int64_t value) {
  statement s{db_, "INSERT OR REPLACE INTO meta VALUES (?, ?, ?)"};
  s.bind(1, key);
  s.bind(2, value);
  s.bind(3, checksum{}.add(key).add(value).value());
  s.run();
}

journal_contents tables::read(std::uint32_t recent_max) {
  journal_contents out;
  out.adopted = from_ms(meta("adopted"));
  out.damaged = from_ms(meta("damaged"));
  statement states{db_, "SELECT * FROM states"};
  while (states.step())
    out.states.insert(read_state(states));
  statement recent{db_, "SELECT * FROM entries ORDER BY seq DESC LIMIT ?"};
  recent.bind(1, std::int64_t{recent_max});
  while (recent.step())
    out.recent.push_back(read_entry(recent));
  std::reverse(out.recent.begin(), out.recent.end());
  out.last_seq = last_seq_;
  out.readable = true;
  return out;
}

} // namespace orderly::io
