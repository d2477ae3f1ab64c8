// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/answers.hpp"

#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io::http {

response json_response(const nlohmann::json& x) {
  response to;
  to.body = to_text(x) + "\n";
  return to;
}

response text_response(unsigned status, std::string text) {
  response to;
  to.status = status;
  to.content_type = "text/plain; charset=utf-8";
  to.body = std::move(text);
  return to;
}

response fault_response(const fault& x) {
  auto status = x.kind == fault_kind::timed_out     ? 504u
                : x.kind == fault_kind::unreachable ? 503u
                : x.kind == fault_kind::not_found   ? 404u
                : x.kind == fault_kind::bad_input   ? 400u
                : x.kind == fault_kind::refused     ? 409u
                                                    : 500u;
  std::string code = to_string(x.kind);
  for (auto& c : code)
    if (c == ' ' || c == '/')
      c = '-';
  auto to = error_response(status, code, x.text);
  if (x.kind == fault_kind::unreachable)
    to.headers.emplace_back("Retry-After", "1");
  return to;
}

response bad_request(const std::string& text) {
  return error_response(400, "bad-request", text);
}

fault no_such(const std::string& kind, const std::string& name) {
  return {fault_kind::not_found,
          fmt::format("there is no {} '{}' in the last reading of the cluster",
                      kind, name)};
}

} // namespace orderly::io::http
