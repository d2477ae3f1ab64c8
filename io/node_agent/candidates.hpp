// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The certificates of the master candidates, as
// `ssconf_master_candidates_certs` has them: `UUID=DIGEST`, a line each. Pure.

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace orderly::io::node_agent {

/// UUID by SHA-1 in lower-case hex, without colons. Lines that are no such
/// thing count as nobody's.
std::map<std::string, std::string> read_candidates(std::string_view text);

} // namespace orderly::io::node_agent
