// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/answers.hpp"

#include "io/node_agent/diagnose_command.hpp"
#include "io/query/target.hpp"
#include "io/report/envelope.hpp"

#include <chrono>
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

} // namespace

answers::answers(loop& on, const agent_settings& s, report::node_key key,
                 std::function<void(const std::string&)> tell)
  : rules_(s),
    key_(std::move(key)),
    tell_(std::move(tell)),
    papers_(s.ganeti.folder, tell_),
    self_(s.node.folder, s.node.uuid),
    kept_(s.node.folder),
    seen_(on) {
  if (rules_.node.name.empty())
    rules_.node.name = host_name();
}

void answers::take(const agent_settings& s) {
  rules_.repair = s.repair;
  seen_.take(s);
}

response answers::answer(const request& x) {
  // A connection may be older than the list of who is let in.
  if (rules_.http.tls && !papers_.admits(x.certificate))
    return http::error_response(403, "not-a-candidate",
                                "this certificate is no master "
                                "candidate's any more");
  auto to = http::parse_target(x.target);
  if (!to)
    return http::error_response(400, "bad-target", to.why().text);
  if (to->path == "/1/deposit")
    return keep_order(x);
  if (x.method != "GET" && x.method != "HEAD")
    return http::error_response(405, "method", "only GET is known here");
  for (const auto& [name, value] : to->query)
    if (name != "rsalt" && name != "node")
      return http::error_response(
        400, "bad-query", "there is no '" + name + "'; known are rsalt, node");
  if (to->path == "/")
    return plain("[1]");
  if (to->path == "/1" || to->path == "/1/")
    return plain("null");
  if (to->path == "/1/list/collectors")
    return plain(seen_.list());
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

response answers::keep_order(const request& x) {
  if (x.method != "POST")
    return http::error_response(405, "method", "only POST is known here");
  if (!rules_.http.tls)
    return http::error_response(403, "no-tls",
                                "without TLS anybody on this node could give "
                                "orders: none is taken");
  auto now = std::chrono::floor<millis>(std::chrono::system_clock::now());
  auto cluster = papers_.cluster_key(now);
  if (cluster.empty())
    return http::error_response(503, "cannot-check",
                                "the cluster's key cannot be read");
  auto order = report::open_order(x.body, {cluster},
                                  self_.uuid(papers_.own_uuid()), now);
  if (!order)
    return http::error_response(400, "bad-order", order.why().text);
  if (auto why = doubt_repair_command(rules_.repair.folder, order->command);
      !why.empty())
    return http::error_response(409, "bad-command", why);
  if (auto why = kept_.keep(*order); !why.empty())
    return http::error_response(409, "not-kept", why);
  return plain("{\"deposited\":true}");
}

std::optional<std::string> answers::report_at(const std::string& rest) const {
  if (rest == "all")
    return seen_.all();
  auto slash = rest.find('/');
  if (slash == std::string::npos)
    return std::nullopt;
  return seen_.report(rest.substr(0, slash), rest.substr(slash + 1));
}

response answers::sealed(std::string report,
                         const std::map<std::string, std::string>& query) {
  auto salt = query.find("rsalt");
  if (salt == query.end() || !report::is_salt(salt->second))
    return http::error_response(400, "bad-salt",
                                "rsalt must be 16 to 64 letters, digits, "
                                "- or _");
  auto own = papers_.own_uuid();
  if (auto node = query.find("node"); node != query.end()) {
    std::string trouble;
    // Without TLS anybody could tell us who we are.
    auto same = rules_.http.tls ? self_.hear(node->second, own, trouble)
                                : self_.uuid(own) == node->second;
    if (!trouble.empty())
      tell_(trouble);
    if (!same)
      return http::error_response(
        409, "another-node",
        "this node is not " + node->second.substr(0, 40)
          + "; set node.uuid, or remove " + self_.place()
          + " if it has become another one");
  }
  auto now = std::chrono::floor<millis>(std::chrono::system_clock::now());
  auto cluster = papers_.cluster_key(now);
  auto uuid = self_.uuid(own);
  if (cluster.empty() || uuid.empty())
    return http::error_response(503, "cannot-sign",
                                cluster.empty()
                                  ? "the cluster's key cannot be read"
                                  : "this node's UUID is not known yet; set "
                                    "node.uuid, or ask with node=UUID");
  return plain(report::seal({uuid, rules_.node.name, now, std::move(report)},
                            salt->second, cluster, key_));
}

} // namespace orderly::io::node_agent
