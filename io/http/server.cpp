// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/server.hpp"

#include "io/http/listen.hpp"

#include <map>
#include <mutex>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using plug = asio::generic::stream_protocol::socket;

/// How long no connection is taken after the system refused one, most likely
/// for want of file descriptors.
constexpr millis accept_pause{100};

constexpr char full_house[] = "HTTP/1.1 503 Service Unavailable\r\n"
                              "Content-Length: 0\r\n"
                              "Retry-After: 1\r\n"
                              "Connection: close\r\n\r\n";

peer look_at(plug& socket, bool local) {
  peer who{local, static_cast<std::uint32_t>(-1)};
  ucred credentials{};
  socklen_t size = sizeof(credentials);
  if (local
      && ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED,
                      &credentials, &size)
           == 0)
    who.uid = credentials.uid;
  return who;
}

template <class Acceptor>
struct door {
  door(Acceptor x, bool is_local)
    : acceptor(std::move(x)), pause(acceptor.get_executor()), local(is_local) {
    // nop
  }

  Acceptor acceptor;
  asio::steady_timer pause;
  bool local;
  std::uint32_t open = 0;
};

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

} // namespace

struct server::impl : std::enable_shared_from_this<server::impl> {
  impl(asio::io_context& on, const server_rules& r, handler h)
    : context(on), rules(r), handle(std::move(h)) {
    // nop
  }

  template <class Acceptor>
  void accept(std::shared_ptr<door<Acceptor>> at) {
    auto next = std::make_shared<plug>(context);
    at->acceptor.async_accept(
      *next, [me = shared_from_this(), at, next](error_code e) {
        if (!at->acceptor.is_open())
          return;
        if (e)
          return me->rest(at);
        me->admit(at, std::move(*next));
        me->accept(at);
      });
  }

  template <class Acceptor>
  void rest(std::shared_ptr<door<Acceptor>> at) {
    at->pause.expires_after(accept_pause);
    at->pause.async_wait([me = shared_from_this(), at](error_code e) {
      if (!e && at->acceptor.is_open())
        me->accept(at);
    });
  }

  template <class Acceptor>
  void admit(std::shared_ptr<door<Acceptor>> at, plug socket) {
    if (at->open >= rules.bounds.connections_max) {
      // Best effort: no byte of ours is worth waiting for here.
      (void)::send(socket.native_handle(), full_house, sizeof(full_house) - 1,
                   MSG_DONTWAIT | MSG_NOSIGNAL);
      return;
    }
    auto who = look_at(socket, at->local);
    ++at->open;
    auto id = ++last_id;
    // In the table first: a connection can end while it starts.
    auto& entry = sessions[id];
    auto x = start_session(
      std::move(socket), who, rules.bounds,
      [me = shared_from_this()](request r, reply done) {
        me->call(std::move(r), std::move(done));
      },
      [me = shared_from_this(), at, id] {
        --at->open;
        me->sessions.erase(id);
      });
    entry = x;
  }

  void call(request r, reply done) {
    std::lock_guard guard{handle_mutex};
    if (handle)
      handle(std::move(r), std::move(done));
  }

  template <class Acceptor>
  void open(std::shared_ptr<door<Acceptor>>& at, Acceptor x, bool local) {
    at = std::make_shared<door<Acceptor>>(std::move(x), local);
    asio::post(context, [me = shared_from_this(), at] { me->accept(at); });
  }

  template <class Acceptor>
  static void shut(std::shared_ptr<door<Acceptor>>& at) {
    if (!at)
      return;
    error_code ignored;
    at->acceptor.close(ignored);
    at->pause.cancel();
  }

  void shut_all() {
    shut(tcp_door);
    shut(unix_door);
    for (auto& [id, weak] : sessions)
      if (auto x = weak.lock())
        x->close();
    sessions.clear();
  }

  asio::io_context& context;
  server_rules rules;
  std::mutex handle_mutex; ///< held while the handler runs
  handler handle;
  std::shared_ptr<door<tcp_acceptor>> tcp_door;
  std::shared_ptr<door<unix_acceptor>> unix_door;
  std::uint16_t port = 0;
  file_mark socket_file;
  std::uint64_t last_id = 0;
  std::map<std::uint64_t, std::weak_ptr<session>> sessions;
};

server::server(std::shared_ptr<impl> x) : impl_(std::move(x)) {
  // nop
}

result<std::unique_ptr<server>>
server::start(loop& on, const server_rules& rules, handler handle) {
  auto x = std::make_shared<impl>(on.context(), rules, std::move(handle));
  std::unique_ptr<server> made{new server{x}};
  if (!rules.address.empty()) {
    auto acceptor = listen_tcp(on.context(), rules.address, rules.port);
    if (!acceptor)
      return acceptor.why();
    error_code ignored;
    x->port = acceptor->local_endpoint(ignored).port();
    x->open(x->tcp_door, std::move(*acceptor), false);
  }
  if (!rules.socket.empty()) {
    auto acceptor = listen_unix(on.context(), rules.socket);
    if (!acceptor)
      return acceptor.why();
    x->socket_file = file_mark::of(rules.socket);
    x->open(x->unix_door, std::move(*acceptor), true);
  }
  return made;
}

server::~server() {
  {
    std::lock_guard guard{impl_->handle_mutex};
    impl_->handle = nullptr;
  }
  // Only the file that we made: a successor may have replaced it.
  const auto& path = impl_->rules.socket;
  if (impl_->socket_file != file_mark{}
      && file_mark::of(path) == impl_->socket_file)
    ::unlink(path.c_str());
  asio::post(impl_->context, [x = impl_] { x->shut_all(); });
}

std::uint16_t server::port() const {
  return impl_->port;
}

} // namespace orderly::io::http
