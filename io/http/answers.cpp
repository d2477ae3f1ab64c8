// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/answers.hpp"

#include "io/http/page.hpp"
#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io::http {

response json_response(const nlohmann::json& x) {
  return {200, "application/json", to_text(x) + "\n", {}};
}

response text_response(unsigned status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::move(text), {}};
}

response metrics_response(std::string text) {
  if (text.back() != '\n')
    text += '\n';
  return {200, "text/plain; version=0.0.4; charset=utf-8", std::move(text), {}};
}

response page_response(const view_answer& all) {
  return {200,
          "text/html; charset=utf-8",
          status_page(all),
          {{"Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; "
            "frame-ancestors 'none'"},
           {"Vary", "Accept"}}};
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
  return error_response(status, code, x.text);
}

response bad_request(const std::string& text) {
  return error_response(400, "bad-request", text);
}

response no_such(const std::string& kind, const std::string& name) {
  return error_response(404, "not-found",
                        fmt::format("there is no {} '{}' in the last reading "
                                    "of the cluster",
                                    kind, name));
}

} // namespace orderly::io::http
