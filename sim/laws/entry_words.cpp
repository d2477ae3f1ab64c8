// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/laws/entry_words.hpp"

#include "messages/codes.hpp"

namespace orderly::sim {

bool is_of_one(const object_id& object) {
  return object.starts_with("instance:") || object.starts_with("node:");
}

bool is_of_scheduler(const journal_entry& e) {
  return e.object == "scheduler";
}

bool concerns_all(const journal_entry& e) {
  return is_of_scheduler(e) || e.object == "overseer"
         || e.code == codes::cluster_silent;
}

bool is_of_fence(const journal_entry& e) {
  return e.code.starts_with("A.FENCED") || e.code.starts_with("X.FENCED_POWER")
         || e.code.starts_with("X.FENCED_BY");
}

} // namespace orderly::sim
