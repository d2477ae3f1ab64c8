// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/agent/http_probe.hpp"

#include "io/loop/answer_head.hpp"

#include <memory>

#include <boost/asio/error.hpp>
#include <boost/beast/core/flat_static_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace orderly::io::agent {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::uint32_t header_max = 4096;
constexpr std::uint64_t body_max = 1024;

/// One question and its answer; kept alive by its handlers.
class exchange : public std::enable_shared_from_this<exchange> {
public:
  exchange(asio::io_context& where, const check& what, millis time_limit,
           finding_callback done)
    : stream_(where),
      what_(what),
      time_limit_(time_limit),
      done_(std::move(done)) {
    // nop
  }

  void start(const asio::ip::tcp::endpoint& node) {
    request_.method(http::verb::get);
    request_.target("/");
    request_.version(11);
    request_.set(http::field::host, node.address().to_string());
    request_.set(http::field::connection, "close");
    answer_.header_limit(header_max);
    answer_.body_limit(body_max);
    stream_.expires_after(time_limit_); // for all that follows
    stream_.async_connect(node, [self = shared_from_this()](error_code x) {
      if (x)
        self->end(explain_connect(self->what_, x, self->time_limit_), x);
      else
        self->ask();
    });
  }

  void stop() { stream_.close(); }

private:
  void ask() {
    http::async_write(stream_, request_,
                      [self = shared_from_this()](error_code x, std::size_t) {
                        if (x)
                          self->end(self->spoiled(x), x);
                        else
                          self->listen();
                      });
  }

  void listen() {
    read_answer_head(stream_, buffer_, answer_, header_max,
                     [self = shared_from_this()](error_code x) {
                       if (x)
                         self->end(self->spoiled(x), x);
                       else
                         self->read_on();
                     });
  }

  void read_on() {
    http::async_read(stream_, buffer_, answer_,
                     [self = shared_from_this()](error_code x, std::size_t) {
                       self->end(x ? self->spoiled(x) : self->judge(), x);
                     });
  }

  [[nodiscard]] finding say(reply got, const std::string& text) const {
    return {what_.kind, got, std::to_string(what_.port) + " " + text};
  }

  [[nodiscard]] finding spoiled(const error_code& problem) const {
    if (problem == beast::error::timeout)
      return say(reply::bad,
                 "accepts, but no answer within " + describe(time_limit_));
    if (problem == http::error::end_of_stream
        || problem == asio::error::connection_reset)
      return say(reply::bad, "closes the connection without an answer");
    return say(reply::bad, "gives no proper answer: " + problem.message());
  }

  [[nodiscard]] finding judge() const {
    const auto& got = answer_.get();
    if (got.result() != http::status::ok)
      return say(reply::bad,
                 "answers HTTP " + std::to_string(got.result_int()));
    auto body = got.body();
    std::erase_if(body, [](char c) {
      return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    });
    if (body != "[1]")
      return say(reply::bad, "answers, but not with [1]: no monitor that we "
                             "know");
    return say(reply::good, "monitor answers");
  }

  void end(finding x, const error_code& problem) {
    stream_.close();
    if (problem != asio::error::operation_aborted)
      done_(std::move(x));
  }

  beast::tcp_stream stream_;
  check what_;
  millis time_limit_;
  finding_callback done_;
  http::request<http::empty_body> request_;
  http::response_parser<http::string_body> answer_;
  beast::flat_static_buffer<header_max + body_max> buffer_;
};

} // namespace

stopper probe_http(asio::io_context& where, const asio::ip::tcp::endpoint& node,
                   const check& what, millis time_limit,
                   finding_callback done) {
  auto x = std::make_shared<exchange>(where, what, time_limit, std::move(done));
  x->start(node);
  return [weak = std::weak_ptr<exchange>{x}] {
    if (auto open = weak.lock())
      open->stop();
  };
}

} // namespace orderly::io::agent
