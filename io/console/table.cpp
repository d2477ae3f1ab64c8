// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/table.hpp"

#include "io/json/escape.hpp"

#include <algorithm>

namespace orderly::io::console {

namespace {

/// Characters, not bytes: good enough for names and sentences.
size_t width_of(const std::string& text) {
  auto lead
    = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), lead));
}

/// Names are shorter. What is longer stands out of its column: all other rows
/// would be as wide.
constexpr std::size_t width_most = 255;

std::string separated(const std::vector<std::string>& cells,
                      const std::string& separator) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i)
    line += (i == 0 ? "" : separator) + cells[i];
  return line + "\n";
}

std::string padded(const std::vector<std::string>& cells,
                   const std::vector<size_t>& widths) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    line += cells[i].empty() ? "-" : cells[i];
    auto width = std::max<size_t>(width_of(cells[i]), 1);
    if (i + 1 < cells.size())
      line.append(std::max(widths[i], width) - width + 2, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

} // namespace

table::table(std::vector<std::string> titles) : titles_(std::move(titles)) {
  // nop
}

void table::add(std::vector<std::string> cells) {
  for (auto& cell : cells)
    cell = http::one_line(cell);
  cells.resize(titles_.size());
  rows_.push_back(std::move(cells));
}

std::string table::text(const table_style& style) const {
  std::vector<const std::vector<std::string>*> lines;
  if (style.headers)
    lines.push_back(&titles_);
  for (const auto& row : rows_)
    lines.push_back(&row);
  std::string result;
  if (style.separator) {
    for (const auto* line : lines)
      result += separated(*line, *style.separator);
    return result;
  }
  std::vector<size_t> widths(titles_.size(), 1);
  for (const auto* line : lines)
    for (size_t i = 0; i < line->size(); ++i)
      if (auto width = width_of((*line)[i]); width <= width_most)
        widths[i] = std::max(widths[i], width);
  for (const auto* line : lines)
    result += padded(*line, widths);
  return result;
}

} // namespace orderly::io::console
