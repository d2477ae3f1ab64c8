// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/old_paths.hpp"

#include "io/json/event_json.hpp"

namespace orderly::io::http {

std::optional<old_answer> answer_old_path(const std::string& path,
                                          const scene& all) {
  if (path == "/")
    return old_answer{200, "[1]"};
  if (path == "/1" || path == "/1/")
    return old_answer{200, "null"};
  auto listed
    = path == "/1/status" || path == "/1/jobs" || path == "/1/evacuated";
  if (!listed)
    return std::nullopt;
  if (!all.status.events_read)
    return old_answer{503, "events are being read from memory"};
  if (path == "/1/status")
    return old_answer{200, events_text(all.events)};
  if (path == "/1/jobs")
    return old_answer{200, event_jobs_text(all.events)};
  // Load data is taken as it comes: none is expected of anybody.
  return old_answer{200, "[]"};
}

} // namespace orderly::io::http
