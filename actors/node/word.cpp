// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A person's word that the node is off: judged by what can be asked now.

#include "actors/node/collector.hpp"
#include "actors/node/power.hpp"
#include "actors/shell/patience.hpp"

#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

/// A word that is being judged.
struct judgement {
  off_word word;
  caf::typed_response_promise<off_word_answer> promise;
  std::uint64_t ticket = 0; ///< a newer one: it was taken back
  instant judged;           ///< when its daemons were found silent
  bool was_out = false;     ///< of service by the record, when it was given
};

constexpr const char* word_is_back = "the word was taken back";
constexpr const char* node_is_back
  = "somebody took it back into service meanwhile";
constexpr const char* too_late
  = "it took too long to ask its controller and to "
    "write it down; nothing was done, try again";

constexpr const char* has_lived
  = "it has answered since, or its power read on; look at it, and try again";

/// How long the reset that is out may take yet.
std::string reset_left(const node_state& st, instant at) {
  auto left = std::max<millis>(st.machine.due - at, millis{0});
  return fmt::format("a reset of it is under way, which may take up to {} min; "
                     "try again when it has ended, orderly explain {} tells",
                     std::chrono::ceil<minutes>(left).count(), st.node);
}

/// So old a proof of that kind may be when it is relied upon.
millis longest_age(const node_state& st, proof_level level) {
  const auto& rules = st.ctx->rules()->autorepair;
  return level == proof_level::operator_word ? rules.word_max_age
                                             : rules.proof_max_age;
}

/// Why nobody's word is needed or wanted here; empty: go on.
std::string unwanted(const node_state& st, instant at, bool& already) {
  if (!st.facts || !st.recovered)
    return "the node's record was not read yet; try again";
  if (st.facts->is_self || st.facts->is_master)
    return "it is the master node, or our own: it is not off";
  if (st.machine.recovery_dispatched)
    return reset_left(st, at);
  if (st.machine.phase == ha_phase::disabled)
    return "host HA does not look after it";
  const auto& found = st.machine.proved_down;
  if (found && st.proof_written
      && at - found->at < longest_age(st, found->level)) {
    already = true;
    return "it is proved off already: " + found->text;
  }
  return {};
}

bool is_out(const node_state& st) {
  return st.facts && (st.facts->record.offline || !st.facts->recorded_on);
}

/// The answer that a word is not taken.
void turn_down(judgement j, std::string why) {
  j.promise.deliver(off_word_answer{false, std::move(why)});
}

std::string taken_text(bool fence_is_out, const std::string& held) {
  auto text = "it counts as off from now on"
              + (held.empty() ? ": it is marked offline, and its instances may "
                                "go elsewhere"
                              : ", but automation leaves it alone: " + held);
  if (fence_is_out)
    text += "; the power-off that is under way goes on until it is read back "
            "or its controllers gave up, or until somebody orders it on";
  return text;
}

/// It counts from now on, unless somebody was told otherwise meanwhile.
void take_effect(self_ptr self, judgement j, const std::string& text,
                 instant outdates) {
  auto& st = self->state;
  // The disk may have been slow, and somebody was told that it failed.
  auto late = j.word.until != never && now(self, st.ctx) >= j.word.until;
  if (late || j.ticket != st.words_back)
    return turn_down(std::move(j), late ? too_late : word_is_back);
  if (j.was_out && !is_out(st))
    return turn_down(std::move(j), node_is_back);
  if (st.shown_alive > j.judged)
    return turn_down(std::move(j), has_lived);
  auto fence_is_out
    = st.machine.phase == ha_phase::fencing && st.machine.fence_dispatched;
  feed(self, host_ha::vouched{text, outdates});
  if (st.machine.phase != ha_phase::fenced)
    return turn_down(std::move(j), "something else happened to it meanwhile: "
                                   "look at orderly explain, and try again");
  // Its author relies on it: so it is told when it is on disk.
  record(self, st.peers.journal,
         {entry_of(self, entry_kind::note, "word-counts", {})},
         [self, j, fence_is_out]() mutable {
           auto at = now(self, self->state.ctx);
           if (j.word.until == never || at < j.word.until) {
             const auto& facts = self->state.facts;
             auto held = facts ? facts->held : std::string{};
             j.promise.deliver(
               off_word_answer{true, taken_text(fence_is_out, held)});
             return;
           }
           void_proofs(self, at,
                       "the author of the word was told that it failed");
           turn_down(std::move(j), too_late);
         });
}

/// What its controller says against the word; `then` if nothing.
void ask_controller(self_ptr self, const judgement& j,
                    std::function<void()> then) {
  auto& st = self->state;
  if (j.ticket != st.words_back)
    return turn_down(j, word_is_back);
  if (programs_of(st).empty())
    return then();
  self
    ->request(st.peers.oob, patience::look, order_of(self, power_verb::status))
    .then(
      [j, then, given = now(self, st.ctx)](const power_report& report) {
        if (report.state == power_state::on)
          turn_down(j,
                    fmt::format("{} says that it is on; switch it off: orderly "
                                "power off {}",
                                report.program, j.word.node));
        else if (report.wish.wanted == power_state::on
                 && report.wish.at >= given)
          turn_down(j, report.wish.who + " ordered it on just now");
        else if (!report.tried)
          turn_down(j, "its controller could not be asked just now, try "
                       "again: "
                         + report.evidence);
        else
          then();
      },
      [j](const caf::error&) {
        turn_down(j, "its controller could not be asked just now, try "
                     "again");
      });
}

/// It is on disk. If its judgement took long its daemons are asked once more,
/// and if it was the disk, its controller too.
void written(self_ptr self, const judgement& j, const std::string& text,
             instant outdates, instant believed) {
  auto& st = self->state;
  auto recent = 2 * st.ctx->rules()->host_ha.check_interval;
  auto at = now(self, st.ctx);
  if (at - j.judged <= recent)
    return take_effect(self, j, text, outdates);
  auto slow = at - believed > recent;
  look(
    self,
    [self, j, text, outdates, slow](const sighting& seen) {
      if (is_silent(seen) && slow)
        ask_controller(self, j, [self, j, text, outdates] {
          take_effect(self, j, text, outdates);
        });
      else if (is_silent(seen))
        take_effect(self, j, text, outdates);
      else
        turn_down(j, "it answers by now, or could not be asked again: "
                       + seen.evidence);
    },
    j.word.ignore_silence);
}

void believe(self_ptr self, const judgement& j) {
  auto& st = self->state;
  const auto& word = j.word;
  auto at = now(self, st.ctx);
  if (j.ticket != st.words_back)
    return turn_down(j, word_is_back);
  if (word.until != never && at >= word.until)
    return turn_down(j, too_late);
  if (j.was_out && !is_out(st))
    return turn_down(j, node_is_back);
  if (st.verdict == health::healthy
      && at - st.verdict_at <= 2 * st.ctx->rules()->host_ha.check_interval)
    return turn_down(j, "its daemons answer again");
  auto outdates = at - st.ctx->rules()->autorepair.proof_max_age;
  auto text = fmt::format("off by the word of {}: {}", word.who, word.reason);
  auto entry = entry_of(self, entry_kind::decision, "operator-word", text);
  record(
    self, self->state.peers.journal, {std::move(entry)},
    [self, j, text, outdates, at] { written(self, j, text, outdates, at); });
}

/// Its daemons are silent. Now its controller, and then the disk.
void judged(self_ptr self, const judgement& j) {
  ask_controller(self, j, [self, j] { believe(self, j); });
}

} // namespace

caf::result<off_word_answer> take_word(self_ptr self, const off_word& word) {
  auto& st = self->state;
  if (word.taken_back) {
    ++st.words_back;
    return off_word_answer{true, word_is_back};
  }
  auto already = false;
  auto why = unwanted(st, now(self, st.ctx), already);
  if (!why.empty())
    return off_word_answer{already, std::move(why)};
  if (word.until != never && now(self, st.ctx) >= word.until)
    return off_word_answer{false, "orderlyd was restarted, or the disk was too "
                                  "slow, while it was judged: look at the "
                                  "node, and say so again"};
  judgement j{word, self->make_response_promise<off_word_answer>(),
              st.words_back, never, is_out(st)};
  probe_request question{st.node, st.facts->record.address,
                         st.ctx->rules()->host_ha.check_timeout, true};
  question.sworn = word.ignore_silence;
  self->request(st.peers.collector, patience::look, std::move(question))
    .then(
      [self, j](const sighting& seen) {
        if (answers(seen))
          turn_down(j, "it answers: " + seen.evidence);
        else if (seen.alone)
          turn_down(j, fmt::format("{} If you stood before the machine, say so "
                                   "with --ignore-silence",
                                   seen.evidence));
        else if (!is_silent(seen))
          turn_down(j, "its daemons could not be asked just now, try again: "
                         + seen.evidence);
        else
          judged(self, {j.word, j.promise, j.ticket, seen.at, j.was_out});
      },
      [j](const caf::error&) {
        turn_down(j, "its daemons could not be asked just now; try "
                     "again");
      });
  return j.promise;
}

} // namespace orderly::node_parts
