// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The JSON documents of the helper contract, {"powered": true|false} and
// [[item, status], ...]. Read as streams of events, so that neither depth nor
// size of what a helper prints costs anything; one bad word spoils all of it.
// Used by the decoder.

#pragma once

#include "messages/power.hpp"

#include <string>
#include <vector>

namespace orderly::io::oob {

struct power_document {
  bool valid = false;
  bool powered = false;
  std::string problem; ///< why it is not valid; a clause
};

/// Other keys of the object are ignored. Saying `powered` twice is not valid:
/// a wrong "off" restarts instances that still run.
power_document read_power_document(const std::string& text);

struct health_document {
  bool valid = false;
  std::vector<health_item> items; ///< printable, in the helper's order
  std::string problem;            ///< why it is not valid; a clause
};

/// An empty list is valid. Statuses are OK, WARNING, CRITICAL and UNKNOWN,
/// spelt just so.
health_document read_health_document(const std::string& text);

} // namespace orderly::io::oob
