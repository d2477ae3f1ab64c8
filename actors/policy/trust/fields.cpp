// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/trust/trust.hpp"

namespace orderly::trust {

namespace {

protection protection_from(const std::string& text) {
  for (auto x :
       {protection::unrehearsed, protection::proven, protection::unproven})
    if (text == to_string(x))
      return x;
  return protection::none;
}

} // namespace

void put(fields& f, const state& s) {
  f.put("doubt", s.doubt);
  f.put("doubted", s.doubted);
  const auto& x = s.check;
  if (x.result == protection::none)
    return;
  f.put("protection", to_string(x.result));
  f.put("protection_why", x.why);
  f.put("protection_at", x.at);
  f.put("power_seen", to_string(x.seen));
  f.put("power_mismatch", x.mismatch);
}

void recall(state& s, const fields& f) {
  s.doubt = f.text("doubt");
  s.doubted = f.text("doubted");
  s.check.result = protection_from(f.text("protection"));
  s.check.why = f.text("protection_why");
  s.check.at = f.when("protection_at");
  s.check.seen = power_state_from(f.text("power_seen"));
  s.check.mismatch = f.text("power_mismatch");
}

} // namespace orderly::trust
