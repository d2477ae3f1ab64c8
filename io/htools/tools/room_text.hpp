// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hspace prints: lines for people, or keys and values for programs.
// hspace.cpp finds what there is to print.

#pragma once

#include "actors/planning/place/filling.hpp"
#include "io/htools/options/options.hpp"
#include "io/htools/tools/hbal.hpp"
#include "io/htools/tools/totals.hpp"

namespace orderly::io::htools {

/// One kind of filling and how it ended.
struct room_found {
  planning::instance_spec size; ///< at the start
  int nodes = 1;
  std::vector<std::pair<planning::failure, std::int64_t>> reasons;
  std::vector<planning::filled> made;
  totals after;
};

class room_text {
public:
  room_text(const tool_options& o, tool_output to) : o_(o), to_(to) {
    // nop
  }

  /// Spindles matter on exclusive storage only.
  void show_spindles(bool yes) { spindles_ = yes; }

  bool has_spindles() const { return spindles_; }

  void show_cluster(const totals& t, std::size_t nodes);
  void show_tiered(const room_found& r, const totals& before);
  void show_standard(const room_found& r, const totals& before);
  void show_end();

private:
  template <class T>
  void key(const std::string& name, const T& value);
  void keys_of(const std::string& when, const totals& t);
  void keys_of_size(const std::string& what, const room_found& r);
  void keys_of_use(const std::string& what, double cpus, double normed,
                   planning::mib memory, planning::mib disk,
                   std::int64_t spindles);
  std::string spindles_text(std::int64_t count) const;
  void show_size(const char* what, const room_found& r);
  void show_result(const room_found& r, const totals& before);

  const tool_options& o_;
  tool_output to_;
  bool spindles_ = false;
};

/// All of it as one JSON object.
std::string room_json(const totals& before, const room_found& tiered,
                      const room_found& standard);

} // namespace orderly::io::htools
