// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/shell/supervisor.hpp"

#include "actors/policy/base/backoff.hpp"

#include <caf/exit_reason.hpp>

namespace orderly {

namespace {

using self_ptr = supervisor_actor::stateful_pointer<supervisor_state>;

void start(self_ptr self, supervisor_state::child& c) {
  c.handle = c.spec.start();
  // Linked: whatever takes us down takes them along, and even a kill, which no
  // handler hears, leaves nobody who is only alive because somebody knows him.
  self->link_to(c.handle);
  self->state.names.insert_or_assign(c.handle.address(), c.spec.name);
}

/// Without a sender: an exit message from a linked actor undoes the link.
void end(const caf::actor& child) {
  caf::anon_send_exit(child, caf::exit_reason::user_shutdown);
}

void stop_all(self_ptr self, const caf::error& reason) {
  auto& st = self->state;
  st.stopping = true;
  for (auto i = st.children.rbegin(); i != st.children.rend(); ++i)
    if (i->second.handle)
      end(i->second.handle);
  st.children.clear();
  self->quit(reason);
}

void gone(self_ptr self, const caf::exit_msg& down) {
  auto& st = self->state;
  auto known = st.names.find(down.source);
  if (known == st.names.end()) {
    stop_all(self, down.reason); // not a child: we are asked to end
    return;
  }
  auto name = known->second;
  st.names.erase(known);
  auto i = st.children.find(name);
  if (i == st.children.end() || st.stopping)
    return;
  auto& c = i->second;
  if (c.handle && c.handle.address() != down.source)
    return;
  c.handle = nullptr;
  if (down.reason == caf::exit_reason::normal
      || down.reason == caf::exit_reason::user_shutdown) {
    st.children.erase(i);
    return;
  }
  auto rules = st.ctx->rules();
  auto at = now(self, st.ctx);
  while (!c.restarts.empty()
         && at - c.restarts.front() > rules->supervision.restart_period)
    c.restarts.pop_front();
  c.restarts.push_back(at);
  auto count = static_cast<std::uint32_t>(c.restarts.size());
  auto cause = self->system().render(down.reason);
  if (st.options.tell)
    st.options.tell(name, cause, count);
  if (count > rules->supervision.restarts_max) {
    if (!st.options.abandon) {
      self->quit(caf::make_error(caf::sec::runtime_error,
                                 name + " fails again and again", cause));
      return;
    }
    // Once a period it gets another chance.
    c.ticket = ++st.tickets;
    self->delayed_send(self, rules->supervision.restart_period,
                       tick{0, c.ticket});
    return;
  }
  c.ticket = ++st.tickets;
  self->delayed_send(self,
                     backoff(rules->supervision.restart_base,
                             rules->supervision.restart_max, count),
                     tick{0, c.ticket});
}

} // namespace

supervisor_actor::behavior_type supervisor(self_ptr self, context_ptr ctx,
                                           supervisor_options options) {
  die_with_reason(self, "supervisor");
  self->state.ctx = std::move(ctx);
  self->state.options = std::move(options);
  self->set_exit_handler([self](const caf::exit_msg& e) { gone(self, e); });
  return {
    [self](start_child& spec) {
      auto& st = self->state;
      auto name = spec.name;
      if (st.stopping || st.children.count(name) != 0)
        return;
      auto& c = st.children[name];
      c.spec = std::move(spec);
      start(self, c);
    },
    [self](const stop_child& what) {
      auto& st = self->state;
      auto i = st.children.find(what.name);
      if (i == st.children.end())
        return;
      auto handle = i->second.handle;
      st.children.erase(i);
      if (handle)
        end(handle);
    },
    [self](const tick& t) {
      auto& st = self->state;
      for (auto& [name, c] : st.children)
        if (!c.handle && c.ticket == t.generation) {
          start(self, c);
          return;
        }
    },
  };
}

} // namespace orderly
