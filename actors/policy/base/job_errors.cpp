// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/base/job_errors.hpp"

#include <algorithm>
#include <initializer_list>

namespace orderly {

namespace {

bool has_any(const std::string& text,
             std::initializer_list<const char*> signs) {
  return std::any_of(signs.begin(), signs.end(), [&](const char* sign) {
    return text.find(sign) != std::string::npos;
  });
}

} // namespace

bool is_closed_queue(const std::string& text) {
  return has_any(text, {"queue is drained", "queue is full"});
}

bool is_want_of_room(const std::string& text) {
  return has_any(text,
                 {
                   "insufficient_resources", "Not enough free space",
                   "Can't compute nodes using iallocator", "Can't find a new ",
                   "Can't use drained node", // a failover to a mirror there
                 });
}

bool is_missing_tag(const std::string& text) {
  return has_any(text, {"Tag(s) "}) && has_any(text, {" not found"});
}

} // namespace orderly
