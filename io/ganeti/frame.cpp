// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/frame.hpp"

namespace orderly::io {

bool frame_splitter::feed(std::string_view bytes) {
  std::size_t from = 0;
  for (;;) {
    auto end = bytes.find(end_of_frame, from);
    auto last = end == std::string_view::npos;
    auto part = (last ? bytes.size() : end) - from;
    if (open_ + part > bytes_max_)
      return false;
    open_ = last ? open_ + part : 0;
    if (last)
      break;
    from = end + 1;
  }
  buffer_.append(bytes);
  return true;
}

std::optional<std::string> frame_splitter::next() {
  auto end = buffer_.find(end_of_frame, searched_);
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    return std::nullopt;
  }
  std::optional<std::string> frame;
  if (end + 1 == buffer_.size()) {
    // The common case: one reply, nothing behind it, no copy of it.
    buffer_.pop_back();
    frame = std::move(buffer_);
    buffer_.clear();
  } else {
    frame = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
  }
  searched_ = 0;
  return frame;
}

} // namespace orderly::io
