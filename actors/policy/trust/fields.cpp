// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/trust/trust.hpp"

#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orderly::trust {

namespace {

protection protection_from(const std::string& text) {
  for (auto x :
       {protection::unrehearsed, protection::proven, protection::unproven})
    if (text == to_string(x))
      return x;
  return protection::none;
}

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> result;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    result.insert(line);
  return result;
}

} // namespace

void put(fields& f, const state& s) {
  // Without a path it is one of an older journal.
  f.put("doubt", s.doubted.empty() ? "" : "it said off beside an answer");
  f.put("doubted", fmt::format("{}", fmt::join(s.doubted, "\n")));
  f.put("cleared", fmt::format("{}", fmt::join(s.cleared, "\n")));
  f.put("unheard_since", s.unheard_since);
  f.put("lived_at", s.lived_kept);
  f.put_known("went_off", std::int64_t{s.went_off});
  f.put_known("quiet", std::int64_t{s.quiet});
  f.put("watched_since", s.watched_since);
  f.put("heard_again", s.heard_again);
  f.put_known("silence", s.silence.count());
  const auto& x = s.check;
  if (x.result == protection::none)
    return;
  f.put("protection", to_string(x.result));
  f.put("protection_why", x.why);
  f.put("protection_at", x.at);
  f.put("power_seen", to_string(x.seen));
  f.put("power_mismatch", x.mismatch);
  f.put("ran_unrecorded", s.ran_unrecorded);
}

void recall(state& s, const fields& f) {
  s.doubted = lines_of(f.text("doubted"));
  s.cleared = lines_of(f.text("cleared"));
  if (s.doubted.empty() && !f.text("doubt").empty())
    s.doubted.insert(std::string{});
  s.unheard_since = f.when("unheard_since");
  s.lived_at = s.lived_kept = f.when("lived_at");
  s.went_off = f.number("went_off") != 0;
  s.quiet = f.number("quiet") != 0;
  s.watched_since = f.when("watched_since");
  s.heard_again = f.when("heard_again");
  s.silence = millis{f.number("silence")};
  s.check.result = protection_from(f.text("protection"));
  s.check.why = f.text("protection_why");
  s.check.at = f.when("protection_at");
  s.check.seen = power_state_from(f.text("power_seen"));
  s.check.mismatch = f.text("power_mismatch");
  s.ran_unrecorded = f.number("ran_unrecorded") != 0;
}

void date(state& s, bool aged, instant now) {
  s.watched_since = std::min(s.watched_since, now);
  s.heard_again = std::min(s.heard_again, now);
  // The calendar may have been set back while this machine was started anew:
  // how long it lasts is not known, and long enough for copies to part is
  // assumed.
  auto unsure = aged || s.unheard_since > now;
  if (unsure && s.unheard_since != never)
    s.unheard_since = std::min(s.unheard_since, now - minutes{1});
}

} // namespace orderly::trust
