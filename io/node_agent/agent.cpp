// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/agent.hpp"

#include "io/door/server.hpp"
#include "io/limits/limits.hpp"
#include "io/node_agent/answers.hpp"
#include "io/node_agent/diagnose.hpp"

#include <utility>

namespace orderly::io::node_agent {

namespace {

/// How many may come, on a node that has better things to do. What they leave
/// of the open files is for commands, keys and lists.
http::limits bounds() {
  http::limits x;
  x.connections_max = share_of_files(64);
  x.connections_per_peer_max = share_of_files(16);
  x.greetings_max = share_of_files(x.greetings_max);
  x.body_max = report::order_max;
  x.idle_timeout = minutes{10}; // who asks every minute keeps his line
  return x;
}

} // namespace

struct agent::impl {
  impl(loop& on, const agent_settings& s, report::node_key key,
       const std::function<void(const std::string&)>& t)
    : says(on, s, std::move(key), t), tell(t) {
    // nop
  }

  answers says;
  std::function<void(const std::string&)> tell;
  std::unique_ptr<http::server> door;
};

agent::agent(std::shared_ptr<impl> x) : impl_(std::move(x)) {
  // nop
}

agent::~agent() = default;

result<std::unique_ptr<agent>>
agent::start(loop& on, const agent_settings& s,
             std::function<void(const std::string&)> tell) {
  auto key = load_or_make_key(s.node.folder);
  if (!key)
    return key.why();
  auto x = std::make_shared<impl>(on, s, *key, tell);
  http::server_rules rules;
  rules.address = s.http.address;
  rules.port = s.http.port;
  rules.bounds = bounds();
  rules.failed = x->tell;
  rules.news = [me = x.get()](const http::door_standing& at) {
    if (!at.open)
      me->tell(at.trouble);
  };
  if (s.http.tls)
    rules.tls = [me = x.get()] { return me->says.papers().side(); };
  auto door = http::server::start(
    on, rules, [me = x.get()](http::request rq, const http::reply& done) {
      done(me->says.answer(rq));
    });
  if (!door)
    return door.why();
  x->door = std::move(*door);
  x->says.seen().add(make_diagnose(on, s));
  return std::unique_ptr<agent>{new agent{x}};
}

void agent::take(const agent_settings& s) {
  impl_->says.take(s);
}

std::uint16_t agent::port() const {
  return impl_->door->port();
}

std::string agent::fingerprint() const {
  return report::fingerprint_of(impl_->says.key().public_hex());
}

} // namespace orderly::io::node_agent
