// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Codes of journal entries that somebody decides by: laws, counters, alerts.
// Whoever writes such an entry and whoever reads it mean the same line here.
// Codes that are only shown are written where their sentence is.

#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace orderly::codes {

using code = const char*;

// --- jobs and power commands
inline constexpr code job = "job"; ///< intent: a job is about to be sent
inline constexpr code job_submitted = "job-submitted"; ///< it is in the queue
inline constexpr code job_ended = "job-ended";         ///< well or not
inline constexpr code job_called_back = "job-called-back";
inline constexpr code job_overdue = "job-overdue"; ///< and counted on no more
inline constexpr code power_cycle = "power-cycle"; ///< intent of a reset
inline constexpr code power_confirmed = "power-confirmed";
inline constexpr code power_unconfirmed = "power-unconfirmed";
/// A controller refused our user or password; an alert once a node and day.
inline constexpr code auth_error = "OOBM_AUTH_ERROR";
/// A node's power is not what its record says.
inline constexpr code power_mismatch = "power-mismatch";

// --- nodes
inline constexpr code proof = "proof";   ///< it is certain that it is off
inline constexpr code fenced = "fenced"; ///< and marked so
inline constexpr code cluster_silent = "cluster-silent"; ///< nothing answers

/// Why a node was fenced.
inline constexpr code fenced_max_attempts = "A.FENCED_MAX_ATTEMPTS";
inline constexpr code fenced_recovery_failed = "A.FENCED_RECOVERY_FAILED";
inline constexpr code fenced_power_off = "X.FENCED_POWER_OFF";
inline constexpr code fenced_by_word = "X.FENCED_BY_WORD"; ///< of a person

// --- guards
inline constexpr code storm = "storm"; ///< too many nodes in trouble at once
inline constexpr code calm = "calm";   ///< no longer
inline constexpr code pause = "pause"; ///< by a person
inline constexpr code resume = "resume";

// --- errands of persons
inline constexpr code hold = "hold"; ///< automation leaves a node alone
inline constexpr code hold_lifted = "hold-lifted";
inline constexpr code errand_stop = "errand-stop"; ///< a person took it back
inline constexpr code errand_end = "errand-end";
inline constexpr code asked = "asked"; ///< a person asks for a repair

// --- settings of the cluster, by its tags
inline constexpr code setting = "setting"; ///< another value is in force
inline constexpr code bad_setting = "A.BAD_SETTING"; ///< not heeded

// --- switches of host HA, by persons
inline constexpr code ha_configured = "HA.RESOURCE.CONFIGURE";
inline constexpr code ha_enabled = "HA.RESOURCE.ENABLE";
inline constexpr code ha_disabled = "HA.RESOURCE.DISABLE";

// --- moves for balance
inline constexpr code move_failed = "move-failed";
inline constexpr code move_dropped = "move-dropped"; ///< not sent any more

// --- repair events
inline constexpr code event_noted = "event-noted";
inline constexpr code event_past = "event-past";   ///< of forgotten ones
inline constexpr code agent_met = "agent-met";     ///< of a node
inline constexpr code event_begun = "event-begun"; ///< its first job follows
inline constexpr code event_done = "event-done";   ///< and the tag follows
inline constexpr code event_forgotten = "event-forgotten";
/// Too many nodes ask at once: their collector may be bad.
inline constexpr code bad_collector = "A.BAD_COLLECTOR";
inline constexpr code many_events = "A.MANY_EVENTS"; ///< of one node
inline constexpr code unverified = "A.UNVERIFIED";   ///< a node's reports
inline constexpr code event_failed = "A.EVENT_FAILED";
inline constexpr code event_stuck = "A.EVENT_STUCK"; ///< it comes no further

// --- alerts of instances
/// A job that was called back runs, and may not stop.
inline constexpr code not_stopped = "A.NOT_STOPPED";
/// A job of somebody else hinders a repair.
inline constexpr code foreign_job = "A.FOREIGN_JOB";
/// The one copy that is left is not the newest.
inline constexpr code copy_faulty = "A.COPY_FAULTY";

/// Should a person look? All of `A.`, and what else leaves a node in a state
/// that only a person ends.
constexpr bool is_alert(std::string_view x) {
  constexpr std::array<std::string_view, 5> others{
    "X.FENCE_STUCK", fenced_power_off, "X.RETURNED_DEAD",
    "X.WORD_LAPSED", "X.FENCED_LIVES",
  };
  return x.starts_with("A.")
         || std::find(others.begin(), others.end(), x) != others.end();
}

} // namespace orderly::codes
