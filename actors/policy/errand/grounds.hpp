// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What speaks against a step of a row, looked at right before it is taken.
// Private to this folder.

#pragma once

#include "actors/policy/errand/errand.hpp"

#include <functional>
#include <optional>
#include <string>

namespace orderly::errand {

/// A power-on waits so long for what relies on the node being off, and looks so
/// often whether that has ended.
inline constexpr millis relied_within = minutes{30};
inline constexpr millis relied_pause = seconds{2};

/// How it is asked whether it lives: it has the time that its group gives it.
probe_request question_about(const node_record& node, const surroundings& w);

/// Nobody has changed its record since our mark that counts that far.
bool is_ours(const node_record& node, std::uint64_t own_until);

/// Why the mark of this row must not be set now, though the gate let it pass
/// before: a clause; empty: it may be.
std::string against_mark(const state& s, const row& r, const surroundings& w);

/// What was seen of its power since it was switched speaks against recording it
/// so, a clause; empty: nothing.
std::string against_record(const state& s, const row& r, const surroundings& w);

/// It may be honest: what is known is that one of the node's helpers is not.
std::string unbelieved_text(const std::string& program);

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

/// Why the job that tags the cluster must not leave now, a clause; empty: it
/// may.
std::string against_tag(const state& s, const surroundings& w);

/// Where an instance of an emergency power-off is by now, if that node is none
/// of those that go off; or empty.
node_name gone_astray(const state& s, const row& r, const surroundings& w);

/// Is that a job of ours that takes an instance to another node?
bool may_move(const running_job& job);

/// Why nothing more of it is begun, a clause; empty: it goes on.
std::string halted(const state& s);

/// A node that is to be marked offline before it goes off is in service by this
/// record: why it stays on, a clause; empty: it is none of these.
std::string in_service_text(const state& s, const row& r,
                            const node_record& node);

/// Somebody has taken the node out of service and back again since it was asked
/// for, or back and out: why nothing more is done about it, a clause; empty:
/// nobody did.
std::string overtaken(const state& s, const row& r,
                      const std::optional<node_record>& node);

/// A node that waits for its turn, or for its power-on, went out of service, or
/// came back, by what is read now, and its row does not know yet.
bool turns(const state& s, const surroundings& w);

/// Its power step is behind it.
bool is_switched(const state& s, const row& r);

/// Its turn has come, but what relies on the node being off has not ended; its
/// text says what.
bool waits_for_acts(const state& s, const row& r);

} // namespace orderly::errand
