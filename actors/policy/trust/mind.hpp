// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The inside of trust::step: one object for one step, one method for one
// event. Used by this room only. controller.cpp judges the controller,
// readings.cpp what was read of the power, daemons.cpp what the daemons say,
// waiting.cpp how long proofs last and are waited for.

#pragma once

#include "actors/policy/trust/belief.hpp"

#include <string>
#include <utility>

namespace orderly::trust {

class mind {
public:
  mind(const node_name& name, const state& s, const surroundings& around,
       const rules& r, instant now)
    : name_(name),
      around_(around),
      m_(*around.machine),
      r_(r),
      now_(now),
      s_(s),
      is_(s_, around_, r_) {
    // nop
  }

  mind(const mind&) = delete;
  mind& operator=(const mind&) = delete;

  void take(const heard& e);
  void take(const unwatched& e);
  void take(const power_read& e);
  void take(const rehearsed& e);
  void take(const rehearsal_lost& e);
  void take(const wish_heard& e);
  void take(const wish_recorded& e);
  void take(const ordered_on& e);
  void take(const raised& e);
  void take(const taken_out& e);
  void take(const in_service& e);
  void take(const record_read& e);
  void take(const power_overheard& e);
  void take(const daemons_said& e);
  void take(const proof_is_kept& e);
  void take(const machine_renewed& e);
  void take(const reading_lost& e);
  void take(const recorded_off& e);
  void take(const proofs_due& e);
  void take(const proof_dropped& e);
  void take(const untreated_due& e);
  void take(const said_on_before& e);
  void take(const fence_denied& e);

  void keep_quiet();

  answer result() { return {std::move(s_), std::move(actions_)}; }

private:
  // Plumbing.
  void emit(action x) { actions_.push_back(std::move(x)); }

  void tell(entry_kind kind, const char* code, std::string text,
            bool with_state = false);

  // Its controller.
  void believe_on(const power_report& report);
  void forgive(const power_report& report);
  void distrust(const power_report& report, bool is_news);
  [[nodiscard]] std::string nonsense(const power_report& report) const;
  [[nodiscard]] std::string mismatch(const power_report& report) const;
  [[nodiscard]] bool is_asked_about(const power_report& report) const;
  void weigh(const power_report& report, std::string bad);
  void liar_answered(const daemons_said& e);
  void rate(const power_report& report, rehearsal& next) const;
  void settle(const rehearsal& next);
  void rehearse_soon();
  [[nodiscard]] row mismatch_row(const rehearsal& x);

  // Its power.
  void see_return(const power_report& report);
  void note_power(const power_report& report);
  void hear_wish(const power_wish& wish);
  void heed_wish(const power_wish& wish);
  void outdate(const power_wish& wish);
  void void_proofs(instant at, const std::string& why);
  void ask(question why, const power_report& report);
  void all_asked();
  void judge_offline(const power_report& report);
  void tell_power(const power_report& report);
  [[nodiscard]] bool is_time_to_tell(instant at);
  void silent(const daemons_said& e);

  // Its daemons.
  void remember(const sighting& seen, bool first);
  void keep_life();
  void note_silence(bool heard);

  // Waiting.
  [[nodiscard]] bool is_too_old(const std::optional<proof>& x) const;
  void warn_unproved();
  [[nodiscard]] bool is_worth_telling(last_look found);
  [[nodiscard]] std::string who_waits() const;
  [[nodiscard]] lapse why_lapsed() const;
  [[nodiscard]] std::string text_of(lapse why) const;
  [[nodiscard]] std::string how_to_say(const char* flag = "") const;
  void tell_unproved(const std::string& what, const std::string& advice);
  void tell_alive();
  void tell_unseen(const std::string& span, last_look found,
                   const std::string& evidence);
  void tell_silent(const std::string& span);
  void looked_before_telling(const daemons_said& e);

  const node_name& name_;
  const surroundings& around_;
  const host_ha::state& m_;
  const rules& r_;
  instant now_;
  state s_;
  belief is_; ///< of `s_`, as it is at the moment
  std::vector<action> actions_;
};

} // namespace orderly::trust
