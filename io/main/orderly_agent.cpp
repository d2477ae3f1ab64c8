// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// orderly-agent: runs on every node, looks at it, and says what it saw to the
// master candidates. Has one event loop and no actors.

#include "io/config/settings_file.hpp"
#include "io/files/output.hpp"
#include "io/files/standard.hpp"
#include "io/limits/limits.hpp"
#include "io/log/log.hpp"
#include "io/loop/loop.hpp"
#include "io/node_agent/agent.hpp"
#include "io/node_agent/identity.hpp"
#include "io/notify/notify.hpp"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

namespace {

using namespace orderly;
using io::node_agent::agent_settings;

constexpr const char* default_config = "/etc/orderly/agent.toml";

struct options {
  std::string config;
  bool check = false;
  bool print = false;
  bool fingerprint = false;
};

std::optional<agent_settings> read_settings(const options& o) {
  auto path = o.config;
  if (path.empty()) {
    if (!std::filesystem::exists(default_config))
      return agent_settings{};
    path = default_config;
  }
  auto why = io::why_not_trusted(path);
  if (why.empty()) {
    auto loaded = io::node_agent::load_agent_settings(path);
    if (loaded)
      return *loaded;
    why = loaded.why().text;
  }
  io::put_line(stderr, why);
  return std::nullopt;
}

/// Says that the loop is alive, on the loop: when it hangs nobody says so.
class heartbeat {
public:
  heartbeat(io::loop& on, millis period)
    : timer_(on.context()), period_(period) {
    on.post([this] { beat(); });
  }

private:
  void beat() {
    io::notify_watchdog();
    timer_.expires_after(period_);
    timer_.async_wait([this](const boost::system::error_code& e) {
      if (!e)
        beat();
    });
  }

  boost::asio::steady_timer timer_;
  millis period_;
};

/// Signals that `wait_for_the_end` hears; blocked in all threads.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (auto s : {SIGTERM, SIGINT, SIGHUP})
    sigaddset(&signals, s);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGHUP, SIG_DFL); // what is ignored cannot be waited for
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

/// While it runs a file that is gone, or empty, is no wish.
result<agent_settings> read_again(const options& o) {
  auto path = o.config.empty() ? std::string{default_config} : o.config;
  if (auto why = io::why_not_trusted(path); !why.empty())
    return fault{fault_kind::bad_input, why};
  auto text = io::text_to_reload(path);
  return text ? io::node_agent::load_agent_text(*text, path)
              : result<agent_settings>{text.why()};
}

/// Other settings for all that begins from now on; what the agent listens on,
/// and who it is, stays until a restart.
void reload(const options& o, agent_settings& in_force, io::loop& loop,
            io::node_agent::agent& agent) {
  io::notify_reloading();
  auto read = read_again(o);
  if (!read) {
    spdlog::error("{}", read.why().text);
    spdlog::error("settings not reloaded: the old ones stay in force");
    io::notify_ready();
    return;
  }
  auto rules = *read;
  for (const auto& key : io::node_agent::keep_settled(rules, in_force))
    spdlog::warn("{} stays as it is until a restart", key);
  in_force = rules;
  io::set_log_level(rules.log_level);
  loop.post([&agent, rules] { agent.take(rules); });
  spdlog::info("settings reloaded");
  io::notify_ready();
}

/// A daemon is expected to live on after HUP, whoever sends it.
void wait_for_the_end(const sigset_t& signals, const options& o,
                      agent_settings in_force, io::loop& loop,
                      io::node_agent::agent& agent) {
  for (int got = 0; sigwait(&signals, &got) == 0 && got == SIGHUP;)
    reload(o, in_force, loop, agent);
}

/// The loop has one thing after the other begin the next: where one ends by an
/// exception nothing may follow.
void tell_failure(const std::string& why) {
  io::end_if_it_was_a_lack();
  spdlog::error("an exception ended a handler: {}", why);
}

int run(const options& o, const agent_settings& rules) {
  auto signals = block_signals();
  auto lack = io::settle_limits("orderly-agent");
  io::start_log(rules.log_level);
  if (!lack.empty()) {
    spdlog::error("{}", lack);
    io::end_log();
    std::_Exit(2);
  }
  io::loop loop{{.failed = tell_failure}};
  auto agent = io::node_agent::agent::start(
    loop, rules, [](const std::string& text) { spdlog::warn("{}", text); });
  if (!agent) {
    spdlog::error("{}", agent.why().text);
    io::end_log();
    std::_Exit(2);
  }
  spdlog::info("orderly-agent {} serves {} port {}, key {}", ORDERLY_VERSION,
               rules.http.address, (*agent)->port(), (*agent)->fingerprint());
  if (!rules.http.tls)
    spdlog::warn("http.tls is false: everybody on this node may ask");
  std::optional<heartbeat> heart;
  if (auto limit = io::watchdog_interval())
    heart.emplace(loop, *limit / 3);
  io::notify_ready();
  wait_for_the_end(signals, o, rules, loop, **agent);
  io::notify_stopping();
  loop.stop();
  io::end_log();
  std::_Exit(0);
}

int print_fingerprint(const agent_settings& rules) {
  auto key = io::node_agent::load_or_make_key(rules.node.folder);
  if (!key) {
    io::put_line(stderr, key.why().text);
    return 1;
  }
  std::puts(io::report::fingerprint_of(key->public_hex()).c_str());
  return io::after_output(0, "orderly-agent");
}

} // namespace

int main(int argc, char** argv) {
  io::begin_in_order();
  // Before it serves there is nothing to be told.
  std::signal(SIGHUP, SIG_IGN);
  ::umask(0077);
  options o;
  CLI::App app{"orderly-agent runs on every node of a Ganeti cluster, looks at "
               "it, and tells the master candidates what it saw.\n\n"
               "Examples:\n"
               "  orderly-agent --config /etc/orderly/agent.toml\n"
               "  orderly-agent --check --config new.toml\n"
               "  orderly-agent --print-config > agent.toml\n"
               "  orderly-agent --fingerprint"};
  app.set_version_flag("--version", ORDERLY_VERSION);
  app.add_option(
    "--config", o.config,
    fmt::format("settings file (default {} if it exists)", default_config));
  app.add_flag("--check", o.check,
               "read the settings, tell what is wrong with them, and leave "
               "(0 or 2)");
  app.add_flag("--print-config", o.print,
               "print every setting with its value and meaning, and leave");
  app.add_flag("--fingerprint", o.fingerprint,
               "print the fingerprint of this agent's own key, which is made "
               "if there is none, and leave");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return io::after_output(app.exit(e) == 0 ? 0 : 2, "orderly-agent");
  }
  auto rules = read_settings(o);
  if (!rules)
    return 2;
  if (o.print)
    std::fputs(io::node_agent::render_agent_settings(*rules).c_str(), stdout);
  if (o.print || o.check)
    return io::after_output(0, "orderly-agent");
  return o.fingerprint ? print_fingerprint(*rules) : run(o, *rules);
}
