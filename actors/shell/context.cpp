// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/shell/context.hpp"

#include <fmt/format.h>

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
  return calendar_zero_ + std::chrono::floor<millis>(t - clock_zero_)
         + (millis{wall_.load()} - first_.wall);
}

void context::watch(clock_source source) {
  source_ = std::move(source);
  settle_clocks();
  first_ = {millis{boot_.load()}, millis{wall_.load()}};
}

clock_jump context::jump() const {
  if (!source_)
    return {};
  return jump_between({millis{boot_.load()}, millis{wall_.load()}}, source_());
}

void context::settle_clocks() {
  if (!source_)
    return;
  auto x = source_();
  boot_.store(x.boot.count());
  wall_.store(x.wall.count());
}

void context::forbid(std::string why) {
  forbidden_.store(std::make_shared<const std::string>(std::move(why)));
}

std::string context::forbidden() const {
  auto why = forbidden_.load();
  return why ? *why : std::string{};
}

void context::set_journal_trouble(std::string why) {
  journal_trouble_.store(
    why.empty() ? nullptr
                : std::make_shared<const std::string>(std::move(why)));
  stir();
}

std::string context::journal_trouble() const {
  auto why = journal_trouble_.load();
  return why ? *why : std::string{};
}

std::string context::why_not() const {
  if (auto why = forbidden(); !why.empty())
    return why;
  auto x = jump();
  if (!is_jump(x, rules()->leader.clock_tolerance))
    return {};
  auto in_s
    = [](millis t) { return std::chrono::duration_cast<seconds>(t).count(); };
  return fmt::format("the clocks jumped: this machine slept for {} s and its "
                     "calendar was set by {} s; what was known is read anew",
                     in_s(x.asleep), in_s(x.stepped));
}

std::uint64_t context::seed_for(std::string_view name) const {
  auto hash = seed_ ^ 0xcbf29ce484222325ULL;
  for (auto c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

} // namespace orderly
