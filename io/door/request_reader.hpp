// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Makes requests of bytes that a stranger sends, in whatever pieces. Used by
// the session; knows no socket.

#pragma once

#include "io/door/limits.hpp"
#include "io/door/message.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace orderly::io::http {

class request_reader {
public:
  enum class verdict {
    more,     ///< of the request is still to come
    go_ahead, ///< likewise, and the client waits for a word that it may send it
    whole,    ///< `take` it
    bad,      ///< `refusal` says why; nothing more can be read
  };

  explicit request_reader(const limits& bounds);
  ~request_reader();

  /// Where the next bytes belong; never empty before a verdict of `bad`.
  std::span<char> room();

  /// So many are there now.
  void took(std::size_t count);

  /// What the bytes so far amount to.
  verdict look();

  /// Nothing of a request has come yet.
  [[nodiscard]] bool is_empty() const;

  /// The request, and ready for the next one.
  request take();

  // --- of the request that was taken last, or that is bad
  // ---------------------

  [[nodiscard]] response refusal() const;
  [[nodiscard]] bool is_head() const;
  [[nodiscard]] bool keeps_alive() const;
  [[nodiscard]] unsigned version() const; ///< 10 or 11

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace orderly::io::http
