// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The command `orderly`: what is going on in the cluster, and why; and the
// power of its nodes. Called as `harep`, or with that word first, it makes one
// pass of auto-repair instead.

#include "io/console/commands.hpp"
#include "io/console/power_task.hpp"
#include "io/console/terminal.hpp"
#include "io/files/output.hpp"
#include "io/files/standard.hpp"
#include "io/harep/harep.hpp"

#include <cstdlib>
#include <iostream>
#include <new>
#include <string_view>

#include <unistd.h>

namespace {

using namespace orderly;

int run_power(const std::vector<std::string>& words) {
  auto read = power::read_command(words);
  if (!read.text.empty()) {
    (read.code == 0 ? std::cout : std::cerr) << read.text;
    return io::after_output(read.code, "orderly");
  }
  auto with = io::console::real_surroundings(ORDERLY_VERSION);
  io::console::heed_interrupts(with);
  return io::console::run_errand(io::console::task_of(read.chosen), with);
}

/// However much a daemon answers, scripts are told by a code. Orders have small
/// answers.
[[noreturn]] void leave_without_memory() {
  constexpr std::string_view text = "orderly: there is not enough memory to "
                                    "show the answer\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  std::_Exit(1);
}

} // namespace

int main(int argc, char** argv) {
  io::begin_in_order();
  if (argc > 0 && std::string_view{argv[0]}.ends_with("harep"))
    run_harep({argv + 1, argv + argc});
  if (argc > 1 && std::string_view{argv[1]} == "harep")
    run_harep({argv + 2, argv + argc});
  std::set_new_handler(leave_without_memory);
  if (argc > 1)
    if (auto words = io::console::power_words({argv + 1, argv + argc},
                                              power::is_power_command))
      return run_power(*words);
  auto parsed = io::console::parse_command_line(argc, argv, ORDERLY_VERSION,
                                                io::console::more_help());
  if (!parsed.line) {
    (parsed.code == 0 ? std::cout : std::cerr) << parsed.text;
    return io::after_output(parsed.code, "orderly");
  }
  auto with = io::console::real_surroundings(ORDERLY_VERSION);
  return io::console::run(*parsed.line, with);
}
