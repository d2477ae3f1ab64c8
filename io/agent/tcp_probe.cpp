// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/agent/tcp_probe.hpp"

#include <memory>

#include <boost/asio/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/tcp_stream.hpp>

namespace orderly::io::agent {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

reply classify(const error_code& problem) {
  if (problem == asio::error::connection_refused
      || problem == asio::error::connection_reset)
    return reply::refused;
  if (problem == beast::error::timeout || problem == asio::error::timed_out
      || problem == asio::error::host_unreachable)
    return reply::silent;
  return reply::untried;
}

} // namespace

finding explain_connect(const check& what, const error_code& problem,
                        millis time_limit) {
  auto got = classify(problem);
  auto port = std::to_string(what.port);
  if (problem == beast::error::timeout)
    return {what.kind, got, port + " no answer within " + describe(time_limit)};
  if (problem == asio::error::connection_refused)
    return {what.kind, got, port + " connection refused"};
  if (got == reply::untried)
    return {what.kind, got, port + " not tried: " + problem.message()};
  return {what.kind, got, port + " " + problem.message()};
}

stopper probe_tcp(asio::io_context& where, const asio::ip::tcp::endpoint& node,
                  const check& what, millis time_limit, finding_callback done) {
  auto stream = std::make_shared<beast::tcp_stream>(where);
  stream->expires_after(time_limit);
  stream->async_connect(
    node, [stream, what, time_limit,
           done = std::move(done)](const error_code& problem) {
      if (problem == asio::error::operation_aborted)
        return;
      stream->close();
      if (problem)
        done(explain_connect(what, problem, time_limit));
      else
        done({what.kind, reply::good,
              std::to_string(what.port) + " accepts connections"});
    });
  return [weak = std::weak_ptr<beast::tcp_stream>{stream}] {
    if (auto open = weak.lock())
      open->close();
  };
}

} // namespace orderly::io::agent
