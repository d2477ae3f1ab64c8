// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Rule R20: where more than a share of the nodes of a partition are not
// available, what activity checks found is perhaps about us, and starts no
// reset and no fence. Pure.

#pragma once

#include <cstdint>
#include <optional>

namespace orderly {

/// More than that share, exactly: 0.3 of 10 are 3. `away` of the `managed`
/// nodes are not available; without a ratio there are never too many.
bool is_mass_failure(std::uint32_t away, std::uint32_t managed,
                     std::optional<double> ratio);

} // namespace orderly
