// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// orderly-repair: what Ganeti runs on a node as a restricted command. Takes the
// order that is deposited there, once, and runs the node's repair command.

#include "io/config/settings_file.hpp"
#include "io/files/output.hpp"
#include "io/files/standard.hpp"
#include "io/node_agent/repair.hpp"

#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

namespace {

using namespace orderly;
using io::node_agent::agent_settings;

constexpr const char* default_config = "/etc/orderly/agent.toml";

result<agent_settings> read_settings(std::string path) {
  if (path.empty()) {
    if (!std::filesystem::exists(default_config))
      return agent_settings{};
    path = default_config;
  }
  if (auto why = io::why_not_trusted(path); !why.empty())
    return fault{fault_kind::bad_input, why};
  return io::node_agent::load_agent_settings(path);
}

} // namespace

int main(int argc, char** argv) {
  io::begin_in_order();
  ::umask(0077);
  std::string config;
  CLI::App app{"orderly-repair takes the order that orderlyd deposited at this "
               "node, and runs its repair command\nwith the report on its "
               "standard input. Ganeti starts it, as a restricted command.\n\n"
               "Exit codes: 0 the command ended well; 1 nothing was run; 2 "
               "wrong usage or settings;\n3 the command failed, took too "
               "long, or was ended with us.\n\n"
               "Example, from the master:\n"
               "  gnt-node restricted-command orderly-repair NODE"};
  app.set_version_flag("--version", ORDERLY_VERSION);
  app.add_option("--config", config,
                 fmt::format("the agent's settings (default {} if it exists)",
                             default_config));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return io::after_output(app.exit(e) == 0 ? 0 : 2, "orderly-repair");
  }
  auto rules = read_settings(config);
  if (!rules) {
    io::put_line(stderr, rules.why().text);
    return 2;
  }
  auto done = io::node_agent::repair_once(*rules);
  io::put_line(done.code == 0 ? stdout : stderr, done.text);
  return done.code;
}
