// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The offline mark lets instances be started elsewhere: it leaves only while
// the node is still fenced, still proved off, and nobody has returned it.

#include "actors/node_consent.hpp"

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

std::string why_not_mark(const node_state& st) {
  if (st.machine.phase != ha_phase::fenced || !st.machine.maintenance)
    return fmt::format("{} is not fenced any more", st.node);
  if (!st.machine.proved_down)
    return fmt::format("the proof that {} is off does not hold any more",
                       st.node);
  if (!st.facts)
    return fmt::format("the record of {} was not read yet", st.node);
  if (st.facts->record.offline)
    return fmt::format("{} is marked offline already", st.node);
  if (st.marked)
    return fmt::format("somebody took {} back into service", st.node);
  return {};
}

} // namespace

intent_id offline_intent(const node_state& st) {
  return fmt::format("{}/offline-{}", st.machine.incident, st.offline_tries);
}

consent last_say(const node_state& st, const intent_id& intent) {
  auto why = intent == offline_intent(st) ? why_not_mark(st)
                                          : "its incident goes on without it";
  return {why.empty(), why};
}

} // namespace orderly::node_parts
