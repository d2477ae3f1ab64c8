// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Did the queue refuse a job because it takes none at all? That says nothing
// about the job.

#pragma once

#include <string>

namespace orderly {

/// A person, or the number of jobs in it, keeps the queue closed for all.
inline bool is_closed_queue(const std::string& text) {
  return text.find("queue is drained") != std::string::npos
         || text.find("queue is full") != std::string::npos;
}

} // namespace orderly
