// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/whatif/names.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace orderly::io::htools {

using namespace planning;

const char* name_of(verdict x) {
  switch (x) {
  case verdict::well:
    return "well";
  case verdict::after_moves:
    return "after_moves";
  case verdict::not_well:
    break;
  }
  return "not_well";
}

const char* name_of(stuck_kind x) {
  switch (x) {
  case stuck_kind::no_room:
    return "no_room";
  case stuck_kind::own_disks:
    return "own_disks";
  case stuck_kind::no_copy:
    return "no_copy";
  case stuck_kind::apart:
    return "apart";
  case stuck_kind::storage:
    break;
  }
  return "storage";
}

std::string shown_name(const std::string& name, const std::string& suffix) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size())
                                : name;
}

double seconds_for(mib size, double bits) {
  constexpr double bits_of_mib = 8.0 * 1024 * 1024;
  return static_cast<double>(size) * bits_of_mib / bits;
}

std::string duration_text(double seconds) {
  constexpr std::int64_t minute = 60;
  constexpr std::int64_t hour = 3600;
  auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 2 * minute)
    return fmt::format("{} s", whole);
  auto minutes = (whole + minute - 1) / minute;
  if (whole < 2 * hour)
    return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / minute, minutes % minute);
}

std::string size_text(const instance_spec& x) {
  return fmt::format("{} MiB, {} MiB disk, {} CPU{}, {}", x.memory, x.disk,
                     x.vcpus, x.vcpus == 1 ? "" : "s",
                     planning::name_of(x.disks));
}

std::string failures_text(const failure_counts& counts) {
  std::vector<std::pair<std::int64_t, std::size_t>> all;
  for (std::size_t k = 0; k < failure_kinds; ++k)
    if (counts[k] > 0)
      all.emplace_back(-counts[k], k);
  std::sort(all.begin(), all.end());
  std::string result;
  for (const auto& [count, k] : all)
    result += fmt::format("{}{} ({})", result.empty() ? "" : ", ",
                          planning::name_of(static_cast<failure>(k)), -count);
  return result.empty() ? "no node in service" : result;
}

} // namespace orderly::io::htools
