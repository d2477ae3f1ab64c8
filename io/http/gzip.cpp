// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/gzip.hpp"

#include <stdexcept>

#include <zlib.h>

namespace orderly::io::http {

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

} // namespace orderly::io::http
