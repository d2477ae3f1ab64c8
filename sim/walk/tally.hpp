// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was met in a walk, how often, and what of it must not be.

#pragma once

#include "actors/policy/host_ha/edges.hpp"
#include "sim/walk/guards.hpp"
#include "sim/walk/inputs.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::sim::walking {

struct tally_rules {
  std::span<const host_ha::edge> table;
  /// Each change must be met so often, and each pair that is no answer which
  /// comes late: those come by chance.
  std::uint64_t least = 0;
  limits by{}; ///< what the guards go by
};

/// A state and what is told in it, or a change and its name.
struct met {
  std::string what;
  std::uint64_t count = 0;
};

class tally {
public:
  explicit tally(tally_rules rules);

  void count(const machine_step& step);

  [[nodiscard]] std::uint64_t events() const { return events_; }

  [[nodiscard]] std::uint64_t count_of(ha_phase in, input what) const;

  /// What was told in which state, most first.
  [[nodiscard]] std::vector<met> pairs() const;
  /// Likewise, the answers that came when they were not waited for any more.
  [[nodiscard]] std::vector<met> late() const;
  /// All changes of the table.
  [[nodiscard]] std::vector<met> changes() const;
  /// Pairs that no actor makes, with the reason in `what`, and whether one was
  /// met all the same.
  [[nodiscard]] std::vector<met> never() const;
  /// Sentences; the first of each kind only.
  [[nodiscard]] std::vector<std::string> wrong() const;

private:
  [[nodiscard]] std::vector<met> told(bool late) const;
  void judge_change(const machine_step& step, ha_phase to);
  void judge_guard(const machine_step& step, std::string_view name);
  void note(std::string why);

  tally_rules rules_;
  std::uint64_t events_ = 0;
  std::array<std::array<std::uint64_t, inputs>, phases> pairs_{};
  std::vector<std::uint64_t> changes_;
  std::vector<std::string> wrong_;
};

/// How the changes from `from` by that name to `to` are called here.
std::string name_of(const std::string& from, std::string_view by, ha_phase to);

} // namespace orderly::sim::walking
