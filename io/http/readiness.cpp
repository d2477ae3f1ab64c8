// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/readiness.hpp"

#include "io/http/answers.hpp"

#include <fmt/format.h>

namespace orderly::io::http {

response readiness(const status_row& s, millis limit) {
  if (!s.journal_trouble.empty())
    return text_response(
      503, "the journal cannot be written: " + s.journal_trouble + "\n");
  const auto& lease = s.right_to_act;
  if (!in_force(lease, s.now))
    return text_response(503, "no right to act: " + lease.text + "\n");
  if (s.polled == never)
    return text_response(503,
                         "the cluster was never read: " + s.poll_error + "\n");
  if (s.now - s.polled > limit)
    return text_response(
      503,
      fmt::format("the last reading of the cluster is {} s old, at most {} s "
                  "are fresh: {}\n",
                  std::chrono::floor<seconds>(s.now - s.polled).count(),
                  std::chrono::floor<seconds>(limit).count(), s.poll_error));
  return text_response(200, "ready\n");
}

} // namespace orderly::io::http
