// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Digests and message authentication codes, as lower-case hex. Used by the
// envelope and by the agent.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orderly::io::report {

/// A text as OpenSSL takes it.
inline const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

enum class hash { sha1, sha256 };

/// Empty only if the library has failed.
std::string hmac_hex(hash kind, std::string_view key, std::string_view text);
std::string sha256_hex(std::string_view text);

std::string to_hex(std::string_view bytes);

/// The bytes that `text` spells, in either case; nothing if it spells none.
std::optional<std::string> from_hex(std::string_view text);

/// Takes as long for any two texts of one length: how far they agree is told
/// to nobody who measures.
bool same(std::string_view a, std::string_view b);

} // namespace orderly::io::report
