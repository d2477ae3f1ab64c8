// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/switch.hpp"

#include "io/oob/decode.hpp"
#include "sim/ports/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly::sim::conformance {

namespace {

using switch_type = power_port::extend<caf::reacts_to<wake>>;

struct switch_state : waking {
  switchboard_pointer board;
};

using switch_pointer = switch_type::stateful_pointer<switch_state>;

/// A node that shall be slow to come back has no node daemon at first.
void hold_back(world& truth, switchboard& board, const node_name& node) {
  auto i = board.reachable_after.find(node);
  if (i == board.reachable_after.end())
    return;
  board.probes[node] = 0;
  truth.set_daemon(node, !i->second || *i->second > 0);
}

/// What the command does to the machine. A reset of one that is off does
/// nothing, as with the real ones.
void obey(world& truth, switchboard& board, power_verb verb,
          const node_name& node) {
  if (verb == power_verb::off) {
    truth.set_power(node, false);
  } else if (verb == power_verb::on) {
    if (truth.set_power(node, true))
      hold_back(truth, board, node);
  } else if (verb == power_verb::cycle && truth.node(node).powered) {
    truth.cycle(node);
  }
}

power_answer conclude(switch_pointer self, const power_request& rq,
                      const helper_answer& how, const std::string& refused) {
  auto& truth = self->state.lab->truth;
  auto in_time = refused.empty() && how.takes <= rq.time_limit;
  auto good = in_time && how.exit == 0 && how.signal == 0;
  if (good && how.obeys && truth.has(rq.node))
    obey(truth, *self->state.board, rq.verb, rq.node);
  io::oob::outcome what;
  what.refused = refused;
  if (refused.empty())
    what = outcome_of(how, rq.verb, rq.time_limit,
                      truth.has(rq.node) && truth.node(rq.node).powered);
  auto answer = io::oob::decode(rq.node, rq.verb, what);
  answer.at = truth.now();
  return answer;
}

auto on_request(switch_pointer self, const power_request& rq) {
  auto promise = self->make_response_promise<power_answer>();
  auto& lab = *self->state.lab;
  auto& board = *self->state.board;
  std::lock_guard<std::mutex> hold{lab.guard};
  auto at = enter(self);
  if (lab.gagged)
    return promise;
  auto refused = board.files.why_not(rq.program);
  helper_answer how;
  auto place = board.calls.size();
  if (refused.empty()) {
    how = board.script.next(rq.program, rq.verb, rq.node);
    board.calls.push_back({rq.program, rq.verb, rq.node, at, never, false,
                           lab.cluster.jobs().size(), word_of(rq)});
  }
  later(self, std::min(how.takes, rq.time_limit),
        [self, promise, rq, how, refused, place]() mutable {
          auto answer = conclude(self, rq, how, refused);
          if (refused.empty()) {
            auto& call = self->state.board->calls[place];
            call.ended = answer.at;
            call.done = answer.done;
          }
          promise.deliver(std::move(answer));
        });
  return promise;
}

switch_type::behavior_type switch_impl(switch_pointer self, lab_pointer lab,
                                       switchboard_pointer board) {
  self->state.lab = std::move(lab);
  self->state.board = std::move(board);
  return {
    [self](const power_request& rq) { return on_request(self, rq); },
    [self](const program_question& rq) {
      return program_answer{rq.program,
                            self->state.board->files.why_not(rq.program)};
    },
    [self](const wake& w) { woken(self, w); },
  };
}

// --- probes ------------------------------------------------------------------

struct reach_state {
  lab_pointer lab{};
  switchboard_pointer board{};
  probe_port behind{};
};

using reach_pointer = probe_port::stateful_pointer<reach_state>;

/// At the probe that the scenario names the node has its daemon.
void count(lab_state& lab, switchboard& board, const node_name& node,
           instant at) {
  auto i = board.reachable_after.find(node);
  if (i == board.reachable_after.end() || !lab.truth.has(node))
    return;
  lab.advance(at);
  if (lab.truth.booted(node) && i->second && ++board.probes[node] >= *i->second)
    lab.truth.set_daemon(node, false);
}

probe_port::behavior_type reach_impl(reach_pointer self, lab_pointer lab,
                                     switchboard_pointer board,
                                     probe_port behind) {
  self->state.lab = std::move(lab);
  self->state.board = std::move(board);
  self->state.behind = std::move(behind);
  return {
    [self](const probe_request& rq) -> caf::result<sighting> {
      auto& st = self->state;
      {
        std::lock_guard<std::mutex> hold{st.lab->guard};
        count(*st.lab, *st.board, rq.node, st.lab->wall(self->clock().now()));
      }
      return self->delegate(st.behind, rq);
    },
    [self](const activity_request& rq) -> caf::result<activity_answer> {
      return self->delegate(self->state.behind, rq);
    },
  };
}

} // namespace

power_port spawn_helper_port(caf::actor_system& sys, const lab_pointer& lab,
                             const switchboard_pointer& board) {
  return sys.spawn(switch_impl, lab, board);
}

probe_port spawn_reach_port(caf::actor_system& sys, const lab_pointer& lab,
                            const switchboard_pointer& board,
                            probe_port behind) {
  for (const auto& [node, at] : board->reachable_after)
    if (lab->truth.has(node) && !lab->truth.node(node).powered)
      hold_back(lab->truth, *board, node);
  return sys.spawn(reach_impl, lab, board, std::move(behind));
}

} // namespace orderly::sim::conformance
