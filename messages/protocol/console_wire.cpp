// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/protocol/console_wire.hpp"

#include "messages/protocol/console_fields.hpp"

#include <caf/sec.hpp>

#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orderly::wire {

namespace {

template <class T>
concept enumeration = std::is_enum_v<T>;

template <class T>
concept number
  = one_of<T, std::uint8_t, std::uint32_t, std::uint64_t, std::int64_t>;

/// Writes field after field; the first failure is kept.
class writer {
public:
  explicit writer(caf::serializer& to) : to_(to) {
    // nop
  }

  template <class... Ts>
  void operator()(Ts&... xs) {
    (put(xs), ...);
  }

  caf::error trouble;

private:
  /// CAF writes from what could be written to, and does not.
  template <class T>
  void raw(T x) {
    if (!trouble)
      trouble = to_.apply(x);
  }

  template <class T>
  void put(T& x) {
    fields_of(*this, x);
  }

  void put(std::string& x) {
    if (!trouble)
      trouble = to_.apply(x);
  }

  template <number T>
  void put(T& x) {
    raw(x);
  }

  template <enumeration T>
  void put(T& x) {
    raw(static_cast<std::uint8_t>(x));
  }

  void put(bool& x) { raw(std::uint8_t{x}); }

  // By its bits: CAF writes no infinity and what is not a number.
  void put(double& x) { raw(std::bit_cast<std::uint64_t>(x)); }

  void put(millis& x) { raw(std::int64_t{x.count()}); }

  void put(instant& x) { raw(to_ms(x)); }

  void count(std::size_t n) {
    if (!trouble)
      trouble = to_.begin_sequence(n);
  }

  void end() {
    if (!trouble)
      trouble = to_.end_sequence();
  }

  template <class List>
  void list(const List& xs) {
    count(xs.size());
    for (const auto& x : xs)
      put(const_cast<std::remove_cvref_t<decltype(x)>&>(x));
    end();
  }

  template <class T>
  void put(std::vector<T>& xs) {
    list(xs);
  }

  /// Rows of a scene: there is no row that is none.
  template <class T>
  void put(std::vector<std::shared_ptr<const T>>& xs) {
    count(xs.size());
    for (auto& x : xs)
      put(const_cast<T&>(*x));
    end();
  }

  template <class T>
  void put(std::set<T>& xs) {
    list(xs);
  }

  template <class K, class V, class Less>
  void put(std::map<K, V, Less>& xs) {
    list(xs);
  }

  template <class K, class V>
  void put(std::pair<const K, V>& x) {
    put(const_cast<K&>(x.first));
    put(x.second);
  }

  void put(fields& x) { list(x.all()); }

  template <class T>
  void put(std::optional<T>& x) {
    raw(std::uint8_t{x.has_value()});
    if (x)
      put(*x);
  }

  template <class T>
  void put(std::shared_ptr<const T>& x) {
    raw(std::uint8_t{x != nullptr});
    if (x)
      put(const_cast<T&>(*x));
  }

  template <class... Ts>
  void put(std::variant<Ts...>& x) {
    raw(static_cast<std::uint8_t>(x.index()));
    std::visit([this](auto& held) { this->put(held); }, x);
  }

  caf::serializer& to_;
};

/// Reads field after field; after the first failure it reads nothing more.
class reader {
public:
  explicit reader(caf::deserializer& from) : from_(from) {
    // nop
  }

  template <class... Ts>
  void operator()(Ts&... xs) {
    (take(xs), ...);
  }

  /// A number from 0 to `last`.
  std::uint8_t up_to(std::size_t last) {
    std::uint8_t x = 0;
    raw(x);
    if (x > last)
      fail("a number is out of its range");
    return trouble ? std::uint8_t{0} : x;
  }

  void fail(const char* why) {
    if (!trouble)
      trouble = caf::make_error(caf::sec::invalid_argument,
                                std::string{"a word of the console: "} + why);
  }

  caf::error trouble;

private:
  template <class T>
  void raw(T& x) {
    if (!trouble)
      trouble = from_.apply(x);
  }

  template <class T>
  void take(T& x) {
    fields_of(*this, x);
  }

  void take(console_reply<console_scene>& x) {
    fields_of(*this, x);
    if (!x.word && x.trouble.part == console_part::none)
      fail("there is neither a scene nor a trouble");
  }

  void take(std::string& x) { raw(x); }

  template <number T>
  void take(T& x) {
    raw(x);
  }

  template <enumeration T>
  void take(T& x) {
    x = static_cast<T>(up_to(static_cast<std::size_t>(last_of<T>)));
  }

  void take(bool& x) { x = up_to(1) == 1; }

  void take(double& x) {
    std::uint64_t bits = 0;
    raw(bits);
    x = std::bit_cast<double>(bits);
  }

  void take(millis& x) {
    std::int64_t ms = 0;
    raw(ms);
    if (ms < -ms_max || ms > ms_max)
      fail("a time is out of its range");
    else
      x = millis{ms};
  }

  void take(instant& x) {
    millis since{};
    take(since);
    x = instant{since};
  }

  /// Each element is at least a byte, and who reads ends with the bytes: what
  /// is counted here costs nothing before it has come.
  std::size_t count() {
    std::size_t n = 0;
    if (!trouble)
      trouble = from_.begin_sequence(n);
    if (n > list_max)
      fail("a list is too long");
    return trouble ? 0 : n;
  }

  void end() {
    if (!trouble)
      trouble = from_.end_sequence();
  }

  template <class T>
  void take(std::vector<T>& xs) {
    xs.clear();
    for (auto n = count(); n > 0 && !trouble; --n)
      take(xs.emplace_back());
    end();
  }

  template <class T>
  void take(std::vector<std::shared_ptr<const T>>& xs) {
    xs.clear();
    for (auto n = count(); n > 0 && !trouble; --n) {
      auto row = std::make_shared<T>();
      take(*row);
      xs.push_back(std::move(row));
    }
    end();
  }

  template <class T>
  void take(std::set<T>& xs) {
    xs.clear();
    for (auto n = count(); n > 0 && !trouble; --n) {
      T x{};
      take(x);
      xs.insert(std::move(x));
    }
    end();
  }

  template <class K, class V, class Less>
  void take(std::map<K, V, Less>& xs) {
    xs.clear();
    for (auto n = count(); n > 0 && !trouble; --n) {
      K key{};
      take(key);
      take(xs[std::move(key)]);
    }
    end();
  }

  void take(fields& x) {
    fields::map_type values;
    take(values);
    x = fields{std::move(values)};
  }

  template <class T>
  void take(std::optional<T>& x) {
    x.reset();
    if (up_to(1) == 1)
      take(x.emplace());
  }

  template <class T>
  void take(std::shared_ptr<const T>& x) {
    x.reset();
    if (up_to(1) != 1)
      return;
    auto fresh = std::make_shared<T>();
    take(*fresh);
    x = std::move(fresh);
  }

  template <class... Ts>
  void take(std::variant<Ts...>& x) {
    choose(x, up_to(sizeof...(Ts) - 1), std::index_sequence_for<Ts...>{});
  }

  template <class Variant, std::size_t... Is>
  void choose(Variant& x, std::size_t which, std::index_sequence<Is...>) {
    ((which == Is ? take(x.template emplace<Is>()) : void()), ...);
  }

  caf::deserializer& from_;
};

} // namespace

template <class Word>
caf::error crossing<Word>::save(caf::serializer& to) {
  writer write{to};
  auto ours = format;
  write(ours, word);
  return std::move(write.trouble);
}

template <class Word>
caf::error crossing<Word>::load(caf::deserializer& from) {
  reader read{from};
  std::uint8_t theirs = 0;
  read(theirs);
  if (theirs != format)
    read.fail("it is of another format");
  if (!read.trouble)
    read(word);
  return std::move(read.trouble);
}

template struct crossing<console_ask<console_look>>;
template struct crossing<console_ask<pause_order>>;
template struct crossing<console_ask<repair_request>>;
template struct crossing<console_ask<console_errand>>;
template struct crossing<console_ask<errand_list>>;
template struct crossing<console_ask<balance_query>>;
template struct crossing<console_ask<event_order>>;
template struct crossing<console_reply<console_scene>>;
template struct crossing<console_reply<pause_answer>>;
template struct crossing<console_reply<repair_answer>>;
template struct crossing<console_reply<errand_sheet>>;
template struct crossing<console_reply<errand_list_answer>>;
template struct crossing<console_reply<balance_sheet>>;
template struct crossing<console_reply<event_order_answer>>;

} // namespace orderly::wire
