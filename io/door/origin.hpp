// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which host a request was meant for. A page of a stranger in a browser on this
// machine can send requests here, and read the answers if the stranger's own
// name leads here (DNS rebinding): but then that name is in the request.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orderly::io::http {

/// The host of `name`, `name:port`, `[address]` or `[address]:port`, in lower
/// case and without brackets; nothing if it is none of them.
std::optional<std::string> host_of(std::string_view authority);

/// The host of `scheme://authority`; nothing for `null` and anything else.
std::optional<std::string> host_of_origin(std::string_view origin);

/// Is a page of `origin` one that this very `host`, a Host header, has served?
/// Over http or https: what stands before a proxy counts by its name.
bool is_origin_of(std::string_view origin, std::string_view host);

/// Names that are no stranger's, wherever they lead: an address cannot be
/// rebound, and `localhost` is nobody's domain.
bool is_nobodys_name(const std::string& host);

} // namespace orderly::io::http
