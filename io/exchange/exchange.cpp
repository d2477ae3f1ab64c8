// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/exchange/exchange.hpp"

#include "io/exchange/answer_head.hpp"

#include <type_traits>
#include <utility>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace orderly::io {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace web = boost::beast::http;
using boost::system::error_code;
using step = exchange_step;

/// Kept alive by its handlers.
template <class Way>
class talk : public std::enable_shared_from_this<talk<Way>> {
public:
  talk(std::shared_ptr<Way> way, exchange_rules rules, exchange_callback done)
    : way_(std::move(way)),
      rules_(std::move(rules)),
      done_(std::move(done)),
      buffer_(std::size_t{4} * rules_.head_max) {
    parser_.header_limit(rules_.head_max);
    parser_.body_limit(rules_.body_max);
  }

  void start(exchange_question what) {
    keep_open_ = what.keep_open;
    write_down(std::move(what));
    beast::get_lowest_layer(*way_).expires_at(rules_.until);
    if (rules_.places.empty())
      ask();
    else
      connect();
  }

  void stop() {
    done_ = nullptr;
    close();
  }

private:
  /// Goes on unless the step before has failed, or nobody cares any more.
  template <class Next>
  auto then(step at, Next next) {
    return
      [self = this->shared_from_this(), at, next](error_code e, auto&&...) {
        if (!self->done_)
          return;
        if (e)
          self->end({.at = at, .why = e});
        else
          next(*self);
      };
  }

  void write_down(exchange_question what) {
    auto posts = !what.body.empty();
    request_.method(posts ? web::verb::post : web::verb::get);
    request_.target(what.target);
    request_.version(11);
    request_.set(web::field::host, what.host);
    if (!what.accept.empty())
      request_.set(web::field::accept, what.accept);
    if (!what.authorization.empty())
      request_.set(web::field::authorization, what.authorization);
    if (!keep_open_)
      request_.set(web::field::connection, "close");
    request_.body() = std::move(what.body);
    if (posts)
      request_.prepare_payload();
  }

  void connect() {
    beast::get_lowest_layer(*way_).async_connect(
      rules_.places, then(step::connecting, [](talk& x) { x.greet(); }));
  }

  void greet() {
    if constexpr (std::is_same_v<Way, tls_way>)
      way_->async_handshake(asio::ssl::stream_base::client,
                            then(step::greeting, [](talk& x) { x.ask(); }));
    else
      ask();
  }

  void ask() {
    web::async_write(*way_, request_,
                     then(step::asking, [](talk& x) { x.read_head(); }));
  }

  void read_head() {
    read_answer_head(*way_, buffer_, parser_, rules_.head_max,
                     then(step::hearing, [](talk& x) {
                       x.parser_.eager(true);
                       x.hear_some();
                     }));
  }

  void hear_some() {
    auto& got = parser_.get();
    if (parser_.is_done())
      return end({.at = step::answered,
                  .status = got.result_int(),
                  .body = std::move(got.body()),
                  .open = keep_open_ && got.keep_alive()});
    if (rules_.room && !rules_.room(got.body().capacity() + buffer_.capacity()))
      return end(
        {.at = step::hearing,
         .why = make_error_code(boost::system::errc::not_enough_memory)});
    web::async_read_some(*way_, buffer_, parser_,
                         then(step::hearing, [](talk& x) { x.hear_some(); }));
  }

  void close() { beast::get_lowest_layer(*way_).close(); }

  void end(exchange_end x) {
    if (!x.open)
      close();
    std::exchange(done_, nullptr)(std::move(x));
  }

  std::shared_ptr<Way> way_;
  exchange_rules rules_;
  exchange_callback done_;
  web::request<web::string_body> request_;
  web::response_parser<web::string_body> parser_;
  beast::flat_buffer buffer_;
  bool keep_open_ = false;
};

template <class Way>
exchange_stopper begin(std::shared_ptr<Way> way, exchange_question what,
                       exchange_rules rules, exchange_callback done) {
  auto x = std::make_shared<talk<Way>>(std::move(way), std::move(rules),
                                       std::move(done));
  x->start(std::move(what));
  return [weak = std::weak_ptr<talk<Way>>{x}] {
    if (auto open = weak.lock())
      open->stop();
  };
}

} // namespace

exchange_stopper exchange(std::shared_ptr<plain_way> way,
                          exchange_question what, exchange_rules rules,
                          exchange_callback done) {
  return begin(std::move(way), std::move(what), std::move(rules),
               std::move(done));
}

exchange_stopper exchange(std::shared_ptr<tls_way> way, exchange_question what,
                          exchange_rules rules, exchange_callback done) {
  return begin(std::move(way), std::move(what), std::move(rules),
               std::move(done));
}

} // namespace orderly::io
