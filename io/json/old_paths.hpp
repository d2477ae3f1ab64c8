// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The paths of the original maintenance daemon, answered as it does: `/1`,
// `/1/status`, `/1/jobs`, `/1/evacuated`. Before all events were read from
// memory there is no answer, and never an empty list that is a lie.

#pragma once

#include "messages/view.hpp"

#include <optional>
#include <string>

namespace orderly::io::http {

struct old_answer {
  unsigned status = 200;
  std::string body;
};

/// nullopt: it is none of those paths.
std::optional<old_answer> answer_old_path(const std::string& path,
                                          const scene& all);

/// What is said of any path that nobody knows.
inline constexpr const char* old_not_found = "Resource not found";

} // namespace orderly::io::http
