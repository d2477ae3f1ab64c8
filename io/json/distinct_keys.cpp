// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/distinct_keys.hpp"

#include "io/json/escape.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>

namespace orderly::io {

using nlohmann::json;

std::string shown_key(std::string_view key) {
  constexpr std::size_t shown_max = 60;
  return http::one_line(key.size() > shown_max
                          ? std::string{key.substr(0, shown_max)} + "..."
                          : std::string{key});
}

result<json> parse_distinct(std::string_view text, int depth_max) {
  std::vector<std::set<std::string>> keys; // of the objects that are open
  std::string wrong;
  auto note = [&](const std::string& what) {
    if (wrong.empty())
      wrong = what;
  };
  auto watch = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > depth_max)
      note(fmt::format("it is nested more than {} deep", depth_max));
    if (event == json::parse_event_t::object_start) {
      keys.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      if (!keys.empty())
        keys.pop_back();
    } else if (event == json::parse_event_t::key && !keys.empty()) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys.back().insert(key).second)
        note(fmt::format("the key '{}' is there twice", shown_key(key)));
    }
    return wrong.empty(); // of what is refused nothing more is kept
  };
  auto x = json::parse(text, watch, false);
  if (x.is_discarded())
    note("it is no JSON");
  if (!wrong.empty())
    return fault{fault_kind::bad_input, wrong};
  return x;
}

} // namespace orderly::io
