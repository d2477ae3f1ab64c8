// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The commands of power control, run: asks the person where it must, has the
// errand begun, watches it to its end and prints its sheet. What to say is
// given by the program.

#pragma once

#include "io/console/commands.hpp"
#include "messages/errand.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace orderly::io::console {

struct errand_text {
  std::string out;
  std::string err;
  int code = 0;
};

/// One errand, and what is said of it.
struct errand_task {
  errand_request wanted;          ///< without `who`
  bool asks = false;              ///< the person first
  bool json = false;              ///< prints the sheet as it is
  bool quiet = false;             ///< no progress
  std::string socket;             ///< empty: the usual one
  std::optional<millis> deadline; ///< of one answer
  std::function<std::string(const errand_sheet&)> question; ///< of a dry sheet
  /// How many nodes the question is about.
  std::function<std::uint32_t(const errand_sheet&)> nodes_meant;
  std::function<std::string(const errand_sheet&)> progress; ///< one line
  std::function<errand_text(const errand_sheet&)> print;    ///< at the end
};

/// The words of a power command with the options of the program that stood
/// before it behind it; nothing if `args` is another command.
std::optional<std::vector<std::string>>
power_words(const std::vector<std::string>& args,
            const std::function<bool(const std::string&)>& is_power_command);

/// Returns the exit code. An errand that was begun goes on whatever happens
/// here.
int run_errand(const errand_task& task, surroundings& with);

} // namespace orderly::io::console
