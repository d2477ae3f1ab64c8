// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Two names of one machine: people write short ones, Ganeti full ones.

#pragma once

#include <string_view>

namespace orderly {

/// True if `own`, this host's name, and the cluster's `node` name one
/// machine. A short name matches a full one that starts with it.
bool is_same_host(std::string_view own, std::string_view node);

} // namespace orderly
