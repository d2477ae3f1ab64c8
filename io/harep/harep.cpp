// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/harep/harep.hpp"

#include "actors/journal/memory_journal.hpp"
#include "actors/pass/pass.hpp"
#include "actors/pass/world.hpp"
#include "io/agent/port.hpp"
#include "io/cli/pass_settings.hpp"
#include "io/clock/offsets.hpp"
#include "io/config/loader.hpp"
#include "io/config/settings_file.hpp"
#include "io/console/client.hpp"
#include "io/files/output.hpp"
#include "io/ganeti/port.hpp"
#include "io/harep/output.hpp"
#include "io/log/log.hpp"
#include "io/loop/loop.hpp"
#include "io/oob/port.hpp"
#include "io/sqlite/port.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <sys/stat.h>

namespace orderly {

namespace {

using nlohmann::json;

constexpr const char* default_config = "/etc/orderly/orderly.toml";

[[noreturn]] void leave(const harep_output& x) {
  io::end_log();
  std::fwrite(x.out.data(), 1, x.out.size(), stdout);
  std::fwrite(x.err.data(), 1, x.err.size(), stderr);
  auto code = io::after_output(x.code, "harep");
  std::fflush(stderr);
  std::_Exit(code);
}

[[noreturn]] void fail(const std::string& text) {
  leave({1, {}, "Error: " + text + "\n"});
}

/// The daemon's settings, where there are any: helper programs, allocator and
/// bounds are the same for both.
settings base_settings() {
  if (!std::filesystem::exists(default_config))
    return {};
  if (auto why = io::why_not_trusted(default_config); !why.empty())
    fail("the settings cannot be used: " + why);
  auto loaded = io::load_settings(default_config);
  if (!loaded)
    fail("the settings cannot be used: " + loaded.why().text);
  return *loaded;
}

/// Why an orderlyd at `socket` forbids a pass, or nothing.
std::string daemon_objects(const std::string& socket) {
  io::console::client_rules rules;
  rules.socket = socket;
  auto answer = io::console::ask(rules, "GET", "/2/status", {});
  constexpr auto otherwise = "; --force acts all the same";
  if (!answer) {
    if (answer.why().kind == fault_kind::unreachable)
      return {};
    return fmt::format("cannot find out whether an orderlyd repairs this "
                       "cluster: {}{}",
                       answer.why().text, otherwise);
  }
  auto status = json::parse(answer->body, nullptr, false);
  auto mode
    = status.is_object() ? status.value("autorepair_mode", json{}) : json{};
  if (answer->status != 200 || !mode.is_string())
    return fmt::format("{} gives no status of an orderlyd, so that it is not "
                       "known whether one repairs this cluster{}",
                       socket, otherwise);
  if (mode != "act")
    return {};
  return fmt::format("an orderlyd with auto-repair serves {} and repairs this "
                     "cluster: nothing was done, and need not be. `orderly "
                     "status` shows what it does; set autorepair.enabled = "
                     "false or autorepair.mode = \"observe\" there to use "
                     "harep instead{}",
                     socket, otherwise);
}

ports spawn_ports(caf::actor_system& system, io::loop& loop,
                  const settings& rules, bool keep_journal) {
  auto ganeti = io::spawn_ganeti_ports(system, loop, rules);
  ports x;
  x.cluster = ganeti.cluster;
  x.jobs = ganeti.jobs;
  x.power = io::oob::spawn_power_port(system, loop, rules);
  x.probes = io::agent::spawn_probe_port(system, loop, rules);
  x.journal = keep_journal ? io::spawn_sqlite_journal(system, rules)
                           : spawn_memory_journal(system);
  return x;
}

/// Why the journal cannot be kept, or nothing.
std::string journal_trouble(caf::actor_system& system,
                            const journal_port& journal, millis timeout) {
  std::string why;
  caf::scoped_actor self{system};
  self->request(journal, timeout, journal_read{1})
    .receive(
      [&](const journal_contents& found) {
        if (!found.readable)
          why = found.text;
      },
      [&](const caf::error&) {
        why = "the journal's disk did not answer in time";
      });
  return why;
}

context_ptr make_context(caf::actor_system& system, const settings& rules) {
  std::random_device entropy;
  auto calendar = std::chrono::floor<millis>(std::chrono::system_clock::now());
  auto ctx = std::make_shared<context>(
    std::make_shared<const settings>(rules), system.clock().now(), calendar,
    (static_cast<std::uint64_t>(entropy()) << 32) | entropy(), ORDERLY_VERSION);
  ctx->watch(io::read_clock_offsets, io::read_boot_name());
  return ctx;
}

/// A pass ends by itself at its limit, and says what was done until then.
constexpr minutes after_the_limit{1};
/// Jobs are in the queue and tags are written: in order, but not for long.
constexpr seconds tree_stop_patience{4};
constexpr seconds notes_patience{5};

/// Runs the pass to its end, stops the tree, and says what came of it.
harep_output make_pass(caf::actor_system& system, const settings& rules,
                       const harep_options& wanted, const ports& real) {
  auto ctx = make_context(system, rules);
  auto world = spawn_pass_world(system, real, wanted.dry_run);
  auto tree = spawn_tree(system, ctx, world.outside);
  pass_report report;
  notes sent;
  caf::scoped_actor self{system};
  self
    ->request(spawn_pass(system, ctx, tree), wanted.limit + after_the_limit,
              run_pass{wanted.limit})
    .receive([&](pass_report& x) { report = std::move(x); },
             [&](const caf::error& e) {
               report.error = "the pass broke off: " + system.render(e);
             });
  self->request(tree, tree_stop_patience, stop_tree{})
    .receive([](const tree_stopped&) {},
             [&](const caf::error&) {
               self->send_exit(tree, caf::exit_reason::kill);
             });
  self->request(world.sent, notes_patience, read_notes{})
    .receive([&](notes& x) { sent = std::move(x); }, [](const caf::error&) {});
  return make_harep_output(wanted, report, sent);
}

} // namespace

void run_harep(const std::vector<std::string>& args) {
  ::umask(0077); // its journal is nobody else's to read
  const settings built_in;
  auto command = parse_harep(
    args, ORDERLY_VERSION, built_in.cluster.luxi_socket, built_in.http.socket);
  if (!command.options) {
    harep_output x;
    x.code = command.code;
    (x.code == 0 ? x.out : x.err) = command.text;
    leave(x);
  }
  auto wanted = *command.options;
  std::signal(SIGPIPE, SIG_IGN);
  auto base = base_settings();
  if (wanted.daemon_socket == built_in.http.socket)
    wanted.daemon_socket = base.http.socket;
  if (!wanted.dry_run && !wanted.force)
    if (auto why = daemon_objects(wanted.daemon_socket); !why.empty())
      fail(why);
  auto rules = pass_settings(base, wanted);
  io::start_log("error");
  caf::actor_system_config config;
  config.set("scheduler.policy", caf::atom("sharing"));
  caf::actor_system system{config};
  io::loop loop;
  auto kept = keeps_journal(wanted);
  auto real = spawn_ports(system, loop, rules, kept);
  if (kept)
    if (auto why = journal_trouble(system, real.journal, rules.journal.timeout);
        !why.empty())
      fail(why);
  auto said = make_pass(system, rules, wanted, real);
  loop.stop();
  leave(said);
}

} // namespace orderly
