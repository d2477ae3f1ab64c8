// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/json_parts.hpp"

#include "actors/policy/base/utc.hpp"
#include "io/json/when.hpp"

namespace orderly::io::console {

using nlohmann::json;

const json& part(const json& x, const char* name) {
  static const json nothing;
  if (!x.is_object())
    return nothing;
  auto found = x.find(name);
  return found == x.end() ? nothing : *found;
}

std::string text(const json& x, const char* name) {
  const auto& value = part(x, name);
  if (value.is_string())
    return value.get<std::string>();
  return value.is_number() ? value.dump() : "";
}

std::string age(const json& x, const char* name, instant now) {
  auto then = http::from_rfc3339(text(x, name));
  return then ? age_text(now - *then) : "";
}

bool flag(const json& x, const char* name) {
  const auto& value = part(x, name);
  return value.is_boolean() && value.get<bool>();
}

} // namespace orderly::io::console
