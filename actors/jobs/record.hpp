// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the job submitter's intents are kept in the journal and told to people.
// Private to jobs/submitter.cpp.

#pragma once

#include "actors/jobs/submitter.hpp"

namespace orderly::jobs {

/// An intent is kept under this and its id.
inline const std::string key_prefix = "intent:";

fields to_fields(const job_submitter_state::item& x);

/// What is known of an intent from before a restart; its opcodes are not.
job_submitter_state::item from_fields(const intent_id& intent, const fields& f);

/// What the order does, or its reason if it does nothing.
std::string ops_text(const job_order& order);

/// What the order does and why, without saying the same twice.
std::string intent_text(const job_order& order);

/// A journal row about the intent, with all that is kept of it.
journal_entry entry_of(instant at, const job_submitter_state::item& x,
                       entry_kind kind, std::string code, std::string why);

/// The row that ends the keeping of the intent.
journal_entry removal_of(instant at, const job_submitter_state::item& x);

/// What its owner is told.
job_event event_of(instant at, const job_submitter_state::item& x,
                   job_phase phase, std::string text);

} // namespace orderly::jobs
