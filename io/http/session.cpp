// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/session.hpp"

#include <array>
#include <ctime>
#include <exception>
#include <optional>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace orderly::io::http {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast::http;
using boost::system::error_code;
using plug = asio::generic::stream_protocol::socket;

/// Unread bytes make the kernel reset the connection on close, and the reset
/// can overtake our answer; so much is read and thrown away first.
constexpr size_t linger_bytes_max = 256 * 1024;

constexpr char go_ahead[] = "HTTP/1.1 100 Continue\r\n\r\n";

std::string date_text() {
  std::array<char, 40> text{};
  std::tm parts{};
  auto now = std::time(nullptr);
  gmtime_r(&now, &parts);
  auto size = std::strftime(text.data(), text.size(),
                            "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

template <class Body>
void put_headers(beast::response<Body>& to, const response& from) {
  to.set(beast::field::date, date_text());
  to.set(beast::field::server, "orderly");
  to.set(beast::field::content_type, from.content_type);
  to.set(beast::field::cache_control, "no-store");
  to.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : from.headers)
    to.set(name, value);
}

class live final : public session, public std::enable_shared_from_this<live> {
public:
  live(plug socket, peer who, const limits& rules, handler handle,
       std::function<void()> closed)
    : socket_(std::move(socket)),
      timer_(socket_.get_executor()),
      buffer_(rules.header_max + 4096),
      who_(who),
      rules_(rules),
      handle_(std::move(handle)),
      closed_(std::move(closed)) {
    // nop
  }

  void wait_request() {
    parser_.emplace();
    parser_->header_limit(rules_.header_max);
    parser_->body_limit(rules_.body_max);
    if (buffer_.size() > 0)
      return read_header();
    arm(phase::idle, rules_.idle_timeout);
    socket_.async_wait(plug::wait_read,
                       [me = shared_from_this()](error_code e) {
                         if (e || me->phase_ != phase::idle)
                           return me->finish();
                         me->read_header();
                       });
  }

  void close() override {
    closed_ = nullptr;
    finish();
  }

private:
  enum class phase { idle, reading, handling, writing, lingering, done };

  void arm(phase next, millis limit) {
    phase_ = next;
    timer_.expires_after(limit);
    timer_.async_wait(
      [me = shared_from_this(), armed = ++armed_](error_code e) {
        if (!e && armed == me->armed_)
          me->expired();
      });
  }

  void expired() {
    if (phase_ == phase::reading) {
      // The reader's handler says 408.
      too_slow_ = true;
      error_code ignored;
      socket_.cancel(ignored);
    } else if (phase_ == phase::handling) {
      write(error_response(504, "timed-out",
                           "orderlyd did not find the answer in time; try "
                           "again, and look into its log if it stays so"),
            false);
    } else {
      finish();
    }
  }

  void read_header() {
    too_slow_ = false;
    arm(phase::reading, rules_.read_timeout);
    beast::async_read_header(
      socket_, buffer_, *parser_,
      [me = shared_from_this()](error_code e, size_t) {
        if (e)
          return me->give_up_reading(e);
        auto expects = me->parser_->get()[beast::field::expect];
        if (boost::beast::iequals(expects, "100-continue"))
          return me->send_go_ahead();
        me->read_body();
      });
  }

  void send_go_ahead() {
    asio::async_write(socket_, asio::buffer(go_ahead, sizeof(go_ahead) - 1),
                      [me = shared_from_this()](error_code e, size_t) {
                        if (e)
                          return me->finish();
                        me->read_body();
                      });
  }

  void read_body() {
    beast::async_read(socket_, buffer_, *parser_,
                      [me = shared_from_this()](error_code e, size_t) {
                        if (e)
                          return me->give_up_reading(e);
                        me->dispatch();
                      });
  }

  void give_up_reading(error_code e) {
    if (phase_ != phase::reading)
      return finish();
    if (too_slow_)
      return write(
        error_response(408, "too-slow", "the request did not arrive in time"),
        false);
    if (e == beast::error::header_limit || e == beast::error::buffer_overflow)
      return write(error_response(431, "header-too-large",
                                  "the request header is larger than "
                                    + std::to_string(rules_.header_max)
                                    + " bytes"),
                   false);
    if (e == beast::error::body_limit)
      return write(error_response(413, "body-too-large",
                                  "the request body is larger than "
                                    + std::to_string(rules_.body_max)
                                    + " bytes"),
                   false);
    if (e == beast::error::end_of_stream || e == beast::error::partial_message
        || e.category() != error_code{beast::error::bad_method}.category())
      return finish();
    write(error_response(400, "bad-request",
                         "this is no HTTP/1.1 request: " + e.message()),
          false);
  }

  void dispatch() {
    arm(phase::handling, rules_.request_timeout);
    auto& from = parser_->get();
    head_ = from.method() == beast::verb::head;
    keep_ = from.keep_alive();
    version_ = from.version();
    if (version_ >= 11 && from.count(beast::field::host) != 1)
      return write(error_response(400, "bad-request",
                                  "the request must have one Host header"),
                   false);
    request to;
    to.method = std::string{from.method_string()};
    to.target = std::string{from.target()};
    to.accept = std::string{from[beast::field::accept]};
    to.body = std::move(from.body());
    to.local = who_.local;
    to.uid = who_.uid;
    // Answers may come from other threads: they touch no more than the
    // executor, the rest happens on the loop.
    auto answer = [weak = weak_from_this(), call = ++call_,
                   executor = socket_.get_executor()](response r) {
      asio::post(executor, [weak, call, r = std::move(r)] {
        if (auto me = weak.lock();
            me && me->call_ == call && me->phase_ == phase::handling)
          me->write(r, me->keep_);
      });
    };
    try {
      handle_(std::move(to), answer);
    } catch (const std::exception& e) {
      answer(error_response(500, "internal",
                            std::string{"the request failed: "} + e.what()));
    }
  }

  void write(const response& from, bool keep) {
    arm(phase::writing, rules_.write_timeout);
    if (head_) {
      auto to = std::make_shared<beast::response<beast::empty_body>>(
        beast::int_to_status(from.status), version_);
      put_headers(*to, from);
      to->content_length(from.body.size());
      return send(to, keep);
    }
    auto to = std::make_shared<beast::response<beast::string_body>>(
      beast::int_to_status(from.status), version_);
    put_headers(*to, from);
    to->body() = from.body;
    to->prepare_payload();
    send(to, keep);
  }

  template <class Message>
  void send(std::shared_ptr<Message> to, bool keep) {
    to->keep_alive(keep);
    beast::async_write(
      socket_, *to, [me = shared_from_this(), to, keep](error_code e, size_t) {
        me->head_ = false;
        if (e || me->phase_ != phase::writing)
          return me->finish();
        if (keep)
          return me->wait_request();
        me->start_linger();
      });
  }

  void start_linger() {
    arm(phase::lingering, rules_.linger_timeout);
    error_code ignored;
    socket_.shutdown(plug::shutdown_send, ignored);
    linger();
  }

  void linger() {
    socket_.async_read_some(asio::buffer(scrap_),
                            [me = shared_from_this()](error_code e, size_t n) {
                              me->lingered_ += n;
                              if (e || me->lingered_ > linger_bytes_max)
                                return me->finish();
                              me->linger();
                            });
  }

  void finish() {
    if (phase_ == phase::done)
      return;
    phase_ = phase::done;
    ++armed_;
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
    if (auto closed = std::exchange(closed_, nullptr))
      closed();
  }

  plug socket_;
  asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<beast::request_parser<beast::string_body>> parser_;
  std::array<char, 4096> scrap_{};
  peer who_;
  limits rules_;
  handler handle_;
  std::function<void()> closed_;
  phase phase_ = phase::idle;
  std::uint64_t armed_ = 0;
  std::uint64_t call_ = 0;
  size_t lingered_ = 0;
  unsigned version_ = 11;
  bool too_slow_ = false;
  bool head_ = false;
  bool keep_ = false;
};

} // namespace

std::shared_ptr<session> start_session(plug socket, peer who,
                                       const limits& rules, handler handle,
                                       std::function<void()> closed) {
  auto x = std::make_shared<live>(std::move(socket), who, rules,
                                  std::move(handle), std::move(closed));
  x->wait_request();
  return x;
}

} // namespace orderly::io::http
