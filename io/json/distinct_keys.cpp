// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/distinct_keys.hpp"

#include "io/json/escape.hpp"

#include <algorithm>
#include <utility>
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

namespace {

/// Builds the value as the reader goes, and stops it at the first offence. A
/// key is looked for where it is put, so this takes no longer than to read
/// without looking.
class builder {
public:
  explicit builder(int depth_max)
    : depth_max_(static_cast<std::size_t>(std::max(depth_max, 0))) {
    // nop
  }

  bool null() { return put(nullptr); }

  bool boolean(bool x) { return put(x); }

  bool number_integer(json::number_integer_t x) { return put(x); }

  bool number_unsigned(json::number_unsigned_t x) { return put(x); }

  bool number_float(json::number_float_t x, const std::string&) {
    return put(x);
  }

  bool string(std::string& x) { return put(std::move(x)); }

  bool binary(json::binary_t&) { return false; }

  bool start_object(std::size_t) { return open(json::object()); }

  bool end_object() { return close(); }

  bool start_array(std::size_t) { return open(json::array()); }

  bool end_array() { return close(); }

  bool key(std::string& name) {
    auto& members = open_.back()->get_ref<json::object_t&>();
    auto [at, fresh] = members.try_emplace(name);
    if (!fresh)
      wrong_ = fmt::format("the key '{}' is there twice", shown_key(name));
    next_ = &at->second;
    return fresh;
  }

  bool parse_error(std::size_t, const std::string&, const json::exception&) {
    wrong_ = "it is no JSON";
    return false;
  }

  [[nodiscard]] const std::string& wrong() const { return wrong_; }

  json take() { return std::move(root_); }

private:
  /// Where the value was put: the last one of the list that is open, the member
  /// whose key was read, or the outermost.
  json* place(json x) {
    if (!open_.empty() && open_.back()->is_array()) {
      auto& list = open_.back()->get_ref<json::array_t&>();
      list.push_back(std::move(x));
      return &list.back();
    }
    auto* at = open_.empty() ? &root_ : next_;
    *at = std::move(x);
    return at;
  }

  bool put(json x) {
    place(std::move(x));
    return true;
  }

  bool open(json x) {
    if (open_.size() >= depth_max_) {
      wrong_ = fmt::format("it is nested more than {} deep", depth_max_);
      return false;
    }
    open_.push_back(place(std::move(x)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::size_t depth_max_;
  json root_;
  std::vector<json*> open_; ///< none moves while it is here
  json* next_ = nullptr;
  std::string wrong_;
};

} // namespace

result<json> parse_distinct(std::string_view text, int depth_max) {
  builder found{depth_max};
  if (!json::sax_parse(text, &found))
    return fault{fault_kind::bad_input, found.wrong()};
  return found.take();
}

} // namespace orderly::io
