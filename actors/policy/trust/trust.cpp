// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/trust/mind.hpp"

namespace orderly::trust {

answer step(const node_name& name, const state& s, const event& e,
            const surroundings& around, const rules& r, instant now) {
  mind m{name, s, around, r, now};
  std::visit([&m](const auto& x) { m.take(x); }, e);
  m.keep_quiet();
  return m.result();
}

/// What is proved off writes nothing, also when its proof lapses.
void mind::keep_quiet() {
  if (m_.proved_down && s_.unheard_since != never)
    s_.quiet = true;
}

void mind::tell(entry_kind kind, const char* code, std::string text,
                bool with_state) {
  emit(write_rows{{row{kind, code, std::move(text)}}, with_state, false});
}

void forget(state& s) {
  state none;
  // What a person has heard of the name stays.
  none.boot_told = s.boot_told;
  none.verdict_since = s.verdict_since;
  none.untreated_told = s.untreated_told;
  none.unproved_since = s.unproved_since;
  none.unproved_told = s.unproved_told;
  none.unproved_seen = s.unproved_seen;
  none.power_since = s.power_since;
  none.power_text = s.power_text;
  none.words_back = s.words_back;
  none.machines = s.machines + 1;
  s = std::move(none);
}

} // namespace orderly::trust
