// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How long a group's nodes may take, as the laws read it in the settings: a
// group's own values are lines of text, "check_timeout = 5s".

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

namespace orderly {
struct settings;
}

namespace orderly::sim {

/// So long a node of the group may take to answer: what the cluster's settings
/// say, or what the group's own do.
millis patience_of(const settings& rules, const group_name& group);

/// So long a node of that group may boot after a reset.
millis boot_time_of(const settings& rules, const group_name& group);

/// That of the group whose nodes may take longest.
millis longest_patience(const settings& rules);

} // namespace orderly::sim
