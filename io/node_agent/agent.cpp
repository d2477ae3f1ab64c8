// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/agent.hpp"

#include "io/door/server.hpp"
#include "io/node_agent/credentials.hpp"
#include "io/node_agent/diagnose.hpp"
#include "io/node_agent/diagnose_command.hpp"
#include "io/node_agent/identity.hpp"
#include "io/node_agent/shelf.hpp"
#include "io/node_agent/staging.hpp"
#include "io/query/target.hpp"
#include "io/report/envelope.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace orderly::io::node_agent {

namespace {

using http::request;
using http::response;

response plain(std::string body) {
  response x;
  x.body = std::move(body);
  return x;
}

response not_there(const char* text) {
  response x;
  x.status = 404;
  x.content_type = "text/plain; charset=utf-8";
  x.body = text;
  return x;
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// How many may come, on a node that has better things to do.
http::limits bounds() {
  http::limits x;
  x.connections_max = 64;
  x.connections_per_peer_max = 16;
  x.body_max = report::order_max;
  x.idle_timeout = minutes{10}; // who asks every minute keeps his line
  return x;
}

} // namespace

struct agent::impl {
  impl(loop& on, const agent_settings& s, report::node_key k,
       std::function<void(const std::string&)> t)
    : rules(s),
      key(std::move(k)),
      tell(std::move(t)),
      papers(s.ganeti.folder, tell),
      self(s.node.folder, s.node.uuid),
      kept(s.node.folder),
      seen(on) {
    if (rules.node.name.empty())
      rules.node.name = host_name();
  }

  response answer(const request& x) {
    // A connection may be older than the list of who is let in.
    if (rules.http.tls && !papers.admits(x.certificate))
      return http::error_response(403, "not-a-candidate",
                                  "this certificate is no master "
                                  "candidate's any more");
    auto to = http::parse_target(x.target);
    if (!to)
      return http::error_response(400, "bad-target", to.why().text);
    if (to->path == "/1/stage")
      return staged(x);
    if (x.method != "GET" && x.method != "HEAD")
      return http::error_response(405, "method", "only GET is known here");
    for (const auto& [name, value] : to->query)
      if (name != "rsalt" && name != "node")
        return http::error_response(400, "bad-query",
                                    "there is no '" + name
                                      + "'; known are rsalt, node");
    if (to->path == "/")
      return plain("[1]");
    if (to->path == "/1" || to->path == "/1/")
      return plain("null");
    if (to->path == "/1/list/collectors")
      return plain(seen.list());
    constexpr std::string_view reports = "/1/report/";
    if (to->path.rfind(reports, 0) != 0)
      return not_there("Resource not found");
    auto found = report_at(to->path.substr(reports.size()));
    if (!found)
      return not_there("Unable to produce a report for the requested "
                       "resource");
    return to->query.empty() ? plain(std::move(*found))
                             : sealed(std::move(*found), to->query);
  }

  /// Keeps an order for the node's repair command. Only a master candidate with
  /// the cluster's key gives one.
  response staged(const request& x) {
    if (x.method != "POST")
      return http::error_response(405, "method", "only POST is known here");
    if (!rules.http.tls)
      return http::error_response(403, "no-tls",
                                  "without TLS anybody on this node could give "
                                  "orders: none is taken");
    auto now = std::chrono::floor<millis>(std::chrono::system_clock::now());
    auto cluster = papers.cluster_key(now);
    if (cluster.empty())
      return http::error_response(503, "cannot-check",
                                  "the cluster's key cannot be read");
    auto order = report::open_order(x.body, {cluster},
                                    self.uuid(papers.own_uuid()), now);
    if (!order)
      return http::error_response(400, "bad-order", order.why().text);
    if (auto why = doubt_repair_command(rules.repair.folder, order->command);
        !why.empty())
      return http::error_response(409, "bad-command", why);
    if (auto why = kept.keep(*order); !why.empty())
      return http::error_response(409, "not-kept", why);
    return plain("{\"staged\":true}");
  }

  [[nodiscard]] std::optional<std::string>
  report_at(const std::string& rest) const {
    if (rest == "all")
      return seen.all();
    auto slash = rest.find('/');
    if (slash == std::string::npos)
      return std::nullopt;
    return seen.report(rest.substr(0, slash), rest.substr(slash + 1));
  }

  response sealed(std::string report,
                  const std::map<std::string, std::string>& query) {
    auto salt = query.find("rsalt");
    if (salt == query.end() || !report::is_salt(salt->second))
      return http::error_response(400, "bad-salt",
                                  "rsalt must be 16 to 64 letters, digits, "
                                  "- or _");
    auto own = papers.own_uuid();
    if (auto node = query.find("node"); node != query.end()) {
      std::string trouble;
      // Without TLS anybody could tell us who we are.
      auto same = rules.http.tls ? self.hear(node->second, own, trouble)
                                 : self.uuid(own) == node->second;
      if (!trouble.empty())
        tell(trouble);
      if (!same)
        return http::error_response(
          409, "another-node",
          "this node is not " + node->second.substr(0, 40)
            + "; set node.uuid, or remove " + self.place()
            + " if it has become another one");
    }
    auto now = std::chrono::floor<millis>(std::chrono::system_clock::now());
    auto cluster = papers.cluster_key(now);
    auto uuid = self.uuid(own);
    if (cluster.empty() || uuid.empty())
      return http::error_response(503, "cannot-sign",
                                  cluster.empty()
                                    ? "the cluster's key cannot be read"
                                    : "this node's UUID is not known yet; set "
                                      "node.uuid, or ask with node=UUID");
    return plain(report::seal({uuid, rules.node.name, now, std::move(report)},
                              salt->second, cluster, key));
  }

  agent_settings rules;
  report::node_key key;
  std::function<void(const std::string&)> tell;
  credentials papers;
  identity self;
  staging kept;
  shelf seen;
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
  auto x = std::make_shared<impl>(on, s, *key, std::move(tell));
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
    rules.tls = [me = x.get()] { return me->papers.side(); };
  auto door = http::server::start(
    on, rules, [me = x.get()](request rq, const http::reply& done) {
      done(me->answer(rq));
    });
  if (!door)
    return door.why();
  x->door = std::move(*door);
  x->seen.add(make_diagnose(on, s));
  return std::unique_ptr<agent>{new agent{x}};
}

std::uint16_t agent::port() const {
  return impl_->door->port();
}

std::string agent::fingerprint() const {
  return report::fingerprint_of(impl_->key.public_hex());
}

} // namespace orderly::io::node_agent
