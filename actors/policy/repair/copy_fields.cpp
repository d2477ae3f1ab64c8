// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/copy_fields.hpp"

#include <algorithm>
#include <limits>

namespace orderly::autorepair {

namespace {

void put_known(fields& f, std::string_view name, const std::string& text) {
  if (!text.empty())
    f.put(name, text);
}

void put_known(fields& f, std::string_view name, instant when) {
  if (when != never)
    f.put(name, when);
}

void put_known(fields& f, std::string_view name, std::uint32_t number) {
  if (number != 0)
    f.put(name, static_cast<std::int64_t>(number));
}

void put_home(fields& f, const home_trouble& x) {
  if (x.empty())
    return;
  f.put("poor_home", x.home);
  f.put("poor_beside", x.mirror);
  f.put("poor_fault", x.fault);
  f.put("poor_since", x.since);
  f.put("poor_last", x.last);
  put_known(f, "poor_concluded", std::uint32_t{x.concluded});
}

home_trouble home_from(const fields& f) {
  home_trouble x{f.text("poor_home"),  f.text("poor_beside"),
                 f.text("poor_fault"), f.when("poor_since"),
                 f.when("poor_last"),  f.number("poor_concluded") != 0};
  // An older journal has but the first time.
  x.last = std::max(x.last, x.since);
  return x;
}

std::uint32_t number_of(const fields& f, std::string_view name) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(
    std::clamp(f.number(name), std::int64_t{0}, most));
}

} // namespace

void put_copy(fields& f, const state& s) {
  put_known(f, "bad_copy", s.bad_copy);
  put_known(f, "copy_beside", s.copy_beside);
  put_known(f, "copy_fault", s.copy_fault);
  put_known(f, "copy_since", s.copy_since);
  put_known(f, "copy_last", s.copy_last);
  put_known(f, "copy_read", std::uint32_t{s.copy_read});
  put_home(f, s.home_fault);
  put_known(f, "shut_unheard", std::uint32_t{s.shut_unheard});
  put_known(f, "shut_by", s.shut_by);
}

void read_copy(state& s, const fields& f) {
  s.bad_copy = f.text("bad_copy");
  s.copy_beside = f.text("copy_beside");
  s.copy_fault = f.text("copy_fault");
  s.copy_since = f.when("copy_since");
  s.copy_last = f.when("copy_last");
  s.copy_read = f.number("copy_read") != 0;
  s.home_fault = home_from(f);
  s.shut_unheard = f.number("shut_unheard") != 0;
  s.shut_by = number_of(f, "shut_by");
}

} // namespace orderly::autorepair
