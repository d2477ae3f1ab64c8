// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/listen.hpp"

#include "io/files/descriptor.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::io::http {

namespace {

namespace asio = boost::asio;

fault no_socket(const std::string& path, const std::string& why,
                const std::string& advice) {
  return {fault_kind::io, fmt::format("cannot listen at unix socket {}: {}; {}",
                                      path, why, advice)};
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::memcpy(at.sun_path, path.data(), path.size());
  return at;
}

/// Makes way for a new socket at `path`; a sentence if that must not be.
std::string clear_the_place(const std::string& path) {
  struct stat found {};

  if (::lstat(path.c_str(), &found) != 0)
    return "";
  if (!S_ISSOCK(found.st_mode))
    return "something else than a socket is there";
  // Who listens there and takes nobody in must not keep us waiting.
  descriptor probe{
    ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  auto at = unix_address(path);
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at)
        == 0
      || errno == EAGAIN)
    return "another program listens there";
  if (errno == ECONNREFUSED)
    ::unlink(path.c_str());
  return "";
}

/// Of what was opened as a place only: chmod(2) takes it by no other name.
bool set_mode(const descriptor& place, mode_t mode) {
  auto name = fmt::format("/proc/self/fd/{}", place.get());
  return ::chmod(name.c_str(), mode) == 0;
}

/// Others may look for the sockets in it; what is in it has its own mode.
bool make_folder(const std::filesystem::path& folder) {
  if (folder.empty() || std::filesystem::exists(folder))
    return true;
  if (::mkdir(folder.c_str(), 0755) != 0)
    return false;
  descriptor place{
    ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};

  struct stat is {};

  return place.get() >= 0 && ::fstat(place.get(), &is) == 0
         && is.st_uid == ::geteuid() && set_mode(place, 0755);
}

asio::ip::tcp::endpoint endpoint_of(const sockaddr_storage& from,
                                    socklen_t size) {
  asio::ip::tcp::endpoint x;
  if (size <= x.capacity()) {
    std::memcpy(x.data(), &from, size);
    x.resize(size);
  }
  return x;
}

std::string name_of(asio::ip::address from) {
  if (from.is_v6() && from.to_v6().is_v4_mapped())
    from = asio::ip::make_address_v4(asio::ip::v4_mapped, from.to_v6());
  // One user of this machine can come from any of its own addresses, and one
  // neighbour from any of the 2^64 of a network.
  if (from.is_loopback())
    return "loopback";
  if (from.is_v4())
    return from.to_string();
  auto bytes = from.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
  return asio::ip::address_v6{bytes}.to_string() + "/64";
}

} // namespace

std::string let_in(const std::string& path, const std::string& group) {
  auto gid = static_cast<gid_t>(-1);
  if (!group.empty()) {
    ::group entry{};
    ::group* found = nullptr;
    std::vector<char> room(65536);
    if (::getgrnam_r(group.c_str(), &entry, room.data(), room.size(), &found)
          != 0
        || found == nullptr)
      return "there is no group '" + group + "'";
    gid = found->gr_gid;
  }
  // By this descriptor alone: its path may lead elsewhere a moment later.
  descriptor place{::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)};

  struct stat is {};

  if (place.get() < 0 || ::fstat(place.get(), &is) != 0)
    return system_text();
  if (!S_ISSOCK(is.st_mode) || is.st_uid != ::geteuid() || is.st_nlink != 1)
    return "something else took its place";
  if (!group.empty()
      && ::fchownat(place.get(), "", static_cast<uid_t>(-1), gid, AT_EMPTY_PATH)
           != 0) {
    // Who may not change owners must have the group, under systemd as well.
    auto ours = errno == EPERM || errno == EINVAL;
    return "it cannot be given to the group '" + group + "': " + system_text()
           + (ours ? "; the service needs that group itself "
                     "(orderlyd.service.d/readers.conf)"
                   : "");
  }
  return set_mode(place, group.empty() ? 0600 : 0660) ? "" : system_text();
}

std::string why_no_address(const std::string& address) {
  boost::system::error_code e;
  asio::ip::make_address(address, e);
  return e ? fmt::format("'{}' is no IP address; set http.address to one of "
                         "this machine's, such as 127.0.0.1",
                         address)
           : "";
}

bool is_loopback(const std::string& address) {
  boost::system::error_code e;
  return asio::ip::make_address(address, e).is_loopback() && !e;
}

result<int> listen_tcp(const std::string& address, std::uint16_t port) {
  if (auto why = why_no_address(address); !why.empty())
    return fault{fault_kind::bad_input, why};
  asio::ip::tcp::endpoint at{asio::ip::make_address(address), port};
  descriptor x{::socket(at.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0)};
  int yes = 1;
  if (x.get() >= 0
      && ::setsockopt(x.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
      && ::bind(x.get(), at.data(), static_cast<socklen_t>(at.size())) == 0
      && ::listen(x.get(), SOMAXCONN) == 0)
    return x.release();
  return fault{
    fault_kind::io,
    fmt::format("cannot listen at {} port {}: {}; is another program "
                "there? End it, or set http.address and http.port "
                "to something free",
                address, port, system_text())};
}

result<int> listen_unix(const std::string& path, const std::string& group) {
  constexpr size_t path_max = sizeof(sockaddr_un::sun_path) - 1;
  if (path.size() > path_max)
    return fault{fault_kind::bad_input,
                 fmt::format("the path of the unix socket has {} bytes, at "
                             "most {} are possible: {}; set http.socket to a "
                             "shorter one",
                             path.size(), path_max, path)};
  if (!make_folder(std::filesystem::path{path}.parent_path()))
    return no_socket(path, system_text(),
                     "make the folder or set http.socket to another place");
  if (auto why = clear_the_place(path); !why.empty())
    return no_socket(path, why,
                     "stop or remove it, or set http.socket to another place");
  descriptor x{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  auto at = unix_address(path);
  std::string why;
  if (x.get() < 0
      || ::bind(x.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at)
           != 0)
    why = system_text();
  // Nobody can connect before listen(), so there is no gap.
  if (why.empty())
    why = let_in(path, group);
  if (why.empty() && ::listen(x.get(), SOMAXCONN) != 0)
    why = system_text();
  if (why.empty())
    return x.release();
  return no_socket(path, why,
                   "check the rights of its folder or set http.socket to "
                   "another place");
}

std::uint16_t port_of(int socket) {
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&from), &size) != 0
      || (from.ss_family != AF_INET && from.ss_family != AF_INET6))
    return 0;
  return endpoint_of(from, size).port();
}

bool listens_at(int socket, const std::string& address, std::uint16_t port) {
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  boost::system::error_code e;
  auto wanted = asio::ip::make_address(address, e);
  if (e || ::getsockname(socket, reinterpret_cast<sockaddr*>(&from), &size) != 0
      || (from.ss_family != AF_INET && from.ss_family != AF_INET6))
    return false;
  auto at = endpoint_of(from, size);
  return at.address() == wanted && (port == 0 || at.port() == port);
}

bool listens_at(int socket, const std::string& path) {
  sockaddr_un from{};
  socklen_t size = sizeof from;
  return !path.empty()
         && ::getsockname(socket, reinterpret_cast<sockaddr*>(&from), &size)
              == 0
         && from.sun_family == AF_UNIX && path == from.sun_path;
}

peer peer_of(int socket, door_kind through) {
  peer who{through, static_cast<std::uint32_t>(-1), "?"};
  if (through != door_kind::tcp) {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0)
      who.uid = credentials.uid;
    who.name = fmt::format("uid {}", who.uid);
    return who;
  }
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&from), &size) == 0)
    who.name = name_of(endpoint_of(from, size).address());
  return who;
}

} // namespace orderly::io::http
