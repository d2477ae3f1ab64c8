// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/tree/tree.hpp"

#include "actors/policy/base/backoff.hpp"
#include "actors/shell/all_anew.hpp"
#include "actors/tree/core.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <fmt/format.h>

namespace orderly {

namespace {

using root_self = root_actor::stateful_pointer<root_state>;

void raise(root_self self) {
  auto& st = self->state;
  // Nothing is known yet that a jump could make old.
  st.ctx->settle_clocks(self->clock().now());
  st.core = self->system().spawn(core, st.ctx, st.world,
                                 caf::actor_cast<root_actor>(self));
  self->link_to(st.core);
}

void core_gone(root_self self, const caf::exit_msg& e) {
  auto& st = self->state;
  if (!st.core || e.source != st.core.address()) {
    self->quit(e.reason); // somebody ends the whole tree
    return;
  }
  st.core = nullptr;
  st.ctx->end_duty(self->clock().now());
  st.now_at = {};
  if (st.stopping) {
    for (auto& promise : st.waiting)
      promise.deliver(tree_stopped{"stopped in order"});
    st.waiting.clear();
    self->quit(caf::exit_reason::user_shutdown);
    return;
  }
  // What it says of itself, with the cause: nobody else is left who could.
  auto cause = self->system().render(e.reason);
  if (st.tell)
    st.tell(cause);
  if (!is_all_anew(e.reason))
    st.fell = std::move(cause);
  if (auto why = st.ctx->forbidden(); !why.empty()) {
    self->quit(caf::make_error(caf::sec::runtime_error, why));
    return;
  }
  auto rules = st.ctx->rules();
  auto at = self->clock().now(); // by a clock that nobody sets
  while (!st.restarts.empty()
         && at - st.restarts.front() > rules->supervision.restart_period)
    st.restarts.pop_front();
  st.restarts.push_back(at);
  auto count = static_cast<std::uint32_t>(st.restarts.size());
  if (count > rules->supervision.restarts_max) {
    self->quit(caf::make_error(caf::sec::runtime_error,
                               "the core fails again and again",
                               self->system().render(e.reason)));
    return;
  }
  self->delayed_send(self,
                     backoff(rules->supervision.restart_base,
                             rules->supervision.restart_max, count),
                     tick{});
}

/// The new core's journal has it that the one before fell, and why.
void note_fall(root_self self) {
  auto& st = self->state;
  if (st.fell.empty())
    return;
  auto alert = entry_about(
    self, st.ctx, "core", entry_kind::alert, "restart",
    fmt::format("all services failed together and were raised again (number {} "
                "in this period): {}",
                st.restarts.size(), std::exchange(st.fell, {})));
  caf::anon_send(st.now_at.journal, append{{std::move(alert)}});
}

} // namespace

root_actor::behavior_type root(root_self self, context_ptr ctx, ports world,
                               fall_teller tell) {
  die_with_reason(self, "root");
  self->state.ctx = std::move(ctx);
  self->state.world = std::move(world);
  self->state.tell = std::move(tell);
  self->set_exit_handler(
    [self](const caf::exit_msg& e) { core_gone(self, e); });
  raise(self);
  return {
    [self](ask_counters) -> caf::result<front> {
      auto& st = self->state;
      if (st.now_at.view)
        return st.now_at;
      auto promise = self->make_response_promise<front>();
      st.knocking.push_back(promise);
      return promise;
    },
    [self](stop_tree) -> caf::result<tree_stopped> {
      auto& st = self->state;
      st.stopping = true;
      if (!st.core) { // between two lives
        self->quit(caf::exit_reason::user_shutdown);
        return tree_stopped{"stopped while restarting"};
      }
      auto promise = self->make_response_promise<tree_stopped>();
      st.waiting.push_back(promise);
      // Without a sender, or the link would be gone and the end unheard.
      caf::anon_send_exit(st.core, caf::exit_reason::user_shutdown);
      return promise;
    },
    [self](front& handles) {
      auto& st = self->state;
      st.now_at = std::move(handles);
      for (auto& promise : st.knocking)
        promise.deliver(st.now_at);
      st.knocking.clear();
      note_fall(self);
    },
    [self](tick) {
      if (!self->state.core && !self->state.stopping)
        raise(self);
    },
  };
}

root_actor spawn_tree(caf::actor_system& system, context_ptr ctx, ports world,
                      fall_teller tell) {
  return system.spawn(root, std::move(ctx), std::move(world), std::move(tell));
}

} // namespace orderly
