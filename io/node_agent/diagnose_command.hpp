// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which command says how this node is, and may it be run? The checks are those
// of Ganeti's monitor, in its order and words, and then of the folder, which
// it does not look at.

#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

namespace orderly::io::node_agent {

/// Whose the command and its folder must be.
struct owner_rule {
  uid_t user = 0;
  gid_t group = 0;
};

/// Why a command is not run; both empty: it may be.
struct command_doubt {
  std::string details; ///< in the original's words
  std::string error;   ///< the same for people: with the place, and what to do
};

command_doubt doubt_command(const std::string& folder, const std::string& name,
                            const owner_rule& owner = {});

/// The same for a node's repair command, whose name has to be a word, too.
/// Empty: it may be run.
std::string doubt_repair_command(const std::string& folder,
                                 const std::string& name,
                                 const owner_rule& owner = {});

/// What the tags of the cluster, a line each, name.
struct named_command {
  std::string name;  ///< empty: no tag is there
  std::string error; ///< it is not clear which
};

named_command command_in_tags(std::string_view tags);

} // namespace orderly::io::node_agent
