// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/known_time.hpp"

#include "io/clock/offsets.hpp"
#include "io/sqlite/checksum.hpp"

#include <chrono>

namespace orderly::io {

namespace {

instant calendar() {
  return std::chrono::floor<millis>(std::chrono::system_clock::now());
}

std::int64_t boot_of_now() {
  auto name = read_boot_name();
  return name.empty() ? 0 : checksum{}.add(name).value();
}

} // namespace

known_time time_of_now() {
  return {to_ms(calendar()), read_uptime().count(), boot_of_now()};
}

instant time_of(const known_time& then) {
  if (then.time == 0)
    return never;
  if (then.boot == 0 || then.uptime == 0 || then.boot != boot_of_now())
    return from_ms(then.time);
  auto told = from_ms(then.time);
  auto time = calendar() - (read_uptime() - millis{then.uptime});
  return std::chrono::abs(time - told) < seconds{1} ? told : time; // slewed
}

bool is_of_other_start(const known_time& then) {
  return then.boot != 0 && then.boot != boot_of_now();
}

} // namespace orderly::io
