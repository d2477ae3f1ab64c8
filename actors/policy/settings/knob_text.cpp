// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/knob_text.hpp"

#include "messages/ascii.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace orderly {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::array yes_words{"true"sv, "yes"sv};
constexpr std::array no_words{"false"sv, "no"sv};

std::string upper(std::string text) {
  for (auto& c : text)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// "60", "0.7"
std::optional<double> number_from(std::string_view text) {
  double x = 0;
  auto [end, error]
    = std::from_chars(text.data(), text.data() + text.size(), x);
  // What is no number, or without end, lies between all bounds.
  if (error != std::errc{} || end != text.data() + text.size()
      || !std::isfinite(x))
    return std::nullopt;
  return x;
}

/// Seconds, or a number with one of ms, s, m, h, d behind it.
std::optional<double> seconds_from(const std::string& text) {
  static const std::vector<std::pair<std::string, double>> units{
    {"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
  for (const auto& [unit, factor] : units)
    if (text.ends_with(unit))
      if (auto x = number_from(text.substr(0, text.size() - unit.size())))
        return *x * factor;
  return number_from(text);
}

/// Puts the text into the knob, within its bounds.
struct storing {
  const knob& to;
  const std::string& text;

  std::string bounded(std::optional<double> x) const {
    if (!x)
      return fmt::format("cannot be '{}'", text);
    if (*x < to.least || *x > to.most)
      return fmt::format("is {}; it must lie between {} and {}", text, to.least,
                         to.most);
    return {};
  }

  std::string operator()(millis* x) const {
    auto value = seconds_from(text);
    auto wrong = bounded(value);
    if (wrong.empty())
      *x = millis{static_cast<std::int64_t>(*value * 1000 + 0.5)};
    return wrong;
  }

  std::string operator()(double* x) const {
    auto value = number_from(text);
    auto wrong = bounded(value);
    if (wrong.empty())
      *x = *value;
    return wrong;
  }

  std::string operator()(std::uint32_t* x) const {
    auto value = number_from(text);
    if (value
        && *value
             != static_cast<double>(
               static_cast<std::uint32_t>(std::clamp(*value, 0.0, 1e9))))
      return fmt::format("is {}; it must be a whole number", text);
    auto wrong = bounded(value);
    if (wrong.empty())
      *x = static_cast<std::uint32_t>(*value);
    return wrong;
  }

  std::string operator()(bool* x) const {
    auto word = lowered(text);
    auto is_one_of = [&word](const auto& all) {
      return std::find(all.begin(), all.end(), word) != all.end();
    };
    auto yes = is_one_of(yes_words);
    if (!yes && !is_one_of(no_words))
      return fmt::format("is {}; it must be true or false", text);
    *x = yes;
    return {};
  }

  std::string operator()(const chosen& x) const {
    const auto& all = to.choices;
    auto i = std::find(all.begin(), all.end(), lowered(text));
    if (i == all.end())
      return fmt::format("is {}; it must be one of {}", text,
                         fmt::join(all, ", "));
    x.set(static_cast<std::size_t>(i - all.begin()));
    return {};
  }

  template <class Other>
  std::string operator()(Other*) const {
    return "is not set in this way";
  }
};

struct spelling {
  const knob& of;

  std::string operator()(const bool* x) const { return *x ? "true" : "false"; }

  std::string operator()(const millis* x) const {
    return fmt::format("{}", static_cast<double>(x->count()) / 1000);
  }

  std::string operator()(const double* x) const {
    return fmt::format("{}", *x);
  }

  std::string operator()(const std::uint32_t* x) const {
    return fmt::format("{}", *x);
  }

  std::string operator()(const chosen& x) const {
    return upper(of.choices[x.get()]);
  }

  template <class Other>
  std::string operator()(const Other*) const {
    return {};
  }
};

} // namespace

std::string set_from_text(const knob& k, const std::string& text) {
  return std::visit(storing{k, text}, k.value);
}

std::string set_time_from_text(const knob& k, const std::string& text,
                               millis& into) {
  return storing{k, text}(&into);
}

std::string text_of(const knob& k) {
  return std::visit(spelling{k}, k.value);
}

} // namespace orderly
