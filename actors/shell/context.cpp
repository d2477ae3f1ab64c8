// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/shell/context.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace orderly {

context::context(settings_ptr rules, caf::actor_clock::time_point clock_zero,
                 instant calendar_zero, std::uint64_t seed, std::string version)
  : file_(rules),
    rules_(std::move(rules)),
    clock_zero_(clock_zero),
    calendar_zero_(calendar_zero),
    seed_(seed),
    version_(std::move(version)) {
  // nop
}

settings_ptr context::of_file() const {
  std::lock_guard<std::mutex> hold{sources_};
  return file_;
}

setting_texts context::of_cluster() const {
  std::lock_guard<std::mutex> hold{sources_};
  return tagged_;
}

void context::replace(settings_ptr file) {
  std::lock_guard<std::mutex> hold{sources_};
  file_ = std::move(file);
  rules_.store(tagged_.empty() ? file_
                               : std::make_shared<const settings>(
                                 with_texts(*file_, tagged_)));
  stir();
}

void context::heed(setting_texts tagged) {
  std::lock_guard<std::mutex> hold{sources_};
  if (tagged == tagged_)
    return;
  tagged_ = std::move(tagged);
  rules_.store(std::make_shared<const settings>(with_texts(*file_, tagged_)));
  stir();
}

instant context::at(caf::actor_clock::time_point t) const {
  return calendar_zero_ + std::chrono::floor<millis>(t - clock_zero_)
         + wall_shift();
}

void context::watch(clock_source source, std::string boot) {
  source_ = std::move(source);
  boot_name_ = std::move(boot);
  settle_clocks(clock_zero_);
  first_ = {millis{boot_.load()}, millis{wall_.load()}};
}

clock_jump context::jump() const {
  if (!source_)
    return {};
  return jump_between({millis{boot_.load()}, millis{wall_.load()}}, source_());
}

void context::settle_clocks(caf::actor_clock::time_point t) {
  if (!source_)
    return;
  auto x = source_();
  boot_.store(x.boot.count());
  wall_.store(x.wall.count());
  auto since = std::chrono::floor<millis>(t - clock_zero_);
  std::vector<setting> all;
  if (auto before = calendars_.load())
    for (auto i = before->begin(); i != before->end(); ++i)
      if (i + 1 == before->end() || since - (i + 1)->since < trusted_after)
        all.push_back(*i);
  all.push_back({since, x.wall - x.boot});
  calendars_.store(
    std::make_shared<const std::vector<setting>>(std::move(all)));
}

millis context::elapsed(caf::actor_clock::time_point t) const {
  return std::chrono::floor<millis>(t - clock_zero_) + millis{boot_.load()}
         - first_.boot;
}

void context::set_duty(duty x, caf::actor_clock::time_point t) {
  if (x == duty::ours && began_.load() == nothing) {
    on_duty_since_.store(to_ms(at(t)));
    began_.store(elapsed(t).count());
  }
  if (x == duty::others) {
    others_.store(true);
    left_.store(nothing);
  }
  duty_.store(x, std::memory_order_release);
}

duty context::on_duty() const {
  return why_not().empty() ? duty_.load(std::memory_order_acquire)
                           : duty::unknown;
}

void context::end_duty(caf::actor_clock::time_point t) {
  auto was = duty_.exchange(duty::unknown);
  if (was == duty::ours)
    left_.store(elapsed(t).count());
  else if (was == duty::others)
    left_.store(nothing);
  others_.store(false);
  on_duty_since_.store(to_ms(never));
  began_.store(nothing);
}

millis context::off_duty(caf::actor_clock::time_point t) const {
  auto left = left_.load();
  if (left == nothing)
    return {};
  auto began = began_.load();
  return (began == nothing ? elapsed(t) : millis{began}) - millis{left};
}

millis context::ahead(instant now) const {
  auto all = calendars_.load();
  if (!all)
    return {};
  auto steady = now - calendar_zero_ - wall_shift();
  auto least = all->back().offset;
  for (auto i = all->begin(); i + 1 != all->end(); ++i)
    if (steady - (i + 1)->since < trusted_after)
      least = std::min(least, i->offset);
  return all->back().offset - least;
}

std::string context::calendar_name() const {
  auto all = calendars_.load();
  return all && !boot_name_.empty()
           ? fmt::format("{}/{}", boot_name_, all->back().offset.count())
           : std::string{};
}

set_ahead context::calendar(instant now) const {
  auto by = ahead(now);
  if (by == millis{0})
    return {};
  return {by, calendar_zero_ + wall_shift() + calendars_.load()->back().since};
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
