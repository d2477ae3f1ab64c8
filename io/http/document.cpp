// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/document.hpp"

#include <stdexcept>

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

std::string gzip(std::string_view text) {
  constexpr int with_gzip_header = 15 + 16;
  constexpr int memory_level = 8;
  z_stream stream{};
  if (::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, with_gzip_header,
                     memory_level, Z_DEFAULT_STRATEGY)
      != Z_OK)
    throw std::runtime_error("zlib cannot begin");
  std::string out(::deflateBound(&stream, text.size()), '\0');
  stream.next_in
    = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // only read
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  auto done = ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (done != Z_STREAM_END)
    throw std::runtime_error("zlib did not end");
  return out;
}

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
