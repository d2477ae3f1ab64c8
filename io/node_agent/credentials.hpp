// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whom the agent serves and as whom, by Ganeti's files, which are looked at
// again when somebody comes. All of it runs on the loop's thread.

#pragma once

#include "io/door/tls.hpp"
#include "io/files/small_file.hpp"
#include "io/report/cluster_keys.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace orderly::io::node_agent {

class credentials {
public:
  /// `tell` hears of each change of what is wrong, once.
  credentials(const std::string& folder,
              std::function<void(const std::string&)> tell);

  /// What the next connection is served with; null: there is no certificate.
  /// One that was renewed badly leaves the last good one in force.
  std::shared_ptr<http::tls_side> side();

  /// Is it the certificate of a master candidate? Of nobody, if the list
  /// cannot be read.
  bool admits(const http::certificate_digest& digest);

  /// The newest key of the cluster; empty: there is none.
  std::string cluster_key(instant now);

  /// By our own certificate, if this node is a master candidate; or empty.
  std::string own_uuid();

private:
  void say(std::string& last, const std::string& now);

  watched_file server_;
  watched_file client_;
  watched_file list_;
  watched_file key_;
  std::function<void(const std::string&)> tell_;
  std::shared_ptr<http::tls_side> side_;
  std::map<std::string, std::string> candidates_;
  report::cluster_keys keys_;
  std::string server_trouble_;
  std::string list_trouble_;
  std::string key_trouble_;
};

} // namespace orderly::io::node_agent
