// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The live journal port: durable memory in one SQLite file, written by a
// thread of its own. The simulated one is in sim/.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/duty.hpp"
#include "messages/protocol/ports.hpp"

#include <caf/actor_system.hpp>

#include <functional>

namespace orderly::io {

/// Starts the port for `s.journal.path`. The file is opened by the first
/// read; until then, and after each failure until the next read, no append
/// succeeds: thus no failed batch is ever followed by a durable one unseen.
/// `when_ours` is called once, on that thread, after the file was opened first
/// and before anybody hears of it; it does not throw. `on_duty` is asked there
/// each minute.
journal_port spawn_sqlite_journal(caf::actor_system& system, const settings& s,
                                  std::function<void()> when_ours = {},
                                  std::function<duty()> on_duty = {});

} // namespace orderly::io
