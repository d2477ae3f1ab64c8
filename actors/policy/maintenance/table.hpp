// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// From where to where an event may go. The machine takes no other way, and the
// diagram in the handbook is drawn from it.

#pragma once

#include "messages/event.hpp"

#include <string>
#include <vector>

namespace orderly::maintenance {

struct passage {
  event_phase from;
  event_phase to;
  const char* when;
};

const std::vector<passage>& passages();

bool leads(event_phase from, event_phase to);

/// The table as a diagram, a line a passage: "noted -> draining: ...".
std::string diagram();

} // namespace orderly::maintenance
