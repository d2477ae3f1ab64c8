// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the user typed, understood. Made by `parse_command_line`, carried out
// by `run`.

#pragma once

#include "messages/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orderly::io::console {

enum class verb {
  status,
  nodes,
  instances,
  decisions,
  explain,
  advice,
  repair,
  pause,
  resume,
  errands,
  errand,
  agents,
  incidents,
  incident,
  cancel,
  ack,
  forget,
  balance,
  plan,
  version,
};

/// Why the program ended; the numbers are part of the interface.
enum exit_code : int {
  exit_ok = 0,
  exit_failed = 1,
  exit_usage = 2,
  exit_refused = 3, ///< nothing done
  exit_not_found = 4,
  exit_unreachable = 5, ///< nobody listens at the socket
  exit_permission = 6,
  exit_something = 10,    ///< `plan`: there is something to do
  exit_not_well = 11,     ///< `plan --what-if`
  exit_interrupted = 130, ///< what was begun goes on
  exit_timed_out = 124,   ///< no answer; of an order nobody knows if it holds
};

struct command_line {
  verb what = verb::status;
  std::string socket;
  bool json = false;
  bool headers = true;
  std::optional<std::string> separator;
  millis deadline = seconds{15};
  std::uint32_t limit = 20; ///< decisions
  bool follow = false;      ///< decisions
  /// decisions, explain, repair, errand, incident and what is done to it
  std::string object;
  std::optional<std::uint64_t> serial_no; ///< cancel, ack, forget
  bool stop = false;                      ///< errand
  bool all = false;     ///< advice: also what is simply healthy
  std::string phase;    ///< advice: only in this one
  std::string needed;   ///< advice: only where this is needed
  std::string type;     ///< repair
  std::string reason;   ///< pause
  bool dry_run = false; ///< balance: have a plan made and print it
  std::vector<std::string> explained; ///< balance --dry-run: these instances
  std::vector<std::string> changes;   ///< plan --what-if: all of them together
  bool advise = false;                ///< plan --what-if: say what to buy
  std::string link = "1g";            ///< plan --what-if: of a node's network
  std::string pools;                  ///< plan --what-if: a file, or none
  std::string luxi; ///< plan --what-if: luxid's socket; empty: the usual one
};

struct understood {
  std::optional<command_line> line; ///< missing: print `text` and end
  int code = exit_ok;
  std::string text; ///< help to stdout if `code` is 0, else to stderr
};

/// `more_commands` is what the help tells of commands that are read elsewhere.
understood parse_command_line(int argc, const char* const* argv,
                              const std::string& version,
                              const std::string& more_commands = {});

/// The variable that names the socket for those who give no --socket.
inline constexpr const char* socket_variable = "ORDERLY_SOCKET";

/// Why nothing is asked by it: it is set and names nothing. The usual socket
/// is not taken then, since it may be that of a daemon that is not meant.
std::optional<std::string> wrong_socket_variable();

} // namespace orderly::io::console
