// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// oob_bench [--json] [--check]: how fast the power of many nodes is read. The
// real oob actor, power port and runner with 200 helpers that take 0.2 s, with
// and without 20 among them that hang, and beside it the same helpers one
// after the other, as Ganeti's job runs them (20 of them, and extrapolated).
// `--check` measures no reference and fails unless all are answered and no
// more helpers ran at once than allowed.

#include "actors/journal/journal.hpp"
#include "actors/journal/memory_journal.hpp"
#include "actors/power/oob.hpp"
#include "io/child/runner.hpp"
#include "io/oob/port.hpp"
#include "tests/io/child/scripts.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

using namespace orderly;

namespace {

using wall = std::chrono::steady_clock;

constexpr int nodes = 200;
constexpr int hung_nodes = 20;
constexpr int reference_nodes = 20;
constexpr millis hung_limit = seconds{6};

double since(wall::time_point begin) {
  return std::chrono::duration<double>(wall::now() - begin).count();
}

/// Says "begin" and "end" of itself, also if it is ended; nodes named hung-N
/// are not answered.
constexpr auto helper_body = "trap 'echo end >> \"${0%/*}/log\"; exit 1' TERM\n"
                             "echo begin >> \"${0%/*}/log\"\n"
                             "case $2 in\n"
                             "  hung-*) sleep 600 & wait;;\n"
                             "esac\n"
                             "sleep 0.2\n"
                             "echo end >> \"${0%/*}/log\"\n"
                             "echo '{\"powered\": true}'";

/// What a round of readings came to.
struct round {
  double good_s = 0; ///< until the last good one was read
  double all_s = 0;  ///< until all were answered
  int good = 0;
  int given_up = 0;
  int at_once = 0; ///< helpers, at most
};

/// By what the helpers wrote about themselves.
int most_at_once(const std::string& log) {
  std::istringstream lines{log};
  std::string line;
  int now = 0;
  int most = 0;
  while (lines >> line) {
    now += line == "begin" ? 1 : -1;
    most = std::max(most, now);
  }
  return most;
}

story_listener::behavior_type nobody_listens(story_listener::pointer) {
  return {[](const journal_news&) {}};
}

/// The power switch as the daemon has it.
struct machine_room {
  test::scripts files;
  std::string helper = files.add("helper", helper_body);
  settings rules;
  caf::actor_system_config config;
  io::loop where; // outlives the port
  caf::actor_system system{config};
  caf::scoped_actor self{system};
  power_port port = io::oob::spawn_power_port(system, where, rules);
  journal_port paper = spawn_memory_journal(system);
  story_listener view = system.spawn(nobody_listens);
  context_ptr ctx = std::make_shared<context>(
    std::make_shared<const settings>(rules), system.clock().now(),
    std::chrono::floor<millis>(std::chrono::system_clock::now()), 1, "bench");
  journal_actor memory = system.spawn(journal, ctx, paper, view);
  oob_actor actor = system.spawn(oob, ctx, port, memory);

  ~machine_room() {
    auto end
      = [this](const auto& x) { self->send_exit(x, caf::exit_reason::kill); };
    end(actor);
    end(memory);
    end(view);
    end(paper);
    end(port);
  }

  void ask(const node_name& node, millis limit) {
    power_order order;
    order.node = node;
    order.programs = {helper};
    order.why = "bench";
    order.time_limit = limit;
    self->send(actor, order);
  }

  round read(int hung) {
    round result;
    auto written = files.read("log").size();
    auto begin = wall::now();
    for (int i = 0; i < nodes; ++i) { // the hung ones first: the worst order
      auto is_hung = i < hung;
      auto node = fmt::format("{}-{}", is_hung ? "hung" : "node", i);
      ask(node, is_hung ? hung_limit : millis{minutes{1}});
    }
    while (result.good + result.given_up < nodes) {
      bool late = false;
      self->receive(
        [&](const power_report& x) {
          result.all_s = since(begin);
          if (x.confirmed) {
            ++result.good;
            result.good_s = result.all_s;
          } else {
            ++result.given_up;
          }
        },
        caf::after(minutes{2}) >> [&] { late = true; });
      if (late)
        break;
    }
    result.at_once = most_at_once(files.read("log").substr(written));
    return result;
  }

  /// The same helper, one call after the other.
  double one_by_one() {
    io::child::runner helpers{where, {}};
    auto begin = wall::now();
    for (int i = 0; i < reference_nodes; ++i) {
      std::promise<void> done;
      helpers.run({helper, {"power-status", "node"}, minutes{1}},
                  [&done](const io::child::outcome&) { done.set_value(); });
      done.get_future().wait();
    }
    return since(begin);
  }
};

int check(const round& x, int hung, std::uint32_t concurrency) {
  if (x.good == nodes - hung && x.given_up == hung && x.at_once > 1
      && x.at_once <= static_cast<int>(concurrency))
    return 0;
  fmt::print(stderr,
             "of {} nodes, {} of them hung: {} read and {} given up; {} "
             "helpers at once, {} are allowed\n",
             nodes, hung, x.good, x.given_up, x.at_once, concurrency);
  return 1;
}

void print(const round& plain, const round& troubled, double reference,
           bool json) {
  auto all = reference * nodes / reference_nodes;
  if (json) {
    fmt::print("{{\"oob\":{{\"nodes\":{},\"read_s\":{:.3f},\"hung\":{},"
               "\"others_read_s\":{:.3f},\"at_once\":{},"
               "\"one_by_one_s\":{:.3f},\"one_by_one_measured\":{},"
               "\"ratio\":{:.1f}}}}}\n",
               nodes, plain.good_s, hung_nodes, troubled.good_s, plain.at_once,
               all, reference_nodes, all / plain.good_s);
    return;
  }
  fmt::print("power status of {} nodes, helpers that take 0.2 s\n"
             "  all answer                    {:7.2f} s, {} at once at most\n"
             "  {} hang: the others           {:7.2f} s\n"
             "  one after the other, as Ganeti {:6.2f} s ({} measured, "
             "{:.0f} times ours)\n"
             "  and {} hung ones there cost    {:6} s more, at 60 s each\n",
             nodes, plain.good_s, plain.at_once, hung_nodes, troubled.good_s,
             all, reference_nodes, all / plain.good_s, hung_nodes,
             hung_nodes * 60);
}

} // namespace

int main(int argc, char** argv) {
  bool json = false;
  bool only_check = false;
  for (int i = 1; i < argc; ++i) {
    std::string_view word{argv[i]};
    json = json || word == "--json";
    only_check = only_check || word == "--check";
    if (word != "--json" && word != "--check") {
      fmt::print(stderr, "usage: oob_bench [--json] [--check]\n");
      return 2;
    }
  }
  machine_room room;
  auto most = room.rules.power.concurrency;
  auto plain = room.read(0);
  auto troubled = room.read(hung_nodes);
  auto code = check(plain, 0, most) + check(troubled, hung_nodes, most);
  if (!only_check && code == 0)
    print(plain, troubled, room.one_by_one(), json);
  return code;
}
