// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/document.hpp"

#include "io/http/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

namespace orderly::io::http {

namespace {

/// Smaller texts are not worth packing.
constexpr std::size_t packed_min = 1024;

/// Tells one text from another; what is weak about it is that packed and plain
/// count as the same.
std::string tag_of(const std::string& text) {
  auto sum
    = ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return fmt::format("W/\"{:x}-{:x}\"", text.size(), sum);
}

} // namespace

bool is_worth_packing(const document& x) {
  return x.text->size() >= packed_min;
}

document make_document(std::string type, std::string text, bool packed,
                       const document_ptr& before) {
  document x;
  x.type = std::move(type);
  x.tag = tag_of(text);
  if (before && *before->text == text) {
    x.text = before->text;
    x.packed = before->packed;
  } else {
    x.text = std::make_shared<const std::string>(std::move(text));
  }
  if (packed && !x.packed && is_worth_packing(x))
    x.packed = std::make_shared<const std::string>(gzip(*x.text));
  return x;
}

} // namespace orderly::io::http
