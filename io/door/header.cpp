// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/header.hpp"

#include <array>
#include <ctime>

#include <boost/beast/http/status.hpp>
#include <fmt/format.h>

namespace orderly::io::http {

namespace {

/// What we serve is what it says it is, has styles and nothing else, is part of
/// no other page and nobody's to load, and says to nobody where one came from.
constexpr const char* for_browsers
  = "X-Content-Type-Options: nosniff\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Frame-Options: DENY\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n";

std::string date_text() {
  std::array<char, 40> text{};
  std::tm parts{};
  auto now = std::time(nullptr);
  gmtime_r(&now, &parts);
  auto size = std::strftime(text.data(), text.size(),
                            "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

bool has_body(unsigned status) {
  return status != 204 && status != 304;
}

} // namespace

std::string header_text(const response& x, unsigned version, bool keep) {
  auto status = static_cast<boost::beast::http::status>(x.status);
  auto phrase = boost::beast::http::obsolete_reason(status);
  std::string out;
  out.reserve(768);
  auto add = std::back_inserter(out);
  fmt::format_to(add,
                 "HTTP/1.{} {} {}\r\nDate: {}\r\nServer: orderly\r\n"
                 "{}",
                 version % 10, x.status,
                 std::string_view{phrase.data(), phrase.size()}, date_text(),
                 for_browsers);
  if (has_body(x.status))
    fmt::format_to(add, "Content-Type: {}\r\nContent-Length: {}\r\n",
                   x.content_type, x.text().size());
  auto stores = false;
  for (const auto& [name, value] : x.headers) {
    stores = stores || name == "Cache-Control";
    fmt::format_to(add, "{}: {}\r\n", name, value);
  }
  if (!stores)
    out += "Cache-Control: no-store\r\n";
  if (!keep)
    out += "Connection: close\r\n";
  else if (version < 11)
    out += "Connection: keep-alive\r\n";
  out += "\r\n";
  return out;
}

} // namespace orderly::io::http
