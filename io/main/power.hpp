// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Puts the words of power control, which are policy, together with what
// carries them out over the daemon's socket. Used by the program `orderly`.

#pragma once

#include "actors/policy/power_options.hpp"
#include "actors/policy/power_sheets.hpp"
#include "io/console/errands.hpp"

namespace orderly {

inline io::console::errand_task task_of(const power::options& chosen) {
  io::console::errand_task x;
  x.wanted = chosen.wanted;
  x.asks = power::is_asked_about(chosen.wanted) && !chosen.yes;
  x.json = chosen.json;
  x.quiet = chosen.quiet;
  x.socket = chosen.socket;
  x.deadline = chosen.timeout;
  x.question = [wanted = chosen.wanted](const errand_sheet& dry) {
    return power::question(dry, wanted);
  };
  x.nodes_meant = [](const errand_sheet& dry) {
    return static_cast<std::uint32_t>(power::nodes_hit(dry).size());
  };
  x.progress = power::progress;
  x.print = [wanted = chosen.wanted](const errand_sheet& sheet) {
    auto text = power::print(sheet, wanted);
    return io::console::errand_text{text.out, text.err, text.code};
  };
  return x;
}

/// What the help of `orderly` tells of the power commands.
inline std::string power_help() {
  return "\nPower, each with a --help of its own:\n" + power::overview();
}

} // namespace orderly
