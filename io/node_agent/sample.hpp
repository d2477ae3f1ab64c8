// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What one look of a collector has found.

#pragma once

#include <string>

namespace orderly::io::node_agent {

struct sample {
  std::string data = "null"; ///< JSON, as it was spelled
  std::string probe_error;   ///< not empty: nothing is known, for this reason
};

} // namespace orderly::io::node_agent
