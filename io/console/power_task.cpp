// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/power_task.hpp"

#include "actors/policy/errand/nodes_hit.hpp"
#include "io/cli/power_sheets.hpp"

namespace orderly::io::console {

errand_task task_of(const power::options& chosen) {
  errand_task x;
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
    return static_cast<std::uint32_t>(nodes_hit(dry).size());
  };
  x.progress = power::progress;
  x.print = [wanted = chosen.wanted](const errand_sheet& sheet) {
    auto text = power::print(sheet, wanted);
    return errand_text{text.out, text.err, text.code};
  };
  return x;
}

std::string more_help() {
  return "\nPower, each with a --help of its own:\n" + power::overview()
         + "\nWithout the daemon, with a --help of its own, as the first "
           "word:\n"
           "  harep        One pass of auto-repair, as from cron\n";
}

} // namespace orderly::io::console
