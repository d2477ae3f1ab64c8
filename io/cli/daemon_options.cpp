// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/daemon_options.hpp"

#include <algorithm>
#include <sstream>

#include <CLI/CLI.hpp>

namespace orderly::io {

namespace {

constexpr const char* about
  = "orderlyd keeps a Ganeti cluster in order: it notices broken nodes, makes "
    "certain of it, and repairs instances.\n\n"
    "On a node of the cluster it leaves at once, with exit code 11, where that "
    "is not the master, or most nodes do not name it as theirs.\n\n"
    "Examples:\n"
    "  orderlyd --config /etc/orderly/orderly.toml\n"
    "  orderlyd --standby\n"
    "  orderlyd --check --config new.toml\n"
    "  orderlyd --print-config > orderly.toml\n"
    "  orderlyd --demo";

void offer_settings(CLI::App& app, daemon_options& o) {
  app.add_option("--config", o.config,
                 std::string{"settings file (default "} + default_config
                   + " if it exists)");
  app.add_flag("--check", o.check,
               "read the settings, tell what is wrong with them, and leave (0 "
               "or 2)");
  app.add_flag("--print-config", o.print,
               "print every setting with its value and meaning, and leave");
}

void offer_demo(CLI::App& app, daemon_options& o) {
  app.add_flag("--demo", o.demo,
               "run on a simulated cluster in which things break");
  app.add_option("--demo-folder", o.demo_folder,
                 "where the demo keeps its journal and socket (default: a "
                 "new folder under the temporary one)");
  app.add_option("--demo-port", o.demo_port, "the demo's HTTP port");
}

void offer_start(CLI::App& app, daemon_options& o, bool& sure) {
  app.add_flag("--standby", o.standby,
               "on a node that is not the master wait until it is");
  app.add_flag("--no-voting", o.no_voting,
               "do not ask the other nodes whether this one is the master; "
               "needs --yes-do-it");
  app.add_flag("--yes-do-it", sure, "means --no-voting");
  app.add_flag("-f,--foreground")
    ->description("stay in the foreground, as it does in any case");
  app.add_flag("-d,--debug", o.debug, "log more");
  app
    .add_option("-p,--port", o.port, "the HTTP port, not that of the settings")
    ->check(CLI::Range(0, 65535));
  app.add_option("-b,--bind", o.bind,
                 "the HTTP address, not that of the settings");
}

} // namespace

std::variant<daemon_options, daemon_end>
read_daemon_options(std::vector<std::string> args, const std::string& version) {
  daemon_options o;
  auto sure = false;
  CLI::App app{about, "orderlyd"};
  app.set_version_flag("--version", version);
  offer_settings(app, o);
  offer_start(app, o, sure);
  offer_demo(app, o);
  std::reverse(args.begin(), args.end()); // as CLI11 takes them
  try {
    app.parse(std::move(args));
  } catch (const CLI::ParseError& e) {
    std::ostringstream out;
    std::ostringstream err;
    auto well = app.exit(e, out, err) == 0;
    return daemon_end{well ? 0 : 2, well ? out.str() : err.str()};
  }
  if (o.no_voting && !sure)
    return daemon_end{1, "--no-voting lets a node act whose records may be "
                         "old: give --yes-do-it as well if no other one can "
                         "be the master\n"};
  return o;
}

} // namespace orderly::io
