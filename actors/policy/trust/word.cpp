// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/trust/word.hpp"

#include "actors/policy/base/utc.hpp"
#include "actors/policy/trust/belief.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace orderly::trust {

namespace {

constexpr const char* node_is_back
  = "somebody took it back into service meanwhile";
constexpr const char* too_late
  = "it took too long to ask its controller and to "
    "write it down; nothing was done, try again";
constexpr const char* looked_too_long_ago
  = "it was not looked at right before it would have counted; nothing was "
    "done, try again";
constexpr const char* is_ordered_on = "somebody ordered it on meanwhile";
constexpr const char* helper_may_run
  = "a command that switches it may run on since a restart of orderlyd; say so "
    "again in a few minutes";
constexpr const char* has_lived
  = "it has answered since, or its power read on; look at it, and try again";
constexpr const char* not_asked
  = "its daemons could not be asked just now; try again";
constexpr const char* not_read
  = "its controller could not be asked just now, try again";

class judge_of_word {
public:
  judge_of_word(const node_name& name, judgement j, const state& s,
                const surroundings& around, const word_rules& r, instant now)
    : name_(name),
      j_(std::move(j)),
      s_(s),
      around_(around),
      m_(*around.machine),
      r_(r),
      now_(now) {
    // nop
  }

  word_step begin(bool ready);
  word_step take(const word_looked& e);
  word_step take(const word_read& e);
  word_step take(const word_written&);
  word_step take(const word_told& e);

private:
  word_step go(word_stage to, word_action then) {
    j_.stage = to;
    return {std::move(j_), std::move(then)};
  }

  word_step turn_down(std::string why) {
    return go(j_.stage, word_answer{false, std::move(why), {}});
  }

  [[nodiscard]] bool is_out() const {
    return around_.known && (around_.offline || !around_.recorded_on);
  }

  /// Its author was answered by the time limit, whatever we say now.
  [[nodiscard]] bool is_late() const {
    return j_.word.until != never && now_ >= j_.word.until;
  }

  /// What happened since it was given that ends it, or null.
  [[nodiscard]] const char* why_void() const {
    if (j_.machine != s_.machines)
      return is_another;
    return j_.ticket != s_.words_back ? word_is_back : nullptr;
  }

  /// Longer ago than the node itself may take to answer.
  [[nodiscard]] bool is_old(instant at) const {
    return now_ - at > r_.of_trust.a_check();
  }

  [[nodiscard]] std::string reset_left() const;
  [[nodiscard]] std::string unwanted(bool ready, bool& already) const;
  word_step first_look(const word_looked& e);
  word_step ask_controller(word_stage stage);
  word_step look_again();
  word_step believe();
  word_step written();
  word_step take_effect();
  word_step counted();
  [[nodiscard]] std::string left_alone() const;
  [[nodiscard]] std::string taken_text() const;

  const node_name& name_;
  judgement j_;
  const state& s_;
  const surroundings& around_;
  const host_ha::state& m_;
  const word_rules& r_;
  instant now_;
};

/// How long the reset that is out may take yet.
std::string judge_of_word::reset_left() const {
  auto left = std::max<millis>(m_.due - now_, millis{0});
  return fmt::format("a reset of it is under way, which may take up to {} min; "
                     "try again when it has ended, orderly explain {} tells",
                     std::chrono::ceil<minutes>(left).count(), name_);
}

/// Why nobody's word is needed or wanted here; empty: go on.
std::string judge_of_word::unwanted(bool ready, bool& already) const {
  if (!around_.known || !ready)
    return "the node's record was not read yet; try again";
  if (around_.is_self || around_.is_master)
    return "it is the master node, or our own: it is not off";
  if (m_.recovery_dispatched)
    return reset_left();
  if (m_.phase == ha_phase::disabled)
    return fmt::format("host HA does not look after it ({0}), so nothing "
                       "follows from its being off. Enable it, orderly ha "
                       "enable {1}, and say so again",
                       m_.reason, name_);
  const auto& found = m_.proved_down;
  if (!found)
    return {};
  auto by_word = found->level == proof_level::operator_word;
  // It was taken before a restart, and is kept: it counts again as soon as the
  // node is found silent. Its author must not hear that it failed.
  auto kept = around_.proof_kept || (by_word && is_late());
  if (!kept)
    return {};
  // One that is said again before it is too old counts from then.
  auto longest = by_word ? r_.word_max_age / 2 : r_.of_trust.proof_max_age;
  already = now_ - found->at < longest;
  // Of what is off by order it says that it is lost, which is news.
  if (!belief{s_, around_, r_.of_trust}.switched_off().empty())
    already = false;
  if (!already)
    return {};
  auto until
    = by_word ? "; that counts until " + utc_text(found->at + r_.word_max_age)
              : std::string{};
  return "it is proved off already: " + found->text + until + left_alone();
}

/// Why nothing follows from its being off; empty: automation looks after it.
std::string judge_of_word::left_alone() const {
  return around_.held.empty() || j_.word.ends_hold
           ? std::string{}
           : ", but automation leaves it alone: " + around_.held;
}

word_step judge_of_word::begin(bool ready) {
  auto already = false;
  auto why = unwanted(ready, already);
  if (!why.empty())
    return go(j_.stage, word_answer{already, std::move(why), {}});
  if (is_late())
    return turn_down("orderlyd was restarted, or the disk was too slow, while "
                     "it was judged: look at the node, and say so again");
  j_.ticket = s_.words_back;
  j_.machine = s_.machines;
  j_.was_out = is_out();
  return go(word_stage::daemons, word_look{j_.word.ignore_silence, false});
}

word_step judge_of_word::take(const word_looked& e) {
  const auto& seen = e.seen;
  if (j_.stage == word_stage::daemons)
    return first_look(e);
  if (j_.stage != word_stage::daemons_again || !is_silent(seen))
    return turn_down("it answers by now, or could not be asked again: "
                     + seen.evidence);
  j_.looked = seen.at;
  return take_effect();
}

word_step judge_of_word::first_look(const word_looked& e) {
  const auto& seen = e.seen;
  if (e.lost)
    return turn_down(not_asked);
  if (answers(seen))
    return turn_down("it answers: " + seen.evidence);
  if (seen.alone)
    return turn_down(fmt::format("{} If you stood before the machine, say so "
                                 "with --ignore-silence",
                                 seen.evidence));
  if (!is_silent(seen))
    return turn_down("its daemons could not be asked just now, try again: "
                     + seen.evidence);
  j_.judged = j_.looked = seen.at;
  return ask_controller(word_stage::controller);
}

/// What its controller says against the word.
word_step judge_of_word::ask_controller(word_stage stage) {
  if (const auto* why = why_void())
    return turn_down(why);
  j_.asked = now_;
  if (around_.has_program)
    return go(stage, word_ask_controller{});
  return stage == word_stage::controller ? believe() : look_again();
}

/// The last thing before it counts: whatever else was asked took its time.
word_step judge_of_word::look_again() {
  return go(word_stage::daemons_again, word_look{j_.word.ignore_silence, true});
}

word_step judge_of_word::take(const word_read& e) {
  const auto& report = e.report;
  auto first = j_.stage == word_stage::controller;
  if (e.lost || (!first && j_.stage != word_stage::controller_again))
    return turn_down(not_read);
  if (report.state == power_state::on)
    return turn_down(
      fmt::format("{} says that it is on; switch it off: orderly power off {}",
                  report.program, name_));
  if (report.wish.wanted == power_state::on && report.wish.at >= j_.asked)
    return turn_down(report.wish.who + " ordered it on just now");
  if (!report.tried)
    return turn_down(std::string{not_read} + ": " + report.evidence);
  return first ? believe() : look_again();
}

word_step judge_of_word::believe() {
  const auto& word = j_.word;
  if (const auto* why = why_void())
    return turn_down(why);
  if (is_late())
    return turn_down(too_late);
  if (j_.was_out && !is_out())
    return turn_down(node_is_back);
  if (s_.verdict == health::healthy
      && now_ - s_.verdict_at <= r_.of_trust.recent())
    return turn_down("its daemons answer again, or did a moment ago");
  j_.believed = now_;
  j_.outdates = now_ - r_.of_trust.proof_max_age;
  j_.text = fmt::format("off by the word of {}: {}", word.who, word.reason);
  return go(word_stage::writing,
            word_write{{entry_kind::decision, "operator-word", j_.text}});
}

word_step judge_of_word::take(const word_written&) {
  if (j_.stage == word_stage::counting)
    return counted();
  return j_.stage == word_stage::writing ? written() : turn_down(too_late);
}

/// It is on disk. If that took long its controller is asked once more, and if
/// anything did, its daemons after that.
word_step judge_of_word::written() {
  if (!is_old(j_.looked))
    return take_effect();
  return is_old(j_.believed) ? ask_controller(word_stage::controller_again)
                             : look_again();
}

/// It counts from now on, unless somebody was told otherwise meanwhile.
word_step judge_of_word::take_effect() {
  // The disk may have been slow, and somebody was told that it failed.
  if (is_late())
    return turn_down(too_late);
  if (const auto* why = why_void())
    return turn_down(why);
  if (j_.was_out && !is_out())
    return turn_down(node_is_back);
  if (s_.shown_alive > j_.judged)
    return turn_down(has_lived);
  if (s_.ordered_on > j_.judged)
    return turn_down(s_.ordered_on > now_ ? helper_may_run : is_ordered_on);
  if (is_old(j_.looked))
    return turn_down(looked_too_long_ago);
  return go(word_stage::counting,
            word_tell{host_ha::vouched{j_.text, j_.outdates}});
}

word_step judge_of_word::take(const word_told& e) {
  if (m_.phase != ha_phase::fenced || j_.stage != word_stage::counting)
    return turn_down("something else happened to it meanwhile: look at orderly "
                     "explain, and try again");
  j_.fence_is_out = e.fence_was_out;
  // Its author relies on it: so it is told when it is on disk.
  return go(word_stage::counting,
            word_write{{entry_kind::note, "word-counts", {}}});
}

std::string judge_of_word::taken_text() const {
  auto kept = left_alone();
  auto text = "it counts as off from now on"
              + (kept.empty() ? ": it is marked offline, and its instances may "
                                "go elsewhere"
                              : kept);
  if (j_.fence_is_out)
    text += "; the power-off that is under way goes on until it is read back "
            "or its controllers gave up, or until somebody orders it on";
  return text;
}

word_step judge_of_word::counted() {
  if (!is_late())
    return go(word_stage::counting, word_answer{true, taken_text(), {}});
  return go(word_stage::counting,
            word_answer{false, too_late,
                        "the author of the word was told that it failed"});
}

} // namespace

word_step begin_word(const node_name& name, const off_word& word,
                     const state& s, const surroundings& around, bool ready,
                     const word_rules& r, instant now) {
  judgement j;
  j.word = word;
  return judge_of_word{name, std::move(j), s, around, r, now}.begin(ready);
}

word_step go_on(const node_name& name, const judgement& j, const word_event& e,
                const state& s, const surroundings& around, const word_rules& r,
                instant now) {
  judge_of_word judge{name, j, s, around, r, now};
  return std::visit([&judge](const auto& x) { return judge.take(x); }, e);
}

} // namespace orderly::trust
