// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node has to say before its offline mark leaves, while that is under
// way, and when it is there. Private to node*.cpp.

#pragma once

#include "actors/node/carry_out.hpp"

namespace orderly::node_parts {

/// Of the offline mark that is under way, or was last.
intent_id offline_intent(const node_state& st);

/// A mark that waits in the cluster's queue is called back when what spoke for
/// it does so no more: it would put a node out of service that lives.
void call_back_mark(self_ptr self);

/// The same for marks that another daemon has sent; who hears when one comes
/// too late. With each reading of the record.
void judge_strays(self_ptr self);

/// May the job of that intent leave, now that it is written down?
consent last_say(const node_state& st, const intent_id& intent);

/// That the record said offline outlives a restart: a mark that a person takes
/// away afterwards is not set again.
void keep_mark(self_ptr self);

/// A person hears, once, that a fenced node could not be marked offline for
/// long.
void warn_unmarked(self_ptr self);

/// After a restart: what became of the mark that was under way?
void ask_about_mark(self_ptr self);

/// Is the picture from so long after our mark that it would show it, if nobody
/// had taken it away?
bool shows_end_of_mark(const node_state& st);

/// News of a job that marks it offline: one mark is under way at a time, and
/// one that is not wanted any more is called back wherever it waits.
void hear_of_mark(self_ptr self, const job_event& e);

} // namespace orderly::node_parts
