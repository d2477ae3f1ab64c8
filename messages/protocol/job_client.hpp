// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whoever sends jobs, as the job submitter sees it; and whoever orders power
// commands, as the power switch sees it.

#pragma once

#include "messages/job.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <string>

namespace orderly {

/// Gets told how its jobs go, and has the last word before each leaves.
using job_client = caf::typed_actor<
  /// After its row is on disk, or at once where nothing of it was written. The
  /// same comes again if the owner asks again; `ended` may follow on `overdue`.
  caf::reacts_to<job_event>,
  /// Before each try to send. After five seconds of silence it stays here, and
  /// is asked about again; "no" ends the intent.
  caf::replies_to<ask_consent>::with<consent>>;

/// The last question before a command leaves the power switch: does what speaks
/// for it still speak for it now?
struct power_last_look {
  intent_id intent;
  /// What was read right before, by the helper that is to be commanded.
  power_state read = power_state::unknown;
};

struct power_last_word {
  bool stands = false;
  bool answers = false; ///< no, because the node's daemons answer
  std::string why;      ///< why not
};

/// Whoever orders a power command, in the name of automation or of a person:
/// looks again when the switch asks. Without its word no command leaves.
using power_witness = caf::typed_actor<
  /// After the intent is on disk, before the command of each level. It takes a
  /// look at the node, and a question to the guards; silence for as long as two
  /// checks and half a minute is "no".
  caf::replies_to<power_last_look>::with<power_last_word>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_last_look)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_last_word)
