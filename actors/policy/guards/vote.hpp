// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// May a daemon that starts on a node of the cluster go on? Only as the master,
// and as that of most nodes: the records of one that was cut off, or was away,
// may be old. The rule is Ganeti's, and its maintenance daemon's. Pure.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace orderly {

/// As Ganeti's daemons leave where they are not wanted.
inline constexpr int exit_not_master = 11;

/// Nodes that are silent may answer yet: they are asked again after a pause.
inline constexpr millis vote_pause = seconds{10};
inline constexpr std::uint32_t vote_repeats = 6;

/// Whom each node names as the master; whoever does not answer is not in it.
using ballots = std::map<node_name, node_name>;

enum class start_step { go, ask_again, leave };

struct start_verdict {
  start_step what = start_step::leave;
  std::string why;
};

/// By the records of the node itself.
start_verdict by_own_record(const node_name& self, const node_name& master);

/// By all `nodes`, ours among them, after so many repeats.
start_verdict by_vote(const node_name& self,
                      const std::vector<node_name>& nodes, const ballots& said,
                      std::uint32_t repeats);

} // namespace orderly
