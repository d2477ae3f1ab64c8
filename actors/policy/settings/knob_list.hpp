// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How knobs are put on the list, section by section. For the files that say
// which there are.

#pragma once

#include "actors/policy/settings/settings.hpp"

#include <string_view>
#include <type_traits>
#include <utility>

namespace orderly::knob_parts {

struct bounds {
  double least = 0;
  double most = 0;
};

inline constexpr double minute = 60;
inline constexpr double hour = 3600;
inline constexpr double day = 24 * hour;

/// Pauses and intervals: long enough not to spin, short enough to notice.
inline constexpr bounds pause{0.1, hour};

/// Deadlines of single operations.
inline constexpr bounds deadline{0.5, hour};

/// A length of a queue or a number of things at once.
inline constexpr bounds crowd{1, 1000000};

inline constexpr bounds port_number{0, 65535};

class listing {
public:
  void section(std::string name) { prefix_ = std::move(name) + "."; }

  void add(std::string_view name, bool& value, std::string_view help) {
    put(name, &value, "", {}, help);
  }

  void add(std::string_view name, std::string& value, std::string_view help) {
    put(name, &value, "", {}, help);
  }

  void add(std::string_view name, std::string& value,
           std::vector<std::string> choices, std::string_view help) {
    put(name, &value, "", {}, help);
    knobs_.back().choices = std::move(choices);
  }

  /// `choices` spell the enumerators, in their order.
  template <class Enum>
  requires std::is_enum_v<Enum>

  void add(std::string_view name, Enum& value, std::vector<std::string> choices,
           std::string_view help) {
    put(name,
        chosen{&value, [&value] { return static_cast<std::size_t>(value); },
               [&value](std::size_t i) { value = static_cast<Enum>(i); }},
        "", {}, help);
    knobs_.back().choices = std::move(choices);
  }

  void add(std::string_view name, millis& value, bounds within,
           std::string_view help) {
    put(name, &value, "s", within, help);
  }

  void add(std::string_view name,
           std::map<std::string, std::vector<std::string>>& value,
           std::string_view help) {
    put(name, &value, "", {}, help);
  }

  template <class Number>
  void add(std::string_view name, Number& value, std::string_view unit,
           bounds within, std::string_view help) {
    put(name, &value, unit, within, help);
  }

  std::vector<knob> take() { return std::move(knobs_); }

private:
  void put(std::string_view name, knob::target value, std::string_view unit,
           bounds within, std::string_view help) {
    knobs_.push_back({prefix_ + std::string{name},
                      std::move(value),
                      std::string{unit},
                      std::string{help},
                      within.least,
                      within.most,
                      {}});
  }

  std::string prefix_;
  std::vector<knob> knobs_;
};

// maintenance_knobs.cpp
void maintenance_knobs(listing& l, settings& s);

} // namespace orderly::knob_parts
