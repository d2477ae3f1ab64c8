// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_reports/port.hpp"

#include "io/node_reports/asker.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <map>

namespace orderly::io::node_reports {

/// From the loop's thread to the port itself.
struct agent_heard {
  std::uint64_t ticket = 0;
  diagnosis what;
};

} // namespace orderly::io::node_reports

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::io::node_reports::agent_heard)

namespace orderly::io::node_reports {

namespace {

using port_actor = agent_port::extend<caf::reacts_to<agent_heard>>;

struct port_state {
  static inline const char* name = "agent port";

  std::map<std::uint64_t, caf::typed_response_promise<diagnosis>> open;
  std::uint64_t last_ticket = 0;
  std::shared_ptr<asker> who;
  loop* where = nullptr;

  port_state() = default;
  port_state(const port_state&) = delete;
  port_state& operator=(const port_state&) = delete;

  ~port_state() {
    // Its lines belong to the loop's thread.
    if (where != nullptr)
      where->post([old = std::move(who)]() mutable { old.reset(); });
  }
};

port_actor::behavior_type
agent_port_impl(port_actor::stateful_pointer<port_state> self, loop* where,
                asker_rules rules) {
  self->state.where = where;
  self->state.who = std::make_shared<asker>(where->context(), std::move(rules));
  return {
    [self](const ask_diagnosis& what) {
      auto& st = self->state;
      auto promise = self->make_response_promise<diagnosis>();
      auto ticket = ++st.last_ticket;
      st.open.emplace(ticket, promise);
      st.where->post([who = st.who, what, ticket, to = self->address()] {
        who->ask(what, [to, ticket](diagnosis x) {
          if (auto port = caf::actor_cast<port_actor>(to))
            caf::anon_send(port, agent_heard{ticket, std::move(x)});
        });
      });
      return promise;
    },
    [](const stage_repair&) {
      return stage_answer{
        false, "orderly-agent cannot keep the object of a repair command yet"};
    },
    [self](agent_heard& news) {
      auto& open = self->state.open;
      auto i = open.find(news.ticket);
      if (i == open.end())
        return;
      i->second.deliver(std::move(news.what));
      open.erase(i);
    },
  };
}

} // namespace

agent_port spawn_agent_port(caf::actor_system& system, loop& where,
                            const settings& rules,
                            std::function<void(const std::string&)> tell) {
  return system.spawn(
    agent_port_impl, &where,
    asker_rules{rules.agents.port, rules.agents.folder, std::move(tell)});
}

} // namespace orderly::io::node_reports
