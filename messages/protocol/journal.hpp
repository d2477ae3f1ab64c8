// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The journal actor: durable before anything else happens.

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace orderly {

/// Makes entries durable, in order. The answer comes after the commit.
struct append {
  std::vector<journal_entry> entries;
};

/// What is kept under `key`, or under all keys that start with it.
struct recall {
  std::string key; ///< as a prefix empty means all
  bool is_prefix = false;
};

inline constexpr millis unknown_absence = millis::max();

struct recalled {
  instant adopted; ///< as in `journal_contents`
  instant damaged; ///< likewise
  /// For so long nobody watched the cluster before this core began
  /// (`unknown_absence`: nobody knows for how long); of who asks for keys only
  /// the first for each hears of it.
  millis unwatched{};
  std::map<std::string, fields> states; ///< by state key
  /// Those of them whose dates may be by another calendar than that of now. The
  /// dates of all others are by that, however it was set since they were written.
  std::set<std::string> undated;
  /// Those of `undated` that were written before this machine was started: by
  /// how much the calendar was set over that nobody knows, and they may be older
  /// than they say.
  std::set<std::string> aged;
  /// Only if the key is empty: the newest at the start, and none since.
  std::vector<journal_entry> recent;
};

using journal_actor = caf::typed_actor<
  /// Answered after the commit, however long the disk takes, and never once
  /// the file is lost. Not durable: too many wait, and nothing of it is
  /// written; who holds state ahead of the disk begins anew.
  caf::replies_to<append>::with<journal_ack>,
  /// Answered at once by what is on disk, once that was read, however long it
  /// takes. No such key: nothing is kept there.
  caf::replies_to<recall>::with<recalled>,
  /// It is tried again, or ended after the file was lost.
  caf::reacts_to<tick>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::append)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::recall)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::recalled)
