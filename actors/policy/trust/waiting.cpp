// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How long a proof lasts that nobody could look at again, and when a person
// hears that instances wait for one.

#include "actors/policy/base/commands.hpp"
#include "actors/policy/trust/mind.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orderly::trust {

namespace {

/// So long may instances wait for a proof before a person hears.
constexpr auto proof_patience = minutes{5};

constexpr const char* proof_lost = "X.PROOF_LOST";

} // namespace

bool mind::is_too_old(const std::optional<proof>& x) const {
  if (!x)
    return false;
  auto by_word = x->level == proof_level::operator_word;
  return now_ - x->at > (by_word ? r_.word_max_age : r_.proof_max_age);
}

void mind::take(const proofs_due&) {
  if (is_too_old(s_.seen_off)) {
    s_.seen_off.reset();
    emit(publish{});
  }
  warn_unproved();
  if (!is_too_old(m_.proved_down))
    return;
  auto age = now_ - m_.proved_down->at;
  auto by_word = m_.proved_down->level == proof_level::operator_word;
  emit(tell_machine{host_ha::proof_expired{
    by_word ? fmt::format("a person vouched for it {} min ago, and that counts "
                          "for {} min",
                          age / minutes{1}, r_.word_max_age / minutes{1})
            : fmt::format("its power was read off {} s ago, and not since",
                          age / seconds{1}),
    by_word || is_too_old(m_.word)}});
  emit(look_what_is_left{});
}

lapse mind::why_lapsed() const {
  if (!around_.has_program)
    return lapse::uncontrolled;
  if (s_.power != power_state::off)
    return s_.asked_in_vain ? lapse::busy : lapse::unread;
  if (s_.beside_off == last_look::nothing)
    return lapse::unwitnessed;
  return s_.beside_off == last_look::none ? lapse::unlooked : lapse::slow;
}

std::string mind::text_of(lapse why) const {
  switch (why) {
  case lapse::uncontrolled:
    return "nobody reads its power any more";
  case lapse::busy:
    return "our own power switch was too busy to read its power";
  case lapse::unread:
    return "its controller does not answer any more";
  case lapse::unwitnessed:
    return "no look can tell whether it is silent for itself, because nobody "
           "else answers";
  case lapse::unlooked:
    return "its power reads off, but its daemons were not asked: our own "
           "checks are too many, or did not end";
  case lapse::slow:
    return fmt::format("its power reads off, but to read it and to look takes "
                       "longer than autorepair.proof_max_age ({} s)",
                       r_.proof_max_age / seconds{1});
  }
  return "?";
}

void mind::take(const proof_dropped&) {
  constexpr millis again = hours{1};
  auto who = who_waits();
  // Who works on it knows.
  if (m_.proved_down || who.empty() || !around_.held.empty())
    return;
  s_.unproved_since = now_;
  s_.unproved_told = last_look::silent;
  auto why = why_lapsed();
  // One that comes and goes is told once an hour.
  if (s_.lapse_told == why && now_ - s_.lapse_told_at < again)
    return;
  s_.lapse_told = why;
  s_.lapse_told_at = now_;
  tell(entry_kind::alert, proof_lost,
       fmt::format(
         "Node {} is fenced, {}, and {}: {}. If it is off, {}", name_,
         around_.offline ? "is marked offline" : "is not marked offline yet",
         text_of(why), who,
         how_to_say(why == lapse::unwitnessed ? " --ignore-silence" : "")));
}

/// Who would be started elsewhere, were the node proved off; a clause, or
/// empty. Once it is marked that may be nobody any more.
std::string mind::who_waits() const {
  if (!around_.known)
    return {};
  if (!around_.offline)
    return "its instances wait";
  if (around_.stranded == nullptr || around_.stranded->empty())
    return {};
  constexpr std::size_t most = 5;
  const auto& all = *around_.stranded;
  auto last = all.begin() + static_cast<long>(std::min(all.size(), most));
  auto text = fmt::format("{}", fmt::join(all.begin(), last, ", "));
  if (all.size() > most)
    text += fmt::format(" and {} more", all.size() - most);
  return text + (all.size() == 1 ? " waits" : " wait") + " there";
}

/// Marked offline, with instances that could start elsewhere, and nothing says
/// that it is off; or it answers, whatever its mark is to prove.
void mind::warn_unproved() {
  // Whoever heard that a controller lies about it knows that it lives, not that
  // it has fallen silent since.
  auto lives = s_.answered || now_ - s_.heard_at < proof_patience;
  auto told = !s_.doubted.empty() && lives;
  auto waits = is_.is_waited_for() && !m_.proved_down && !s_.seen_off && !told
               && around_.held.empty() && (s_.answered || !is_.is_vouched());
  if (!waits) {
    s_.unproved_since = never;
    s_.unproved_told.reset();
    s_.unproved_seen.reset();
    return;
  }
  if (s_.unproved_since == never)
    s_.unproved_since = now_;
  if (now_ - s_.unproved_since < proof_patience)
    return;
  // Does anything of it answer? Whoever was told that it does, or does not,
  // hears when that is otherwise.
  s_.unproved_since = now_;
  emit(ask_daemons{{question::telling, {}, s_.answered, now_, {}}});
}

/// Is that what instances wait for, and news to a person?
bool mind::is_worth_telling(last_look found) {
  auto blind = found == last_look::nothing || found == last_look::none;
  if (blind && s_.unproved_told)
    return false;
  // What is otherwise than it was told must last; so must a blind look.
  auto first = !s_.unproved_told && !blind;
  auto lasts = std::exchange(s_.unproved_seen, found) == found || first;
  if (!lasts || s_.unproved_told == found || !is_.is_waited_for())
    return false;
  // It is told of by its fence, or needs no proof but this silence.
  return found == last_look::alive ? around_.offline : !is_.is_vouched();
}

void mind::looked_before_telling(const daemons_said& e) {
  auto found = found_by(e.seen);
  if (!is_worth_telling(found) || s_.unproved_since != e.since)
    return;
  auto lasted = now_ - e.since + proof_patience;
  auto span = s_.unproved_told ? std::string{"by now"}
                               : fmt::format("for {} s", lasted / seconds{1});
  s_.unproved_told = found;
  if (found == last_look::alive)
    tell_alive();
  else if (found == last_look::silent)
    tell_silent(span);
  else
    tell_unseen(span, found, e.seen.evidence);
}

/// A word is taken of a node that host HA looks after.
std::string mind::how_to_say(const char* flag) const {
  auto text = fmt::format("say so: orderly confirm-off {}{} --reason TEXT",
                          name_, flag);
  if (m_.phase != ha_phase::disabled)
    return text;
  return fmt::format("let host HA look after it ({0}): orderly ha enable {1}; "
                     "and {2}",
                     m_.reason, name_, text);
}

void mind::tell_unproved(const std::string& what, const std::string& advice) {
  tell(entry_kind::alert, proof_lost,
       fmt::format("Node {} is {}, and {}: {}. {}", name_,
                   around_.offline ? "marked offline"
                                   : "fenced, but not marked offline",
                   what, who_waits(), advice));
}

/// Whether they run there nobody asks.
void mind::tell_alive() {
  tell(entry_kind::alert, proof_lost,
       fmt::format("Node {0} is marked offline and answers: no new job starts "
                   "{1} elsewhere, while one that is under way goes on "
                   "(gnt-job list --running). Return it to service: {2}",
                   name_, fmt::join(*around_.stranded, ", "),
                   return_command(name_, around_.has_program)));
}

/// Nothing vouches for the look itself, and nothing for the node.
void mind::tell_unseen(const std::string& span, last_look found,
                       const std::string& evidence) {
  auto alone = found == last_look::nothing;
  tell_unproved(
    fmt::format("{} {} ({})", span,
                alone ? "no look can tell whether it is off"
                      : "we could not look whether it is off",
                evidence),
    fmt::format("{} If {} is off, {}",
                alone ? "Mark offline what is dead, or mend the link."
                      : "Look what keeps our checks from ending.",
                name_, how_to_say(alone ? " --ignore-silence" : "")));
}

void mind::tell_silent(const std::string& span) {
  if (s_.power == power_state::on)
    tell_unproved(span + " its power reads on and nothing of it answers",
                  fmt::format("Return it to service, or switch it off: "
                              "orderly power off {}",
                              name_));
  else
    tell_unproved(span + " nothing has proved that it is off",
                  "If it is off, " + how_to_say());
}

} // namespace orderly::trust
