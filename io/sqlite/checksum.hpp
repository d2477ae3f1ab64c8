// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a row of the journal was when it was written, in one number: SQLite
// looks after its pages, and not after what is in them. Used by the tables.

#pragma once

#include <cstdint>
#include <string_view>

#include <zlib.h>

namespace orderly::io {

class checksum {
public:
  checksum& add(std::int64_t value) {
    unsigned char bytes[8];
    for (auto i = 0U; i < sizeof(bytes); ++i)
      bytes[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(value)
                                            >> (8 * i));
    take(bytes, sizeof(bytes));
    return *this;
  }

  /// With its length: what ends one text cannot begin the next.
  checksum& add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    take(reinterpret_cast<const unsigned char*>(text.data()), text.size());
    return *this;
  }

  [[nodiscard]] std::int64_t value() const {
    return static_cast<std::int64_t>(sum_);
  }

private:
  void take(const unsigned char* data, std::size_t size) {
    sum_ = ::crc32_z(sum_, data, size);
  }

  uLong sum_ = ::crc32_z(0, nullptr, 0);
};

} // namespace orderly::io
