// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/agent/http_probe.hpp"

#include "io/exchange/exchange.hpp"

#include <memory>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>

namespace orderly::io::agent {

namespace {

namespace beast = boost::beast;
using boost::system::error_code;

constexpr std::uint32_t header_max = 4096;
constexpr std::uint64_t body_max = 1024;

std::string spoiled(const error_code& problem, millis time_limit) {
  if (problem == beast::error::timeout)
    return "accepts, but no answer within " + describe(time_limit);
  if (problem == beast::http::error::end_of_stream
      || problem == boost::asio::error::connection_reset)
    return "closes the connection without an answer";
  return "gives no proper answer: " + problem.message();
}

finding judge(const check& what, exchange_end x, millis time_limit) {
  auto say = [&what](reply got, const std::string& text) {
    return finding{what.kind, got, std::to_string(what.port) + " " + text};
  };
  if (x.at == exchange_step::connecting)
    return explain_connect(what, x.why, time_limit);
  if (x.at != exchange_step::answered)
    return say(reply::bad, spoiled(x.why, time_limit));
  if (x.status != 200)
    return say(reply::bad, "answers HTTP " + std::to_string(x.status));
  std::erase_if(x.body, [](char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  });
  if (x.body != "[1]")
    return say(reply::bad, "answers, but not with [1]: no monitor that we "
                           "know");
  return say(reply::good, "monitor answers");
}

} // namespace

stopper probe_http(boost::asio::io_context& where,
                   const boost::asio::ip::tcp::endpoint& node,
                   const check& what, millis time_limit,
                   finding_callback done) {
  return exchange(std::make_shared<plain_way>(where),
                  {.host = node.address().to_string()},
                  {.places = {node},
                   .until = std::chrono::steady_clock::now() + time_limit,
                   .head_max = header_max,
                   .body_max = body_max},
                  [what, time_limit, done = std::move(done)](exchange_end x) {
                    done(judge(what, std::move(x), time_limit));
                  });
}

} // namespace orderly::io::agent
