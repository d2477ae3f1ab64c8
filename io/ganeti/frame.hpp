// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Cuts the byte stream of a LUXI socket into frames: one JSON text each,
// ended by a byte 0x03. Used by the client and fed by tests and the fuzzer at
// every split point; knows nothing of JSON.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orderly::io {

/// The byte that ends a LUXI message, both ways.
inline constexpr char end_of_frame = '\x03';

/// A reply that is longer is not read to its end; fifty thousand instances
/// take 20 MiB.
inline constexpr std::size_t frame_bytes_max = std::size_t{128} << 20;

class frame_splitter {
public:
  explicit frame_splitter(std::size_t bytes_max = frame_bytes_max)
    : bytes_max_(bytes_max) {
    // nop
  }

  /// Takes bytes as they came. False if a frame is longer than the
  /// bound: the stream is of no more use.
  [[nodiscard]] bool feed(std::string_view bytes);

  /// The next whole frame without its end byte, if there is one.
  std::optional<std::string> next();

  /// True if nothing is kept: no frame, no part of one.
  [[nodiscard]] bool empty() const { return buffer_.empty(); }

  /// How much is kept.
  [[nodiscard]] std::size_t size() const { return buffer_.size(); }

private:
  std::size_t bytes_max_;
  std::string buffer_;
  std::size_t searched_ = 0; ///< so many bytes of it hold no end byte
  std::size_t open_ = 0;     ///< length so far of the last, unfinished frame
};

} // namespace orderly::io
