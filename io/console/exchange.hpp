// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One question to the daemon and its answer as JSON, or what went wrong as an
// exit code and a sentence. Used by all commands that talk to orderlyd.

#pragma once

#include "io/console/client.hpp"
#include "io/console/commands.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace orderly::io::console {

struct question {
  std::string method = "GET";
  std::string target;
  std::string body;
  /// Of an order: the command that shows whether it holds; empty: it is none.
  std::string look{};
};

struct heard {
  int code = exit_ok;
  nlohmann::json body; ///< an object, if `code` is ok
  std::string trouble; ///< a sentence, if it is not
  /// The daemon is away or too busy: it may be back in a moment.
  bool passing = false;
  /// It said so itself.
  bool busy = false;
};

/// Asks, and prints nothing.
heard hear(const client_rules& rules, const question& what);

/// Asks; what goes wrong is printed.
heard listen(const command_line& line, surroundings& with,
             const question& what);

/// What answers there is no orderlyd, or one of another version.
std::string strange_answer(const std::string& socket);

/// Prints a line to `err`; returns `code`.
int tell(surroundings& with, int code, const std::string& text);

/// The text member `name`, or empty.
std::string word(const nlohmann::json& x, const char* name);

} // namespace orderly::io::console
