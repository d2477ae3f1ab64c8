// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/luxi_client.hpp"

#include "io/loop/loop.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <sys/socket.h>

namespace orderly::io {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using stream = asio::local::stream_protocol;

enum class stage { queued, connecting, sending, waiting, done };

struct connection;

struct pending {
  explicit pending(asio::io_context& context) : deadline(context) {
    // nop
  }

  std::string method;
  std::string request;
  luxi_client::done_function done;
  asio::steady_timer deadline;
  orderly::io::stage stage = stage::queued;
  std::weak_ptr<connection> on;
};

using pending_ptr = std::shared_ptr<pending>;

/// Alive while it is in the pool's list; handlers that come later see
/// `closed`.
struct connection {
  connection(asio::io_context& context, std::size_t bytes_max)
    : socket(context), timer(context), frames(bytes_max) {
    // nop
  }

  stream::socket socket;
  asio::steady_timer timer; ///< end of idleness, or next try to connect
  frame_splitter frames;
  std::array<char, 65536> bytes;
  pending_ptr call; ///< null: idle
  bool closed = false;
};

using connection_ptr = std::shared_ptr<connection>;

/// True if nothing came in and the other end is open.
bool is_quiet(stream::socket& socket) {
  char byte = 0;
  auto n = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/// Connects without blocking. A Unix socket is connected at once or not at
/// all; Asio's own connect takes EAGAIN, a full line at luxid, for a connect
/// under way and then reports success on a socket that leads nowhere.
error_code connect_now(stream::socket& socket, const std::string& path) {
  error_code ec;
  stream::endpoint target;
  try {
    target = stream::endpoint{path};
  } catch (const std::exception&) {
    return asio::error::name_too_long; // for a socket's address
  }
  socket.open(stream{}, ec);
  if (!ec)
    socket.native_non_blocking(true, ec);
  if (!ec
      && ::connect(socket.native_handle(), target.data(),
                   static_cast<socklen_t>(target.size()))
           != 0)
    ec.assign(errno, boost::system::system_category());
  return ec;
}

} // namespace

class luxi_client::pool : public std::enable_shared_from_this<pool> {
public:
  pool(loop& on, std::string path, luxi_limits limits)
    : loop_(on), path_(std::move(path)), limits_(limits) {
    // nop
  }

  loop& on() { return loop_; }

  void admit(std::string method, std::string args, millis time_limit,
             done_function done);
  void shut();

private:
  void pump();
  void drop_idle_dead();
  void connect(const connection_ptr& c);
  void connected(const connection_ptr& c, error_code ec);
  void send(const connection_ptr& c);
  void read(const connection_ptr& c);
  [[nodiscard]] std::size_t kept() const;
  void received(const connection_ptr& c, std::size_t n);
  void broken(const connection_ptr& c, const std::string& how);
  void rest(const connection_ptr& c);
  void expire(const pending_ptr& p);
  void close(const connection_ptr& c);
  void finish(const pending_ptr& p, result<std::string> outcome);
  fault not_sent(const pending& p, const std::string& how) const;
  fault not_known(const pending& p, const std::string& how) const;

  loop& loop_;
  std::string path_;
  luxi_limits limits_;
  std::deque<pending_ptr> queue_;
  std::vector<connection_ptr> connections_;
  bool shut_ = false;
};

fault luxi_client::pool::not_sent(const pending& p,
                                  const std::string& how) const {
  return {fault_kind::unreachable,
          p.method + " was not sent to luxid at " + path_ + ": " + how};
}

fault luxi_client::pool::not_known(const pending& p,
                                   const std::string& how) const {
  return {fault_kind::unknown_outcome,
          p.method + " was sent to luxid at " + path_ + " but " + how};
}

void luxi_client::pool::admit(std::string method, std::string args,
                              millis time_limit, done_function done) {
  auto p = std::make_shared<pending>(loop_.context());
  p->request = R"({"method":")" + method + R"(","args":)" + args
               + R"(,"version":3000000})" + end_of_frame;
  p->method = std::move(method);
  p->done = std::move(done);
  if (queue_.size() >= limits_.queued_max) {
    finish(p, not_sent(*p, std::to_string(queue_.size())
                             + " calls are waiting already"));
    return;
  }
  p->deadline.expires_after(time_limit);
  p->deadline.async_wait([self = shared_from_this(), p](error_code ec) {
    if (!ec)
      self->expire(p);
  });
  queue_.push_back(std::move(p));
  pump();
}

void luxi_client::pool::shut() {
  shut_ = true;
  for (auto& p : queue_) {
    p->stage = stage::done;
    p->deadline.cancel();
  }
  queue_.clear();
  while (!connections_.empty()) {
    auto c = connections_.back();
    if (c->call) {
      c->call->stage = stage::done;
      c->call->deadline.cancel();
    }
    close(c);
  }
}

void luxi_client::pool::drop_idle_dead() {
  std::vector<connection_ptr> dead;
  for (const auto& c : connections_)
    if (!c->call && !is_quiet(c->socket))
      dead.push_back(c);
  for (const auto& c : dead)
    close(c);
}

void luxi_client::pool::pump() {
  if (queue_.empty() || shut_)
    return;
  drop_idle_dead();
  while (!queue_.empty()) {
    auto idle = std::find_if(connections_.begin(), connections_.end(),
                             [](const auto& c) { return !c->call; });
    auto found = idle != connections_.end();
    if (!found && connections_.size() >= limits_.connections_max)
      return;
    auto c = found ? *idle
                   : std::make_shared<connection>(loop_.context(),
                                                  limits_.reply_bytes_max);
    c->call = std::move(queue_.front());
    queue_.pop_front();
    c->call->on = c;
    if (found) {
      c->timer.cancel();
      send(c);
    } else {
      connections_.push_back(c);
      c->call->stage = stage::connecting;
      connect(c);
    }
  }
}

void luxi_client::pool::connect(const connection_ptr& c) {
  auto ec = connect_now(c->socket, path_);
  // Not at once: a failure would call `pump` from within `pump`.
  loop_.post([self = shared_from_this(), c, ec] {
    if (!c->closed)
      self->connected(c, ec);
  });
}

void luxi_client::pool::connected(const connection_ptr& c, error_code ec) {
  if (!ec) {
    read(c);
    send(c);
    return;
  }
  // Too many wait to be accepted.
  if (ec == asio::error::try_again) {
    error_code ignored;
    c->socket.close(ignored);
    c->timer.expires_after(limits_.connect_retry);
    c->timer.async_wait([self = shared_from_this(), c](error_code) {
      if (!c->closed)
        self->connect(c);
    });
    return;
  }
  broken(c, ec.message() + "; is luxid running on this node?");
}

void luxi_client::pool::send(const connection_ptr& c) {
  auto p = c->call;
  p->stage = stage::sending;
  asio::async_write(
    c->socket, asio::buffer(p->request),
    [self = shared_from_this(), c, p](error_code ec, std::size_t n) {
      if (c->closed || c->call != p)
        return;
      if (!ec) {
        p->stage = stage::waiting;
        return;
      }
      // Without its last byte a request is none.
      if (n < p->request.size())
        p->stage = stage::connecting;
      self->broken(c, ec.message());
    });
}

void luxi_client::pool::read(const connection_ptr& c) {
  c->socket.async_read_some(
    asio::buffer(c->bytes),
    [self = shared_from_this(), c](error_code ec, std::size_t n) {
      if (c->closed)
        return;
      if (ec)
        self->broken(c, "the connection broke (" + ec.message() + ")");
      else
        self->received(c, n);
    });
}

std::size_t luxi_client::pool::kept() const {
  std::size_t sum = 0;
  for (const auto& c : connections_)
    sum += c->frames.size();
  return sum;
}

void luxi_client::pool::received(const connection_ptr& c, std::size_t n) {
  if (!c->call) {
    close(c); // nobody asked
    return;
  }
  if (!c->frames.feed({c->bytes.data(), n})) {
    broken(c, "the reply is longer than "
                + std::to_string(limits_.reply_bytes_max) + " bytes");
    return;
  }
  auto frame = c->frames.next();
  if (!frame && kept() > limits_.kept_bytes_max) {
    broken(c, "the replies that came in part are longer than "
                + std::to_string(limits_.kept_bytes_max) + " bytes together");
    return;
  }
  if (!frame) {
    read(c);
    return;
  }
  auto p = c->call;
  // More than was asked for, or an answer to half a question: what comes
  // next on this connection could be taken for the wrong call's reply.
  auto clean = c->frames.empty() && p->stage == stage::waiting;
  finish(p, std::move(*frame));
  c->call = nullptr;
  if (clean)
    rest(c);
  else
    close(c);
  pump();
}

void luxi_client::pool::rest(const connection_ptr& c) {
  read(c);
  c->timer.expires_after(limits_.idle_max);
  c->timer.async_wait([self = shared_from_this(), c](error_code ec) {
    if (!ec && !c->call && !c->closed)
      self->close(c);
  });
}

void luxi_client::pool::broken(const connection_ptr& c,
                               const std::string& how) {
  auto p = c->call;
  close(c);
  if (p)
    finish(p, p->stage == stage::connecting ? not_sent(*p, how)
                                            : not_known(*p, how));
  pump();
}

void luxi_client::pool::expire(const pending_ptr& p) {
  switch (p->stage) {
  case stage::done:
    return;
  case stage::queued: {
    queue_.erase(std::remove(queue_.begin(), queue_.end(), p), queue_.end());
    finish(p, not_sent(*p, "no connection became free in time"));
    return;
  }
  default:
    if (auto c = p->on.lock())
      broken(c, p->stage == stage::connecting
                  ? "it does not accept connections in time"
                  : "no reply came in time");
  }
}

void luxi_client::pool::close(const connection_ptr& c) {
  c->closed = true;
  c->call = nullptr;
  c->timer.cancel();
  error_code ignored;
  c->socket.close(ignored);
  connections_.erase(std::remove(connections_.begin(), connections_.end(), c),
                     connections_.end());
}

void luxi_client::pool::finish(const pending_ptr& p,
                               result<std::string> outcome) {
  p->stage = stage::done;
  p->deadline.cancel();
  p->done(std::move(outcome));
  p->done = nullptr;
}

luxi_client::luxi_client(loop& on, std::string socket_path, luxi_limits limits)
  : pool_(std::make_shared<pool>(on, std::move(socket_path), limits)) {
  // nop
}

luxi_client::~luxi_client() {
  pool_->on().post([x = pool_] { x->shut(); });
}

void luxi_client::call(std::string method, std::string args, millis time_limit,
                       done_function done) {
  pool_->on().post([x = pool_, method = std::move(method),
                    args = std::move(args), time_limit,
                    done = std::move(done)]() mutable {
    x->admit(std::move(method), std::move(args), time_limit, std::move(done));
  });
}

} // namespace orderly::io
