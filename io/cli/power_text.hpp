// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Pieces that sheets of errands are printed with: tables, counts, and text
// from outside made harmless. Used by power_sheets and power_question.

#pragma once

#include "messages/errand.hpp"

#include <string>
#include <vector>

namespace orderly::power {

/// One line that cannot steer a terminal: control characters become blanks.
std::string clean(const std::string& text);

/// Columns under their titles, without trailing blanks.
class text_table {
public:
  explicit text_table(std::vector<std::string> titles);

  /// A cell for each title.
  void add(std::vector<std::string> cells);

  [[nodiscard]] std::string text() const;

private:
  std::vector<std::vector<std::string>> rows_;
};

/// "3 of 5 instances, 0 of 2 nodes": how many have ended.
std::string ended_text(const errand_sheet& sheet);

/// "2 nodes: 1 done, 1 failed; 3 instances: 3 done".
std::string count_text(const errand_sheet& sheet);

/// "1 node", "2 nodes".
std::string so_many(std::size_t count, const std::string& kind);

} // namespace orderly::power
