// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node_power.hpp"

#include "actors/oob.hpp"

#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

/// Rehearsals in a row that must fail, or see a mismatch, before it counts.
constexpr std::uint32_t misses_max = 2;

/// What a rehearsal found amiss is looked at again so soon.
constexpr millis again = minutes{1};

using word_promise = caf::typed_response_promise<off_word_answer>;

protection protection_from(const std::string& text) {
  for (auto x : {protection::unrehearsed, protection::proven,
                 protection::unproven})
    if (text == to_string(x))
      return x;
  return protection::none;
}

bool is_well(const node_state& st) {
  return st.machine.phase == ha_phase::available
         || st.machine.phase == ha_phase::ineligible;
}

/// What is wrong with this reading; empty: nothing. A controller that says
/// off while the node's daemons answer is another machine's, or lies.
std::string nonsense(const node_state& st, const power_report& report) {
  if (report.state == power_state::unknown)
    return report.complaint.empty() ? report.evidence : report.complaint;
  auto recent = 2 * st.ctx->rules()->host_ha.check_interval;
  if (report.state == power_state::off && st.verdict == health::healthy
      && report.at - st.verdict_at <= recent)
    return fmt::format("{} says off, but the node's daemons answer",
                       report.program);
  return {};
}

std::string mismatch(const node_state& st, power_state seen) {
  auto on = st.facts->recorded_on;
  if (seen == power_state::unknown || on == (seen == power_state::on))
    return {};
  return on ? "recorded on, is off" : "recorded off, is on";
}

std::string mismatch_sentence(const node_state& st, const rehearsal& x) {
  if (x.mismatch.empty())
    return "the power record agrees with the actual power state again";
  return fmt::format("Recorded power state ({}) of node '{}' does not match "
                     "actual power state ({}); correct the record by orderly "
                     "node modify --powered=yes|no, or the power",
                     st.facts->recorded_on ? "True" : "False", st.node,
                     x.seen == power_state::on ? "True" : "False");
}

/// Tells what changed, and who may rely on it.
void settle(self_ptr self, const rehearsal& next) {
  auto& st = self->state;
  auto before = std::exchange(st.power_check, next);
  auto fell = next.result == protection::unproven
              && before.result != protection::unproven;
  auto rose = next.result == protection::proven
              && before.result == protection::unproven;
  std::vector<journal_entry> rows;
  if (fell)
    rows.push_back(entry_of(
      self, entry_kind::alert, "X.UNPROTECTED",
      fmt::format("Node {} is unprotected, if it fails now nobody can fence "
                  "it: {}",
                  st.node, next.why)));
  if (rose)
    rows.push_back(entry_of(
      self, entry_kind::decision, "X.PROTECTED",
      fmt::format("Node {} is protected again: {}", st.node, next.why)));
  if (before.mismatch != next.mismatch)
    rows.push_back(entry_of(self, entry_kind::decision, "power-mismatch",
                            mismatch_sentence(st, next)));
  if (rows.empty() && before.result != next.result)
    rows.push_back(entry_of(self, entry_kind::note, "rehearsed", {}));
  if (rows.empty()) {
    publish(self);
    return;
  }
  rows.back().state = to_fields(st);
  record(self, st.peers.journal, std::move(rows), [self] {
    judge(self);
    publish(self);
  });
}

void rehearsed(self_ptr self, const power_report& report) {
  auto& st = self->state;
  st.rehearsing = false;
  auto interval = st.ctx->rules()->power.rehearsal_interval;
  if (!st.facts || !is_well(st))
    return; // it became an incident meanwhile
  auto next = st.power_check;
  next.at = report.at;
  next.seen = report.state;
  auto bad = nonsense(st, report);
  auto differs = bad.empty() ? mismatch(st, report.state) : next.mismatch;
  auto amiss = !bad.empty() || differs != next.mismatch;
  st.misses = amiss ? st.misses + 1 : 0;
  st.rehearse_at = report.at + (amiss ? std::min(again, interval) : interval);
  if (bad.empty()) {
    next.result = protection::proven;
    next.why = fmt::format("power status {} by {}", to_string(report.state),
                           report.program);
  }
  // Once may be chance: a controller that restarts, a record being written.
  if (amiss && st.misses >= misses_max) {
    if (!bad.empty()) {
      next.result = protection::unproven;
      next.why = std::move(bad);
    }
    next.mismatch = std::move(differs);
    st.misses = 0;
  }
  settle(self, next);
}

// --- a person's word ---------------------------------------------------------

/// Why nobody's word is needed or wanted here; empty: go on.
std::string unwanted(const node_state& st, bool& already) {
  if (!st.facts || !st.recovered)
    return "the node's record was not read yet; try again";
  if (st.facts->is_self || st.facts->is_master)
    return "it is the master node, or our own: it is not off";
  if (st.machine.recovery_dispatched)
    return "a reset of it is under way; try again in a minute";
  if (st.machine.phase == ha_phase::disabled)
    return "host HA does not look after it";
  if (st.machine.proved_down && st.proof_written) {
    already = true;
    return "it is proved off already: " + st.machine.proved_down->text;
  }
  return {};
}

void believe(self_ptr self, const off_word& word, word_promise promise) {
  auto text = fmt::format("off by the word of {}: {}", word.who, word.reason);
  auto entry = entry_of(self, entry_kind::decision, "operator-word", text);
  record(self, self->state.peers.journal, {std::move(entry)},
         [self, text, promise]() mutable {
           feed(self, host_ha::vouched{text});
           auto taken = self->state.machine.phase == ha_phase::fenced;
           promise.deliver(off_word_answer{
             taken, taken ? "it counts as off from now on: it is marked "
                            "offline, and its instances may go elsewhere"
                          : "something else happened to it meanwhile: look at "
                            "orderly explain, and try again"});
         });
}

void ask_controller(self_ptr self, const off_word& word, word_promise promise) {
  auto& st = self->state;
  if (programs_of(st).empty())
    return believe(self, word, promise);
  self
    ->request(st.peers.oob, minutes{10}, order_of(self, power_verb::status))
    .then(
      [self, word, promise](const power_report& report) mutable {
        if (report.state == power_state::on)
          promise.deliver(off_word_answer{
            false, fmt::format("{} says that it is on; switch it off: orderly "
                               "power off {}",
                               report.program, word.node)});
        else
          believe(self, word, promise);
      },
      [self, word, promise](const caf::error&) {
        believe(self, word, promise);
      });
}

} // namespace

void rehearse(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (st.rehearsing || !is_well(st) || !st.facts
      || st.ctx->rules()->power.rehearsal_interval == millis{0}
      || at < st.rehearse_at || programs_of(st).empty())
    return;
  st.rehearsing = true;
  self
    ->request(st.peers.oob, minutes{10}, order_of(self, power_verb::status))
    .then([self](const power_report& report) { rehearsed(self, report); },
          [self](const caf::error&) {
            self->state.rehearsing = false;
            self->state.rehearse_at = now(self, self->state.ctx) + again;
          });
}

std::string unprotected(const node_state& st) {
  auto counts = is_well(st) && st.power_check.result == protection::unproven
                && st.ctx->rules()->power.rehearsal_interval > millis{0};
  return counts ? st.power_check.why : std::string{};
}

caf::result<off_word_answer> take_word(self_ptr self, const off_word& word) {
  auto& st = self->state;
  auto already = false;
  auto why = unwanted(st, already);
  if (!why.empty())
    return off_word_answer{already, std::move(why)};
  auto promise = self->make_response_promise<off_word_answer>();
  probe_request question{st.node, st.facts->record.address,
                         st.ctx->rules()->host_ha.check_timeout};
  self->request(st.peers.collector, minutes{10}, std::move(question))
    .then(
      [self, word, promise](const sighting& seen) mutable {
        if (seen.verdict == health::healthy)
          promise.deliver(off_word_answer{
            false, "its daemons answer: " + seen.evidence});
        else
          ask_controller(self, word, promise);
      },
      [self, word, promise](const caf::error&) {
        ask_controller(self, word, promise);
      });
  return promise;
}

void put_rehearsal(fields& f, const rehearsal& x) {
  if (x.result == protection::none)
    return;
  f.put("protection", to_string(x.result));
  f.put("protection_why", x.why);
  f.put("protection_at", x.at);
  f.put("power_seen", to_string(x.seen));
  f.put("power_mismatch", x.mismatch);
}

rehearsal rehearsal_from(const fields& f) {
  rehearsal x;
  x.result = protection_from(f.text("protection"));
  x.why = f.text("protection_why");
  x.at = f.when("protection_at");
  auto seen = f.text("power_seen");
  x.seen = seen == "on"    ? power_state::on
           : seen == "off" ? power_state::off
                           : power_state::unknown;
  x.mismatch = f.text("power_mismatch");
  return x;
}

} // namespace orderly::node_parts
