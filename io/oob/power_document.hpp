// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The one JSON document of the helper contract: {"powered": true|false}. Read
// as a stream of events, so that neither depth nor size of what a helper
// prints costs anything. Used by the decoder.

#pragma once

#include <string>

namespace orderly::io::oob {

struct power_document {
  bool valid = false;
  bool powered = false;
  std::string problem; ///< why it is not valid; a clause
};

/// Other keys of the object are ignored. Saying `powered` twice is not valid:
/// a wrong "off" restarts instances that still run.
power_document read_power_document(const std::string& text);

} // namespace orderly::io::oob
