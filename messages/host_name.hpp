// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a request can name a machine by: as browsers write it, and as it must
// stand in the settings to be found there.

#pragma once

#include <string_view>

namespace orderly {

/// 1 to 253 letters, digits, '-', '_' and dots; the root's dot at the end is
/// left out. An IPv4 address is such a name, too.
bool is_host_name(std::string_view text);

/// In hexadecimal groups, without brackets, port and zone.
bool is_ipv6_address(std::string_view text);

} // namespace orderly
