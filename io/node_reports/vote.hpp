// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks the node daemons of all nodes whom they take for the master, before a
// daemon that runs on one of them does anything.

#pragma once

#include "actors/policy/guards/vote.hpp"
#include "messages/result.hpp"

#include <functional>
#include <string>

namespace orderly::io::node_reports {

struct vote_place {
  std::string folder;        ///< of Ganeti's files on this node
  node_name self;            ///< its name
  std::uint16_t port = 0;    ///< of node daemons; 0: nobody can be asked
  bool voting = true;        ///< false: its own record is enough
  millis limit = seconds{5}; ///< for all answers
  /// Told what it waits for.
  std::function<void(const std::string&)> tell;
  std::function<void(millis)> pause; ///< waits so long
};

/// May a daemon start there? Blocks, for `vote_repeats` pauses at most. Where
/// there are no files of Ganeti there is nobody to ask, and it may: it runs
/// beside the cluster, and its lease decides. Files that are there, and say
/// nothing, are no such place: it may not.
start_verdict hold_vote(const vote_place& where);

/// What the node daemon answered when it was asked for the master's name.
result<node_name> read_ballot(const std::string& body);

} // namespace orderly::io::node_reports
