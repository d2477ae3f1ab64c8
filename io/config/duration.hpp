// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Durations as people write them: "500ms", "10s", "5m", "24h". Used by the
// loader and the writer of settings.

#pragma once

#include "messages/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace orderly::io {

/// The duration that `text` spells: digits and one of ms, s, m, h, d.
std::optional<millis> parse_duration(std::string_view text);

/// The shortest text that parse_duration reads back as `t`.
std::string spell_duration(millis t);

} // namespace orderly::io
