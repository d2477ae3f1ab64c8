// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/power_text.hpp"

#include "io/json/escape.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace orderly::power {

namespace {

/// Characters, not bytes: good enough for names and sentences.
std::size_t width_of(const std::string& text) {
  auto lead
    = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return static_cast<std::size_t>(
    std::count_if(text.begin(), text.end(), lead));
}

struct tally {
  std::size_t all = 0;
  std::size_t ended = 0;
  std::map<row_state, std::size_t> by_state;
};

/// By kind, in the order in which the kinds first come.
std::vector<std::pair<row_kind, tally>> tallies(const errand_sheet& sheet) {
  std::vector<std::pair<row_kind, tally>> all;
  for (const auto& x : sheet.rows) {
    auto i = std::find_if(all.begin(), all.end(), [&](const auto& entry) {
      return entry.first == x.kind;
    });
    if (i == all.end())
      i = all.insert(all.end(), {x.kind, {}});
    ++i->second.all;
    ++i->second.by_state[x.state];
    i->second.ended += is_final(x.state) ? 1 : 0;
  }
  return all;
}

} // namespace

std::string clean(const std::string& text) {
  return io::http::one_line(text);
}

text_table::text_table(std::vector<std::string> titles) {
  rows_.push_back(std::move(titles));
}

void text_table::add(std::vector<std::string> cells) {
  for (auto& x : cells)
    x = clean(x);
  cells.resize(rows_.front().size());
  rows_.push_back(std::move(cells));
}

std::string text_table::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width_of(row[i]));
  std::string all;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size())
        line.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
  }
  return all;
}

std::string so_many(std::size_t count, const std::string& kind) {
  return fmt::format("{} {}{}", count, kind, count == 1 ? "" : "s");
}

std::string ended_text(const errand_sheet& sheet) {
  std::string text;
  for (const auto& [kind, x] : tallies(sheet))
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", x.ended,
                        so_many(x.all, to_string(kind)));
  return text;
}

std::string count_text(const errand_sheet& sheet) {
  std::string text;
  for (const auto& [kind, x] : tallies(sheet)) {
    text += (text.empty() ? "" : "; ") + so_many(x.all, to_string(kind));
    const char* before = ": ";
    for (const auto& [state, count] : x.by_state)
      text += fmt::format("{}{} {}", std::exchange(before, ", "), count,
                          to_string(state));
  }
  return text;
}

} // namespace orderly::power
