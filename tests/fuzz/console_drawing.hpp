// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words of the console drawn from bytes, field by field, and told as a text, so
// that two of them can be compared: what the fuzz target and the test of the
// wire share.

#pragma once

#include "messages/protocol/console_fields.hpp"
#include "messages/protocol/console_wire.hpp"
#include "tests/fuzz/drawing.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace orderly::fuzz {

template <class T>
concept whole_number = std::is_integral_v<T>;

template <class T>
concept enumeration = std::is_enum_v<T>;

/// Draws anything that may cross, the rare and the extreme included.
class console_drawing {
public:
  explicit console_drawing(bytes& in) : in_(in) {
    // nop
  }

  template <class... Ts>
  void operator()(Ts&... xs) {
    (draw(xs), ...);
  }

private:
  template <class T>
  void draw(T& x) {
    wire::fields_of(*this, x);
  }

  void draw(bool& x) { x = in_.below(2) == 1; }

  template <whole_number T>
  void draw(T& x) {
    constexpr auto most = std::numeric_limits<T>::max();
    x = in_.once_in(8) ? most : static_cast<T>(in_.below(256));
  }

  template <enumeration T>
  void draw(T& x) {
    x = static_cast<T>(
      in_.below(static_cast<std::size_t>(wire::last_of<T>) + 1));
  }

  void draw(double& x) {
    using limits = std::numeric_limits<double>;
    constexpr std::array rare{-0.0, limits::infinity(), limits::quiet_NaN(),
                              limits::denorm_min(), limits::lowest()};
    x = in_.once_in(4) ? rare[in_.below(rare.size())]
                       : static_cast<double>(in_.below(256)) / 7;
  }

  void draw(std::string& x) { x = in_.raw(); }

  void draw(millis& x) {
    constexpr std::array rare{wire::ms_max, -wire::ms_max, std::int64_t{0}};
    x = millis{in_.once_in(4) ? rare[in_.below(rare.size())]
                              : 1'772'366'400'000
                                  + static_cast<std::int64_t>(in_.below(256))};
  }

  void draw(instant& x) {
    millis since{};
    draw(since);
    x = instant{since};
  }

  template <class T>
  void draw(std::vector<T>& xs) {
    xs.clear();
    for (auto n = in_.below(3); n > 0; --n)
      draw(xs.emplace_back());
  }

  template <class T>
  void draw(std::set<T>& xs) {
    for (auto n = in_.below(3); n > 0; --n) {
      T x{};
      draw(x);
      xs.insert(std::move(x));
    }
  }

  template <class K, class V, class Less>
  void draw(std::map<K, V, Less>& xs) {
    for (auto n = in_.below(3); n > 0; --n) {
      K key{};
      draw(key);
      draw(xs[key]);
    }
  }

  void draw(fields& x) {
    fields::map_type values;
    draw(values);
    x = fields{std::move(values)};
  }

  template <class T>
  void draw(std::optional<T>& x) {
    x.reset();
    if (in_.below(2) == 1)
      draw(x.emplace());
  }

  template <class T>
  void draw(std::shared_ptr<const T>& x) {
    auto fresh = std::make_shared<T>();
    draw(*fresh);
    x = std::move(fresh);
  }

  template <class... Ts>
  void draw(std::variant<Ts...>& x) {
    auto which = in_.below(sizeof...(Ts));
    choose(x, which, std::index_sequence_for<Ts...>{});
  }

  template <class Variant, std::size_t... Is>
  void choose(Variant& x, std::size_t which, std::index_sequence<Is...>) {
    ((which == Is ? draw(x.template emplace<Is>()) : void()), ...);
  }

  bytes& in_;
};

/// Tells all fields, so that different words are different texts.
class console_telling {
public:
  template <class... Ts>
  void operator()(Ts&... xs) {
    (tell(xs), ...);
  }

  std::string text;

private:
  void add(const std::string& x) { text += x + ";"; }

  template <class T>
  void tell(T& x) {
    text += "{";
    wire::fields_of(*this, x);
    text += "}";
  }

  template <whole_number T>
  void tell(T& x) {
    add(std::to_string(x));
  }

  template <enumeration T>
  void tell(T& x) {
    add("enum " + std::to_string(static_cast<int>(x)));
  }

  void tell(double& x) {
    add("bits " + std::to_string(std::bit_cast<std::uint64_t>(x)));
  }

  void tell(std::string& x) { add(std::to_string(x.size()) + ":" + x); }

  void tell(millis& x) { add(std::to_string(x.count()) + "ms"); }

  void tell(instant& x) { add("at " + std::to_string(to_ms(x))); }

  template <class List>
  void all(const List& xs) {
    text += "[";
    for (const auto& x : xs)
      tell(const_cast<std::remove_cvref_t<decltype(x)>&>(x));
    text += "]";
  }

  template <class T>
  void tell(std::vector<T>& xs) {
    all(xs);
  }

  template <class T>
  void tell(std::set<T>& xs) {
    all(xs);
  }

  template <class K, class V, class Less>
  void tell(std::map<K, V, Less>& xs) {
    all(xs);
  }

  template <class K, class V>
  void tell(std::pair<const K, V>& x) {
    tell(const_cast<K&>(x.first));
    tell(x.second);
  }

  void tell(fields& x) { all(x.all()); }

  template <class T>
  void tell(std::optional<T>& x) {
    text += x ? "some" : "none";
    if (x)
      tell(*x);
  }

  template <class T>
  void tell(std::shared_ptr<const T>& x) {
    text += x ? "some" : "none";
    if (x)
      tell(const_cast<T&>(*x));
  }

  template <class... Ts>
  void tell(std::variant<Ts...>& x) {
    text += "kind" + std::to_string(x.index());
    std::visit([this](auto& held) { this->tell(held); }, x);
  }
};

template <class Word>
std::string told(Word& x) {
  console_telling tell;
  tell(x);
  return std::move(tell.text);
}

} // namespace orderly::fuzz
