// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The laws about what persons were promised: S36 S37. Whoever was told that a
// pause holds, or that an errand was taken or stopped, relies on it also after
// a restart. Nothing excuses a breach: a disk that fails is a reason to say so.

#include "messages/codes.hpp"
#include "sim/laws/entry_words.hpp"
#include "sim/laws/laws.hpp"

namespace orderly::sim {

/// What is durable is in the file that the next start opens, or was at the
/// moment when it was written.
void laws::read_kept(const journal_entry& e) {
  if (is_of_scheduler(e) && e.kind == entry_kind::decision
      && (e.code == codes::pause || e.code == codes::resume))
    pauses_kept_[e.code == codes::pause] = now_;
  errand_id errand;
  if (!split_object(e.object, "errand", errand))
    return;
  if (e.kind == entry_kind::intent)
    errands_kept_[errand] = now_;
  if (e.code == codes::errand_stop)
    stops_kept_[errand] = now_;
}

void laws::check_kept(const pause_word& word) {
  auto i = pauses_kept_.find(word.on);
  if (i == pauses_kept_.end() || i->second < word.asked)
    breach("S36", std::string{"a person was told that we "}
                    + (word.on ? "are paused" : "go on")
                    + ", and the journal does not have it");
}

namespace {

/// It is asked for again after a restart: nobody keeps it, nor its stop.
bool only_asks(const errand_request& x) {
  const auto* power = std::get_if<power_errand>(&x.what);
  return (power && is_reading(power->verb))
         || std::holds_alternative<verify_errand>(x.what)
         || std::holds_alternative<info_errand>(x.what);
}

} // namespace

void laws::check_kept(const person_order& order) {
  if (order.step != order_step::taken || order.id.empty()
      || only_asks(order.wanted))
    return;
  auto i = errands_kept_.find(order.id);
  if (i == errands_kept_.end() || i->second < errands_[order.number].since)
    breach("S36", order.wanted.who + " was told that " + order.id
                    + " was taken, and the journal does not have it");
}

void laws::check_kept(const stop_word& word) {
  if (over_.count(word.id) != 0) // there was nothing left to stop
    return;
  for (const auto& [number, x] : errands_)
    if (x.id == word.id && only_asks(x.wanted))
      return;
  if (stops_kept_.count(word.id) == 0)
    breach("S36", "a person was told that " + word.id
                    + " is stopped, and the journal does not have it");
  stopped_.emplace(word.id, word.told);
}

/// What left before the stop, and what is only written down of it, may go on.
void laws::check_stopped(const errand_id& errand, instant at,
                         const std::string& what) {
  auto i = stopped_.find(errand);
  if (i != stopped_.end() && i->second < at)
    breach("S37", what + " is the act of " + errand
                    + ", and a person was told that it is stopped");
}

} // namespace orderly::sim
