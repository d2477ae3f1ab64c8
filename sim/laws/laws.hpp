// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What must always hold, judged by what really happened in world, queue and
// journal, written without any of the code it judges. Checked after every
// step; looks only at what is new since the last time.

#pragma once

#include "messages/standing.hpp"
#include "sim/laws/boots.hpp"
#include "sim/laws/bounds.hpp"
#include "sim/laws/sight.hpp"
#include "sim/state/lab_state.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace orderly::sim {

struct broken_law {
  std::string name;     ///< "S1"
  std::string sentence; ///< what happened, when, to whom

  friend bool operator==(const broken_law&, const broken_law&) = default;
};

class laws {
public:
  /// Of a daemon that begins now, in a world where others were before it.
  void begin(const lab_state& lab);

  /// Safety: what got broken since the last call. Each breach is told once.
  std::vector<broken_law> check(lab_state& lab, instant now);

  /// Liveness: at the end of a run, after a time without new faults. Calls
  /// for `check` before it.
  std::vector<broken_law> check_liveness(lab_state& lab, instant now,
                                         const liveness_bounds& bounds = {});

  /// A person was told something that concerns all nodes, perhaps past the
  /// journal.
  void hear_of_all();

  /// Double homes, false fences and losses that a lie explains which nobody
  /// could see through.
  [[nodiscard]] std::uint64_t excused() const { return excused_; }

private:
  /// What the journal says about one node.
  struct node_story {
    std::optional<ha_phase> phase; ///< nullopt: not known (any more)
    instant hunted_since;          ///< in suspect..fencing, loops included
    incident_id incident;          ///< by the last row of a phase
    instant trouble_since;         ///< of that, likewise, and while recovered
    instant proved;                ///< last proof
    instant phase_since;           ///< when `phase` was entered
    instant lied_about;            ///< last said to be off while it was on
    std::string liar;              ///< the helper that said so
    /// Helpers that said so while its daemons had been answering us, and have
    /// not said on since.
    std::map<std::string, instant> caught;
    instant raised;                    ///< last told to switch on, or reset
    instant booted_by_person;          ///< so told by an errand
    bool alarm = false;                ///< an alert since `hunted_since`
    bool uplink_lost_at_entry = false; ///< S8
    bool hold_told = false; ///< a person heard of one that may be over
    instant last_command;
    boots_seen boots;
    instant last_off_read, on_read; ///< on_read: the first since `wished_at`
    std::uint32_t resets_open = 0;  ///< of automation, not answered yet
    instant fencing_since;
    instant paid_for = never; ///< the `phase_since` whose command was counted
    instant fenced_since;
    std::set<std::string> tried; ///< programs told to switch off since fencing
    power_state wish = power_state::unknown; ///< of a person
    instant wished_at;
    instant put_off; ///< when a person's order switched it off
  };

  /// What a person asked, and what came of it.
  struct errand_story {
    errand_request wanted;
    instant since;
    instant taken_at; ///< `never`: nobody said that it was
    errand_id id;
    bool open = true;
    bool failed = false;
    std::set<node_name> targets; ///< all that it may concern
    std::set<node_name> switched;
    std::map<node_name, instant> lifted; ///< holds that it was to end
  };

  /// An intent that became durable.
  struct intent_story {
    object_id object;
    std::string code;
    instant at;
    instant decided;    ///< by the newest of its entries
    bool ended = false; ///< an outcome became durable
    std::uint32_t jobs = 0;
  };

  void breach(const std::string& name, const std::string& sentence);
  [[nodiscard]] bool ours(const sim_job& job) const;

  // laws.cpp: the journal
  void read_history();
  void read_entry(const journal_entry& e);
  void read_guards(const journal_entry& e);
  void begin_phase(node_story& story, ha_phase next, bool gives_way,
                   const incident_id& incident);
  [[nodiscard]] instant told_at(const journal_entry& e) const;
  [[nodiscard]] bool may_give_way(const std::string& node,
                                  const node_story& story, ha_phase next) const;
  [[nodiscard]] bool is_clock_set(const node_story& story) const;
  [[nodiscard]] bool marked_lately(const std::string& node) const;
  [[nodiscard]] bool may_boot(const std::string& node, const node_story& story,
                              ha_phase next, instant told) const;
  void read_phase(const std::string& node, const journal_entry& e);
  // laws/world.cpp, laws/hands.cpp
  void note_hands();
  [[nodiscard]] bool started_knowingly(const instance_name& name,
                                       const node_name& node) const;
  void note_members();
  void note_mirrors();
  [[nodiscard]] bool boot_started(const instance_name& name,
                                  const node_name& node) const;
  [[nodiscard]] bool fooled_another(const instance_name& name,
                                    const node_name& node) const;
  void check_homes();
  void check_fenced(const std::string& node, const node_story& story,
                    const journal_entry& e);
  void read_power(const power_deed& deed, node_story& story);
  void check_power(const power_deed& deed);
  void check_storm(const std::string& deed, millis ago = millis{0});
  void check_mastership(const std::string& deed, bool uplink_excused);
  void check_clocks(const std::string& deed);
  [[nodiscard]] bool lives_by_record(const node_name& name) const;
  [[nodiscard]] std::uint32_t living() const;
  [[nodiscard]] std::uint32_t settled_trouble(millis ago = millis{0}) const;
  [[nodiscard]] std::uint32_t storm_limit() const;
  [[nodiscard]] bool is_stormy() const;
  [[nodiscard]] millis seen_after() const;
  [[nodiscard]] bool uplink_long_lost() const;
  [[nodiscard]] bool uplink_told() const;
  void spend(std::deque<instant>& spent, std::uint32_t most,
             const std::string& what);
  // laws/acts.cpp
  void read_pause(const journal_entry& e);
  void check_trouble(const power_deed& deed, const std::string& what);
  void check_trouble(const sim_job& job);
  void check_paused(instant at, const std::string& what);
  void note_switch();
  void check_switch(const sim_job& job);
  void check_start(const sim_job& job);
  void check_fresh(const intent_id& id, instant at, const std::string& what);
  void check_reserved(const sim_job& job);
  void check_chosen();
  [[nodiscard]] const errand_story* taker_of(const node_name& node,
                                             instant when) const;
  void look_around();
  [[nodiscard]] millis look_slack() const;
  // laws/journal.cpp
  void read_kept(const journal_entry& e);
  void check_kept(const pause_word& word);
  void check_kept(const person_order& order);
  void check_kept(const stop_word& word);
  void check_stopped(const errand_id& errand, instant at,
                     const std::string& what);
  // laws/proof.cpp
  void check_silent(const node_name& node, const std::string& what,
                    millis late = millis{0});
  void check_proof(const sim_job& job);
  [[nodiscard]] millis told_after() const;
  [[nodiscard]] bool read_off(const node_name& node, instant when,
                              instant least) const;
  [[nodiscard]] bool left_after_jump(const sim_job& job) const;
  [[nodiscard]] bool says_nowhere_on(const node_name& node) const;
  [[nodiscard]] bool sworn_off(const node_name& node, instant when) const;
  [[nodiscard]] bool said_lost(const node_name& node, instant ordered) const;
  [[nodiscard]] bool silent(const node_name& node) const;
  [[nodiscard]] bool refuses(const node_name& node) const;
  [[nodiscard]] bool fooled(const node_name& node) const;
  [[nodiscard]] bool is_found_out(const node_name& node,
                                  const node_story& story) const;
  [[nodiscard]] bool vouched(const node_name& name) const;
  // laws/power.cpp
  void read_order(const person_order& order);
  void check_command(const power_deed& deed, node_story& story);
  void check_boot(const power_deed& deed, const node_story& story);
  [[nodiscard]] bool boots_by_person(const node_name& node,
                                     const node_story& story) const;
  void check_relied_upon(const errand_story& errand, const power_deed& deed);
  void check_size(const errand_story& errand, const std::string& what);
  void check_cut_off(const errand_story& errand, const power_deed& deed);
  [[nodiscard]] bool has_marked(const errand_story& errand,
                                const node_name& node) const;
  void check_fenced_empty(const sim_job& job);
  void check_held(const sim_job& job);
  [[nodiscard]] bool notes_a_job_from_before(const sim_job& job,
                                             instant when) const;
  void check_errand_job(const sim_job& job, const errand_story& errand);
  void check_levels(const liveness_bounds& bounds);
  [[nodiscard]] bool moved_lately(const instance_record& x) const;
  [[nodiscard]] bool concerns(const opcode& op,
                              const errand_story& errand) const;
  [[nodiscard]] std::set<node_name> targets_of(const errand_request& x) const;
  [[nodiscard]] errand_story* errand_of(const power_deed& deed);
  [[nodiscard]] const errand_story* errand_of(const sim_job& job) const;
  [[nodiscard]] const errand_story* word_about(const node_name& node) const;
  [[nodiscard]] std::vector<std::string> levels_of(const node_name& node) const;
  [[nodiscard]] bool left_alone(const node_name& node) const;
  [[nodiscard]] bool is_held(const node_name& node) const;
  [[nodiscard]] bool may_be_held(const node_name& node) const;
  [[nodiscard]] bool is_over(const errand_story& x) const;
  [[nodiscard]] bool raised_since(const node_name& node, instant since) const;
  [[nodiscard]] bool wished_off(const node_name& node) const;
  // laws/jobs.cpp
  void check_job(const sim_job& job);
  void check_intent(const sim_job& job);
  void note_fooled(const sim_job& job);
  void check_failover(const sim_job& job);
  void check_overlap(const sim_job& job);
  void check_after_failure(const sim_job& job);
  void note_ended_jobs();

  /// S39: what destroys can be kept from it, and is not overtaken by the next.
  void check_token(const sim_job& job);
  void check_kept_off(const sim_job& job);
  [[nodiscard]] bool let_on_since(const node_name& node, instant when) const;
  void check_late_jobs();
  void count_failure(const sim_job& job);
  /// A luxid that is slow or stalled has it in its queue much later.
  [[nodiscard]] instant left_at(const sim_job& job) const;
  [[nodiscard]] bool given_up(const sim_job& other, instant when) const;
  // laws/repair.cpp
  void check_permission(const sim_job& job, const opcode& op);
  void check_untouched(const sim_job& job, const opcode& op);
  [[nodiscard]] bool bears(const std::string& uuid, const incident_id& id,
                           instant when) const;
  void check_alone(const sim_job& job);
  void check_single(const sim_job& job);
  void check_opens(const sim_job& job);
  void check_turn(const sim_job& job, const instance_name& name,
                  const incident_id& incident);
  void check_data(const sim_job& job);

  struct span_of_time {
    instant from;
    instant to;
  };

  [[nodiscard]] std::vector<span_of_time> asked_since(const sim_job& job,
                                                      instant since) const;
  void check_copy(const sim_job& job);
  void check_left(const sim_job& job);
  void check_switched_off(const sim_job& job,
                          const std::set<node_name>& holders);
  [[nodiscard]] bool permitted(const sim_job& job, const opcode& op,
                               instant when) const;
  [[nodiscard]] instant our_calendar(instant when) const;
  [[nodiscard]] bool untouchable(const instance_name& name, instant when,
                                 instant now) const;
  [[nodiscard]] std::vector<instant> known_times(const sim_job& job) const;
  // laws/balance.cpp
  void check_balancing(const sim_job& job);
  void check_protected(const sim_job& job);
  void check_targets(const sim_job& job);
  void check_n_plus_one(const sim_job& job);
  void check_calm(const sim_job& job);
  void check_kept_copy(const sim_job& job);
  void check_overwritten();
  [[nodiscard]] std::string unfit(const node_name& name,
                                  const sim_job& job) const;
  [[nodiscard]] bool stirred(const std::set<node_name>& nodes,
                             const sim_job& job) const;
  // laws/events.cpp
  void check_event_job(const sim_job& job);
  void check_event_switch(const sim_job& job);
  void check_event_failed(const sim_job& job);
  void check_event_suspended(const sim_job& job);
  void check_empty(const sim_job& job, const node_name& node);
  void check_ready(const sim_job& job, const node_name& node);
  // laws/tags.cpp
  void check_tags(const sim_job& job);
  void check_tag_set(const sim_job& job, const opcode& op,
                     const std::string& tag);
  void check_new_pending(const sim_job& job, const opcode& op,
                         const std::string& tag);
  void check_success(const sim_job& job, const opcode& op,
                     const std::string& tag);
  void check_tag_removed(const sim_job& job, const opcode& op,
                         const std::string& tag);
  [[nodiscard]] bool still_written(const sim_job& job, const opcode& op,
                                   const std::string& tag) const;
  void check_suspends(const liveness_bounds& bounds);
  [[nodiscard]] bool suspended(const instance_record& x, instant when) const;
  // laws/told.cpp
  void check_told(const liveness_bounds& bounds);
  [[nodiscard]] instant down_since(const instance_record& x) const;
  [[nodiscard]] bool told_since(const instance_record& x, instant when) const;
  // laws/liveness.cpp
  void check_incidents(const liveness_bounds& bounds);
  [[nodiscard]] bool is_mark_lost(const node_name& node) const;
  [[nodiscard]] bool hold_told(const instance_record& x) const;
  void check_restarts(const liveness_bounds& bounds);
  void check_bulkheads(const liveness_bounds& bounds);
  void check_drained(const liveness_bounds& bounds);
  void check_lost(const liveness_bounds& bounds);
  [[nodiscard]] bool can_restart(const instance_record& x, instant since) const;
  [[nodiscard]] bool fit(const node_record& n, const instance_record& x,
                         instant since) const;
  [[nodiscard]] std::uint32_t fit_others(const instance_record& x,
                                         instant since, bool disks) const;
  [[nodiscard]] bool allowed_since(const instance_record& x, int risk,
                                   instant since) const;
  [[nodiscard]] std::set<instance_name> excused_instances() const;

  lab_state* lab_ = nullptr; ///< of the call under way
  instant now_;
  std::vector<broken_law> broken_;
  std::uint64_t excused_ = 0;

  // how far everything was read
  std::size_t history_read_ = 0;
  std::size_t entries_read_ = 0;
  std::size_t deeds_read_ = 0;
  std::size_t jobs_read_ = 0;
  std::size_t orders_read_ = 0;
  std::size_t pauses_read_ = 0;
  std::size_t stops_read_ = 0;
  std::size_t overwritings_read_ = 0;
  std::uint64_t batches_failed_ = 0;
  std::uint64_t journal_files_ = 0;
  instant journal_since_;   ///< another one was put in its place
  millis mirrors_every_{0}; ///< so often mirrors are asked about; 0: never
  instant mirrors_since_;   ///< since when that is set
  std::uint64_t world_version_ = ~std::uint64_t{0};
  std::uint64_t queue_version_ = ~std::uint64_t{0};

  law_sight sight_;
  std::map<node_name, node_story> nodes_;
  std::map<node_name, std::string> uuids_; ///< of whom that is told
  std::uint64_t members_made_ = ~std::uint64_t{0};
  std::map<intent_id, intent_story> intents_;
  std::map<object_id, instant> decided_; ///< by the newest decision about it
  std::map<object_id, instant> alerted_; ///< by the newest alert about it
  std::map<bool, instant> pauses_kept_;  ///< newest one, and newest end of one
  std::map<errand_id, instant> errands_kept_;    ///< when they became durable
  std::map<errand_id, instant> stops_kept_;      ///< likewise
  std::map<errand_id, instant> stopped_;         ///< since a person was told so
  std::map<std::string, intent_id> last_intent_; ///< by object and code
  std::map<std::uint32_t, errand_story> errands_; ///< by number
  std::map<errand_id, instant> over_;             ///< ended by the journal
  std::map<node_name, instant> held_; ///< by an emergency power-off, since then
  std::set<instance_name> known_doubles_;
  /// Alive there by a lie or a boot that nobody could see through.
  std::map<instance_name, node_name> unseen_homes_;
  std::set<job_id> unplaced_; ///< ours, their targets are Ganeti's choice
  instant luxi_away_;         ///< luxid answered nothing then, last
  instant repairs_off_;       ///< by the settings since then; `never`: no
  instant events_off_;        ///< likewise, repair events
  instant paused_;            ///< by a person since then; `never`: no
  bool storm_told_ = false;   ///< by an alert, and it is not over yet
  instant storm_told_at_;
  std::set<incident_id> our_repairs_;
  std::map<incident_id, std::string> repaired_; ///< uuids, by jobs of ours
  std::set<instance_name> requested_; ///< repairs that were asked of us
  std::map<std::string, std::uint32_t> failures_; ///< by incident and step
  std::set<incident_id> failed_repairs_;
  std::set<node_name> emptied_;                  ///< drained by events
  std::map<incident_id, instant> events_failed_; ///< first failed job's end
  std::vector<job_id> canceled_; ///< whether by us is not in the journal yet
  /// By us, or canceled by us at its deadline, as the journal has it.
  std::set<intent_id> called_back_;
  std::set<instance_name> unstopped_; ///< a person heard that a job goes on
  /// A person heard that it waits for a job, or that its copy is no good.
  std::set<instance_name> held_up_;
  std::map<instance_name, instant> by_hand_;        ///< started then
  std::map<instance_name, node_name> known_hands_;  ///< by who was told
  std::map<instance_name, node_name> untold_hands_; ///< nobody could tell
  std::set<job_id> watched_;     ///< our repair jobs that have not ended
  std::set<std::string> tokens_; ///< that jobs of ours were to remove
  /// Ours, that destroy, read late, and did not act yet.
  std::set<job_id> late_;
  std::deque<instant> fences_;
  std::deque<instant> failovers_;
};

} // namespace orderly::sim
