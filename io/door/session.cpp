// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/session.hpp"

#include "io/door/header.hpp"
#include "io/door/request_reader.hpp"
#include "io/door/tls.hpp"

#include <array>
#include <exception>
#include <type_traits>
#include <utility>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

namespace orderly::io::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using plug = asio::generic::stream_protocol::socket;

/// A connection as it comes.
struct plain_line {
  plain_line(plug x, const std::shared_ptr<tls_side>&) : stream(std::move(x)) {
    // nop
  }

  plug& bottom() { return stream; }

  plug stream;
};

/// The same with TLS around it.
struct tls_line {
  tls_line(plug x, std::shared_ptr<tls_side> by)
    : side(std::move(by)), stream(std::move(x), side->context()) {
    // nop
  }

  plug& bottom() { return stream.next_layer(); }

  std::shared_ptr<tls_side> side;
  asio::ssl::stream<plug> stream;
};

/// Unread bytes make the kernel reset the connection on close, and the reset
/// can overtake our answer; so much is read and thrown away first.
constexpr size_t linger_bytes_max = 256 * 1024;

/// Asio would hand over 64 KiB at a time, with a wait in between. The kernel
/// takes what it has room for, and says how much that was.
size_t at_once(const error_code& e, size_t) {
  constexpr size_t plenty = 16 * 1024 * 1024;
  return e ? 0 : plenty;
}

constexpr char go_ahead[] = "HTTP/1.1 100 Continue\r\n\r\n";

steady_time now() {
  return std::chrono::steady_clock::now();
}

template <class Line>
class live final : public session,
                   public std::enable_shared_from_this<live<Line>> {
public:
  live(plug socket, const std::shared_ptr<tls_side>& tls, peer who,
       std::shared_ptr<const session_rules> rules, std::function<void()> closed,
       admission admitted)
    : line_(std::move(socket), tls),
      who_(std::move(who)),
      rules_(std::move(rules)),
      reader_(rules_->bounds),
      closed_(std::move(closed)),
      admitted_(std::move(admitted)) {
    // nop
  }

  void start() {
    // Whoever comes and says nothing is not between two requests.
    if constexpr (std::is_same_v<Line, tls_line>) {
      enter(phase::greeting, rules_->bounds.read_timeout);
      shake_hands();
    } else {
      enter(phase::idle, rules_->bounds.read_timeout);
      read();
    }
  }

  void close() override {
    closed_ = nullptr;
    finish();
  }

  void look(steady_time at) override {
    if (phase_ != phase::done && at >= deadline_)
      guarded([this] { expired(); });
  }

  [[nodiscard]] phase at() const override { return phase_; }

  [[nodiscard]] steady_time since() const override { return since_; }

private:
  void enter(phase next, millis limit) {
    phase_ = next;
    since_ = now();
    deadline_ = since_ + limit;
  }

  /// What one client makes go wrong ends its own session and nothing else.
  template <class Work>
  void guarded(Work work) {
    try {
      work();
    } catch (const std::exception& e) {
      failed(e.what());
    } catch (...) {
      failed("unknown");
    }
  }

  /// A handler for Asio that keeps the session alive.
  template <class Work>
  auto then(Work work) {
    return [me = this->shared_from_this(), work](error_code e, size_t n = 0) {
      me->guarded([&] { work(*me, e, n); });
    };
  }

  void failed(const char* why) {
    finish();
    if (rules_->failed)
      rules_->failed(why);
  }

  void expired() {
    if (phase_ == phase::reading)
      write(
        error_response(408, "too-slow", "the request did not arrive in time"),
        false);
    else if (phase_ == phase::handling)
      write(error_response(504, "timed-out",
                           "orderlyd did not find the answer in time; try "
                           "again, and look into its log if it stays so"),
            false);
    else
      finish();
  }

  void shake_hands() {
    line_.stream.async_handshake(
      asio::ssl::stream_base::server, then([](live& me, error_code e, size_t) {
        auto admitted = std::exchange(me.admitted_, nullptr);
        if (e || me.phase_ != phase::greeting || !admitted())
          return me.finish();
        me.certificate_
          = tls_side::digest_of_peer(me.line_.stream.native_handle());
        me.enter(phase::idle, me.rules_->bounds.read_timeout);
        me.read();
      }));
  }

  void read() {
    auto room = reader_.room();
    line_.stream.async_read_some(
      asio::buffer(room.data(), room.size()),
      then([](live& me, error_code e, size_t n) { me.have_read(e, n); }));
  }

  bool waits_for_request() const {
    return phase_ == phase::idle || phase_ == phase::reading;
  }

  void have_read(error_code e, size_t count) {
    if (!waits_for_request())
      return; // cut by the deadline
    if (e)
      return finish();
    reader_.took(count);
    step();
  }

  /// What the bytes that are there ask for.
  void step() {
    auto found = reader_.look();
    if (phase_ == phase::idle && !reader_.is_empty())
      enter(phase::reading, rules_->bounds.read_timeout);
    switch (found) {
    case request_reader::verdict::more:
      return read();
    case request_reader::verdict::go_ahead:
      return asio::async_write(line_.stream,
                               asio::buffer(go_ahead, sizeof(go_ahead) - 1),
                               then([](live& me, error_code failure, size_t) {
                                 if (failure)
                                   return me.finish();
                                 if (me.waits_for_request())
                                   me.step();
                               }));
    case request_reader::verdict::bad:
      return write(reader_.refusal(), false);
    case request_reader::verdict::whole:
      return dispatch();
    }
  }

  void dispatch() {
    enter(phase::handling, rules_->bounds.request_timeout);
    auto to = reader_.take();
    to.through = who_.through;
    to.local = who_.through == door_kind::orders;
    to.uid = who_.uid;
    to.certificate = certificate_;
    // Answers may come from other threads: they touch no more than the
    // executor, the rest happens on the loop.
    auto answer = [weak = this->weak_from_this(), call = ++call_,
                   executor = line_.bottom().get_executor()](response r) {
      asio::dispatch(executor, [weak, call, r = std::move(r)]() mutable {
        if (auto me = weak.lock())
          me->guarded([&] { me->answered(call, std::move(r)); });
      });
    };
    try {
      rules_->handle(std::move(to), answer);
    } catch (const std::exception& e) {
      if (rules_->failed)
        rules_->failed(e.what());
      answer(error_response(500, "internal",
                            std::string{"the request failed: "} + e.what()));
    }
  }

  void answered(std::uint64_t call, response r) {
    if (call_ == call && phase_ == phase::handling)
      write(std::move(r), reader_.keeps_alive());
  }

  void write(response what, bool keep) {
    enter(phase::writing, rules_->bounds.write_timeout);
    answer_ = std::move(what);
    header_ = header_text(answer_, reader_.version(), keep);
    auto body = reader_.is_head() ? std::string_view{} : answer_.text();
    std::array<asio::const_buffer, 2> both{
      asio::buffer(header_), asio::buffer(body.data(), body.size())};
    asio::async_write(
      line_.stream, both, at_once,
      then([keep](live& me, error_code e, size_t) { me.written(e, keep); }));
  }

  void written(error_code e, bool keep) {
    answer_ = {};
    if (e || phase_ != phase::writing)
      return finish();
    if (!keep)
      return start_linger();
    enter(phase::idle, rules_->bounds.idle_timeout);
    if (reader_.is_empty())
      read();
    else
      step();
  }

  void start_linger() {
    enter(phase::lingering, rules_->bounds.linger_timeout);
    if constexpr (std::is_same_v<Line, tls_line>) {
      line_.stream.async_shutdown(
        then([](live& me, error_code, size_t) { me.finish(); }));
    } else {
      error_code ignored;
      line_.bottom().shutdown(plug::shutdown_send, ignored);
      linger();
    }
  }

  void linger() {
    line_.stream.async_read_some(asio::buffer(scrap_),
                                 then([](live& me, error_code e, size_t n) {
                                   me.lingered_ += n;
                                   if (e || me.lingered_ > linger_bytes_max)
                                     return me.finish();
                                   me.linger();
                                 }));
  }

  void finish() {
    if (phase_ == phase::done)
      return;
    enter(phase::done, {});
    answer_.ticket.reset();
    error_code ignored;
    line_.bottom().close(ignored);
    if (auto closed = std::exchange(closed_, nullptr))
      closed();
  }

  Line line_;
  peer who_;
  std::shared_ptr<const session_rules> rules_;
  request_reader reader_;
  std::function<void()> closed_;
  admission admitted_;
  std::array<char, 512> scrap_{};
  response answer_; ///< that is being written
  std::string certificate_;
  std::string header_;
  phase phase_ = phase::idle;
  steady_time since_;
  steady_time deadline_;
  std::uint64_t call_ = 0;
  size_t lingered_ = 0;
};

template <class Line>
std::shared_ptr<session>
start_by(plug socket, const std::shared_ptr<tls_side>& tls, peer who,
         std::shared_ptr<const session_rules> rules,
         std::function<void()> closed, admission admitted) {
  auto x = std::make_shared<live<Line>>(std::move(socket), tls, std::move(who),
                                        std::move(rules), std::move(closed),
                                        std::move(admitted));
  x->start();
  return x;
}

} // namespace

std::shared_ptr<session>
start_session(plug socket, std::shared_ptr<tls_side> tls, peer who,
              std::shared_ptr<const session_rules> rules,
              std::function<void()> closed, admission admitted) {
  auto start = tls ? start_by<tls_line> : start_by<plain_line>;
  return start(std::move(socket), tls, std::move(who), std::move(rules),
               std::move(closed), std::move(admitted));
}

} // namespace orderly::io::http
