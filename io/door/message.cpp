// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/message.hpp"

#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

namespace orderly::io::http {

const char* to_string(door_kind x) {
  switch (x) {
  case door_kind::tcp:
    return "tcp";
  case door_kind::readers:
    return "readers";
  case door_kind::orders:
    return "orders";
  }
  return "?";
}

response error_response(unsigned status, const std::string& code,
                        const std::string& text) {
  nlohmann::json error{{"error", {{"code", code}, {"text", text}}}};
  response x;
  x.status = status;
  x.body = to_text(error);
  return x;
}

response busy_response(const std::string& text) {
  auto x = error_response(503, "busy", text);
  x.headers.emplace_back("Retry-After", "1");
  return x;
}

} // namespace orderly::io::http
