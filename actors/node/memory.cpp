// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/memory.hpp"

#include "actors/node/consent.hpp"
#include "actors/power/endings.hpp"
#include "actors/shell/patience.hpp"

namespace orderly::node_parts {

namespace {

std::string given_key(const node_name& node) {
  return oob_parts::given_by_itself + node;
}

/// The reset or fence that was ordered last did not leave: its intent is
/// written before, unless the journal is an older one.
bool is_unsent(const node_state& st, const recalled& before) {
  if (st.newest_order.empty() || before.adopted > st.machine.since)
    return false;
  auto i = before.states.find(given_key(st.node));
  return i == before.states.end()
         || oob_parts::given_from(i->second) != st.newest_order;
}

} // namespace

std::vector<std::string> keys_of_memory(const node_name& node) {
  return {node_object(node), given_key(node)};
}

void remember(self_ptr self, const recalled& before) {
  auto& st = self->state;
  st.recovered = true;
  st.away = before.unwatched > rules_of(*rules_for(st)).absence;
  auto i = before.states.find(node_object(st.node));
  if (i != before.states.end()) {
    st.machine = host_ha::from_fields(i->second);
    auto aged = before.aged.count(i->first) != 0;
    host_ha::date(st.machine, aged, before.adopted, now(self, st.ctx));
    st.acts = static_cast<std::uint64_t>(i->second.number("acts"));
    st.newest_order = i->second.text("order");
    st.offline_tries
      = static_cast<std::uint32_t>(i->second.number("offline_tries"));
    st.offline_open = i->second.number("offline_open") != 0;
    st.offline_job = offline_intent(st);
    st.marked = i->second.number("marked") != 0;
    st.unmarked_told = i->second.number("unmarked_told") != 0;
    st.uuid = i->second.text("uuid");
    st.unfit_by = criterion_from(i->second.number("unfit_by"));
    trust::recall(st.trust, i->second);
    trust::date(st.trust, aged, now(self, st.ctx));
    // Readings are done again. A person's word was on disk, also that behind a
    // reading, and counts once the node was found silent in this life too.
    st.word_kept = st.machine.word
                   || (st.machine.proved_down
                       && st.machine.proved_down->level
                            == proof_level::operator_word);
    st.unsent = is_unsent(st, before);
    auto under_way = st.machine.phase == ha_phase::fencing
                     || (st.machine.phase == ha_phase::recovering
                         && st.machine.recovery_dispatched && !st.unsent);
    if (!under_way) {
      // Whatever an earlier self held (only this actor may have restarted).
      self->send(st.peers.scheduler, permit_release{node_object(st.node)});
    } else {
      st.permit_spent = !st.unsent || st.machine.fence_sent; // or nobody knows
      auto wanted = permit_for(st, st.machine.phase == ha_phase::fencing
                                     ? act_kind::fence
                                     : act_kind::reset);
      wanted.resumed = true;
      self->request(st.peers.scheduler, patience::neighbour, std::move(wanted))
        .then([self](const permit& x) { self->state.permit_held = x.granted; },
              [](const caf::error&) {});
    }
    st.restart_due = true;
  } else {
    st.machine.since = now(self, st.ctx);
    st.restart_due = st.away;
  }
}

} // namespace orderly::node_parts
