// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/repair.hpp"

#include "io/child/runner.hpp"
#include "io/files/descriptor.hpp"
#include "io/node_agent/order_box.hpp"

#include <chrono>
#include <csignal>
#include <future>

#include <boost/asio/signal_set.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

namespace orderly::io::node_agent {

namespace {

constexpr int nothing_run = 1;
constexpr int command_failed = 3;

/// Kept of what a command says: its end is where it says why it fails.
constexpr std::size_t said_max = 4096;

std::string end_of(const std::string& text) {
  return text.size() > said_max ? text.substr(text.size() - said_max) : text;
}

/// What had us end the command before its time; 0: nothing did.
using end_signal = int;

std::string how_it_ended(const child::outcome& x, millis limit,
                         end_signal why) {
  if (why != 0)
    return fmt::format("was ended, for orderly-repair got signal {}", why);
  if (x.timed_out)
    return fmt::format("did not end within {} s", limit / seconds{1});
  if (x.signal != 0)
    return fmt::format("was ended by signal {}", x.signal);
  return fmt::format("exited with exit code {}", x.exit_code);
}

repair_end end_of_command(const report::repair_order& order,
                          const child::outcome& x, millis limit,
                          end_signal why) {
  if (!x.refused.empty())
    return {nothing_run, why == 0 ? x.refused
                                  : fmt::format("ended by signal {} before "
                                                "repair command '{}' ran",
                                                why, order.command)};
  auto said = end_of(x.out + x.err);
  if (x.exit_code == 0 && !x.timed_out && why == 0)
    return {0, std::move(said)};
  return {command_failed,
          fmt::format("repair command '{}' failed: {}; output: {}",
                      order.command, how_it_ended(x, limit, why), said)};
}

/// `lock` goes to the command and all that it starts: as long as any of it
/// lives, however we end, no other one is run.
repair_end run(const agent_settings& s, const report::repair_order& order,
               const descriptor& lock) {
  loop on{{.failed = {}}};
  child::runner_limits limits;
  limits.parallel_max = 1;
  limits.kill_delay = s.repair.kill_delay;
  limits.alone = true;
  child::runner runner{on, limits};
  child::command what{
    s.repair.folder + "/" + order.command, {}, s.repair.time_limit, true};
  what.variables = {"GANETI_EVENT_ID=" + order.event};
  what.input = order.object;
  what.shared_file = lock.get();
  // Who ends us ends the command, as its time limit does. Only the loop's
  // thread touches `why` before it has stopped.
  end_signal why = 0;
  boost::asio::signal_set ends{on.context(), SIGTERM, SIGINT, SIGHUP};
  ends.async_wait([&](const boost::system::error_code& e, int number) {
    if (e)
      return;
    why = number;
    runner.close();
  });
  std::promise<child::outcome> ended;
  runner.run(what,
             [&ended](child::outcome x) { ended.set_value(std::move(x)); });
  auto outcome = ended.get_future().get();
  on.stop();
  runner.end_rest();
  return end_of_command(order, outcome, s.repair.time_limit, why);
}

} // namespace

repair_end repair_once(const agent_settings& s, const owner_rule& owner) {
  auto path = s.node.folder + "/repair.lock";
  descriptor lock{
    ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (lock.get() < 0)
    return {nothing_run,
            fmt::format("cannot open {}: {}", path, system_text())};
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return {
      nothing_run,
      fmt::format("another repair command runs on this node, or something "
                  "that one has started: `fuser -v {}` tells what",
                  path)};
  auto now = std::chrono::floor<millis>(std::chrono::system_clock::now());
  auto order = order_box{s.node.folder}.take(now);
  if (!order)
    return {nothing_run, order.why().text};
  if (auto why = doubt_repair_command(s.repair.folder, order->command, owner);
      !why.empty())
    return {nothing_run, why};
  return run(s, *order, lock);
}

} // namespace orderly::io::node_agent
