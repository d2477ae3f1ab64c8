// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The journal as those see it of whom something is kept under several keys.

#pragma once

#include "messages/protocol/journal.hpp"

#include <string>
#include <vector>

namespace orderly {

/// What is kept under each of these keys, as it was at one time?
struct recall_keys {
  std::vector<std::string> keys; ///< whole ones
};

using recalling_journal = journal_actor::extend<
  /// As `recall`: a key that is not in the answer has nothing under it.
  caf::replies_to<recall_keys>::with<recalled>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::recall_keys)
