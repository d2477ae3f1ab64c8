// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One text as it is sent, to however many: tagged, and packed where somebody
// takes that. Made by the kitchen, kept by the snapshots.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace orderly::io::http {

struct document {
  std::string type;
  std::string tag; ///< for If-None-Match
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const std::string> packed; ///< null: not made
  std::uint64_t revision = 0;
  std::chrono::steady_clock::time_point made;
  std::chrono::steady_clock::duration cost{}; ///< of making it
};

using document_ptr = std::shared_ptr<const document>;

/// `text` in gzip's format. Quick rather than small: it is done often.
std::string gzip(std::string_view text);

/// True if packing it would save something.
bool is_worth_packing(const document& x);

/// `text` with its tag; packed if that is wanted and worth it. Where `before`,
/// which may be null, was the same text, what was made of that is taken over.
document make_document(std::string type, std::string text, bool packed,
                       const document_ptr& before);

} // namespace orderly::io::http
