// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/server.hpp"

#include "io/door/guests.hpp"
#include "io/door/listen.hpp"
#include "io/door/spare_files.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using plug = asio::generic::stream_protocol::socket;
using listener = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

/// How long no connection is taken after the system refused one, most likely
/// for want of file descriptors.
constexpr millis accept_pause{100};

/// How often deadlines are looked at, and whether sockets are in their place.
constexpr millis sweep_interval{50};
constexpr int sweeps_a_look = 100;

/// For orders, when all other descriptors are in use.
constexpr unsigned spares = 6;

constexpr char full_house[] = "HTTP/1.1 503 Service Unavailable\r\n"
                              "Content-Length: 0\r\n"
                              "Retry-After: 1\r\n"
                              "Connection: close\r\n\r\n";

/// Which file a path meant when it was made.
struct file_mark {
  dev_t device = 0;
  ino_t number = 0;

  static file_mark of(const std::string& path) {
    struct stat found {};

    if (::lstat(path.c_str(), &found) != 0)
      return {};
    return {found.st_dev, found.st_ino};
  }

  friend bool operator==(const file_mark&, const file_mark&) = default;
};

struct door {
  door(asio::io_context& on, const limits& bounds)
    : acceptor(on), pause(on), inside(bounds) {
    // nop
  }

  [[nodiscard]] bool is_unix() const { return standing.kind != door_kind::tcp; }

  door_standing standing;
  std::function<result<int>()> make;
  std::string path;  ///< of a unix socket
  file_mark file;    ///< that we made there
  bool lent = false; ///< by whoever started us: it is theirs to remove
  listener acceptor;
  asio::steady_timer pause;
  guests inside;
  millis next_try{};
  bool waits = false; ///< for whoever comes next, or for a pause to be over
};

using door_ptr = std::shared_ptr<door>;

} // namespace

struct server::impl : std::enable_shared_from_this<server::impl> {
  impl(asio::io_context& on, server_rules r, handler h)
    : context(on), rules(std::move(r)), handle(std::move(h)), sweep(on) {
    common = std::make_shared<session_rules>();
    common->bounds = rules.bounds;
    common->failed = rules.failed;
  }

  // --- opening ---------------------------------------------------------------

  /// A socket that was handed to us and fits, or one of our own.
  result<int> listen(door& at) {
    auto fits = [&](int socket) {
      return at.is_unix() ? listens_at(socket, at.path)
                          : listens_at(socket, rules.address, rules.port);
    };
    auto& lent = rules.inherited;
    auto i = std::find_if(lent.begin(), lent.end(), fits);
    if (i == lent.end())
      return at.make();
    auto socket = *i;
    lent.erase(i);
    at.lent = true;
    return socket;
  }

  result<bool> open(const door_ptr& at) {
    auto socket = listen(*at);
    if (!socket)
      return socket.why();
    error_code e;
    auto family = at->is_unix()                                  ? AF_UNIX
                  : rules.address.find(':') != std::string::npos ? AF_INET6
                                                                 : AF_INET;
    at->acceptor.assign(asio::generic::stream_protocol{family, 0}, *socket, e);
    if (e) {
      ::close(*socket);
      return fault{fault_kind::io, e.message()};
    }
    at->acceptor.non_blocking(true, e);
    if (at->is_unix() && !at->lent)
      mark(*at, file_mark::of(at->path));
    if (!at->is_unix())
      port = port_of(*socket);
    at->waits = true;
    asio::post(context, [me = shared_from_this(), at] { me->accept(at); });
    return true;
  }

  /// Read by whoever ends us, too.
  void mark(door& at, file_mark file) {
    std::lock_guard guard{handle_mutex};
    at.file = file;
  }

  void tell(door& at, std::string trouble) {
    auto& x = at.standing;
    if (x.open == trouble.empty() && x.trouble == trouble)
      return;
    x.open = trouble.empty();
    x.trouble = std::move(trouble);
    if (rules.news)
      rules.news(x);
  }

  /// False: it never will be open.
  result<bool> open_or_retry(const door_ptr& at) {
    auto done = open(at);
    if (done) {
      at->next_try = rules.retry_first;
      tell(*at, {});
      return true;
    }
    if (done.why().kind == fault_kind::bad_input)
      return done.why();
    tell(*at, done.why().text);
    at->pause.expires_after(at->next_try);
    at->next_try = std::min(2 * at->next_try, rules.retry_max);
    at->pause.async_wait([me = shared_from_this(), at](error_code e) {
      if (!e && !me->stopping)
        (void)me->open_or_retry(at);
    });
    return true;
  }

  door_ptr add(door_kind kind, std::string place, std::string path,
               std::function<result<int>()> make) {
    auto x = std::make_shared<door>(context, rules.bounds);
    x->standing.kind = kind;
    x->standing.place = std::move(place);
    x->path = std::move(path);
    x->make = std::move(make);
    x->next_try = rules.retry_first;
    doors.push_back(x);
    return x;
  }

  result<bool> open_all() {
    if (!rules.address.empty())
      add(door_kind::tcp, fmt::format("{} port {}", rules.address, rules.port),
          {}, [this] { return listen_tcp(rules.address, rules.port); });
    if (!rules.socket.empty())
      add(door_kind::orders, rules.socket, rules.socket,
          [this] { return listen_unix(rules.socket, {}); });
    if (!rules.reader_socket.empty())
      add(door_kind::readers, rules.reader_socket, rules.reader_socket, [this] {
        return listen_unix(rules.reader_socket, rules.reader_group);
      });
    for (const auto& at : doors)
      if (auto done = open_or_retry(at); !done)
        return done;
    asio::post(context, [me = shared_from_this()] { me->look_around(0); });
    return true;
  }

  // --- connections -----------------------------------------------------------

  void accept(const door_ptr& at) {
    if (!at->acceptor.is_open() || stopping)
      return;
    auto next = std::make_shared<plug>(context);
    at->acceptor.async_accept(
      *next, [me = shared_from_this(), at, next](error_code e) {
        if (e == asio::error::operation_aborted || me->stopping)
          return; // another one waits, or none is to
        at->waits = false;
        if (e)
          return me->rest(at, e);
        me->admit(at, std::move(*next));
        me->accept(at);
      });
    at->waits = true;
  }

  /// The system refused a connection. Whoever comes to order something gets a
  /// descriptor that was kept for that.
  void rest(const door_ptr& at, error_code e) {
    auto exhausted = e == asio::error::no_descriptors || e.value() == ENFILE
                     || e == asio::error::no_memory;
    if (exhausted && at->standing.kind == door_kind::orders) {
      at->acceptor.async_wait(
        listener::wait_read, [me = shared_from_this(), at](error_code failure) {
          at->waits = false;
          if (failure || !me->kept.give())
            return me->accept_later(at);
          plug next{me->context};
          at->acceptor.accept(next, failure);
          if (failure) { // another thread was quicker
            me->kept.refill();
            return me->accept_later(at);
          }
          me->admit(at, std::move(next));
          me->accept(at);
        });
      at->waits = true;
      return;
    }
    accept_later(at);
  }

  void accept_later(const door_ptr& at) {
    if (!at->acceptor.is_open() || stopping)
      return;
    at->pause.expires_after(accept_pause);
    at->pause.async_wait([me = shared_from_this(), at](error_code late) {
      if (late)
        return;
      at->waits = false;
      me->accept(at);
    });
    at->waits = true;
  }

  void admit(const door_ptr& at, plug socket) {
    std::shared_ptr<tls_side> tls;
    if (rules.tls && !at->is_unix()) {
      tls = rules.tls();
      if (!tls) // there is nothing to serve it with, which the owner has told
        return;
    }
    auto who = peer_of(socket.native_handle(), at->standing.kind);
    auto greets = tls != nullptr;
    if (!greets
        && !at->inside.make_room(who.name, std::chrono::steady_clock::now())) {
      // Best effort: no byte of ours is worth waiting for here.
      (void)::send(socket.native_handle(), full_house, sizeof(full_house) - 1,
                   MSG_DONTWAIT | MSG_NOSIGNAL);
      return;
    }
    auto id = ++last_id;
    auto name = who.name;
    // In the table first: a connection can end while it starts.
    auto enter = greets ? &guests::greet : &guests::enter;
    (at->inside.*enter)(id, name, {});
    try {
      auto x = start_session(
        std::move(socket), std::move(tls), std::move(who), common,
        [me = shared_from_this(), at, id] {
          at->inside.leave(id);
          me->kept.refill();
        },
        [at, id] {
          return at->inside.admit(id, std::chrono::steady_clock::now());
        });
      if (x->at() != session::phase::done)
        (at->inside.*enter)(id, name, x);
    } catch (...) {
      at->inside.leave(id); // nobody is there who would
      throw;
    }
  }

  /// Deadlines, and whether the sockets are still in their places.
  void look_around(int turn) {
    if (stopping)
      return;
    sweep.expires_after(sweep_interval);
    sweep.async_wait([me = shared_from_this(), turn](error_code e) {
      if (!e)
        me->look_around((turn + 1) % sweeps_a_look);
    });
    auto now = std::chrono::steady_clock::now();
    for (const auto& at : doors) {
      for (const auto& x : at->inside.all())
        x->look(now);
      if (turn == 0)
        look_for(at);
      // An exception, for want of memory most likely, ended who waited there.
      if (!at->waits && at->acceptor.is_open())
        accept(at);
    }
  }

  /// Somebody may have removed our socket: then nobody finds it any more.
  void look_for(const door_ptr& at) {
    if (!at->acceptor.is_open() || at->file == file_mark{}
        || file_mark::of(at->path) == at->file)
      return;
    error_code ignored;
    at->acceptor.close(ignored);
    mark(*at, {});
    (void)open_or_retry(at);
  }

  void call(request r, reply done) {
    std::lock_guard guard{handle_mutex};
    if (handle)
      handle(std::move(r), std::move(done));
  }

  void shut_all() {
    stopping = true;
    sweep.cancel();
    for (const auto& at : doors) {
      error_code ignored;
      at->acceptor.close(ignored);
      at->pause.cancel();
      for (const auto& x : at->inside.all())
        x->close();
      at->inside.clear();
    }
    doors.clear();
  }

  asio::io_context& context;
  server_rules rules;
  std::mutex handle_mutex; ///< held while the handler runs
  handler handle;
  std::shared_ptr<session_rules> common;
  std::vector<door_ptr> doors;
  spare_files kept{spares};
  asio::steady_timer sweep;
  std::atomic<std::uint16_t> port = 0;
  std::atomic<bool> stopping = false;
  std::uint64_t last_id = 0;
};

server::server(std::shared_ptr<impl> x) : impl_(std::move(x)) {
  // nop
}

result<std::unique_ptr<server>>
server::start(loop& on, const server_rules& rules, handler handle) {
  auto x = std::make_shared<impl>(on.context(), rules, std::move(handle));
  x->common->handle = [raw = std::weak_ptr<impl>{x}](request r, reply done) {
    if (auto me = raw.lock())
      me->call(std::move(r), std::move(done));
  };
  std::unique_ptr<server> made{new server{x}};
  if (auto done = x->open_all(); !done)
    return done.why();
  return made;
}

server::~server() {
  {
    std::lock_guard guard{impl_->handle_mutex};
    impl_->handle = nullptr;
    // Only the files that we made: a successor may have replaced them.
    for (const auto& at : impl_->doors)
      if (at->file != file_mark{} && file_mark::of(at->path) == at->file)
        ::unlink(at->path.c_str());
  }
  asio::post(impl_->context, [x = impl_] { x->shut_all(); });
}

std::uint16_t server::port() const {
  return impl_->port;
}

} // namespace orderly::io::http
