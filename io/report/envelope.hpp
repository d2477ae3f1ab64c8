// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A report of a node in an envelope, as Ganeti's confd protocol has it: the
// text, a salt that whoever asked has thrown, and a code over both with the
// cluster's key; beside them a second code by SHA-256 and a signature with the
// agent's own key.
//
//   {"msg": TEXT, "salt": RSALT, "hmac": HEX, "hmac-sha256": HEX,
//    "key": HEX, "signature": HEX}
//
// and TEXT is {"node_uuid", "node_name", "time_ms", "report"}. Used by the
// agent, which seals, and by whoever asked it, who opens. Pure.

#pragma once

#include "io/report/node_key.hpp"
#include "messages/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orderly::io::report {

/// What a node says.
struct statement {
  std::string node_uuid;
  std::string node_name;
  instant time = never; ///< when it was sealed
  std::string report;   ///< JSON
};

/// The whole envelope. `report` of `what` must be JSON.
std::string seal(const statement& what, std::string_view salt,
                 std::string_view cluster_key, const node_key& own);

/// May `salt` be in a question? 16 to 64 letters, digits, `-` or `_`.
bool is_salt(std::string_view salt);

/// Why an answer is not believed, in the order in which it is looked at.
enum class refusal {
  too_large,      ///< more than `envelope_max`
  garbled,        ///< cut, a key twice, or no envelope at all
  wrong_salt,     ///< an answer to another question
  wrong_mac,      ///< not by who has a key of the cluster that counts
  wrong_node_key, ///< not by the agent that was first met on that node
  wrong_node,     ///< that of another node
  wrong_time,     ///< more than `clock_slack` off
  not_newer,      ///< older than the last one that was believed
};

inline constexpr refusal all_refusals[]
  = {refusal::too_large,  refusal::garbled,        refusal::wrong_salt,
     refusal::wrong_mac,  refusal::wrong_node_key, refusal::wrong_node,
     refusal::wrong_time, refusal::not_newer};

/// A word for counters, as in `wrong_mac`.
const char* to_string(refusal x);

inline constexpr std::size_t envelope_max = 512 * 1024;
inline constexpr millis clock_slack{seconds{300}};

/// What must be so for an answer to be believed.
struct expectation {
  std::string salt; ///< that was asked with
  std::string node_uuid;
  /// Of the agent that is known for that node; empty: none is known yet, and
  /// whoever answers is taken for it.
  std::string fingerprint;
  std::vector<std::string> keys; ///< of the cluster, that count now
  instant now = never;
  instant last = never; ///< the time in the last one that was believed
};

struct believed {
  statement what;
  std::string fingerprint; ///< of the agent that has said so
};

struct refused {
  refusal why = refusal::garbled;
  /// What is garbled, as a sentence about "it" or one that names the key; else
  /// empty.
  std::string what;
};

std::variant<believed, refused> open(std::string_view envelope,
                                     const expectation& wanted);

} // namespace orderly::io::report
