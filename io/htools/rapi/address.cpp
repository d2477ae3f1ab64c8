// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/rapi/address.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace orderly::io::htools {

namespace {

fault wrong(const std::string& why) {
  return {fault_kind::bad_input, "--master: " + why
                                   + "; it must be file://FOLDER, a host, or "
                                     "https://USER:PASSWORD@HOST:PORT"};
}

/// What %XX spells; nothing if two hexadecimal digits do not follow.
std::optional<std::string> unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    unsigned value = 0;
    auto digits = text.substr(i + 1, 2);
    auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || error != std::errc{}
        || end != digits.data() + digits.size())
      return std::nullopt;
    result += static_cast<char>(value);
    i += 2;
  }
  return result;
}

bool is_port(std::string_view text) {
  std::uint32_t port = 0;
  auto [end, error]
    = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && port > 0
         && port < 65536;
}

/// Of a name as of a numeric address.
bool is_of_host(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
         || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_'
         || c == ':';
}

/// "NAME:PORT" or "[2001:db8::1]:PORT", taken apart; the port may be missing.
std::pair<std::string_view, std::string_view> split(std::string_view text) {
  auto after_host = text.starts_with('[') ? text.find(']') : 0;
  if (after_host == std::string_view::npos)
    return {{}, {}};
  auto colon = text.find(':', after_host);
  auto host = text.substr(0, colon);
  if (host.starts_with('['))
    host = host.ends_with(']') ? host.substr(1, host.size() - 2)
                               : std::string_view{};
  return {host, colon == std::string_view::npos ? "" : text.substr(colon)};
}

} // namespace

result<rapi_address> read_rapi_address(std::string_view text) {
  constexpr std::string_view scheme = "https://";
  if (text.starts_with(scheme))
    text.remove_prefix(scheme.size());
  else if (text.find("://") != std::string_view::npos)
    return wrong("only https is spoken");
  if (text.ends_with('/'))
    text.remove_suffix(1);
  rapi_address x;
  if (auto at = text.rfind('@'); at != std::string_view::npos) {
    auto who = text.substr(0, at);
    text.remove_prefix(at + 1);
    auto colon = std::min(who.find(':'), who.size());
    auto user = unescaped(who.substr(0, colon));
    auto password = unescaped(who.substr(std::min(colon + 1, who.size())));
    if (!user || !password || user->empty())
      return wrong("its user or password cannot be read");
    x.user = *std::move(user);
    x.password = *std::move(password);
  }
  auto [host, port] = split(text);
  if (host.empty() || !std::all_of(host.begin(), host.end(), is_of_host))
    return wrong("its host cannot be read");
  x.host = host;
  if (!port.empty()) {
    if (!is_port(port.substr(1)))
      return wrong("its port cannot be read");
    x.port = port.substr(1);
  }
  return x;
}

} // namespace orderly::io::htools
