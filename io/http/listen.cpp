// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/listen.hpp"

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::io::http {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using local = asio::local::stream_protocol;

fault no_socket(const std::string& path, const std::string& why,
                const std::string& advice) {
  return {fault_kind::io, fmt::format("cannot listen at unix socket {}: {}; {}",
                                      path, why, advice)};
}

/// Makes way for a new socket at `path`; a sentence if that must not be.
std::string clear_the_place(asio::io_context& on, const std::string& path) {
  struct stat found {};

  if (::lstat(path.c_str(), &found) != 0)
    return "";
  if (!S_ISSOCK(found.st_mode))
    return "something else than a socket is there";
  local::socket probe{on};
  error_code e;
  probe.connect(local::endpoint{path}, e);
  if (!e)
    return "another program listens there";
  if (e == asio::error::connection_refused)
    ::unlink(path.c_str());
  return "";
}

} // namespace

result<tcp_acceptor> listen_tcp(asio::io_context& on,
                                const std::string& address,
                                std::uint16_t port) {
  error_code e;
  auto ip = asio::ip::make_address(address, e);
  if (e)
    return fault{fault_kind::bad_input,
                 fmt::format("'{}' is no IP address; set http.address to one "
                             "of this machine's, such as 127.0.0.1",
                             address)};
  tcp::endpoint at{ip, port};
  tcp_acceptor x{on};
  x.open(at.protocol(), e);
  if (!e)
    x.set_option(tcp_acceptor::reuse_address{true}, e);
  if (!e)
    x.bind(at, e);
  if (!e)
    x.listen(asio::socket_base::max_listen_connections, e);
  if (e)
    return fault{fault_kind::io,
                 fmt::format("cannot listen at {} port {}: {}; is another "
                             "orderlyd running? Set http.address and "
                             "http.port to something free",
                             address, port, e.message())};
  return x;
}

result<unix_acceptor> listen_unix(asio::io_context& on,
                                  const std::string& path) {
  constexpr size_t path_max = sizeof(sockaddr_un::sun_path) - 1;
  if (path.size() > path_max)
    return fault{fault_kind::bad_input,
                 fmt::format("the path of the unix socket has {} bytes, at "
                             "most {} are possible: {}; set http.socket to a "
                             "shorter one",
                             path.size(), path_max, path)};
  auto folder = std::filesystem::path{path}.parent_path();
  if (!folder.empty() && ::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST)
    return no_socket(
      path, error_code{errno, boost::system::system_category()}.message(),
      "make the folder or set http.socket to another place");
  if (auto why = clear_the_place(on, path); !why.empty())
    return no_socket(path, why,
                     "stop or remove it, or set http.socket to another place");
  error_code e;
  unix_acceptor x{on};
  x.open(local{}, e);
  if (!e)
    x.bind(local::endpoint{path}, e);
  // Nobody can connect before listen(), so there is no gap.
  if (!e && ::chmod(path.c_str(), 0600) != 0)
    e = error_code{errno, boost::system::system_category()};
  if (!e)
    x.listen(asio::socket_base::max_listen_connections, e);
  if (e)
    return no_socket(path, e.message(),
                     "check the rights of its folder or set http.socket to "
                     "another place");
  return x;
}

} // namespace orderly::io::http
