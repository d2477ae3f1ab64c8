// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/copy_fields.hpp"

#include <algorithm>

namespace orderly::autorepair {

namespace {

void put_home(fields& f, const home_trouble& x) {
  if (x.empty())
    return;
  f.put("poor_home", x.home);
  f.put("poor_beside", x.mirror);
  f.put("poor_fault", x.fault);
  f.put("poor_since", x.since);
  f.put("poor_last", x.last);
  f.put_known("poor_concluded", x.concluded);
}

home_trouble home_from(const fields& f) {
  home_trouble x{f.text("poor_home"),  f.text("poor_beside"),
                 f.text("poor_fault"), f.when("poor_since"),
                 f.when("poor_last"),  f.number("poor_concluded") != 0};
  // An older journal has but the first time.
  x.last = std::max(x.last, x.since);
  return x;
}

} // namespace

void put_copy(fields& f, const state& s) {
  f.put_known("bad_copy", s.bad_copy);
  f.put_known("copy_beside", s.copy_beside);
  f.put_known("copy_fault", s.copy_fault);
  f.put_known("copy_since", s.copy_since);
  f.put_known("copy_last", s.copy_last);
  f.put_known("copy_read", s.copy_read);
  put_home(f, s.home_fault);
  f.put_known("shut_unheard", s.shut_unheard);
  f.put_known("shut_by", s.shut_by);
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
  s.shut_by = f.count("shut_by");
}

} // namespace orderly::autorepair
