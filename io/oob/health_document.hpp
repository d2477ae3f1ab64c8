// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The list that the helper contract asks for: [[item, status], ...]. Read as
// a stream of events, like the power document; one bad word spoils all of it.
// Used by the decoder.

#pragma once

#include "messages/power.hpp"

#include <string>
#include <vector>

namespace orderly::io::oob {

struct health_document {
  bool valid = false;
  std::vector<health_item> items; ///< printable, in the helper's order
  std::string problem;            ///< why it is not valid; a clause
};

/// An empty list is valid. Statuses are OK, WARNING, CRITICAL and UNKNOWN,
/// spelt just so.
health_document read_health_document(const std::string& text);

} // namespace orderly::io::oob
