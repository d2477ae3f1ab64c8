// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Bodies packed as browsers and scrapers take them, by zlib.

#pragma once

#include <string>
#include <string_view>

namespace orderly::io::http {

/// `text` in gzip's format. Quick rather than small: it is done often.
std::string gzip(std::string_view text);

} // namespace orderly::io::http
