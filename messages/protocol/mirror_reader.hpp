// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How one mirror is right now, for whoever is about to rely on it.

#pragma once

#include "messages/protocol/mirrors.hpp"

#include <optional>
#include <string>
#include <vector>

namespace orderly {

struct mirror_question {
  instance_name instance;
  /// Also if it is marked down: it may run all the same, and then its disks
  /// tell. Those of one that is stopped say nothing.
  bool marked_down = false;
};

struct mirror_answer {
  std::optional<mirror_standing> heard; ///< nullopt: nothing is known now
  std::string text;                     ///< why not
  bool mute = false; ///< it was asked, and its disks say nothing: closed
  /// The fault that was heard last, if nothing is known now. No disk is better
  /// for not being asked.
  std::vector<disk_fault> last{};
};

/// What speaks against a move onto that mirror; empty: nothing does. That its
/// disks are closed is no reason: then nothing is written either.
std::string against_move(const mirror_answer& x);

/// The same for a job that takes it along as it runs, from that home: then a
/// broken disk of the home's own, or one that is being written anew there, is
/// no reason either. The mirror has the whole copy.
std::string against_move(const mirror_answer& x, const node_name& home);

/// What speaks against a new mirror, which is made from what that home has, by
/// what was heard now or last: its own disk is broken, or is being written
/// anew, and the old mirror has the whole copy. Empty: nothing does.
std::string against_new_mirror(const mirror_answer& x, const node_name& home);

/// For whoever waited in vain.
mirror_answer no_mirror_answer();

/// Asks that one alone, at once or after the question under way, and passes on
/// what it heard.
using mirror_reader = caf::typed_actor<
  /// Who asked before comes first, each for up to `cluster.poll_timeout`, so
  /// that it may take minutes. At once, and with nothing heard, if it cannot
  /// be asked or too many wait.
  caf::replies_to<mirror_question>::with<mirror_answer>>;

/// Whoever asks mirrors, in turn and when told to.
using mirror_service = mirrors_actor::extend_with<mirror_reader>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::mirror_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::mirror_answer)
