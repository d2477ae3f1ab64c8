// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The keys of the cluster (Ganeti's `hmac.key`) that count at a time. A new key
// reaches the nodes one after the other, so the one before it counts a while
// longer. Pure: whoever reads the file says when.

#pragma once

#include "messages/time.hpp"

#include <string>
#include <vector>

namespace orderly::io::report {

class cluster_keys {
public:
  /// How long a key counts after another took its place.
  static constexpr millis old_counts{minutes{10}};

  /// More than these at a time are not kept: the oldest goes.
  static constexpr std::size_t kept_max = 4;

  /// The file says `key` now. Empty: it cannot be read, and changes nothing.
  void take(const std::string& key, instant now);

  /// The newest first; empty: none was ever read.
  [[nodiscard]] std::vector<std::string> at(instant now) const;

private:
  struct entry {
    std::string key;
    instant replaced = never; ///< never: it is the newest
  };

  std::vector<entry> kept_; ///< the newest first
};

} // namespace orderly::io::report
