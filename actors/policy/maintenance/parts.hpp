// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The pieces that the machine of an event is made of. Each takes the verdict as
// it is so far. Used by the machine's own files only.

#pragma once

#include "actors/policy/maintenance/event.hpp"

#include <optional>

namespace orderly::maintenance {

/// What a decision is made from.
struct situation {
  const event_facts& seen;
  const rules& limits;
  instant now;
};

/// The node by the newest picture, or null.
const node_record* node_of(const state& s, const event_facts& seen);

/// "web1 is on node1", of any instance by the newest picture; or empty.
std::string lodger_of(const state& s, const event_facts& seen);

/// Why an evacuation is not done, by the newest picture; empty: it is, or it is
/// none.
std::string unready(const state& s, const event_facts& seen);

std::uint32_t debounce_of(event_action x, const rules& r);

/// Another phase, and why; the serial number grows.
void turn(verdict& v, const situation& x, event_phase to, std::string why);

/// What it waits for, told when it is new.
void wait_for(verdict& v, const situation& x, std::string why);

/// No further job: what is queued is called back, and the failure tag follows.
void fail(verdict& v, const situation& x, std::string reason);

// --- event.cpp
[[nodiscard]] bool has(const state& s, work_kind kind);
/// The node was drained under it, and takes instances again.
[[nodiscard]] bool is_mark_gone(const state& s, const node_record& node);
void take(verdict& v, const looked& e, const situation& x);
/// What a node's answer means for an event that it showed, or did not.
void take(verdict& v, const event_report& e, const situation& x);
void take(verdict& v, const planned& e, const situation& x);

// --- work.cpp
[[nodiscard]] bool only_tags(work_kind x);

/// A command that has not ended by its deadline: it moves nothing, and keeps
/// nobody else off its node.
[[nodiscard]] bool is_late(const work& w);
[[nodiscard]] bool moves(work_kind x);
/// Adds a piece of work; it asks for its permit, or if it only writes tags it
/// is sent.
void add(verdict& v, const situation& x, work w);
void call_back(verdict& v, work& w);
/// All that may be is given up.
void call_back_all(verdict& v);

/// The same, and nobody of it hears how what runs ends: no permit is kept.
void let_go(verdict& v);
/// Work that waits asks again when it is due.
void nudge(verdict& v, const situation& x);
void take(verdict& v, const permit_answered& e, const situation& x);
void take(verdict& v, const permit_called& e, const situation& x);
void take(verdict& v, const job_event& e, const situation& x);

// --- grounds.cpp
/// The last report that showed it is too old to begin anything by it.
[[nodiscard]] bool is_unheard(const state& s, const situation& x);
/// Why no report speaks for it just now; empty: the newest one does.
std::string unasked(const state& s, const situation& x);
/// What of its own keeps it from beginning; empty: nothing.
std::string unwilling(const state& s, const situation& x);
/// Why the work must not leave; empty: it may.
std::string against(const state& s, const work& w, const situation& x);
/// The same of what was sent already: not to know just now whether we may act
/// takes nothing back; another master does, for nobody judges it there.
std::string outdated(const state& s, const work& w, const situation& x);
/// What is in the queue is called back once it would not be sent any more.
void call_back_fallen(verdict& v, const situation& x);

// --- opcodes.cpp
/// "drains node2"
std::string sentence_of(const state& s, const work& w);
std::vector<opcode> opcodes_of(const state& s, const work& w, const rules& r);

// --- moves.cpp
/// Moves what is on the node, and says when it is empty.
void evacuate(verdict& v, const situation& x);
/// Why this move is not right any more; empty: it is.
std::string against_move(const state& s, const work& w, const situation& x);
/// It begins with a question to its home, and goes on with what that answers.
[[nodiscard]] bool asks_home(const state& s, const work& w);
/// Between the opcodes of such a job its home must not be marked offline, so
/// nothing of ours shall hold it up there: Ganeti does one after the other
/// anyway, for all lock the node that is left.
[[nodiscard]] bool goes_alone(const state& s, const work& w, const rules& r);
/// Which job of ours it would wait for there; empty: none that is known.
std::string crowded(const state& s, const work& w, const situation& x);

// --- life.cpp
/// Goes on from where it stands.
void tend(verdict& v, const situation& x);

// --- ending.cpp
/// The picture shows what our jobs did.
[[nodiscard]] bool is_fresh(const state& s, const situation& x);
/// It is lacking in two readings in a row: parts of one may be older than its
/// time says.
[[nodiscard]] bool lacks(instant& since, const situation& x, bool now);
void forget(verdict& v, const situation& x, std::string why);
/// Its tag stands, and tells what is not so: the event goes on behind it.
[[nodiscard]] bool is_untrue(const state& s);
/// A tag that tells what is not so is removed, whatever becomes of its event,
/// and over restarts.
void tend_untrue_tag(verdict& v, const situation& x, const node_record& node);
/// It is done, and its tag is to say so: of what is so then.
void tend_tagging(verdict& v, const situation& x, const node_record& node);
void tend_failing(verdict& v, const situation& x);
/// A completed or failed event lives as long as its tag. What one reading lacks
/// may have been read before it was written: the next one must lack it, too.
void tend_ended(verdict& v, const situation& x, const node_record& node);
/// Nothing is to be done.
void tend_over(verdict& v, const situation& x);

// --- orders.cpp
void take(verdict& v, const ordered& e, const situation& x);

} // namespace orderly::maintenance
