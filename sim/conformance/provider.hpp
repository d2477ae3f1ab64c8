// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plays scenarios about who treats a host: fences and resets by a controller
// that answers as each case says, and persons' calls. Those are played on the
// whole daemon and read off from what it did; settings and eligibility are
// asked of the policies that decide them.

#pragma once

#include "sim/conformance/judge.hpp"

namespace orderly::sim::conformance {

/// A node dies and is to be fenced. A case: [oobm, status_before, off_result,
/// status_after] and what came of it, [fence, off_issued].
std::vector<difference> play_fences(const json& cases, instant clock);

/// A node hangs and is to be reset. A case: [power, operation_setting, driver]
/// and what came of it, [result, issued, alert].
std::vector<difference> play_recoveries(const json& cases, instant clock);

/// Calls of persons, one after the other: [call, args] and [ok, shown]. A host
/// that some call must find is there.
std::vector<difference> play_admin(const json& cases, instant clock);

/// Settings as they hold for a node group: [key, global, cluster] and [value].
/// Read as the daemon reads them; the seed's cluster is a node group.
std::vector<difference> judge_lookups(const json& cases, instant clock);

/// The rule of eligibility: [in], what differs from a host that is eligible,
/// and [eligible].
std::vector<difference> judge_eligibility(const json& cases, instant clock);

} // namespace orderly::sim::conformance
