// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The guards of table A.5, each as a question about a step that was taken.
// Written down apart from the machine: they read what it knew and what it was
// told, and share no code with what decided.

#pragma once

#include "messages/time.hpp"

#include <cstdint>

namespace orderly {
struct machine_step;
} // namespace orderly

namespace orderly::sim::walking {

/// What the settings of a walk say.
struct limits {
  std::uint32_t checks = 0;
  double ratio = 0;
  std::uint32_t recoveries = 0;
  millis recovery_wait{};
};

struct moment {
  const machine_step& step;
  const limits& by;
};

using guard = bool (*)(const moment&);

namespace guards {

bool enabled(const moment& m);
bool disabled(const moment& m);
bool eligible(const moment& m);
bool not_eligible(const moment& m);
bool not_eligible_check_ignored(const moment& m);
bool failed_not_eligible(const moment& m);
bool waited_not_eligible(const moment& m);
bool counters_reset(const moment& m);
bool failed_eligible(const moment& m);
bool passed(const moment& m);
bool nothing_counted(const moment& m);
bool waited_eligible_attempts_left(const moment& m);
bool attempts_used_up(const moment& m);
bool off_not_commanded(const moment& m);
bool passed_check_ignored(const moment& m);
bool too_few(const moment& m);
bool not_admitted(const moment& m);
bool sample_discarded(const moment& m);
bool window_not_over_ratio(const moment& m);
bool window_over_ratio_attempts_left(const moment& m);
bool window_over_ratio_attempts_used_up(const moment& m);
bool guard_holds(const moment& m);
bool waited(const moment& m);
bool retries_recovery(const moment& m);
bool worked(const moment& m);
bool outcome_unknown(const moment& m);
bool waited_healthy(const moment& m);
bool waited_unhealthy(const moment& m);
bool retries_fencing(const moment& m);
bool confirmed_off(const moment& m);
bool still_fenced(const moment& m);
bool passed_out_of_maintenance(const moment& m);

} // namespace guards

} // namespace orderly::sim::walking
