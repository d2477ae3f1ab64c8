// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/pass/pass.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

namespace {

/// What was told must hold for so long before it is believed: news may be
/// under way between the actors.
constexpr auto calm = millis{200};

/// A tree without the right to act may be about to get it.
constexpr auto right_patience = seconds{3};

constexpr auto question_limit = seconds{10};

/// After a question that its own actors did not answer.
constexpr auto asks_again = seconds{1};

struct pass_state {
  static inline const char* name = "pass";

  context_ptr ctx;
  root_actor tree;
  caf::typed_response_promise<pass_report> promise;
  bool done = false;
  millis limit{};
  instant deadline;
  instant settled_since; ///< `never`: something goes on
  instant read_since;    ///< first seen that a later reading came, likewise
  instant no_right_since;
  pass_report seen;
};

using pass_self = pass_actor::stateful_pointer<pass_state>;

void deliver(pass_self self, std::string error) {
  auto& st = self->state;
  if (st.done)
    return;
  st.done = true;
  st.seen.complete = error.empty();
  st.seen.error = std::move(error);
  st.promise.deliver(std::move(st.seen));
}

/// What the pass still waits for, as a sentence about the first such thing;
/// empty: for nothing.
std::string waits_for(const view_answer& nodes, const status_row& status,
                      const std::vector<instance_row>& instances) {
  for (const auto& x : nodes.nodes)
    if (x.offline && x.power_control && !x.standing.power_asked)
      return fmt::format("the power status of node {}", x.name);
  auto open = std::count_if(instances.begin(), instances.end(),
                            [](const auto& x) { return !x.standing.settled; });
  for (const auto& x : instances)
    if (!x.standing.settled)
      return fmt::format("{} of {} instances, the first is {}: {}", open,
                         instances.size(), x.name,
                         !x.standing.waits_for.empty() ? x.standing.waits_for
                         : !x.standing.why.empty()     ? x.standing.why
                                                       : "not looked at yet");
  if (status.removals != 0)
    return "the removal of suspensions that are over, from cluster or groups";
  return {};
}

/// The sentence to end with, if the pass cannot even begin.
std::string no_beginning(pass_state& st, instant at) {
  const auto& s = st.seen.status;
  if (s.polled == never)
    return s.poll_error.empty()
             ? std::string{}
             : fmt::format("the cluster cannot be read: {}", s.poll_error);
  if (s.right_to_act.held || s.right_to_act.text.empty()) {
    st.no_right_since = never;
    return {};
  }
  if (st.no_right_since == never)
    st.no_right_since = at;
  return at - st.no_right_since < right_patience ? std::string{}
                                                 : s.right_to_act.text;
}

/// True once nothing goes on, and a reading that began since then has
/// changed nothing. One that only ended since may have been made before.
bool is_over(pass_state& st, bool settled, instant at) {
  if (!settled) {
    st.settled_since = st.read_since = never;
    return false;
  }
  if (st.settled_since == never)
    st.settled_since = at;
  if (st.read_since == never && st.seen.status.read_from > st.settled_since)
    st.read_since = at;
  return st.read_since != never && at - st.read_since >= calm;
}

view_query about(view_subject what) {
  view_query question;
  question.subject = what;
  return question;
}

void finish(pass_self self, const view_reader& view) {
  auto question = about(view_subject::decisions);
  question.limit = self->state.ctx->rules()->http.decisions_kept;
  self->request(view, question_limit, question)
    .then(
      [self](view_answer& answer) {
        self->state.seen.decisions = std::move(answer.decisions);
        deliver(self, {});
      },
      [self](const caf::error&) { deliver(self, {}); });
}

/// Big clusters are looked at less often: each look copies all of it.
millis pause_after(std::size_t instances) {
  constexpr std::int64_t least_ms = 50;
  return millis{least_ms + static_cast<std::int64_t>(instances / 20)};
}

void judge(pass_self self, const view_reader& view, const view_answer& nodes) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (auto why = no_beginning(st, at); !why.empty()) {
    deliver(self, std::move(why));
    return;
  }
  std::string open = "a first reading of the cluster";
  if (st.seen.status.polled != never)
    open = waits_for(nodes, st.seen.status, st.seen.instances);
  if (is_over(st, open.empty(), at)) {
    finish(self, view);
  } else if (at >= st.deadline) {
    if (open.empty())
      open = "a last reading of the cluster";
    deliver(self, fmt::format("the pass was not over after {} s, it waited "
                              "for {}. What was begun stays under way: run it "
                              "again",
                              st.limit.count() / 1000, open));
  } else {
    self->delayed_send(self, pause_after(st.seen.instances.size()), tick{});
  }
}

void look(pass_self self) {
  auto& st = self->state;
  auto again = [self](const caf::error&) {
    auto& state = self->state;
    if (now(self, state.ctx) >= state.deadline)
      deliver(self, "the pass was given up: its own actors do not answer");
    else
      self->delayed_send(self, asks_again, tick{});
  };
  // One thing after the other: nodes first, so that an instance that hears of
  // its node's power status is not seen as it was before.
  self->request(st.tree, question_limit, ask_counters{})
    .then(
      [self, again](const front& handles) {
        auto view = handles.view;
        self->request(view, question_limit, about(view_subject::nodes))
          .then(
            [self, again, view](const view_answer& nodes) {
              self
                ->request(view, question_limit, about(view_subject::instances))
                .then(
                  [self, view, nodes](view_answer& answer) {
                    self->state.seen.status = std::move(answer.status);
                    self->state.seen.instances = std::move(answer.instances);
                    judge(self, view, nodes);
                  },
                  again);
            },
            again);
      },
      again);
}

pass_actor::behavior_type pass(pass_self self, context_ptr ctx,
                               root_actor tree) {
  die_with_reason(self, "pass");
  self->state.ctx = std::move(ctx);
  self->state.tree = std::move(tree);
  return {
    [self](const run_pass& what) {
      auto& st = self->state;
      st.limit = what.limit;
      st.deadline = now(self, st.ctx) + what.limit;
      st.promise = self->make_response_promise<pass_report>();
      look(self);
      return st.promise;
    },
    [self](const tick&) {
      if (!self->state.done)
        look(self);
    },
  };
}

} // namespace

pass_actor spawn_pass(caf::actor_system& system, context_ptr ctx,
                      root_actor tree) {
  return system.spawn(pass, std::move(ctx), std::move(tree));
}

} // namespace orderly
