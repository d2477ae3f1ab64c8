// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the parts of a scenario are taken in key by key: every key has a taker,
// and one that has none is a fault, so that no condition is passed over in
// silence. Used by all readers of scenarios.

#pragma once

#include "messages/time.hpp"
#include "sim/conformance/read.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace orderly::sim::conformance {

/// What a key does with its value; false: the value makes no sense.
using taker = std::function<bool(const json&)>;
using takers = std::map<std::string, taker>;

/// Hands every key of `x` to its taker. What is wrong, or nothing; `where` is
/// what the text calls `x`.
std::string take_keys(const json& x, const std::string& where,
                      const takers& known);

taker text_into(std::string& to); ///< null is the empty text
taker flag_into(bool& to);
taker number_into(std::int64_t& to);            ///< a whole one, not below 0
taker span_into(millis& to);                    ///< seconds, not below 0
taker texts_into(std::vector<std::string>& to); ///< added to what is there

/// Whatever it is, it changes nothing here.
bool of_no_concern(const json& value);

/// In one line, whatever bytes are in it.
std::string shown(const json& x);

} // namespace orderly::sim::conformance
