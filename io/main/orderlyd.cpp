// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// orderlyd: the daemon. Wires the live ports (or, with --demo, simulated
// ones) to the tree of actors, serves HTTP, and waits for signals.

#include "actors/balance/planner.hpp"
#include "actors/console/console.hpp"
#include "actors/tree/tree.hpp"
#include "io/agent/port.hpp"
#include "io/clock/offsets.hpp"
#include "io/config/loader.hpp"
#include "io/config/settings_file.hpp"
#include "io/daemon/demo.hpp"
#include "io/daemon/doors.hpp"
#include "io/daemon/heart.hpp"
#include "io/door/listen.hpp"
#include "io/ganeti/port.hpp"
#include "io/log/log.hpp"
#include "io/loop/loop.hpp"
#include "io/model/port.hpp"
#include "io/node_reports/port.hpp"
#include "io/notify/notify.hpp"
#include "io/oob/port.hpp"
#include "io/sqlite/port.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

std::string place_of(const options& o) {
  return o.config.empty() ? default_config : o.config;
}

/// The settings, or a line a problem on stderr and nothing.
std::optional<settings> read_settings(const options& o) {
  if (o.demo)
    return demo_settings(o.demo_folder, o.demo_port);
  auto path = place_of(o);
  if (o.config.empty() && !std::filesystem::exists(path))
    return settings{};
  if (auto why = io::why_not_trusted(path); !why.empty()) {
    fmt::print(stderr, "{}\n", why);
    return std::nullopt;
  }
  auto loaded = io::load_settings(path);
  auto why = loaded ? io::http::why_no_address(loaded->http.address)
                    : loaded.why().text;
  if (why.empty())
    return *loaded;
  fmt::print(stderr, "{}\n", why);
  return std::nullopt;
}

/// One huge answer would have the allocator keep what others are made of, too,
/// and keep it for good.
void give_memory_back() {
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

/// Many probes at once need many sockets: all that the system grants.
void settle_limits() {
  give_memory_back();
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

/// None if nobody is to be asked.
agent_port spawn_agents(caf::actor_system& system, io::loop& loop,
                        const settings& rules) {
  if (rules.agents.port == 0)
    return {};
  return io::node_reports::spawn_agent_port(
    system, loop, rules,
    [](const std::string& text) { spdlog::warn("{}", text); });
}

ports spawn_live(caf::actor_system& system, io::loop& loop,
                 const settings& rules) {
  auto ganeti
    = io::spawn_ganeti_ports(system, loop, rules, [](const std::string& word) {
        spdlog::warn("{}", word);
      });
  return {ganeti.cluster,
          ganeti.jobs,
          io::oob::spawn_power_port(system, loop, rules, rules.journal.path),
          io::agent::spawn_probe_port(system, loop, rules),
          io::spawn_sqlite_journal(system, rules),
          io::model::spawn_model_port(system, rules),
          system.spawn<caf::detached>(planner),
          system.spawn<caf::detached>(planner),
          spawn_agents(system, loop, rules)};
}

/// New rules for everything that begins from now on; sockets and files stay.
void reload(const options& o, context& ctx) {
  io::notify_reloading();
  auto nothing = o.demo ? std::string{} : io::why_nothing_to_read(place_of(o));
  auto rules = nothing.empty() ? read_settings(o) : std::nullopt;
  if (!nothing.empty())
    spdlog::error("{}", nothing);
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

context_ptr make_context(const settings& rules,
                         caf::actor_clock::time_point clock_zero,
                         instant calendar_zero) {
  std::random_device entropy;
  auto ctx = std::make_shared<context>(
    std::make_shared<const settings>(rules), clock_zero, calendar_zero,
    (static_cast<std::uint64_t>(entropy()) << 32) | entropy(), ORDERLY_VERSION);
  ctx->watch(io::read_clock_offsets);
  return ctx;
}

/// The journal is ours, so whoever had it before us is gone.
void end_leftovers(const settings& rules) {
  if (auto count = io::oob::end_earlier_helpers(rules.journal.path); count > 0)
    spdlog::warn("{} processes of helpers were left by an earlier life of "
                 "orderlyd, and were ended",
                 count);
}

/// What a handler of the ports let out: the first ones, and every so often.
void tell_failure(const std::string& why) {
  static std::atomic<std::uint64_t> count{0};
  auto nth = ++count;
  if (nth <= 10 || nth % 1000 == 0)
    spdlog::error("an exception ended a call of a port, the {}th: {}", nth,
                  why);
}

/// What a person should know of the settings, though they are taken.
std::vector<std::string> warnings_of(const options& o, const settings& rules) {
  std::vector<std::string> result;
  if (auto why = exposure_of(rules); !why.empty())
    result.push_back(std::move(why));
  if (!o.demo && rules.maintenance.mode == repair_mode::act
      && rules.agents.port == 0)
    result.emplace_back("maintenance.mode is \"act\", but agents.port is 0: "
                        "no node is asked for its report, and nothing is done");
  for (auto& why : io::places_of_others(rules))
    result.push_back(std::move(why));
  return result;
}

int run(const options& o, const settings& rules) {
  auto signals = block_signals();
  settle_limits();
  io::start_log(rules.log_level);
  // Before all else: whoever comes first has the place.
  auto tells = std::make_shared<alerts>();
  auto room = std::make_shared<free_room>(-1);
  doors ways{rules, io::inherited_sockets(), tells, room};
  if (auto why = ways.open(); !why.empty()) {
    spdlog::error("{}", why);
    std::_Exit(2);
  }
  spdlog::info("orderlyd {} serves {}", ORDERLY_VERSION, ways.places());
  for (const auto& why : warnings_of(o, rules))
    spdlog::warn("{}", why);
  caf::actor_system_config config;
  config.set("scheduler.policy", caf::atom("sharing"));
  caf::actor_system system{config};
  io::loop loop{{.failed = tell_failure}};
  auto clock_zero = system.clock().now();
  auto calendar_zero
    = std::chrono::floor<millis>(std::chrono::system_clock::now());
  auto ctx = make_context(rules, clock_zero, calendar_zero);
  auto outside = o.demo
                   ? spawn_demo(system, io::spawn_sqlite_journal(system, rules),
                                rules, clock_zero, calendar_zero)
                   : spawn_live(system, loop, rules);
  if (auto found = journal_trouble(system, outside.journal, rules);
      !found.durable) {
    spdlog::error("{}", found.text);
    ways.close();
    loop.stop();
    std::_Exit(found.lost ? exit_lost : 1);
  }
  end_leftovers(rules);
  auto root = spawn_tree(system, ctx, outside, [](const std::string& cause) {
    spdlog::error("all services failed together and are raised again: {}",
                  cause);
  });
  tells->connect(system, root, ctx);
  auto watch = spawn_room_watch(system, ctx, tells, room);
  auto answers = spawn_console(system, ctx, root);
  auto gate = spawn_gate(system, answers);
  ways.connect(gate, ctx);
  spawn_heart(system, root, outside, [](const std::string& cause) {
    spdlog::error("the tree, or a port of it, has failed for good: {}", cause);
    ::kill(::getpid(), SIGUSR1);
  });
  auto code = wait_for_signals(signals, o, *ctx);
  ways.close();
  stop(system, root);
  end_all(system, gate, answers, watch, outside.cluster, outside.jobs,
          outside.power, outside.probes, outside.journal, outside.model,
          outside.planner, outside.placer, outside.agents);
  // Actors may linger, think, and log: the logger stays, it keeps nothing
  // back, and no search is waited for.
  loop.stop();
  std::fflush(nullptr);
  std::_Exit(code);
}

} // namespace

int main(int argc, char** argv) {
  // Whatever we make is nobody else's, whoever starts us.
  ::umask(0077);
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
  if (o.check)
    for (const auto& why : warnings_of(o, *rules))
      fmt::print(stderr, "warning: {}\n", why);
  if (o.print || o.check)
    return 0;
  return run(o, *rules);
}
