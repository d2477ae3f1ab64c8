// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The fields of everything in the console's words, in the order in which they
// cross a wire. Structured bindings, so that a new field does not compile until
// it is here; then `wire::format` grows. Used by `console_wire.cpp`, and by
// what tests it.

#pragma once

#include "messages/protocol/console_event_fields.hpp"
#include "messages/protocol/console_switch_fields.hpp"
#include "messages/protocol/console_words.hpp"

#include <type_traits>

namespace orderly::wire {

template <>
inline constexpr auto last_of<console_part> = console_part::events;
template <>
inline constexpr auto last_of<fault_kind> = fault_kind::internal;
template <>
inline constexpr auto last_of<power_verb> = power_verb::health;
template <>
inline constexpr auto last_of<power_state> = power_state::unknown;
template <>
inline constexpr auto last_of<protection> = protection::unproven;
template <>
inline constexpr auto last_of<proof_level> = proof_level::operator_word;
template <>
inline constexpr auto last_of<ha_phase> = ha_phase::fenced;
template <>
inline constexpr auto last_of<act_kind> = act_kind::record;
template <>
inline constexpr auto last_of<repair_type> = repair_type::reinstall;
template <>
inline constexpr auto last_of<repair_phase> = repair_phase::failed;
template <>
inline constexpr auto last_of<repair_mode> = repair_mode::off;
template <>
inline constexpr auto last_of<entry_kind> = entry_kind::note;
template <>
inline constexpr auto last_of<op_kind> = op_kind::repair_command;
template <>
inline constexpr auto last_of<tag_kind> = tag_kind::instance;
template <>
inline constexpr auto last_of<row_state> = row_state::skipped;
template <>
inline constexpr auto last_of<errand_kind> = errand_kind::cluster_unset;
template <>
inline constexpr auto last_of<row_kind> = row_kind::setting;
template <>
inline constexpr auto last_of<refused_for> = refused_for::state;
template <>
inline constexpr auto last_of<balance_phase> = balance_phase::moving;

// --- wrappers ----------------------------------------------------------------

template <class Each>
void fields_of(Each& each, fault& x) {
  auto& [kind, text] = x;
  each(kind, text);
}

template <class Each>
void fields_of(Each& each, console_trouble& x) {
  auto& [part, why] = x;
  each(part, why);
}

template <class Each, class Word>
void fields_of(Each& each, console_ask<Word>& x) {
  auto& [word] = x;
  each(word);
}

template <class Each, class Word>
void fields_of(Each& each, console_reply<Word>& x) {
  auto& [trouble, word] = x;
  each(trouble, word);
}

template <class Each>
void fields_of(Each&, console_look&) {
  // nop
}

// --- orders ------------------------------------------------------------------

template <class Each>
void fields_of(Each& each, pause_order& x) {
  auto& [pause, who, reason] = x;
  each(pause, who, reason);
}

template <class Each>
void fields_of(Each& each, pause_answer& x) {
  auto& [done, text] = x;
  each(done, text);
}

template <class Each>
void fields_of(Each& each, repair_request& x) {
  auto& [instance, type, who] = x;
  each(instance, type, who);
}

template <class Each>
void fields_of(Each& each, repair_answer& x) {
  auto& [accepted, repair, text] = x;
  each(accepted, repair, text);
}

// --- errands -----------------------------------------------------------------

template <class Each>
void fields_of(Each& each, power_errand& x) {
  auto& [verb, nodes, mark, promote, bare, limit, delay] = x;
  each(verb, nodes, mark, promote, bare, limit, delay);
}

template <class Each>
void fields_of(Each& each, modify_errand& x) {
  auto& [node, powered, offline, program, promote] = x;
  each(node, powered, offline, program, promote);
}

template <class Each>
void fields_of(Each& each, info_errand& x) {
  auto& [nodes] = x;
  each(nodes);
}

template <class Each>
void fields_of(Each& each, epo_errand& x) {
  auto& [on, groups, all, names, limit, shutdown, delay] = x;
  each(on, groups, all, names, limit, shutdown, delay);
}

template <class Each>
void fields_of(Each&, verify_errand&) {
  // nop
}

template <class Each>
void fields_of(Each& each, confirm_errand& x) {
  auto& [node, ignore_silence] = x;
  each(node, ignore_silence);
}

template <class Each>
void fields_of(Each& each, errand_request& x) {
  auto& [what, who, reason, dry, count] = x;
  each(what, who, reason, dry, count);
}

template <class Each>
void fields_of(Each& each, errand_query& x) {
  auto& [id] = x;
  each(id);
}

template <class Each>
void fields_of(Each& each, errand_stop& x) {
  auto& [id, who] = x;
  each(id, who);
}

template <class Each>
void fields_of(Each&, errand_list&) {
  // nop
}

template <class Each>
void fields_of(Each& each, health_item& x) {
  auto& [item, status] = x;
  each(item, status);
}

template <class Each>
void fields_of(Each& each, node_record& x) {
  auto& [name, uuid, group, address, offline, drained, vm_capable, candidate,
         powered, program, tags, serial]
    = x;
  each(name, uuid, group, address, offline, drained, vm_capable, candidate,
       powered, program, tags, serial);
}

template <class Each>
void fields_of(Each& each, power_wish& x) {
  auto& [wanted, who, why, at, uuid, switched_off, switched_at] = x;
  each(wanted, who, why, at, uuid, switched_off, switched_at);
}

template <class Each>
void fields_of(Each& each, rehearsal& x) {
  auto& [outcome, why, at, seen, mismatch] = x;
  each(outcome, why, at, seen, mismatch);
}

template <class Each>
void fields_of(Each& each, errand_row& x) {
  auto& [object, kind, state, step, text, power, items, record, control, master,
         primaries, secondaries, wish, check, ha, built_in]
    = x;
  each(object, kind, state, step, text, power, items, record, control, master,
       primaries, secondaries, wish, check, ha, built_in);
}

template <class Each>
void fields_of(Each& each, errand_sheet& x) {
  auto& [found, id, kind, who, began, ended, refusal, refusal_kind, doing, rows,
         remarks, failed]
    = x;
  each(found, id, kind, who, began, ended, refusal, refusal_kind, doing, rows,
       remarks, failed);
}

template <class Each>
void fields_of(Each& each, errand_list_answer& x) {
  auto& [errands] = x;
  each(errands);
}

// --- balancing ---------------------------------------------------------------

template <class Each>
void fields_of(Each& each, balance_query& x) {
  auto& [plan_now, explained] = x;
  each(plan_now, explained);
}

template <class Each>
void fields_of(Each& each, opcode& x) {
  auto& [kind, node, instance, target, allocator, flag, nodes, span, offline,
         powered, program, promote, keep_wanted, tags_on, tag_object, tags,
         consistency, early, command, input]
    = x;
  each(kind, node, instance, target, allocator, flag, nodes, span, offline,
       powered, program, promote, keep_wanted, tags_on, tag_object, tags,
       consistency, early, command, input);
}

template <class Each>
void fields_of(Each& each, planned_move& x) {
  auto& [instance, from, to, ops, wave, score, gain, cost, why] = x;
  each(instance, from, to, ops, wave, score, gain, cost, why);
}

template <class Each>
void fields_of(Each& each, open_move& x) {
  auto& [what, job, text] = x;
  each(what, job, text);
}

template <class Each>
void fields_of(Each& each, group_score& x) {
  auto& [group, before, after, steps, cut] = x;
  each(group, before, after, steps, cut);
}

template <class Each>
void fields_of(Each& each, plan_answer& x) {
  auto& [planned, moves, groups, explained, text] = x;
  each(planned, moves, groups, explained, text);
}

template <class Each>
void fields_of(Each& each, balance_sheet& x) {
  auto& [phase, text, enabled, round, next_round, open, asked, plan, planned_at,
         planned, remarks, closed, fixed]
    = x;
  each(phase, text, enabled, round, next_round, open, asked, plan, planned_at,
       planned, remarks, closed, fixed);
}

// --- the scene ---------------------------------------------------------------

template <class Each>
void fields_of(Each& each, lease& x) {
  auto& [held, until, text, master] = x;
  each(held, until, text, master);
}

template <class Each>
void fields_of(Each& each, guard_standing& x) {
  auto& [paused, paused_by, storm, storm_text, troubled, nodes, fences,
         failovers, permits, budget, budget_text]
    = x;
  each(paused, paused_by, storm, storm_text, troubled, nodes, fences, failovers,
       permits, budget, budget_text);
}

template <class Each>
void fields_of(Each& each, status_row& x) {
  auto& [version, cluster, master, right_to_act, guard, started, now, polled,
         read_from, removals, poll_error, journal_trouble, autorepair, mode,
         host_ha, nodes, instances, repairs, protections, mismatches, counters,
         events_read]
    = x;
  each(version, cluster, master, right_to_act, guard, started, now, polled,
       read_from, removals, poll_error, journal_trouble, autorepair, mode,
       host_ha, nodes, instances, repairs, protections, mismatches, counters,
       events_read);
}

template <class Each>
void fields_of(Each& each, proof& x) {
  auto& [node, level, text, at] = x;
  each(node, level, text, at);
}

template <class Each>
void fields_of(Each& each, node_standing& x) {
  auto& [node, phase, since, reason, incident, proved_down, doubt, unbelieved,
         waits_for, wants, troubled, counted, closed, power_asked,
         power_control, power, power_since, power_text, answers, looked_at,
         answered_at, unheard_since, quiet, watched_since, heard_at,
         heard_again, silence, is_home, held, answers_since, silent_since,
         wanted_off, unchecked_since]
    = x;
  each(node, phase, since, reason, incident, proved_down, doubt, unbelieved,
       waits_for, wants, troubled, counted, closed, power_asked, power_control,
       power, power_since, power_text, answers, looked_at, answered_at,
       unheard_since, quiet, watched_since, heard_at, heard_again, silence,
       is_home, held, answers_since, silent_since, wanted_off, unchecked_since);
}

template <class Each>
void fields_of(Each& each, accepted_order& x) {
  auto& [verb, who, why, errand, running, step, at, waits_for] = x;
  each(verb, who, why, errand, running, step, at, waits_for);
}

template <class Each>
void fields_of(Each& each, node_row& x) {
  auto& [name, group, offline, drained, powered, control, levels, standing,
         ordered]
    = x;
  each(name, group, offline, drained, powered, control, levels, standing,
       ordered);
}

template <class Each>
void fields_of(Each& each, repair_leave& x) {
  auto& [suspended, most] = x;
  each(suspended, most);
}

template <class Each>
void fields_of(Each& each, instance_standing& x) {
  auto& [instance, phase, why, permission, waits_for, incident, primary, broken,
         wrong, needed, allowed, permitted, misnamed, permitted_by, next,
         may_live, remarks, shared_remarks, jobs, settled]
    = x;
  each(instance, phase, why, permission, waits_for, incident, primary, broken,
       wrong, needed, allowed, permitted, misnamed, permitted_by, next,
       may_live, remarks, shared_remarks, jobs, settled);
}

template <class Each>
void fields_of(Each& each, instance_row& x) {
  auto& [name, primary, secondaries, disks, admin, standing] = x;
  each(name, primary, secondaries, disks, admin, standing);
}

template <class Each>
void fields_of(Each& each, job_note& x) {
  auto& [kind, success] = x;
  each(kind, success);
}

template <class Each>
void fields_of(Each& each, journal_entry& x) {
  auto& [seq, at, kind, object, incident, intent, code, why, state, state_key,
         job]
    = x;
  each(seq, at, kind, object, incident, intent, code, why, state, state_key,
       job);
}

template <class Each>
void fields_of(Each& each, scene& x) {
  auto& [revision, status, nodes, instances, decisions, events, agents] = x;
  each(revision, status, nodes, instances, decisions, events, agents);
}

} // namespace orderly::wire
