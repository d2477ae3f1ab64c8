// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads JSON in which no object has a key twice. Of two values of one key each
// reader takes the one it likes, and what somebody has checked is then not what
// somebody else acts by. Used for what clients, agents, orders and luxid say.

#pragma once

#include "messages/result.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace orderly::io {

/// A key or another text of a stranger: fit to be shown in a sentence, and not
/// too long for it.
std::string shown_key(std::string_view key);

/// What `text` says; fails as `bad_input` if it is no JSON, is nested more than
/// `depth_max` deep, or has a key twice, anywhere. Why is a sentence about
/// "it", or names the key.
result<nlohmann::json> parse_distinct(std::string_view text, int depth_max);

} // namespace orderly::io
