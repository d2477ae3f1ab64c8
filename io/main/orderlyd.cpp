// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// orderlyd: the daemon. Wires the live ports (or, with --demo, simulated
// ones) to the tree of actors, serves HTTP, and waits for signals.

#include "actors/balance/planner.hpp"
#include "actors/tree/tree.hpp"
#include "io/agent/port.hpp"
#include "io/clock/offsets.hpp"
#include "io/config/loader.hpp"
#include "io/daemon/demo.hpp"
#include "io/daemon/gate.hpp"
#include "io/daemon/heart.hpp"
#include "io/ganeti/port.hpp"
#include "io/http/server.hpp"
#include "io/log/log.hpp"
#include "io/loop/loop.hpp"
#include "io/model/port.hpp"
#include "io/notify/notify.hpp"
#include "io/oob/port.hpp"
#include "io/sqlite/port.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <csignal>
#include <filesystem>
#include <random>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace orderly;

constexpr const char* default_config = "/etc/orderly/orderly.toml";

/// The journal was taken away, or put back from a backup: no restart mends
/// that, a person must look.
constexpr int exit_lost = 3;

struct options {
  std::string config;
  bool check = false;
  bool print = false;
  bool demo = false;
  std::string demo_folder;
  std::uint16_t demo_port = 1816;
};

/// The settings, or a line a problem on stderr and nothing.
std::optional<settings> read_settings(const options& o) {
  if (o.demo)
    return demo_settings(o.demo_folder, o.demo_port);
  auto path = o.config;
  if (path.empty()) {
    if (!std::filesystem::exists(default_config))
      return settings{};
    path = default_config;
  }
  auto loaded = io::load_settings(path);
  if (loaded)
    return *loaded;
  fmt::print(stderr, "{}\n", loaded.why().text);
  return std::nullopt;
}

/// Many probes at once need many sockets: all that the system grants.
void raise_file_limit() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0)
    return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

/// Signals that main waits for; blocked in all threads.
sigset_t block_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (auto s : {SIGTERM, SIGINT, SIGHUP, SIGUSR1})
    sigaddset(&set, s);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return set;
}

ports spawn_live(caf::actor_system& system, io::loop& loop,
                 const settings& rules) {
  auto ganeti = io::spawn_ganeti_ports(system, loop, rules);
  return {ganeti.cluster,
          ganeti.jobs,
          io::oob::spawn_power_port(system, loop, rules),
          io::agent::spawn_probe_port(system, loop, rules),
          io::spawn_sqlite_journal(system, rules),
          io::model::spawn_model_port(system, rules),
          system.spawn<caf::detached>(planner),
          system.spawn<caf::detached>(planner)};
}

/// New rules for everything that begins from now on; sockets and files stay.
void reload(const options& o, context& ctx) {
  io::notify_reloading();
  auto rules = read_settings(o);
  if (rules) {
    io::set_log_level(rules->log_level);
    ctx.replace(std::make_shared<const settings>(std::move(*rules)));
    spdlog::info("settings reloaded");
  } else {
    spdlog::error("settings not reloaded: the old ones stay in force");
  }
  io::notify_ready();
}

/// Waits for the end; the exit code.
int wait_for_signals(const sigset_t& set, const options& o, context& ctx) {
  for (;;) {
    int got = 0;
    if (sigwait(&set, &got) != 0)
      return 1;
    if (got == SIGHUP)
      reload(o, ctx);
    else if (got == SIGUSR1)
      return ctx.forbidden().empty() ? 1 : exit_lost;
    else
      return 0;
  }
}

/// Why we cannot keep a journal, or an empty text: another orderlyd that has
/// it, a damaged file, or one from a backup is told at once and not waited for.
journal_ack journal_trouble(caf::actor_system& system,
                            const journal_port& journal,
                            const settings& rules) {
  journal_ack found_out{true, {}};
  caf::scoped_actor self{system};
  self->request(journal, rules.journal.timeout, journal_read{1})
    .receive(
      [&](const journal_contents& found) {
        if (!found.readable)
          found_out = {false, found.text, found.lost};
      },
      [&](const caf::error&) {
        found_out
          = {false, fmt::format("journal {}: its disk did not answer in time",
                                rules.journal.path)};
      });
  return found_out;
}

void stop(caf::actor_system& system, const root_actor& root) {
  io::notify_stopping();
  caf::scoped_actor self{system};
  self->request(root, seconds{4}, stop_tree{})
    .receive([](const tree_stopped& s) { spdlog::info("{}", s.text); },
             [&](const caf::error&) {
               spdlog::warn("the tree did not stop in time");
               self->send_exit(root, caf::exit_reason::kill);
             });
}

template <class... Handles>
void end_all(caf::actor_system& system, const Handles&... handles) {
  caf::scoped_actor self{system};
  (self->send_exit(handles, caf::exit_reason::user_shutdown), ...);
}

result<std::unique_ptr<io::http::server>>
start_server(io::loop& loop, const gate_actor& gate, const settings& rules) {
  io::http::server_rules serve;
  serve.address = rules.http.address;
  serve.port = rules.http.port;
  serve.socket = rules.http.socket;
  serve.bounds.connections_max = rules.http.connections_max;
  serve.bounds.request_timeout = rules.http.request_timeout;
  io::http::route_rules routes;
  routes.reading_max_age = rules.cluster.picture_max_age;
  routes.own_uid = ::geteuid();
  return io::http::server::start(
    loop, serve, io::http::make_routes(loop, backend_of(gate), routes));
}

int run(const options& o, const settings& rules) {
  auto signals = block_signals();
  raise_file_limit();
  io::start_log(rules.log_level);
  caf::actor_system_config config;
  config.set("scheduler.policy", caf::atom("sharing"));
  caf::actor_system system{config};
  io::loop loop;
  auto clock_zero = system.clock().now();
  auto calendar_zero
    = std::chrono::floor<millis>(std::chrono::system_clock::now());
  std::random_device entropy;
  auto ctx = std::make_shared<context>(
    std::make_shared<const settings>(rules), clock_zero, calendar_zero,
    (static_cast<std::uint64_t>(entropy()) << 32) | entropy(), ORDERLY_VERSION);
  ctx->watch(io::read_clock_offsets);
  auto outside = o.demo
                   ? spawn_demo(system, io::spawn_sqlite_journal(system, rules),
                                rules, clock_zero, calendar_zero)
                   : spawn_live(system, loop, rules);
  if (auto found = journal_trouble(system, outside.journal, rules);
      !found.durable) {
    spdlog::error("{}", found.text);
    loop.stop();
    std::_Exit(found.lost ? exit_lost : 1);
  }
  auto root = spawn_tree(system, ctx, outside);
  auto gate = spawn_gate(system, root);
  auto code = 0;
  {
    auto server = start_server(loop, gate, rules);
    if (!server) {
      spdlog::error("{}", server.why().text);
      code = 1;
    } else {
      spdlog::info("orderlyd {} serves http://{}:{}/ and {}", ORDERLY_VERSION,
                   rules.http.address, (*server)->port(), rules.http.socket);
      auto main_pid = ::getpid();
      spawn_heart(system, root, [main_pid](const std::string& cause) {
        spdlog::error("the tree has failed for good: {}", cause);
        ::kill(main_pid, SIGUSR1);
      });
      code = wait_for_signals(signals, o, *ctx);
    }
  }
  stop(system, root);
  end_all(system, gate, outside.cluster, outside.jobs, outside.power,
          outside.probes, outside.journal, outside.model, outside.planner,
          outside.placer);
  // Actors may linger, think, and log: the logger stays, it keeps nothing
  // back, and no search is waited for.
  loop.stop();
  std::fflush(nullptr);
  std::_Exit(code);
}

} // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app{"orderlyd keeps a Ganeti cluster in order: it notices broken "
               "nodes, makes certain of it, and repairs instances.\n\n"
               "Examples:\n"
               "  orderlyd --config /etc/orderly/orderly.toml\n"
               "  orderlyd --check --config new.toml\n"
               "  orderlyd --print-config > orderly.toml\n"
               "  orderlyd --demo"};
  app.set_version_flag("--version", ORDERLY_VERSION);
  app.add_option(
    "--config", o.config,
    fmt::format("settings file (default {} if it exists)", default_config));
  app.add_flag("--check", o.check,
               "read the settings, tell what is wrong "
               "with them, and leave (0 or 2)");
  app.add_flag("--print-config", o.print,
               "print every setting with its value and meaning, and leave");
  app.add_flag("--demo", o.demo,
               "run on a simulated cluster in which things break");
  app.add_option("--demo-folder", o.demo_folder,
                 "where the demo keeps its journal and socket (default: a "
                 "new folder under the temporary one)");
  app.add_option("--demo-port", o.demo_port, "the demo's HTTP port");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  if (o.demo && o.demo_folder.empty()) {
    auto text = (std::filesystem::temp_directory_path() / "orderly-demo-XXXXXX")
                  .string();
    if (::mkdtemp(text.data()) == nullptr) {
      fmt::print(stderr, "cannot make a folder like {}\n", text);
      return 1;
    }
    o.demo_folder = text;
  }
  auto rules = read_settings(o);
  if (!rules)
    return 2;
  if (o.print)
    fmt::print("{}", io::render_settings(*rules));
  if (o.print || o.check)
    return 0;
  return run(o, *rules);
}
