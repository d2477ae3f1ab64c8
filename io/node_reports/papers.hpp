// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What we show to agents, and by what we believe them: files of Ganeti that are
// there on a master candidate, looked at again at each question. All of it runs
// on the loop's thread.

#pragma once

#include "io/door/tls.hpp"
#include "io/files/small_file.hpp"
#include "io/report/cluster_keys.hpp"

#include <memory>
#include <string>
#include <vector>

namespace orderly::io::node_reports {

class papers {
public:
  explicit papers(const std::string& folder);

  /// Shows `client.pem` and talks with who shows `server.pem`. One that was
  /// renewed badly leaves the last good one in force.
  result<std::shared_ptr<http::tls_side>> side();

  /// Of the cluster, that count now; empty: there are none.
  std::vector<std::string> keys(instant now);

  [[nodiscard]] const std::string& key_path() const { return key_.path(); }

private:
  watched_file client_;
  watched_file server_;
  watched_file key_;
  std::shared_ptr<http::tls_side> side_;
  std::string trouble_;
  report::cluster_keys keys_;
};

} // namespace orderly::io::node_reports
