// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One value, as read from a file, into one knob. Used by the loader; knows
// nothing of TOML.

#pragma once

#include "actors/policy/settings/settings.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace orderly::io {

/// What a file can hold for a knob; `what` names anything else.
struct unfit {
  std::string what; ///< `an array`, `a date`, ...
};

using raw_value = std::variant<unfit, bool, std::int64_t, double, std::string>;

/// Stores `value` through `k`, which is no table; if it does not fit, changes
/// nothing and returns a sentence that says why.
std::string assign(const knob& k, const raw_value& value);

/// True if `text` has characters that no name or path may have.
bool has_controls(std::string_view text);

/// `text` fit for a message: no control characters, not too long.
std::string shown(std::string_view text);

} // namespace orderly::io
