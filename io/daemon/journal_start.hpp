// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a start does about the journal that it finds: goes on with it, waits
// beside it, or leaves (ADR 0045). Asked once, before there is a tree.
//
//   ours     it was read
//   waits    its disk is full, not to be written, or silent: the tree begins,
//            holds everything, and tells why, until there is room
//   refused  another orderlyd has it, it is no journal, or has no folder: no
//            wait mends that
//   lost     from a backup: a person must look

#pragma once

#include "messages/protocol/ports.hpp"
#include "messages/time.hpp"

#include <caf/actor_system.hpp>

#include <string>

namespace orderly {

enum class journal_start { ours, waits, refused, lost };

struct journal_found {
  journal_start how = journal_start::ours;
  std::string text; ///< why it is not ours
};

/// Reads it, and waits for `limit` at most.
journal_found look_at_journal(caf::actor_system& system,
                              const journal_port& journal, millis limit,
                              const std::string& path);

} // namespace orderly
