// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How a hold is kept in the journal.

#include "actors/policy/errand/book.hpp"

namespace orderly::errand {

fields to_fields(const hold& x) {
  fields f;
  f.put("who", x.who);
  f.put("why", x.why);
  f.put("errand", x.errand);
  f.put("uuid", x.uuid);
  f.put("was_offline", std::int64_t{x.was_offline});
  f.put("was_off", std::int64_t{x.was_off});
  f.put("was_drained", std::int64_t{x.was_drained});
  f.put("at", x.at);
  f.put("told_living", std::int64_t{x.told_living});
  f.put("told_silent", std::int64_t{x.told_silent});
  f.put("told_long", std::int64_t{x.told_long});
  f.put("told_adopted", x.told_adopted);
  return f;
}

hold hold_from_fields(const fields& f) {
  auto flag = [&f](const char* name) { return f.number(name) != 0; };
  hold x;
  x.who = f.text("who");
  x.why = f.text("why");
  x.errand = f.text("errand");
  x.uuid = f.text("uuid");
  x.was_offline = flag("was_offline");
  x.was_off = flag("was_off");
  x.was_drained = flag("was_drained");
  x.at = f.when("at");
  x.told_living = flag("told_living");
  x.told_silent = flag("told_silent");
  x.told_long = flag("told_long");
  x.told_adopted = f.when("told_adopted");
  return x;
}

} // namespace orderly::errand
