// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// "Did you mean ...?": finds the known word that is nearest to a mistyped
// one. Used wherever people type names: settings, commands.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orderly {

/// The word of `known` nearest to `typed` by single-letter changes and swaps
/// of neighbours; empty if nothing is near enough to be meant.
std::string nearest(std::string_view typed,
                    const std::vector<std::string>& known);

} // namespace orderly
