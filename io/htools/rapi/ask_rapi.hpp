// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks Ganeti's remote API for all that the tools read of a cluster.

#pragma once

#include "io/htools/formats/read_rapi.hpp"
#include "io/htools/rapi/address.hpp"
#include "messages/time.hpp"

#include <string>

namespace orderly::io::htools {

struct rapi_rules {
  /// Certificates that the API's must be signed by, and then its name must be
  /// the host's; empty: any is taken, as the reference takes it, for Ganeti's
  /// own signs itself.
  std::string ca_file;
  millis time_limit = seconds{60}; ///< of each of the four questions
};

/// Groups, nodes, instances and info, in this order; each fault names the
/// question. 256 MiB are the most that one answer may have.
result<rapi_bodies> ask_rapi(const rapi_address& where,
                             const rapi_rules& rules);

} // namespace orderly::io::htools
