// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/strict_reader.hpp"

#include "io/json/distinct_keys.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;

constexpr std::size_t name_bytes_max = 255;
constexpr int depth_max = 8;

} // namespace

result<json> parse_strictly(const std::string& body) {
  auto x = parse_distinct(body, depth_max);
  if (x && x->is_object())
    return x;
  return fault{fault_kind::bad_input,
               "the body cannot be taken: "
                 + (x ? "it is no JSON object" : x.why().text)};
}

strict_reader::strict_reader(const json& from, std::string place)
  : from_(from), place_(std::move(place)) {
  if (!from_.is_object())
    wrong_ = fmt::format("'{}' must be an object", place_);
}

const json* strict_reader::member(const char* name) {
  known_.insert(name);
  if (!from_.is_object())
    return nullptr;
  auto found = from_.find(name);
  return found == from_.end() ? nullptr : &*found;
}

std::string strict_reader::place_of(const std::string& name) const {
  return place_.empty() ? name : place_ + "." + name;
}

void strict_reader::complain(const std::string& name, const std::string& what) {
  if (wrong_.empty())
    wrong_ = fmt::format("'{}' {}", place_of(name), what);
}

std::string strict_reader::wrong() const {
  if (!wrong_.empty() || !from_.is_object())
    return wrong_;
  for (const auto& [key, value] : from_.items())
    if (known_.count(key) == 0)
      return fmt::format("there is no '{}'; known are {}",
                         place_of(shown_key(key)), fmt::join(known_, ", "));
  return {};
}

void strict_reader::read(const char* name, bool& into) {
  std::optional<bool> x;
  read(name, x);
  into = x.value_or(into);
}

void strict_reader::read(const char* name, std::optional<bool>& into) {
  const auto* x = member(name);
  if (x == nullptr)
    return;
  if (!x->is_boolean())
    return complain(name, "must be true or false");
  into = x->get<bool>();
}

void strict_reader::read(const char* name, std::string& into,
                         std::size_t bytes_max) {
  std::optional<std::string> x;
  read(name, x, bytes_max);
  if (x)
    into = std::move(*x);
}

void strict_reader::read(const char* name, std::optional<std::string>& into,
                         std::size_t bytes_max) {
  const auto* x = member(name);
  if (x == nullptr)
    return;
  if (!x->is_string() || x->get_ref<const std::string&>().size() > bytes_max)
    return complain(
      name, fmt::format("must be a text of at most {} bytes", bytes_max));
  into = x->get<std::string>();
}

bool strict_reader::is_name(const json& x) const {
  if (!x.is_string())
    return false;
  const auto& text = x.get_ref<const std::string&>();
  auto odd = [](char c) {
    auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7f;
  };
  return !text.empty() && text.size() <= name_bytes_max
         && std::none_of(text.begin(), text.end(), odd);
}

void strict_reader::read_name(const char* name, std::string& into) {
  const auto* x = member(name);
  if (x == nullptr || !is_name(*x))
    return complain(name, fmt::format("must be a name: 1 to {} bytes without "
                                      "blanks",
                                      name_bytes_max));
  into = x->get<std::string>();
}

void strict_reader::read_names(const char* name, std::vector<std::string>& into,
                               std::size_t count_max) {
  const auto* x = member(name);
  if (x == nullptr)
    return;
  if (!x->is_array() || x->size() > count_max)
    return complain(
      name, fmt::format("must be a list of at most {} names", count_max));
  for (std::size_t i = 0; i < x->size(); ++i) {
    if (!is_name((*x)[i]))
      return complain(fmt::format("{}[{}]", name, i),
                      fmt::format("must be a name: 1 to {} bytes without "
                                  "blanks",
                                  name_bytes_max));
    into.push_back((*x)[i].get<std::string>());
  }
}

void strict_reader::read(const char* name, std::optional<std::uint32_t>& into,
                         std::uint32_t low, std::uint32_t high) {
  const auto* x = member(name);
  if (x == nullptr)
    return;
  if (!x->is_number_unsigned() || x->get<std::uint64_t>() < low
      || x->get<std::uint64_t>() > high)
    return complain(
      name, fmt::format("must be a whole number from {} to {}", low, high));
  into = x->get<std::uint32_t>();
}

void strict_reader::read(const char* name, std::optional<std::uint64_t>& into) {
  const auto* x = member(name);
  if (x == nullptr)
    return;
  if (!x->is_number_unsigned())
    return complain(name, "must be a whole number that is not negative");
  into = x->get<std::uint64_t>();
}

void strict_reader::read(const char* name, millis& into, millis low,
                         millis high) {
  const auto* x = member(name);
  if (x == nullptr)
    return;
  auto good = x->is_number_unsigned();
  if (good) {
    auto number = x->get<std::uint64_t>();
    good = number == 0
           || (number >= static_cast<std::uint64_t>(low.count())
               && number <= static_cast<std::uint64_t>(high.count()));
  }
  if (!good)
    return complain(name, fmt::format("must be 0 or a whole number of "
                                      "milliseconds from {} to {}",
                                      low.count(), high.count()));
  into = millis{static_cast<std::int64_t>(x->get<std::uint64_t>())};
}

} // namespace orderly::io::http
