// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Works one event into an errand. Private to the errand machine:
// errand/step.cpp (what answers mean), errand/jobs.cpp (those of jobs),
// errand/begin.cpp (what a step does first), errand/halt.cpp (stops, restarts,
// and what takes too long), errand/gate.cpp (may nodes go off?),
// errand/astray.cpp (what has left them), errand/relied.cpp (may they go on?),
// errand/tag.cpp (settings of the cluster),
// errand/settle.cpp (whose turn it is, and the end).

#pragma once

#include "actors/policy/errand/asked.hpp"
#include "actors/policy/errand/grounds.hpp"
#include "actors/policy/errand/plan.hpp"
#include "actors/policy/errand/words.hpp"

namespace orderly::errand {

class worker {
public:
  worker(state s, const surroundings& w, instant now) : w_(w), now_(now) {
    v_.next = std::move(s);
  }

  void take(const begun& e);
  void take(const resumed& e);
  void take(const watched_again& e);
  void take(const right_gone& e);
  void take(const woken& e);
  void take(const stopped& e);
  void take(const job_told& e);
  void take(const job_queued& e);
  void take(const power_told& e);
  void take(const risky_told& e);
  void take(const probe_told& e);
  void take(const program_told& e);
  void take(const word_told& e);
  void take(const word_taken_back& e);
  void take(const held_up& e);
  void take(const unanswered& e);

  /// Starts whose turn it is, and ends the errand after its last row.
  void settle();

  verdict result() && { return std::move(v_); }

private:
  using index = std::uint32_t;

  // errand/step.cpp
  row* running(const spot& at);
  void reading(index i, const power_report& report);
  void turned_away(index i, power_state read, std::string text);
  void healthy_or_not(index i, const power_report& report);
  void switched(index i, const power_report& report);
  bool told_before(index i, const resumed& e);

  // errand/jobs.cpp
  void job_done(index i, step_kind kind);
  bool tries_again(index i, step_kind kind);
  void perhaps_marked(index i, const std::string& text);
  void came_to_nothing(index i, step_kind kind, const std::string& text);

  // errand/halt.cpp
  [[nodiscard]] std::string halted() const { return errand::halted(v_.next); }

  void halt(index i);
  void halt_rows();
  [[nodiscard]] instant last_moved();
  void judge_age(const resumed& e);
  void judge_absence(millis away);
  void interrupt(const std::string& short_text, const std::string& text);
  void resume(index i, const resumed& e);
  void await_helper(index i);
  void resume_cycle(index i, const resumed& e);
  [[nodiscard]] bool may_have_left(index i, const resumed& e);
  bool rests_on_a_reading(index i);
  bool looks_again(index i);
  bool looks_first(index i);
  void pick_up(row& r);
  [[nodiscard]] instant given_at(index i);
  void leave_open(index i);
  bool given_before(index i, const power_wish& given,
                    const power_report& report);
  bool found_so(index i, const power_report& report);
  /// True if nothing may be done now: the row waits, or came to nothing.
  bool lacks_right(index i);
  void give_up(index i);

  // errand/begin.cpp
  void enter(index i);
  void begin_tries(index i);
  bool begin(index i, step_kind kind);
  bool begin_offline(index i);
  bool begin_power(index i);
  bool lost_its_mark(index i, const node_record& node);
  void not_switched_off(index i, const std::string& why);
  void command(index i, const node_record& node);
  bool begin_record(index i);
  bool begin_shutdown(index i);
  bool begin_start(index i);
  bool begin_modify(index i);
  bool begin_word(index i);
  bool begin_tag(index i);
  bool begin_heed(index i);
  off_word word_of(index i);
  [[nodiscard]] millis job_limit(index i);
  /// Its own job may be under way since before a restart: it is called back,
  /// and asked after, before the row is given up.
  bool asks_after_its_job(index i);
  void order_job(index i, opcode op, std::string why);
  void order_jobs(index i, std::vector<opcode> ops, std::string why);
  /// A record says the wanted thing, or is brought to it without a job.
  void note_record(index i, bool before, bool after);

  // errand/gate.cpp
  bool bar_nodes();
  [[nodiscard]] std::set<node_name> going_off() const;
  /// It waits for the gate to open once more.
  void wait_again(index i);
  /// True if it does, for the gate has closed since it was passed.
  bool shut_out(index i);
  /// True if something came to it before its mark: that is taken back.
  bool goes_back(index i);
  bool take_back_mark(index i, const node_record& node);
  bool waits_for_moves(index i, const node_record& node);
  bool waits_for_mark(index i, const node_record& node);
  bool bar_until_empty();
  bool add_rows(const std::vector<const instance_record*>& late);
  void leave_on(const std::string& why);

  // errand/astray.cpp
  bool is_left_running(index i);
  void call_back_astray();
  bool begin_again_elsewhere(index i);
  bool start_the_astray();

  // errand/relied.cpp
  [[nodiscard]] bool must_wait_for_acts(index i) const;
  [[nodiscard]] std::string relied_upon(index i, const risky_acts& x) const;
  void wait_for_acts(index i, std::string why);

  // errand/holds.cpp
  void hold_nodes();
  void renew_hold(const node_name& name, const hold& before,
                  const std::optional<node_record>& node);
  [[nodiscard]] bool is_off(const node_record& node) const;
  void stays_away(index i);
  /// A word that the node is off ends its hold.
  [[nodiscard]] bool gives_up_hold(const node_name& node) const;
  void give_up_hold(const node_name& node);
  void lift_holds();
  /// It ended before its power-off, in service as it was.
  [[nodiscard]] bool is_left_on(const row& r) const;
  void end_vain_holds();
  bool begin_take_back(index i);
  void note_mark(index i);
  void doubt_mark(index i);
  [[nodiscard]] std::optional<hold> hold_now(const node_name& node) const;
  void note_drain(const node_record& node);
  [[nodiscard]] opcode return_job(const node_record& node) const;

  // errand/settle.cpp
  bool skip_the_lost();
  void note_turns();
  void note_unseen_turns();
  bool was_overtaken(index i);
  bool start_some();
  std::string undo_of_shutdowns(const epo_errand& x);
  void advise_again(const epo_errand& x);
  bool is_left_marked(const row& r);
  void finish();
  void advise();

  // the ways on, errand/step.cpp
  void advance(index i);
  void note_switched(row& r);
  void done(index i, std::string text = {});
  void fail(index i, std::string text);
  void skip(index i, std::string text, bool met);
  void end(index i, row_state how, bool met, std::string text);

  state& s() { return v_.next; }

  row& at(index i) { return v_.next.rows[i]; }

  void touch(index i) { v_.blocks.insert(i / static_cast<index>(block_size)); }

  [[nodiscard]] spot spot_of(index i) const {
    const auto& r = v_.next.rows[i];
    return {i, r.at, r.tries};
  }

  step_kind step_at(index i) { return steps_of(s(), at(i))[at(i).at]; }

  void act(action x) { v_.actions.push_back(std::move(x)); }

  void say(entry_kind kind, object_id object, std::string code,
           std::string text) {
    act(tell{kind, std::move(object), std::move(code), std::move(text)});
  }

  void remark(std::string text) {
    v_.head = true;
    add_remark(s(), std::move(text));
  }

  /// The node, with what this very event changed about it.
  [[nodiscard]] std::optional<node_record>
  node_now(const node_name& name) const;
  /// Nothing where another one has its name by now.
  [[nodiscard]] std::optional<node_record> node_now(const row& r) const;

  /// "by bob (power-12: fan broken)"
  std::string by_whom();

  verdict v_;
  const surroundings& w_;
  instant now_;
};

/// Steps that a job of the cluster does.
inline bool is_job(step_kind x) {
  return x == step_kind::mark_offline || x == step_kind::record
         || x == step_kind::shutdown || x == step_kind::start
         || x == step_kind::take_back || x == step_kind::modify
         || x == step_kind::tag;
}

/// Rows that take a place: not those that wait for a node to come back.
std::size_t places_taken(const state& s);
std::size_t places(const state& s, const surroundings& w);

/// Are the starts of this row kept apart?
bool is_paced(const state& s, const row& r);

/// When the next paced row may start.
instant next_start(const state& s);

} // namespace orderly::errand
