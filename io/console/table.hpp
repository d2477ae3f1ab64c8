// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Tables for people: aligned columns, or fields with a separator for scripts,
// in the look of the gnt-* tools.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orderly::io::console {

struct table_style {
  bool headers = true;
  std::optional<std::string> separator; ///< set: no padding
};

class table {
public:
  explicit table(std::vector<std::string> titles);

  /// A row may be shorter than the titles, but not longer.
  void add(std::vector<std::string> cells);

  /// One line a row, without trailing blanks. An empty cell is shown as `-`
  /// if the columns are padded; line breaks and control characters from
  /// outside become blanks.
  [[nodiscard]] std::string text(const table_style& style) const;

private:
  std::vector<std::string> titles_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace orderly::io::console
