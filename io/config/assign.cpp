// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/assign.hpp"

#include "io/config/duration.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace orderly::io {

namespace {

struct describe {
  std::string operator()(const unfit& x) const { return x.what; }

  std::string operator()(bool x) const { return x ? "true" : "false"; }

  std::string operator()(std::int64_t x) const { return std::to_string(x); }

  std::string operator()(double x) const { return fmt::format("{}", x); }

  std::string operator()(const std::string& x) const {
    return "'" + shown(x) + "'";
  }
};

std::string misfit(const knob& k, const raw_value& value, const char* wanted) {
  return fmt::format("{} is {}; it must be {}", k.key,
                     std::visit(describe{}, value), wanted);
}

std::string beyond(const knob& k, const raw_value& value) {
  auto unit = k.unit.empty() ? "" : " " + k.unit;
  return fmt::format("{} is {}; it must lie between {:.10g} and {:.10g}{}",
                     k.key, std::visit(describe{}, value), k.least, k.most,
                     unit);
}

bool within(const knob& k, double x) {
  return x >= k.least && x <= k.most;
}

using program_table = std::map<std::string, std::vector<std::string>>;

/// Stores through a pointer of any of the kinds that a knob may have.
class storing {
public:
  storing(const knob& k, const raw_value& value) : knob_(k), value_(value) {
    // nop
  }

  std::string operator()(bool* target) const {
    auto x = std::get_if<bool>(&value_);
    if (!x)
      return misfit(knob_, value_, "true or false");
    *target = *x;
    return {};
  }

  template <class Integer>
  std::string operator()(Integer* target) const {
    auto x = std::get_if<std::int64_t>(&value_);
    if (!x)
      return misfit(knob_, value_, "a whole number");
    if (!within(knob_, static_cast<double>(*x)))
      return beyond(knob_, value_);
    *target = static_cast<Integer>(*x);
    return {};
  }

  std::string operator()(double* target) const {
    auto whole = std::get_if<std::int64_t>(&value_);
    auto x = std::get_if<double>(&value_);
    if (!x && !whole)
      return misfit(knob_, value_, "a number");
    auto number = x ? *x : static_cast<double>(*whole);
    if (!within(knob_, number))
      return beyond(knob_, value_);
    *target = number;
    return {};
  }

  std::string operator()(millis* target) const {
    auto whole = std::get_if<std::int64_t>(&value_);
    auto text = std::get_if<std::string>(&value_);
    std::optional<millis> t;
    if (whole && !within(knob_, static_cast<double>(*whole)))
      return beyond_time();
    if (whole)
      t = seconds{*whole};
    else if (text)
      t = parse_duration(*text);
    if (!t)
      return misfit(knob_, value_,
                    "a duration like \"10s\", \"500ms\", \"5m\" or \"24h\", "
                    "or a whole number of seconds");
    if (!within(knob_, static_cast<double>(t->count()) / 1000))
      return beyond_time();
    *target = *t;
    return {};
  }

  std::string operator()(std::string* target) const {
    constexpr std::size_t length_max = 4096;
    auto x = std::get_if<std::string>(&value_);
    if (!x)
      return misfit(knob_, value_, "a string");
    if (x->size() > length_max)
      return fmt::format("{} is {} bytes long; {} are allowed", knob_.key,
                         x->size(), length_max);
    if (has_controls(*x))
      return misfit(knob_, value_, "free of control characters");
    if (!knob_.choices.empty() && place_of(*x) == knob_.choices.size())
      return no_choice();
    *target = *x;
    return {};
  }

  std::string operator()(const chosen& target) const {
    auto x = std::get_if<std::string>(&value_);
    if (!x)
      return misfit(knob_, value_, "a string");
    auto place = place_of(*x);
    if (place == knob_.choices.size())
      return no_choice();
    target.set(place);
    return {};
  }

  /// Tables are read key by key, by the loader.
  std::string operator()(program_table*) const {
    return misfit(knob_, value_, "a table of lists");
  }

private:
  /// Which of the choices it is; their number: none.
  std::size_t place_of(const std::string& word) const {
    const auto& all = knob_.choices;
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), word)
                                    - all.begin());
  }

  std::string no_choice() const {
    auto wanted = fmt::format("one of {}", fmt::join(knob_.choices, ", "));
    return misfit(knob_, value_, wanted.c_str());
  }

  std::string beyond_time() const {
    auto spelled
      = [](double x) { return spell_duration(millis{std::llround(x * 1000)}); };
    return fmt::format("{} is {}; it must lie between {} and {}", knob_.key,
                       std::visit(describe{}, value_), spelled(knob_.least),
                       spelled(knob_.most));
  }

  const knob& knob_;
  const raw_value& value_;
};

} // namespace

std::string assign(const knob& k, const raw_value& value) {
  return std::visit(storing{k, value}, k.value);
}

bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

std::string shown(std::string_view text) {
  constexpr std::size_t length_max = 80;
  std::string out{text.substr(0, length_max)};
  for (auto& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '?';
  return text.size() > length_max ? out + "..." : out;
}

} // namespace orderly::io
