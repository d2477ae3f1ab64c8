// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/journal_start.hpp"

#include <caf/scoped_actor.hpp>

#include <fmt/format.h>

namespace orderly {

namespace {

journal_found judged(const journal_contents& found) {
  if (found.readable)
    return {};
  if (found.lost)
    return {journal_start::lost, found.text};
  return {found.passing ? journal_start::waits : journal_start::refused,
          found.text};
}

} // namespace

journal_found look_at_journal(caf::actor_system& system,
                              const journal_port& journal, millis limit,
                              const std::string& path) {
  journal_found result;
  caf::scoped_actor self{system};
  self->request(journal, limit, journal_read{1})
    .receive(
      [&](const journal_contents& found) { result = judged(found); },
      [&](const caf::error&) {
        result
          = {journal_start::waits,
             fmt::format("journal {}: its disk did not answer in time", path)};
      });
  return result;
}

} // namespace orderly
