// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who this node is to the cluster, and the agent's own key. Ganeti tells a node
// its UUID only if it is a master candidate; so another is told it by the first
// candidate that asks, and keeps to it.

#pragma once

#include "io/report/node_key.hpp"
#include "messages/result.hpp"

#include <string>

namespace orderly::io::node_agent {

/// Makes `folder` if only that is missing, and the key in it if there is none.
/// A key that others may read is none of ours any more: a fault that says so.
result<report::node_key> load_or_make_key(const std::string& folder);

/// Is it spelled as a UUID?
bool is_uuid(const std::string& text);

class identity {
public:
  /// `folder`: where what was told is kept. `fixed`: by the settings, or empty.
  identity(std::string folder, std::string fixed);

  /// `by_certificate`: what our own certificate says, or empty.
  [[nodiscard]] std::string uuid(const std::string& by_certificate) const;

  /// A master candidate calls us `uuid`. True if that is who we are, by now;
  /// if it was news it is kept, or `trouble` says why not.
  bool hear(const std::string& uuid, const std::string& by_certificate,
            std::string& trouble);

  [[nodiscard]] const std::string& place() const { return place_; }

private:
  std::string place_;
  std::string fixed_;
  std::string told_;
};

} // namespace orderly::io::node_agent
