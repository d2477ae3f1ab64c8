// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Names of machines: what a request can name one by, as browsers write it and
// as it must stand in the settings to be found there; and which names are of
// the same one, since people write short ones and Ganeti full ones.

#pragma once

#include <string_view>

namespace orderly {

/// 1 to 253 letters, digits, '-', '_' and dots; the root's dot at the end is
/// left out. An IPv4 address is such a name, too.
bool is_host_name(std::string_view text);

/// In hexadecimal groups, without brackets, port and zone.
bool is_ipv6_address(std::string_view text);

/// True if `own`, this host's name, and the cluster's `node` name one
/// machine. A short name matches a full one that starts with it.
bool is_same_host(std::string_view own, std::string_view node);

} // namespace orderly
