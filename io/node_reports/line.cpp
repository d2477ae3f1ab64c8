// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_reports/line.hpp"

#include "io/loop/answer_head.hpp"
#include "io/report/envelope.hpp"

#include <utility>

#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

namespace orderly::io::node_reports {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace web = boost::beast::http;
using boost::system::error_code;

constexpr std::uint32_t header_max = 8192;
constexpr std::size_t buffer_max = std::size_t{4} * header_max;

} // namespace

class line::exchange : public std::enable_shared_from_this<exchange> {
public:
  exchange(asio::io_context& where, std::shared_ptr<allowance> room)
    : where_(where), timer_(where), room_(std::move(room)) {
    // nop
  }

  [[nodiscard]] bool busy() const { return static_cast<bool>(done_); }

  void start(const asio::ip::tcp::endpoint& node,
             std::shared_ptr<http::tls_side> side, line_question what,
             millis time_limit, callback done) {
    done_ = std::move(done);
    what_ = std::move(what);
    timer_.expires_after(time_limit);
    timer_.async_wait([self = shared_from_this(), n = ++turn_](error_code e) {
      if (!e && n == self->turn_)
        self->end(fault{fault_kind::timed_out, "does not answer in time"});
    });
    auto same = node == node_ && side == side_;
    node_ = node;
    side_ = std::move(side);
    if (!same)
      stream_.reset();
    used_ = stream_ != nullptr;
    if (used_)
      write();
    else
      connect();
  }

  /// Nobody wants an answer any more.
  void stop() {
    done_ = nullptr;
    timer_.cancel();
    talk_.reset();
    close();
  }

  void close() {
    if (auto old = std::exchange(stream_, nullptr))
      beast::get_lowest_layer(*old).close();
  }

private:
  using stream = asio::ssl::stream<beast::tcp_stream>;

  /// What one question is made of; its handlers keep it, however late.
  struct talk {
    web::request<web::string_body> request;
    web::response_parser<web::string_body> parser;
    beast::flat_buffer buffer{buffer_max};
    allowance::share held;

    explicit talk(std::shared_ptr<allowance> room) : held(std::move(room)) {
      // nop
    }
  };

  /// For the steps of one question: what comes late is none of a later one.
  template <class Next>
  auto step(Next next) {
    return [self = shared_from_this(), n = turn_, s = stream_, t = talk_,
            next](error_code e, auto&&...) {
      if (n == self->turn_ && self->busy())
        next(*self, e);
    };
  }

  void begin_talk() {
    talk_ = std::make_shared<talk>(room_);
    auto& rq = talk_->request;
    rq.method(what_.body.empty() ? web::verb::get : web::verb::post);
    rq.target(what_.target);
    rq.version(11);
    rq.body() = what_.body;
    if (!what_.body.empty())
      rq.prepare_payload();
    rq.set(web::field::host, node_.address().to_string());
    talk_->parser.header_limit(header_max);
    talk_->parser.body_limit(report::envelope_max);
  }

  void connect() {
    used_ = false;
    stream_ = std::make_shared<stream>(where_, side_->context());
    beast::get_lowest_layer(*stream_).async_connect(
      node_, step([](exchange& x, error_code e) {
        if (e)
          x.fail("cannot be reached: ", e);
        else
          x.greet();
      }));
  }

  void greet() {
    stream_->async_handshake(
      asio::ssl::stream_base::client, step([](exchange& x, error_code e) {
        if (e)
          x.fail("does not take us, or is not of this cluster: ", e);
        else
          x.write();
      }));
  }

  void write() {
    begin_talk();
    web::async_write(*stream_, talk_->request,
                     step([](exchange& x, error_code e) {
                       if (e)
                         x.fail("cannot be asked: ", e);
                       else
                         x.read_head();
                     }));
  }

  void read_head() {
    read_answer_head(*stream_, talk_->buffer, talk_->parser, header_max,
                     step([](exchange& x, error_code e) {
                       x.talk_->parser.eager(true);
                       x.hear_some(e);
                     }));
  }

  void read() {
    web::async_read_some(
      *stream_, talk_->buffer, talk_->parser,
      step([](exchange& x, error_code e) { x.hear_some(e); }));
  }

  void hear_some(error_code e) {
    auto& t = *talk_;
    if (e || t.parser.is_done())
      return hear(e);
    if (t.held.grow_to(t.parser.get().body().capacity() + t.buffer.capacity()))
      return read();
    end(fault{fault_kind::bad_input,
              "answers more than there is room for beside other nodes"});
  }

  void hear(error_code e) {
    if (e == web::error::body_limit)
      return end(fault{fault_kind::bad_input, "answers too much"});
    if (e)
      return fail("ends the connection: ", e);
    auto& got = talk_->parser.get();
    if (!got.keep_alive())
      close();
    end(line_answer{got.result_int(), std::move(got.body())});
  }

  void fail(const char* what, error_code e) {
    close();
    // A line that was open may have been closed while nobody looked.
    if (std::exchange(used_, false))
      return connect();
    end(fault{fault_kind::unreachable, what + e.message()});
  }

  void end(result<line_answer> x) {
    if (!x)
      close();
    timer_.cancel();
    ++turn_;
    talk_.reset();
    if (auto done = std::exchange(done_, nullptr))
      done(std::move(x));
  }

  asio::io_context& where_;
  asio::steady_timer timer_;
  std::shared_ptr<allowance> room_;
  std::shared_ptr<http::tls_side> side_;
  std::shared_ptr<stream> stream_; ///< kept by its handlers, too
  asio::ip::tcp::endpoint node_;
  line_question what_;
  std::shared_ptr<talk> talk_;
  callback done_;
  std::uint64_t turn_ = 0;
  bool used_ = false; ///< the line was open before this question
};

line::line(asio::io_context& where, std::shared_ptr<allowance> room)
  : exchange_(std::make_shared<exchange>(where, std::move(room))) {
  // nop
}

line::~line() {
  exchange_->stop();
}

void line::hang_up() {
  if (!busy())
    exchange_->close();
}

bool line::busy() const {
  return exchange_->busy();
}

void line::ask(const asio::ip::tcp::endpoint& node,
               std::shared_ptr<http::tls_side> side, line_question what,
               millis time_limit, callback done) {
  exchange_->start(node, std::move(side), std::move(what), time_limit,
                   std::move(done));
}

} // namespace orderly::io::node_reports
