// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/origin.hpp"

#include "messages/ascii.hpp"
#include "messages/host_name.hpp"

#include <algorithm>

#include <boost/asio/ip/address.hpp>

namespace orderly::io::http {

namespace {

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5
         && std::all_of(text.begin(), text.end(),
                        [](char c) { return c >= '0' && c <= '9'; });
}

bool is_address(const std::string& text) {
  boost::system::error_code e;
  boost::asio::ip::make_address(text, e);
  return !e;
}

} // namespace

std::optional<std::string> host_of(std::string_view authority) {
  std::string_view rest;
  std::string host;
  if (!authority.empty() && authority.front() == '[') {
    auto end = authority.find(']');
    if (end == authority.npos)
      return std::nullopt;
    host = authority.substr(1, end - 1);
    if (host.find(':') == host.npos || !is_address(host))
      return std::nullopt;
    rest = authority.substr(end + 1);
  } else {
    auto colon = std::min(authority.find(':'), authority.size());
    host = authority.substr(0, colon);
    rest = authority.substr(colon);
    std::transform(host.begin(), host.end(), host.begin(), lower);
    // The root's dot makes no other name.
    if (!host.empty() && host.back() == '.')
      host.pop_back();
    if (!is_host_name(host))
      return std::nullopt;
  }
  if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1))))
    return std::nullopt;
  return host;
}

std::optional<std::string> host_of_origin(std::string_view origin) {
  constexpr std::string_view middle = "://";
  auto at = origin.find(middle);
  if (at == origin.npos || at == 0)
    return std::nullopt;
  return host_of(origin.substr(at + middle.size()));
}

bool is_origin_of(std::string_view origin, std::string_view host) {
  for (std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme)) {
      auto from = origin.substr(scheme.size());
      return std::equal(from.begin(), from.end(), host.begin(), host.end(),
                        [](char a, char b) { return lower(a) == lower(b); });
    }
  return false;
}

bool is_nobodys_name(const std::string& host) {
  return host == "localhost" || host == "ip6-localhost" || is_address(host);
}

} // namespace orderly::io::http
