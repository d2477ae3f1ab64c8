// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a power status that was read means: to the machine, as a proof, and
// beside what the daemons say.

#include "actors/node/errands.hpp"
#include "actors/node/power.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <algorithm>

namespace orderly::node_parts {

namespace {

/// For the machine.
void power_was_read(self_ptr self, const power_report& report) {
  auto& st = self->state;
  auto seen = report.state;
  auto fenced = st.machine.phase == ha_phase::fenced;
  auto worthless = !st.doubt.empty() || report.at <= st.ordered_on;
  if (fenced && worthless && seen == power_state::off)
    seen = power_state::unknown;
  // A person's doing, though it may not be recorded yet.
  auto by_person = report.wish.wanted == power_state::off
                   || (st.facts && !st.facts->recorded_on);
  auto commanded = by_person && !st.machine.maintenance;
  feed(self, host_ha::power_seen{seen, commanded, report.evidence, report.at});
  const auto& found = st.machine.proved_down;
  if (found && st.proof_written && tell_again(st, found->at))
    write_proof(
      self, found->text, [] {}, entry_kind::note);
}

} // namespace

millis proof_renewal(const node_state& st) {
  return std::max<millis>(st.ctx->rules()->autorepair.proof_max_age / 3,
                          minutes{1});
}

bool tell_again(node_state& st, instant at) {
  // Readings come each minute; their story is told once a shift.
  constexpr millis shift = hours{8};
  if (st.proof_told != never && at - st.proof_told <= shift)
    return false;
  st.proof_told = at;
  return true;
}

void write_proof(self_ptr self, const std::string& text,
                 std::function<void()> then, entry_kind kind) {
  auto& st = self->state;
  record(self, st.peers.journal, {entry_of(self, kind, codes::proof, text)},
         std::move(then));
}

namespace {

/// For people: since when it reads as it does.
void note_power(node_state& st, const power_report& report) {
  if (report.state != st.power) {
    st.power_since = report.at;
    st.power_text = report.evidence;
  }
  st.power = report.state;
}

/// Off beside whoever answers, if only to refuse, is a contradiction; but what
/// answered a moment ago may have lost its power since.
void compare(self_ptr self, const power_report& report) {
  look(self, [self, report](const sighting& seen) {
    auto& st = self->state;
    if (!st.facts)
      return;
    auto found = report;
    if (answers(seen)) {
      distrust(self, report, st.doubt.empty());
      found.state = power_state::unknown;
    }
    power_was_read(self, found);
  });
}

} // namespace

void read_power(self_ptr self) {
  auto& st = self->state;
  if (st.reading_power)
    return;
  st.reading_power = true;
  st.power_read = now(self, st.ctx);
  self
    ->request(st.peers.oob, patience::look, order_of(self, power_verb::status))
    .then(
      [self](const power_report& report) {
        auto& state = self->state;
        state.reading_power = false;
        note_power(state, report);
        take_wish(self, report);
        believe_on(self, report);
        auto fenced = state.machine.phase == ha_phase::fenced;
        if (state.facts && state.facts->record.offline
            && state.machine.phase == ha_phase::ineligible)
          judge_offline(self, report);
        else if (fenced && report.state == power_state::off)
          ask_daemons(self, report,
                      [self, report] { power_was_read(self, report); });
        else if (state.answered && report.state == power_state::off)
          compare(self, report);
        else
          power_was_read(self, report);
        // Out of service, the daemons have the last word on it yet.
        if (state.machine.phase != ha_phase::ineligible)
          all_asked(self);
      },
      [self](const caf::error&) {
        self->state.reading_power = false;
        all_asked(self);
      });
}

} // namespace orderly::node_parts
