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
#include <variant>

namespace orderly::io::node_reports {

/// From the loop's thread to the port itself.
struct agent_heard {
  std::uint64_t ticket = 0;
  std::variant<diagnosis, deposit_answer> what;
};

} // namespace orderly::io::node_reports

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::io::node_reports::agent_heard)

namespace orderly::io::node_reports {

namespace {

using port_actor = agent_port::extend<caf::reacts_to<agent_heard>>;

struct port_state {
  static inline const char* name = "agent port";

  template <class Answer>
  using promises = std::map<std::uint64_t, caf::typed_response_promise<Answer>>;

  promises<diagnosis> open;
  promises<deposit_answer> orders;
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

using self_ptr = port_actor::stateful_pointer<port_state>;

/// Has the loop do `work` with the asker and a callback for the answer.
template <class Answer, class Work>
caf::result<Answer> pass_on(self_ptr self,
                            port_state::promises<Answer>& waiting, Work work) {
  auto& st = self->state;
  auto promise = self->template make_response_promise<Answer>();
  auto ticket = ++st.last_ticket;
  waiting.emplace(ticket, promise);
  st.where->post([who = st.who, work, ticket, to = self->address()] {
    work(*who, [to, ticket](Answer x) {
      if (auto port = caf::actor_cast<port_actor>(to))
        caf::anon_send(port, agent_heard{ticket, std::move(x)});
    });
  });
  return promise;
}

template <class Answer>
void deliver(port_state::promises<Answer>& waiting, std::uint64_t ticket,
             Answer& what) {
  auto i = waiting.find(ticket);
  if (i == waiting.end())
    return;
  i->second.deliver(std::move(what));
  waiting.erase(i);
}

port_actor::behavior_type agent_port_impl(self_ptr self, loop* where,
                                          asker_rules rules) {
  self->state.where = where;
  self->state.who = std::make_shared<asker>(where->context(), std::move(rules));
  return {
    [self](const ask_diagnosis& what) {
      return pass_on<diagnosis>(
        self, self->state.open,
        [what](asker& who, auto then) { who.ask(what, std::move(then)); });
    },
    [self](const deposit_repair& what) {
      return pass_on<deposit_answer>(self, self->state.orders,
                                     [what](asker& who, auto then) {
                                       who.keep_order(what, std::move(then));
                                     });
    },
    [self](agent_heard& news) {
      auto& st = self->state;
      if (auto* said = std::get_if<diagnosis>(&news.what))
        deliver(st.open, news.ticket, *said);
      else
        deliver(st.orders, news.ticket, std::get<deposit_answer>(news.what));
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
