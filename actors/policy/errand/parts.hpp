// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the files of the errand machine share. Private to this folder.

#pragma once

#include "actors/policy/errand/errand.hpp"

#include <functional>
#include <optional>

#include <fmt/format.h>

namespace orderly::errand {

/// A power-on waits so long for what relies on the node being off, and looks so
/// often whether that has ended.
inline constexpr millis relied_within = minutes{30};
inline constexpr millis relied_pause = seconds{2};

/// The nodes that are named, each once, in natural order; or who is not
/// known.
std::variant<std::vector<node_record>, refusal>
nodes_named(const std::vector<std::string>& names, const surroundings& w);

/// All nodes, in natural order.
std::vector<node_record> all_nodes(const surroundings& w);

/// The nodes of the named groups, in natural order; or which is not known.
std::variant<std::vector<node_record>, refusal>
nodes_of_groups(const std::vector<std::string>& names, const surroundings& w);

void add_remark(state& s, std::string text);

/// "i1, i2 and 7 more"
std::string some_of(const std::vector<std::string>& names);

/// How it is asked whether it lives: it has the time that its group gives it.
probe_request question_about(const node_record& node, const surroundings& w);

/// An earlier emergency power-off marked the node offline, when all that was
/// wanted up there was down, and nothing can have been started there since.
bool is_marked_by_epo(const node_record& node, const surroundings& w);

/// Nobody has changed its record since our mark that counts that far.
bool is_ours(const node_record& node, std::uint64_t own_until);

/// Why the mark of this row must not be set now, though the gate let it pass
/// before: a clause; empty: it may be.
std::string against_mark(const state& s, const row& r, const surroundings& w);

/// Its power read on again after it was switched off; empty: it did not.
std::string came_on_since(const state& s, const row& r, const surroundings& w);

/// What came to its node before the mark that we set, and was not shut down
/// there: a clause; empty: nothing, or the mark is not ours.
std::string came_since(const state& s, const row& r, const surroundings& w);

/// Why an instance is not started, and whether all is well for that; an empty
/// reason: it is.
struct no_start {
  std::string why;
  bool met = false;
};

using node_lookup = std::function<std::optional<node_record>(const node_name&)>;

no_start against_start(const state& s, const row& r, const surroundings& w,
                       const node_lookup& node_of);

/// Where an instance of an emergency power-off is by now, if that node is none
/// of those that go off; or empty.
node_name gone_astray(const state& s, const row& r, const surroundings& w);

/// Is that a job of ours that takes an instance to another node?
bool may_move(const running_job& job);

/// What is wanted up and has its primary there.
std::vector<std::string> lodgers(const node_name& node, const surroundings& w);

/// How to undo what was done of this row before its errand was stopped: "node3
/// was marked offline: orderly node modify --offline=no node3"; empty: nothing
/// was, or an epo of its own undoes it.
std::string undo_text(const state& s, const row& r);

/// "--all", "--groups rack1" or the names: what an epo was about.
std::string epo_names(const epo_errand& x);

/// The nodes of an instance, primary first.
std::vector<node_name> nodes_of(const instance_record& x);

/// Why nothing more of it is begun, a clause; empty: it goes on.
std::string halted(const state& s);

/// What a person types to ask for the same of this row again.
std::string again_text(const state& s, const row& r);

/// Is that the node that was asked for, and no other one under its name?
inline bool is_meant(const row& r, const node_record& node) {
  return r.uuid.empty() || r.uuid == node.uuid;
}

/// A node that is to be marked offline before it goes off is in service by this
/// record: why it stays on, a clause; empty: it is none of these.
std::string in_service_text(const state& s, const row& r,
                            const node_record& node);

/// Is it an epo, and which?
inline const epo_errand* epo_of(const state& s) {
  return std::get_if<epo_errand>(&s.asked.what);
}

inline bool is_epo_off(const state& s) {
  const auto* x = epo_of(s);
  return x != nullptr && !x->on;
}

inline bool is_epo_on(const state& s) {
  const auto* x = epo_of(s);
  return x != nullptr && x->on;
}

/// The switch command of its node rows.
inline power_verb switch_verb(const state& s) {
  if (const auto* x = epo_of(s))
    return x->on ? power_verb::on : power_verb::off;
  return verb_of(s.asked);
}

/// What an on or off brings about.
inline power_state state_wanted(const state& s) {
  return switch_verb(s) == power_verb::on ? power_state::on : power_state::off;
}

/// Its power step is behind it.
bool is_switched(const state& s, const row& r);

/// How long a run of a power helper may take, as the person said it; zero:
/// as the settings say.
millis helper_limit(const state& s);

/// Does it switch nodes on, for good or again?
bool raises(const state& s);

/// Its turn has come, but what relies on the node being off has not ended; its
/// text says what.
bool waits_for_acts(const state& s, const row& r);

/// Rows of the epo: errand/plan_epo.cpp.
std::variant<state, refusal> plan_epo(const errand_request& asked,
                                      const epo_errand& x,
                                      const surroundings& w);

} // namespace orderly::errand
