// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the shell of a node tells trust.hpp: what was heard and read of the
// node, what persons want, and that time passes.

#pragma once

#include "messages/clock.hpp"
#include "messages/power.hpp"
#include "messages/sighting.hpp"
#include "messages/standing.hpp"

#include <string>
#include <variant>

namespace orderly::trust {

/// Something was heard of its daemons, by a check or a look.
struct heard {
  sighting seen;
};

/// The daemon begins to watch again, after an absence in which nobody did:
/// whoever was silent before may have lived meanwhile.
struct unwatched {};

/// A power status that was asked for, with what a person wants by then.
struct power_read {
  power_report report;
};

/// The same of a rehearsal.
struct rehearsed {
  power_report report;
};

/// A rehearsal got no answer from our own power switch.
struct rehearsal_lost {};

/// A command has ended, and its report tells of a person's wish.
struct wish_heard {
  power_wish wish;
};

/// The wish is in the node's facts, which come earlier than a reading.
struct wish_recorded {
  power_wish wish;
};

/// A person ordered it on: no proof from before that is worth anything.
struct ordered_on {
  instant at;
  std::string why; ///< "root ordered it on"
};

/// A command of a person's may have switched it on: it may boot.
struct raised {
  instant at;
};

/// The record says offline, and did not before.
struct taken_out {};

/// The record does not say offline.
struct in_service {};

/// The record was read, and the machine of host HA was told. Perhaps nobody
/// looks at it any more.
struct record_read {};

/// Somebody else read its power, for reasons of their own.
struct power_overheard {
  power_report report;
};

/// Why the daemons are asked: what depends on their answer.
enum class question {
  liar,    ///< is a controller that says off in a rehearsal a liar? It is
           ///< rated by that
  fenced,  ///< is a fenced node that reads off silent?
  offline, ///< is one that is marked offline?
  waning,  ///< an offline node was off, and nothing is read of it any more
  compare, ///< one that answered a moment ago reads off
  gossip,  ///< so does one that somebody else asked
  telling, ///< instances wait for a proof: what is a person to be told?
};

/// The daemons were asked, see `ask_daemons`.
struct daemons_said {
  question why = question::compare;
  power_report report; ///< that made us ask; of `telling` and `waning`: none
  bool answered_before = false;
  instant since; ///< of `telling`: for which wait
  sighting seen;
};

/// A row for that proof is on disk.
struct proof_is_kept {
  proof found;
  std::string program = {}; ///< the helper that said off
};

/// The machine was told of a reading, and this is its proof by now.
struct machine_renewed {};

/// Nobody can be asked any more: the reading or the look failed.
struct reading_lost {};

/// It is recorded powered off by now, and was not: what read as on before that
/// may have been switched off by hand.
struct recorded_off {};

/// Time passes: proofs may be too old, or waited for too long.
struct proofs_due {};

/// The machine has dropped a proof that was too old.
struct proof_dropped {};

/// Time passes: does somebody have to hear that nobody treats it?
struct untreated_due {};

/// The machine's fence read on before it read off: that helper is no liar.
struct said_on_before {
  power_report report;
};

/// A fence reads off, but the node answers.
struct fence_denied {
  power_report report;
};

using event
  = std::variant<heard, unwatched, power_read, rehearsed, rehearsal_lost,
                 wish_heard, wish_recorded, ordered_on, raised, taken_out,
                 in_service, record_read, power_overheard, daemons_said,
                 proof_is_kept, machine_renewed, reading_lost, recorded_off,
                 proofs_due, proof_dropped, untreated_due, said_on_before,
                 fence_denied>;

} // namespace orderly::trust
