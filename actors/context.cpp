// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/context.hpp"

namespace orderly {

context::context(settings_ptr rules, caf::actor_clock::time_point clock_zero,
                 instant calendar_zero, std::uint64_t seed, std::string version)
  : rules_(std::move(rules)),
    clock_zero_(clock_zero),
    calendar_zero_(calendar_zero),
    seed_(seed),
    version_(std::move(version)) {
  // nop
}

instant context::at(caf::actor_clock::time_point t) const {
  return calendar_zero_ + std::chrono::floor<millis>(t - clock_zero_);
}

std::uint64_t context::seed_for(std::string_view name) const {
  auto hash = seed_ ^ 0xcbf29ce484222325ULL;
  for (auto c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

} // namespace orderly
