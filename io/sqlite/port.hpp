// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The live journal port: durable memory in one SQLite file, written by a
// thread of its own. The simulated one is in sim/.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/protocol/ports.hpp"

#include <caf/actor_system.hpp>

namespace orderly::io {

/// Starts the port for `s.journal.path`. The file is opened by the first
/// read; until then, and after each failure until the next read, no append
/// succeeds: thus no failed batch is ever followed by a durable one unseen.
journal_port spawn_sqlite_journal(caf::actor_system& system, const settings& s);

} // namespace orderly::io
