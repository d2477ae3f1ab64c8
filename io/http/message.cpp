// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/message.hpp"

#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

namespace orderly::io::http {

response error_response(unsigned status, const std::string& code,
                        const std::string& text) {
  nlohmann::json error{{"error", {{"code", code}, {"text", text}}}};
  return {status, "application/json", to_text(error), {}};
}

} // namespace orderly::io::http
