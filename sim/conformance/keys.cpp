// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/keys.hpp"

#include <fmt/format.h>

namespace orderly::sim::conformance {

std::string take_keys(const json& x, const std::string& where,
                      const takers& known) {
  if (!x.is_object())
    return where + " is no object";
  for (const auto& [key, value] : x.items()) {
    auto i = known.find(key);
    if (i == known.end())
      return fmt::format("{}: key \"{}\" is not understood", where, key);
    if (!i->second(value))
      return fmt::format("{}: key \"{}\" cannot be {}", where, key,
                         shown(value));
  }
  return {};
}

taker text_into(std::string& to) {
  return [&to](const json& v) {
    if (!v.is_string() && !v.is_null())
      return false;
    to = v.is_null() ? std::string{} : v.get<std::string>();
    return true;
  };
}

taker flag_into(bool& to) {
  return [&to](const json& v) {
    if (!v.is_boolean())
      return false;
    to = v.get<bool>();
    return true;
  };
}

taker number_into(std::int64_t& to) {
  return [&to](const json& v) {
    if (!v.is_number_integer())
      return false;
    to = v.get<std::int64_t>();
    return to >= 0;
  };
}

taker span_into(millis& to) {
  return [&to](const json& v) {
    if (!v.is_number() || v.get<double>() < 0 || v.get<double>() > 1e6)
      return false;
    to = millis{static_cast<std::int64_t>(v.get<double>() * 1000)};
    return true;
  };
}

taker texts_into(std::vector<std::string>& to) {
  return [&to](const json& v) {
    if (!v.is_array())
      return false;
    for (const auto& x : v) {
      if (!x.is_string())
        return false;
      to.push_back(x.get<std::string>());
    }
    return true;
  };
}

bool of_no_concern(const json&) {
  return true;
}

std::string shown(const json& x) {
  return x.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace orderly::sim::conformance
