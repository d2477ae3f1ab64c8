// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One repair event: from the first report that asks for it until it is
// forgotten. For the event's actor. `table.hpp` has the arrows below as a
// table, and no other is ever taken.
//
//   noted ------> repairing ----------------------.
//     | | |           |                           |
//     | | '-----> draining --> evacuating -> closing --> tagging -> completed
//     | |             |             |           |           |        |   ^
//     | '-------------+-------------+-----------+-> failing |        |   |
//     |                                                |    |        v   |
//     |   canceled <- from anywhere before an end      v    |  acknowledged
//     |      |                                       failed |      |
//     v      v                                         |    |      |
//   forgotten: noted and gone; canceled or acknowledged, and gone; completed
//   or failed, and its tag removed; and from anywhere, if its node is removed.
//
// What has begun and sent nothing is noted again once it would not begin any
// more, as when its node falls silent: it keeps nobody waiting meanwhile.
//
// While its tag is not written, a node that is filled or put into service again
// leads back from tagging to closing, and from there to evacuating.
//
// What it does is work, each piece a job of its own:
//
//   waiting -> asking a permit -> sent -> ended
//      ^            | refused      | not sent after all
//      '------------+--------------'
//
// A piece of work leaves only while the newest picture still speaks for it. A
// report that nobody heard is unknown: for it nothing begins and nothing ends.

#pragma once

#include "actors/policy/base/decision.hpp"
#include "messages/event.hpp"
#include "messages/event_facts.hpp"
#include "messages/fields.hpp"
#include "messages/journal_entry.hpp"
#include "messages/permit.hpp"
#include "messages/plan.hpp"
#include "messages/standing.hpp"

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orderly::maintenance {

/// So often a job whose fate nobody knows is sent anew, and a move that did
/// not fit is tried.
inline constexpr std::uint32_t tries_max = 3;

/// After so many failures to write a tag a person is told.
inline constexpr std::uint32_t tag_tries_told = 3;

/// Parts of a reading may be so much older than the rest of it.
inline constexpr millis torn_within = minutes{10};

/// Steps that were held back in a row, each later than the one before, until a
/// person is told: about half an hour.
inline constexpr std::uint32_t held_told = 5;

/// An evacuation of which nothing is under way is told of after so long.
inline constexpr millis stalled_max = hours{1};

/// An answer of the planner is used so long.
inline constexpr millis plan_good = minutes{5};

/// Without news the planner is asked again after that.
inline constexpr millis plan_pause = minutes{1};

struct rules {
  repair_mode mode = repair_mode::observe;
  std::uint32_t debounce = 1;
  std::uint32_t debounce_failover = 2;
  millis interval{}; ///< of reports
  millis evidence_max_age{};
  millis picture_max_age{};
  std::uint32_t moves_parallel_max = 1;
  bool early_release = true;
  bool ask_home = true; ///< what runs is failed over once it was stopped
  millis retry_base{};
  millis retry_max{};
};

enum class work_kind {
  command, ///< the node's repair command
  drain,
  move,    ///< an instance gets a new home
  mirror,  ///< an instance gets a new mirror
  offline, ///< the node is marked offline
  ready,   ///< the success tag
  sorry,   ///< the failure tag
  untag,   ///< a person acknowledges
};

const char* to_string(work_kind x);

enum class work_stage { waiting, asking, sent };

struct work {
  work_kind kind = work_kind::drain;
  work_stage stage = work_stage::waiting;
  instance_name instance{};
  node_name target{};
  instance_place from{}; ///< as it was decided
  admin_state admin = admin_state::up;
  intent_id intent{}; ///< empty until it is sent
  job_id job = 0;
  bool withdrawn = false;
  instant due{};
  std::uint32_t refusals = 0;
  instant planned{};    ///< of a move: when its plan was made
  bool overdue = false; ///< its job has not ended by its deadline
};

struct state {
  std::string uuid;
  node_name node;
  std::string node_uuid;
  event_action action = event_action::live_repair;
  std::string original;
  std::string identity;
  event_phase phase = event_phase::noted;
  instant ctime;
  instant begun; ///< when it began last
  instant mtime;
  std::uint64_t serial_no = 1;
  std::uint32_t seen = 1;   ///< reports that showed it, up to its debounce
  std::uint32_t absent = 0; ///< answers in a row that did not
  instant seen_at;          ///< when the last one that did was heard
  std::vector<job_id> jobs;
  std::string tag;
  bool acted = false;     ///< a job of it ran, but for tags
  bool tagged = false;    ///< its tag was written, by us
  instant given_up;       ///< the last reading of marks that a person took
  bool marked = false;    ///< its node was drained under it
  bool put_out = false;   ///< its node was marked offline under it
  instant changed;        ///< when a job of ours ended last: older pictures lie
  std::uint64_t sent = 0; ///< jobs so far: each intent has its number
  std::uint32_t tries = 0; ///< of what goes on
  std::uint32_t held = 0;  ///< steps in a row that were not let go
  std::vector<work> open;
  std::map<instance_name, std::string> blocked;
  std::string reason; ///< why it failed
  std::string why;    ///< what goes on, or what it waits for
  // not kept
  bool ripe = false;       ///< nothing but its turn keeps it from beginning
  bool willing = false;    ///< ... nothing of its own does
  instant stalled;         ///< since then nothing of it is under way
  bool stall_told = false; ///< by an alert, once in a life
  std::set<instance_name> copies_told; ///< that have no other place to start
  instant mark_seen;   ///< the last reading that shows a mark of its node
  instant lacking;     ///< a reading of that time lacks a mark of ours
  instant lacking_tag; ///< and its tag
  // ... nor what the planner said
  std::map<instance_name, std::vector<hop>> hops;
  /// Where each is if all went as planned: a plan fits nowhere else.
  std::map<instance_name, instance_place> expected;
  std::map<instance_name, departure> left; ///< by our last jobs
  std::map<instance_name, std::string> stuck;
  bool planning = false;
  instant planned_at;
  instant tried_plan; ///< the last one whose moves came to nothing
  instant plan_due;
};

/// Something is new, or it is time to look.
struct looked {};

struct planned {
  evacuation_answer plan;
};

struct permit_answered {
  object_id owner;
  permit answer;
};

/// A person wants something; its answer is in the verdict's `reply`.
struct ordered {
  event_order order;
};

using event = std::variant<looked, event_report, planned, permit_answered,
                           permit_called, job_event, ordered>;

struct ask_plan {};

struct ask_permit {
  object_id owner;
  std::vector<instance_name> instances;
  std::vector<node_name> leaves;
  std::vector<node_name> joins;
  bool resumed = false;
  std::vector<node_name> also = {}; ///< compare `permit_request::also`
  bool alone = false;               ///< compare `permit_request::alone`
};

struct give_back_permit {
  object_id owner;
};

/// Without opcodes: say what became of it.
struct submit {
  intent_id intent;
  std::vector<opcode> ops;
  std::string why;
  bool once = false;
  std::string command; ///< to be deposited at the node's agent first
};

struct withdraw {
  intent_id intent;
};

struct tell {
  entry_kind kind = entry_kind::decision;
  std::string code;
  std::string text;
};

struct reply {
  event_order_answer answer;
};

using action = std::variant<ask_plan, ask_permit, give_back_permit, submit,
                            withdraw, tell, reply>;

using verdict = decision<state, action>;

/// An event that a report asks for now.
state begin(std::string uuid, const node_record& node, event_action wanted,
            std::string original, std::string identity, instant heard);

/// Total, deterministic. `tell` is to be written down, with the next state,
/// before any other action is carried out.
verdict step(const state& s, const event& e, const event_facts& seen,
             const rules& r, instant now);

/// It was just recalled: what was sent before a restart is asked for. After
/// `adopted` a person had that memory taken, which does not know what was sent
/// since: no number comes twice, and what must not run twice is a person's. If
/// it is `aged` (as in `recalled`), the last report of it is an old one.
verdict resume(const state& s, instant now, instant adopted = never,
               bool aged = false);

/// When it should look again without news; `never`: news will do.
instant due_at(const state& s);

/// Why this job is not to leave any more; empty: it may.
std::string objection(const state& s, const intent_id& intent,
                      const event_facts& seen, const rules& r, instant now);

/// What that job was permitted with; nothing: it needs no permit.
std::optional<ask_permit> permit_of(const state& s, const intent_id& intent);

event_standing standing_of(const state& s);

/// Tags of a node that tell how its event ended; the event's UUID follows.
inline constexpr std::string_view ready_tag = "maintd:repairready:";
inline constexpr std::string_view failed_tag = "maintd:repairfailed:";

/// The event of such a tag; empty: it is another.
std::string event_of_tag(const std::string& tag);

/// Where the permit of that work is booked: `event:UUID:web1`, or `event:UUID`.
object_id owner_of(const state& s, const work& w);

/// All but what the planner said.
fields to_fields(const state& s);
state from_fields(const fields& f);

} // namespace orderly::maintenance
