// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What planning costs and whom it keeps waiting, in real time: a planner on a
// thread of its own thinks about a large cluster, while a tree of actors of
// two nodes' worth of work is asked and asked again. `--check` says by its
// exit code whether the bounds are kept.

#include "actors/balance/planner.hpp"
#include "actors/policy/checks/verdict.hpp"
#include "actors/tree/tree.hpp"
#include "sim/ports/ports.hpp"
#include "sim/state/model.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include <fmt/format.h>

using namespace orderly;
using wall = std::chrono::steady_clock;

namespace {

constexpr millis thinks_at_most = seconds{2};
/// Plan, order and words, after the search was cut.
constexpr double grace_s = 1.0;
constexpr double answer_ms_max = 50;

double seconds_since(wall::time_point x) {
  return std::chrono::duration<double>(wall::now() - x).count();
}

/// 200 nodes and 2000 instances, a third of them on the first nodes.
sim::world_plan crooked() {
  auto plan = sim::make_plan(200, 2000, 2, 1);
  for (std::size_t k = 0; k < plan.instances.size(); k += 3) {
    auto& x = plan.instances[k];
    auto even = (x.primary.back() - '0') % 2 == 0;
    auto crowd = 4 + k % 40 / 2 * 2 + (even ? 1 : 0);
    const auto& to = plan.nodes[crowd].name;
    if (x.secondaries.empty() || x.secondaries[0] != to)
      x.primary = to;
  }
  return plan;
}

struct figures {
  double thought_s = 0;
  std::size_t moves = 0;
  bool cut = false;
  double before = 0;
  double after = 0;
  std::vector<double> answers_ms; ///< while it thought, sorted
  std::vector<double> idle_ms;    ///< the same without a planner, sorted
};

double part(const std::vector<double>& sorted, std::size_t percent) {
  return sorted.empty() ? -1 : sorted[(sorted.size() - 1) * percent / 100];
}

/// A tree on real threads, above a small simulated cluster.
class stage {
public:
  explicit stage(caf::actor_system& system)
    : self_(system),
      lab_(std::make_shared<sim::lab_state>(*sim::plan_named("small-5n", 1))),
      ports_(sim::spawn_sim_ports(system, lab_, checks::judge())) {
    lab_->epoch_steady = wall::now();
    auto ctx = std::make_shared<context>(std::make_shared<const settings>(),
                                         lab_->epoch_steady, lab_->epoch_wall,
                                         1, "bench");
    tree_ = spawn_tree(system, ctx, ports_);
    self_->request(tree_, seconds{10}, ask_counters{})
      .receive([&](front& x) { view_ = x.view; }, [](const caf::error&) {});
  }

  ~stage() {
    view_ = nullptr;
    caf::anon_send_exit(tree_, caf::exit_reason::kill);
    sim::stop_ports(ports_);
  }

  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;

  [[nodiscard]] bool stands() const { return static_cast<bool>(view_); }

  /// How long the tree took to answer, in ms.
  double ask() {
    auto begin = wall::now();
    self_->request(view_, seconds{30}, view_query{})
      .receive([](const view_answer&) {}, [](const caf::error&) {});
    return 1000 * seconds_since(begin);
  }

private:
  caf::scoped_actor self_;
  sim::lab_pointer lab_;
  ports ports_;
  root_actor tree_;
  view_counter view_;
};

figures measure(caf::actor_system& system) {
  figures result;
  stage daemon{system};
  if (!daemon.stands())
    return result;
  for (int k = 0; k < 500; ++k)
    result.idle_ms.push_back(daemon.ask());
  sim::lab_state big{crooked()};
  plan_question q;
  q.model = sim::make_model(big);
  q.picture = big.cluster.picture();
  q.move_cost = 0.05;
  q.effort_max = 1'000'000'000;
  q.deadline = thinks_at_most;
  auto thinker = system.spawn<caf::detached>(planner);
  caf::scoped_actor self{system};
  auto begin = wall::now();
  auto handle = self->request(thinker, seconds{60}, q);
  while (self->mailbox().empty() && seconds_since(begin) < 60)
    result.answers_ms.push_back(daemon.ask());
  handle.receive(
    [&](const plan_answer& x) {
      result.thought_s = seconds_since(begin);
      result.moves = x.moves.size();
      for (const auto& g : x.groups) {
        result.cut |= g.cut;
        result.before += g.before;
        result.after += g.after;
      }
    },
    [](const caf::error&) {});
  std::sort(result.answers_ms.begin(), result.answers_ms.end());
  std::sort(result.idle_ms.begin(), result.idle_ms.end());
  return result;
}

bool print(const figures& x, bool json) {
  auto in_time
    = x.moves > 0
      && x.thought_s
           <= std::chrono::duration<double>(thinks_at_most).count() + grace_s;
  // Whoever waited for the plan would wait for seconds, each time.
  auto awake
    = x.answers_ms.size() > 20 && part(x.answers_ms, 95) <= answer_ms_max;
  if (json) {
    fmt::print("{{\"planning\":{{\"nodes\":200,\"instances\":2000,"
               "\"seconds\":{:.3f},\"moves\":{},\"cut\":{},\"score_before\":"
               "{:.4f},\"score_after\":{:.4f},\"tree_p50_ms\":{:.3f},"
               "\"tree_p95_ms\":{:.3f},\"tree_max_ms\":{:.3f},"
               "\"idle_p95_ms\":{:.3f},\"kept\":{}}}}}\n",
               x.thought_s, x.moves, x.cut, x.before, x.after,
               part(x.answers_ms, 50), part(x.answers_ms, 95),
               part(x.answers_ms, 100), part(x.idle_ms, 95), in_time && awake);
    return in_time && awake;
  }
  fmt::print("plan of 200 nodes, 2000 instances      {:>6.2f} s   (limit {} s "
             "and {:.0f} s to put it in words; {} moves, score {:.3f} -> "
             "{:.3f}{})  {}\n",
             x.thought_s, thinks_at_most / seconds{1}, grace_s, x.moves,
             x.before, x.after, x.cut ? ", cut" : "",
             in_time ? "kept" : "MISSED");
  fmt::print("the tree answers meanwhile             p50 {:.2f} ms  p95 {:.2f} "
             "ms  max {:.2f} ms  ({} questions; idle p95 {:.2f} ms; p95 must "
             "be {:.0f} ms)  {}\n",
             part(x.answers_ms, 50), part(x.answers_ms, 95),
             part(x.answers_ms, 100), x.answers_ms.size(), part(x.idle_ms, 95),
             answer_ms_max, awake ? "kept" : "MISSED");
  return in_time && awake;
}

} // namespace

int main(int argc, char** argv) {
  auto has = [&](const char* word) {
    return std::any_of(argv + 1, argv + argc, [&](const char* x) {
      return std::strcmp(x, word) == 0;
    });
  };
  caf::actor_system_config config;
  caf::actor_system system{config};
  auto kept = print(measure(system), has("--json"));
  return kept || !has("--check") ? 0 : 1;
}
