// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/base/utc.hpp"

#include <fmt/format.h>

namespace orderly {

std::string utc_text(instant t) {
  namespace chr = std::chrono;
  constexpr auto year_10000 = instant{seconds{253402300800}};
  if (t < never || t >= year_10000)
    return fmt::format("second {}", to_unix(t));
  auto day = chr::floor<chr::days>(t);
  chr::year_month_day date{day};
  chr::hh_mm_ss time{chr::floor<seconds>(t - day)};
  return fmt::format(
    "{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
    time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string age_text(millis age) {
  auto s = age.count() < 0 ? 0 : age.count() / 1000;
  if (s < 60)
    return fmt::format("{}s", s);
  if (s < 3600)
    return fmt::format("{}m {}s", s / 60, s % 60);
  if (s < 86400)
    return fmt::format("{}h {}m", s / 3600, s / 60 % 60);
  return fmt::format("{}d {}h", s / 86400, s / 3600 % 24);
}

} // namespace orderly
