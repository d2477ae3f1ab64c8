// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// orderlyd: wires the live ports (or, with --demo, simulated ones) to the tree
// of actors, serves HTTP, and waits for signals.

#include "actors/balance/planner.hpp"
#include "actors/console/console.hpp"
#include "actors/tree/tree.hpp"
#include "io/agent/port.hpp"
#include "io/cli/daemon_options.hpp"
#include "io/clock/offsets.hpp"
#include "io/config/loader.hpp"
#include "io/config/settings_file.hpp"
#include "io/config/settled.hpp"
#include "io/daemon/demo.hpp"
#include "io/daemon/doors.hpp"
#include "io/daemon/heart.hpp"
#include "io/daemon/journal_start.hpp"
#include "io/daemon/memory.hpp"
#include "io/daemon/strangers.hpp"
#include "io/door/listen.hpp"
#include "io/files/output.hpp"
#include "io/files/standard.hpp"
#include "io/ganeti/port.hpp"
#include "io/limits/limits.hpp"
#include "io/log/log.hpp"
#include "io/loop/loop.hpp"
#include "io/model/port.hpp"
#include "io/node_reports/port.hpp"
#include "io/node_reports/vote.hpp"
#include "io/notify/notify.hpp"
#include "io/oob/port.hpp"
#include "io/sqlite/port.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace orderly;
constexpr int exit_lost = 3; ///< journal taken away, or a backup: look at it
constexpr seconds stop_patience{4}; ///< less than systemd's
using options = io::daemon_options;

std::string place_of(const options& o) {
  return o.config.empty() ? io::default_config : o.config;
}

/// What the command line says goes over what the file says.
settings with_options(settings rules, const options& o) {
  rules.http.port = o.port.value_or(rules.http.port);
  if (!o.bind.empty())
    rules.http.address = o.bind;
  if (o.debug)
    rules.log_level = "debug";
  return rules;
}

/// Both, if they fit together.
result<settings> checked(const result<settings>& loaded, const options& o) {
  if (!loaded)
    return loaded;
  auto rules = with_options(*loaded, o);
  auto why = io::http::why_no_address(rules.http.address);
  return why.empty() ? result<settings>{std::move(rules)}
                     : fault{fault_kind::bad_input, why};
}

/// The settings, or a line a problem. `again`: while it runs a file that is
/// gone, or empty, is no wish.
result<settings> read_settings(const options& o, bool again = false) {
  if (o.demo)
    return with_options(demo_settings(o.demo_folder, o.demo_port), o);
  auto path = place_of(o);
  if (!again && o.config.empty() && !std::filesystem::exists(path))
    return checked(settings{}, o);
  if (auto why = io::why_not_trusted(path); !why.empty())
    return fault{fault_kind::bad_input, why};
  auto text = again ? io::text_to_reload(path) : io::settings_text(path);
  return text ? checked(io::load_settings_text(*text, path), o)
              : result<settings>{text.why()};
}

/// The code to leave with where this node may not act; else zero.
int code_unless_master(const options& o, const settings& rules) {
  if (o.demo || o.standby)
    return 0;
  io::node_reports::vote_place here;
  here.folder = rules.agents.folder;
  here.self = io::own_node(rules);
  here.port = rules.host_ha.daemon_port;
  here.voting = !o.no_voting;
  here.tell = [](const std::string& text) { io::put_line(stderr, text); };
  here.pause = [](millis span) { std::this_thread::sleep_for(span); };
  auto found = io::node_reports::hold_vote(here);
  if (found.what == start_step::go)
    return 0;
  io::put_line(
    stderr, found.why + ": leaves; with --standby it waits to be the master");
  return exit_not_master;
}

/// Signals that main waits for; blocked in all threads.
sigset_t block_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (auto s : {SIGTERM, SIGINT, SIGHUP, SIGUSR1})
    sigaddset(&set, s);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGHUP, SIG_DFL);
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

/// For once the journal is ours: whoever had it before us is gone, and what
/// that one started must not act beside us.
std::function<void()> end_leftovers(std::string journal) {
  return [journal = std::move(journal)] {
    if (auto count = io::oob::end_earlier_helpers(journal); count > 0)
      spdlog::warn("{} processes of helpers were left by an earlier life of "
                   "orderlyd, and were ended",
                   count);
  };
}

journal_port spawn_journal(caf::actor_system& system, const settings& rules,
                           const context_ptr& ctx) {
  return io::spawn_sqlite_journal(system, rules,
                                  end_leftovers(rules.journal.path),
                                  [ctx] { return ctx->on_duty(); });
}

ports spawn_live(caf::actor_system& system, io::loop& loop,
                 const settings& rules, const context_ptr& ctx) {
  auto ganeti = io::spawn_ganeti_ports(
    system, loop, rules,
    [](const std::string& word) { spdlog::warn("{}", word); },
    [ctx] { return ctx->rules()->cluster.poll_timeout; });
  return {ganeti.cluster,
          ganeti.jobs,
          io::oob::spawn_power_port(system, loop, rules, rules.journal.path),
          io::agent::spawn_probe_port(system, loop, rules),
          spawn_journal(system, rules, ctx),
          io::model::spawn_model_port(system, rules),
          system.spawn<caf::detached>(planner),
          system.spawn<caf::detached>(planner),
          spawn_agents(system, loop, rules)};
}

/// New rules for everything that begins from now on; sockets and files stay.
void reload(const options& o, context& ctx) {
  io::notify_reloading();
  auto read = read_settings(o, true);
  auto rules = read ? std::optional{*read} : std::nullopt;
  if (!read)
    spdlog::error("{}", read.why().text);
  if (rules) {
    for (const auto& key : io::keep_settled(*rules, *ctx.rules()))
      spdlog::warn("{} stays as it is until a restart", key);
    auto wrong = contradictions(*rules);
    for (const auto& text : wrong)
      spdlog::error("with what stays until a restart: {}", text);
    if (!wrong.empty())
      rules.reset();
  }
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

void stop(caf::actor_system& system, const root_actor& root) {
  io::notify_stopping();
  caf::scoped_actor self{system};
  self->request(root, stop_patience, stop_tree{})
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
  ctx->watch(io::read_clock_offsets, io::read_boot_name());
  return ctx;
}

/// Zero, or the code to leave with because no journal can be kept. What may
/// pass is told and waited for, and until then nothing is begun.
int code_without_journal(caf::actor_system& system, const journal_port& journal,
                         const settings& rules, context& ctx) {
  auto found = look_at_journal(system, journal, rules.journal.timeout,
                               rules.journal.path);
  switch (found.how) {
  case journal_start::ours:
    return 0;
  case journal_start::waits:
    ctx.set_journal_trouble(found.text);
    return 0;
  case journal_start::refused:
    spdlog::error("{}{}", found.text, io::word_on_memory());
    return 1;
  case journal_start::lost:
    spdlog::error("{}", found.text);
    return exit_lost;
  }
  return 1;
}

/// What a handler of the ports let out: the first ones, and every so often.
void tell_failure(const std::string& why) {
  io::end_if_it_was_a_lack();
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

[[noreturn]] void leave(int code) {
  io::end_log();
  std::_Exit(code);
}

[[noreturn]] void end_with(const std::string& why) {
  spdlog::error("{}", why);
  leave(2);
}

int run(const options& o, const settings& rules) {
  auto signals = block_signals();
  auto lack = io::settle_limits("orderlyd");
  io::start_log(rules.log_level);
  if (!lack.empty())
    end_with(lack);
  // Before all else: whoever comes first has the place.
  auto tells = std::make_shared<alerts>();
  auto room = std::make_shared<free_room>(-1);
  doors ways{rules, io::inherited_sockets(), tells, room};
  if (auto why = ways.open(); !why.empty())
    end_with(why);
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
  auto outside = o.demo ? spawn_demo(system, spawn_journal(system, rules, ctx),
                                     rules, clock_zero, calendar_zero)
                        : spawn_live(system, loop, rules, ctx);
  if (auto code = code_without_journal(system, outside.journal, rules, *ctx);
      code != 0) {
    ways.close();
    loop.stop();
    leave(code);
  }
  auto root = spawn_tree(system, ctx, outside, [](const std::string& cause) {
    spdlog::error("all services failed together and are raised again: {}{}",
                  cause, io::word_on_memory());
  });
  tells->connect(system, root, ctx);
  auto watch = spawn_room_watch(system, ctx, tells, room);
  auto thrift = spawn_memory_watch(system);
  auto answers = spawn_console(system, ctx, root);
  auto strangers = spawn_stranger_watch(system, ctx, answers, tells);
  auto gate = spawn_gate(system, answers);
  ways.connect(gate, ctx);
  spawn_heart(system, root, outside, [](const std::string& cause) {
    spdlog::error("the tree, or a port of it, has failed for good: {}", cause);
    ::kill(::getpid(), SIGUSR1);
  });
  auto code = wait_for_signals(signals, o, *ctx);
  ways.close();
  stop(system, root);
  end_all(system, gate, answers, strangers, watch, thrift, outside.cluster,
          outside.jobs, outside.power, outside.probes, outside.journal,
          outside.model, outside.planner, outside.placer, outside.agents);
  // Actors may linger, think, and log: the logger stays, it keeps nothing
  // back, and no search is waited for.
  loop.stop();
  std::fflush(stdout);
  leave(code);
}

} // namespace

int main(int argc, char** argv) {
  io::begin_in_order();
  // There is nothing to be read again yet.
  std::signal(SIGHUP, SIG_IGN);
  // Whatever we make is nobody else's, whoever starts us.
  ::umask(0077);
  auto read = io::read_daemon_options({argv + 1, argv + argc}, ORDERLY_VERSION);
  if (const auto* end = std::get_if<io::daemon_end>(&read)) {
    std::fputs(end->text.c_str(), end->code == 0 ? stdout : stderr);
    return io::after_output(end->code, "orderlyd");
  }
  auto o = std::get<options>(read);
  if (o.demo && o.demo_folder.empty()) {
    auto made = make_demo_folder();
    if (!made) {
      io::put_line(stderr, made.why().text);
      return 1;
    }
    o.demo_folder = *made;
  }
  auto rules = read_settings(o);
  if (!rules) {
    io::put_line(stderr, rules.why().text);
    return 2;
  }
  if (o.print)
    std::fputs(io::render_settings(*rules).c_str(), stdout);
  if (o.check)
    for (const auto& why : warnings_of(o, *rules))
      io::put_line(stderr, "warning: " + why);
  if (o.print || o.check)
    return io::after_output(0, "orderlyd");
  if (auto code = code_unless_master(o, *rules); code != 0)
    return code;
  return run(o, *rules);
}
