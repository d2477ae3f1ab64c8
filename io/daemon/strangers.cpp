// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/strangers.hpp"

#include "actors/policy/settings/strangers.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <set>

namespace orderly {

namespace {

constexpr auto look_interval = seconds{10};

/// Longer than the console takes.
constexpr auto look_patience = seconds{20};

struct stranger_watch_state {
  // No aggregate: CAF would try to make it from the actor's own pointer.
  stranger_watch_state() = default;

  context_ptr ctx;
  console_actor console;
  std::shared_ptr<alerts> to;
  std::set<std::string> told; ///< and still so
};

using stranger_self = stranger_actor::stateful_pointer<stranger_watch_state>;

void compare(stranger_self self, const scene& now) {
  auto& st = self->state;
  std::vector<std::string> nodes;
  std::set<std::string> groups;
  for (const auto& node : now.nodes) {
    nodes.push_back(node->name);
    groups.insert(node->group);
  }
  std::set<std::string> found;
  for (const auto& x : keys_of_nobody(*st.ctx->rules(), nodes,
                                      {groups.begin(), groups.end()})) {
    auto text = x.key + " " + x.why;
    if (st.told.count(text) == 0)
      st.to->raise({"settings", "names-nobody", text});
    found.insert(std::move(text));
  }
  st.told = std::move(found);
}

void look(stranger_self self) {
  auto& st = self->state;
  self->delayed_send(self, look_interval, tick{});
  auto rules = st.ctx->rules();
  if (rules->power.levels.empty() && rules->host_ha.groups.empty())
    return;
  self->request(st.console, look_patience, console_ask<console_look>{})
    .then(
      [self](const console_reply<console_scene>& x) {
        if (x.word && x.word->status.polled != never)
          compare(self, *x.word);
      },
      [](const caf::error&) {
        // It is asked again.
      });
}

stranger_actor::behavior_type stranger_watch(stranger_self self,
                                             context_ptr ctx,
                                             console_actor console,
                                             std::shared_ptr<alerts> to) {
  self->state.ctx = std::move(ctx);
  self->state.console = std::move(console);
  self->state.to = std::move(to);
  look(self);
  return {[self](tick) { look(self); }};
}

} // namespace

stranger_actor spawn_stranger_watch(caf::actor_system& system, context_ptr ctx,
                                    console_actor console,
                                    std::shared_ptr<alerts> to) {
  return system.spawn(stranger_watch, std::move(ctx), std::move(console),
                      std::move(to));
}

} // namespace orderly
