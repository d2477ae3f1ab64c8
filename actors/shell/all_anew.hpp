// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The end of a service that takes all others along on purpose, so that they
// begin anew: whoever ends so has told why by an alert of its own. Used by the
// leader, and by the root of the tree, which tells of all other falls.

#pragma once

#include <caf/error.hpp>
#include <caf/message.hpp>

#include <string>

namespace orderly {

inline caf::error all_anew(const std::string& why) {
  return {1, caf::atom("anew"), caf::make_message(why)};
}

inline bool is_all_anew(const caf::error& x) {
  return x.category() == caf::atom("anew");
}

} // namespace orderly
