// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How nodes and instances stand, as their actors tell the rest: phases, proofs
// without which no instance starts elsewhere, rehearsals, repairs.

#pragma once

#include "messages/ids.hpp"
#include "messages/permit.hpp"
#include "messages/power.hpp"
#include "messages/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace orderly {

enum class proof_level {
  power_status,  ///< a power status that was read says off
  operator_word, ///< a person said so, by name
};

/// Why it is certain that `node` cannot run anything. Rule: an instance is
/// restarted elsewhere only with such a proof, younger than its validity.
struct proof {
  node_name node;
  proof_level level = proof_level::power_status;
  std::string text; ///< "power status off, read 12:00:03"
  instant at;       ///< when it was read or said: its age counts from then

  friend bool operator==(const proof&, const proof&) = default;
};

/// The ten states of host HA (spec host-ha A.1).
enum class ha_phase {
  disabled,
  ineligible,
  available,
  suspect,
  checking,
  degraded,
  recovering,
  recovered,
  fencing,
  fenced,
};

const char* to_string(ha_phase x);
ha_phase ha_phase_from(const std::string& text, ha_phase fallback);

/// Could this node be fenced? Found out by asking its controller now and then.
enum class protection {
  none,        ///< it has no power control
  unrehearsed, ///< not asked yet
  proven,      ///< its controller answers, and the answer makes sense
  unproven,    ///< it does not, or it makes none
};

inline const char* to_string(protection x) {
  switch (x) {
  case protection::none:
    return "none";
  case protection::unrehearsed:
    return "unrehearsed";
  case protection::proven:
    return "protected";
  case protection::unproven:
    return "unprotected";
  }
  return "?";
}

/// What the last rehearsal of a node's power control gave.
struct rehearsal {
  protection result = protection::none;
  std::string why; ///< "power status on by oob-ipmi", or what is wrong
  instant at;      ///< `never`: there was none yet
  power_state seen = power_state::unknown;
  /// The record says something else: "recorded off, is on"; empty: it agrees.
  std::string mismatch;

  friend bool operator==(const rehearsal&, const rehearsal&) = default;
};

/// A person's word that a node is off, where no controller can prove it.
struct off_word {
  node_name node;
  std::string who;
  std::string reason;
  instant until; ///< nobody waits for the answer any more; `never`: no bound
  /// The words about the node that are not believed yet are taken back.
  bool taken_back = false;
  /// It counts though no other node answers, and our own link may be cut.
  bool ignore_silence = false;
  /// An emergency power-off had it, and ends if the word counts.
  bool ends_hold = false;
};

struct off_word_answer {
  bool taken = false; ///< or taken back, if that was asked for
  std::string text;   ///< what follows, or why it was not taken
};

/// Published by a node actor whenever something in it changes.
struct node_standing {
  node_name node;
  ha_phase phase = ha_phase::available;
  instant since;        ///< of that phase
  std::string reason;   ///< why it is in that phase
  incident_id incident; ///< empty: none is open
  std::optional<proof> proved_down;
  /// Why no off of its power control is believed, a clause; empty: it is.
  std::string doubt;
  /// Those of its helpers; who was caught at a lie comes last.
  std::vector<std::string> unbelieved;
  std::string waits_for; ///< what would have to happen next, for `explain`
  /// Asks for leave to fence or to reset it, and has not got it yet.
  std::optional<act_kind> wants;
  /// True if the node fails its health checks or is under our treatment:
  /// what the storm guard counts.
  bool troubled = false;
  /// It should live: the record has it online and powered, and no person wants
  /// it off. The storm guard counts no others, neither as nodes nor as trouble.
  bool counted = true;
  /// Why nothing is placed there though the record has it in service: a person
  /// wants it off. Empty: it is a place.
  std::string closed;
  /// Its power control was asked since it was marked offline, and answered or
  /// gave up.
  bool power_asked = false;
  rehearsal power_control;
  /// What its power was read as last, and since when it is read so. Asked for
  /// only while it matters: compare `phase`.
  power_state power = power_state::unknown;
  instant power_since;
  std::string power_text; ///< of the first such reading
  /// Something answered its last check or look, if only to refuse.
  bool answers = false;
  bool looked_at = true; ///< its daemons are asked from time to time
  /// Of one that answered and was not looked at since: when. It may be dead.
  instant answered_at;
  /// Since when nothing of it is heard, or nobody looks; `never`: it is heard.
  instant unheard_since;
  /// Its power was read off, or it was proved off, within a minute of falling
  /// silent, and nothing says otherwise since: it wrote nothing after that.
  bool quiet = false;
  /// Since when that silence is watched, if nobody did before: it may have
  /// lived until then; `never`: from its begin.
  instant watched_since;
  /// While it is not: when anything of it answered last; `never`: not known.
  instant heard_at;
  /// When it was heard again after its last silence, and how long that was;
  /// `never`: none is known.
  instant heard_again;
  millis silence{};
  /// Something that should run is at home there, by the record.
  bool is_home = false;
  std::string held; ///< why automation leaves it alone; empty: it does not
  /// Of one that is held: since when its daemons answer each check, in service
  /// and with no order under way to switch it off; and since when they do not.
  /// `never`: that is not so, or not known.
  instant answers_since;
  instant silent_since;
  /// Who wants it off, and why, if it was not fenced as dead; or empty.
  std::string wanted_off;
  /// Of one in service: nobody has asked its daemons since then, by when this
  /// was told; `never`: they were asked. The first answer is told only if it is
  /// trouble.
  instant unchecked_since;

  friend bool operator==(const node_standing&, const node_standing&) = default;
};

/// Repairs by rising risk; a permission includes the ones before it.
enum class repair_type { fix_storage, migrate, failover, reinstall };

inline const char* to_string(repair_type x) {
  switch (x) {
  case repair_type::fix_storage:
    return "fix-storage";
  case repair_type::migrate:
    return "migrate";
  case repair_type::failover:
    return "failover";
  case repair_type::reinstall:
    return "reinstall";
  }
  return "?";
}

/// How an instance stands with auto-repair.
enum class repair_phase { healthy, needs_repair, pending, failed };

inline const char* to_string(repair_phase x) {
  switch (x) {
  case repair_phase::healthy:
    return "healthy";
  case repair_phase::needs_repair:
    return "needs-repair";
  case repair_phase::pending:
    return "pending";
  case repair_phase::failed:
    return "failed";
  }
  return "?";
}

/// What auto-repair does about what it finds. The first two are what settings
/// choose between, in the order of their knob.
enum class repair_mode {
  act,
  observe, ///< tells what it would do
  off,
};

inline const char* to_string(repair_mode x) {
  switch (x) {
  case repair_mode::act:
    return "act";
  case repair_mode::observe:
    return "observe";
  case repair_mode::off:
    return "off";
  }
  return "?";
}

/// What the tags let be done to an instance.
struct repair_leave {
  bool suspended = false;          ///< hands off, whatever else they say
  std::optional<repair_type> most; ///< the riskiest; nothing: none at all

  friend bool operator==(const repair_leave&, const repair_leave&) = default;
};

/// `none`, `suspended` or a repair type.
inline const char* to_string(const repair_leave& x) {
  return x.suspended ? "suspended" : x.most ? to_string(*x.most) : "none";
}

/// Published by an instance actor whenever something in it changes.
struct instance_standing {
  instance_name instance;
  std::optional<repair_phase> phase; ///< nothing: not looked at yet
  std::string why;
  std::string permission; ///< level and the object and tag it comes from
  std::string waits_for;  ///< a clause; empty: nothing
  incident_id incident;   ///< of its repair; empty: none
  node_name primary;
  bool broken = false;
  std::string wrong; ///< "primary node2 is offline"; empty: nothing
  std::optional<repair_type> needed; ///< what it takes; nothing: none helps
  repair_leave allowed;
  bool permitted = false;   ///< what it takes is, by policy or a once-off tag
  bool misnamed = false;    ///< its only pending tags permit nothing here
  std::string permitted_by; ///< object and tag, or why none: `source`
  std::string next;         ///< the step that would be taken; or empty
  /// Nodes out of service that hold a copy of its data and are not proved
  /// off: what is said of it must not cost that copy.
  std::vector<node_name> may_live;
  /// Tags that cannot be what they look like: its own, and those that it
  /// shares with others, of its group and of the cluster.
  std::vector<std::string> remarks;
  std::vector<std::string> shared_remarks;
  std::vector<job_id> jobs; ///< of the current repair, all of them
  /// Nothing goes on that a single pass over the cluster would wait for.
  bool settled = false;

  friend bool operator==(const instance_standing&, const instance_standing&)
    = default;
};

/// What it shares with others comes last.
std::vector<std::string> all_remarks(const instance_standing& x);

} // namespace orderly
