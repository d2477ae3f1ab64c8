// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A person's word that the node is off: judged by what can be asked now.

#include "actors/collector.hpp"
#include "actors/node_power.hpp"

#include <caf/typed_response_promise.hpp>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

using word_promise = caf::typed_response_promise<off_word_answer>;

/// Why nobody's word is needed or wanted here; empty: go on.
std::string unwanted(const node_state& st, instant at, bool& already) {
  if (!st.facts || !st.recovered)
    return "the node's record was not read yet; try again";
  if (st.facts->is_self || st.facts->is_master)
    return "it is the master node, or our own: it is not off";
  if (st.machine.recovery_dispatched)
    return "a reset of it is under way; try again in a minute";
  if (st.machine.phase == ha_phase::disabled)
    return "host HA does not look after it";
  const auto& found = st.machine.proved_down;
  if (found && st.proof_written
      && at - found->at < st.ctx->rules()->autorepair.proof_max_age) {
    already = true;
    return "it is proved off already: " + found->text;
  }
  return {};
}

/// The answer that a word is not taken.
void turn_down(word_promise promise, std::string why) {
  promise.deliver(off_word_answer{false, std::move(why)});
}

void believe(self_ptr self, const off_word& word, word_promise promise) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (word.until != never && at >= word.until)
    return turn_down(promise, "it took too long to ask its controller; "
                              "nothing was done, try again");
  if (st.verdict == health::healthy
      && at - st.verdict_at <= 2 * st.ctx->rules()->host_ha.check_interval)
    return turn_down(promise, "its daemons answer again");
  auto outdates = at - st.ctx->rules()->autorepair.proof_max_age;
  auto text = fmt::format("off by the word of {}: {}", word.who, word.reason);
  auto entry = entry_of(self, entry_kind::decision, "operator-word", text);
  record(self, self->state.peers.journal, {std::move(entry)},
         [self, text, outdates, promise]() mutable {
           feed(self, host_ha::vouched{text, outdates});
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
  self->request(st.peers.oob, minutes{10}, order_of(self, power_verb::status))
    .then(
      [self, word, promise,
       given = now(self, st.ctx)](const power_report& report) {
        if (report.state == power_state::on)
          turn_down(promise,
                    fmt::format("{} says that it is on; switch it off: orderly "
                                "power off {}",
                                report.program, word.node));
        else if (report.wish.wanted == power_state::on
                 && report.wish.at >= given)
          turn_down(promise, report.wish.who + " ordered it on just now");
        else if (!report.tried)
          turn_down(promise, "its controller could not be asked just now, try "
                             "again: "
                               + report.evidence);
        else
          believe(self, word, promise);
      },
      [promise](const caf::error&) {
        turn_down(promise, "its controller could not be asked just now, try "
                           "again");
      });
}

} // namespace

caf::result<off_word_answer> take_word(self_ptr self, const off_word& word) {
  auto& st = self->state;
  auto already = false;
  auto why = unwanted(st, now(self, st.ctx), already);
  if (!why.empty())
    return off_word_answer{already, std::move(why)};
  auto promise = self->make_response_promise<off_word_answer>();
  probe_request question{st.node, st.facts->record.address,
                         st.ctx->rules()->host_ha.check_timeout};
  self->request(st.peers.collector, minutes{10}, std::move(question))
    .then(
      [self, word, promise](const sighting& seen) {
        if (seen.verdict == health::healthy)
          turn_down(promise, "its daemons answer: " + seen.evidence);
        else if (seen.evidence == not_admitted)
          turn_down(promise, "its daemons could not be asked just now, too "
                             "many checks wait; try again");
        else
          ask_controller(self, word, promise);
      },
      [promise](const caf::error&) {
        turn_down(promise, "its daemons could not be asked just now; try "
                           "again");
      });
  return promise;
}

} // namespace orderly::node_parts
