// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The helper program of a scenario: what it answers when it is called, and
// what kind of file it is. What its answers mean is not decided here: they go
// through the decoder, and the file through the check, of the live port.

#pragma once

#include "io/oob/decode.hpp"
#include "messages/power.hpp"
#include "sim/conformance/read.hpp"

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace orderly::sim::conformance {

/// How one call goes.
struct helper_answer {
  int exit = 0;
  int signal = 0;
  std::string err;
  /// Unset: nothing, or for power-status whatever the machine really is.
  std::optional<std::string> out;
  millis takes{};
  /// What it is told to do happens to the machine, unless it fails.
  bool obeys = true;
};

/// Answers by program, command and node, as `given.helper` says:
///
///   COMMAND: ANSWER | [ANSWER, ...] | {NODE: ANSWER or such a list, ...}
///   PROGRAM: all of the above, for this program only
///
/// An ANSWER is the standard output, or an object of `exit`, `stdout`,
/// `stderr`, `delay` (seconds), `signal`, `timeout`, `powered`, `items` and
/// `obeys`. Of a list, each call takes one; the last one stays.
class helper_script {
public:
  /// Adds what `given` says. What is wrong with it, or nothing.
  std::string read(const json& given);

  helper_answer next(const std::string& program, power_verb verb,
                     const node_name& node);

  /// From now on every program answers so, whatever was said before.
  void always(power_verb verb, const node_name& node, helper_answer x);

private:
  using key = std::tuple<std::string, std::string, node_name>;

  std::string read_commands(const std::string& program, const json& all);

  std::map<key, std::deque<helper_answer>> answers_; ///< empty text: any
};

/// What kind of file a program is.
struct file_kind {
  bool exists = true;
  bool regular = true;
  unsigned mode = 0755;
};

/// Puts files of those kinds into a folder of its own, so that the live check
/// can look at them. What no kind is given for may be run.
class helper_files {
public:
  helper_files() = default;
  ~helper_files();

  helper_files(const helper_files&) = delete;
  helper_files& operator=(const helper_files&) = delete;

  /// `path` may be empty: every program without a kind of its own.
  void set(const std::string& path, const file_kind& what) {
    kinds_[path] = what;
  }

  /// As the live check says it of `path`; empty: it may be run.
  std::string why_not(const std::string& path);

private:
  const file_kind* kind_of(const std::string& path) const;

  std::map<std::string, file_kind> kinds_;
  std::filesystem::path folder_; ///< empty: not made yet
};

/// What the run of a helper that answers so comes to after `time_limit`.
/// `powered` is what the machine is at its end.
io::oob::outcome outcome_of(const helper_answer& x, power_verb verb,
                            millis time_limit, bool powered);

} // namespace orderly::sim::conformance
