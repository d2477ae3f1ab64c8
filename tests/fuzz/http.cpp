// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Requests of strangers: bytes in pieces, then what is made of the target, the
// host and the origin.

#include "io/door/header.hpp"
#include "io/door/origin.hpp"
#include "io/door/request_reader.hpp"
#include "io/query/list_query.hpp"
#include "io/query/target.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace orderly::io::http;

namespace {

void look_at(const request& x) {
  if (auto to = parse_target(x.target)) {
    if (to->path.empty() || to->path.front() != '/')
      std::abort();
    (void)read_list_query(to->query, node_phases());
    if (!parse_target("/" + percent_encode(to->path)))
      std::abort();
  }
  if (auto host = host_of(x.host); host && host->empty())
    std::abort();
  (void)host_of_origin(x.origin);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size == 0)
    return 0;
  limits bounds;
  bounds.header_max = 512;
  bounds.body_max = 1024;
  request_reader reader{bounds};
  std::size_t piece = 1 + data[0] % 64;
  for (std::size_t at = 1;;) {
    auto found = reader.look();
    if (found == request_reader::verdict::bad) {
      (void)header_text(reader.refusal(), reader.version(), false);
      return 0;
    }
    if (found == request_reader::verdict::whole) {
      look_at(reader.take());
      continue;
    }
    if (at == size)
      return 0;
    auto room = reader.room();
    if (room.empty())
      std::abort();
    auto count = std::min({piece, room.size(), size - at});
    std::memcpy(room.data(), data + at, count);
    reader.took(count);
    at += count;
  }
}
