// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is going on and why.

#pragma once

#include "messages/protocol/event.hpp"
#include "messages/protocol/picture_news.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/view.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <string>
#include <vector>

namespace orderly {

/// Rows for the story, after their commit: by the journal.
struct journal_news {
  std::vector<journal_entry> entries; ///< oldest first
};

/// Is told what was decided.
using story_listener = caf::typed_actor<
  /// After each commit, without notes; first of all what the journal had. The
  /// loss of the journal itself is told without a commit.
  caf::reacts_to<journal_news>>;

/// For whoever makes something of all of it, and shows that to many.
struct ask_scene {};

struct scene_answer {
  std::shared_ptr<const scene> now; ///< never null; shared by all who ask
};

/// Who is in trouble, could be helped, and is not yet?
struct ask_troubles {};

/// One that is, and what it waits for, a clause.
struct standing_trouble {
  object_id object;
  std::string what;
  /// Its node, or its home, has been in trouble since then, over restarts;
  /// `never`: not known.
  instant since = {};
};

struct troubles {
  bool acting = false;  ///< we are the ones to help
  bool standby = false; ///< another host is
  std::vector<standing_trouble> all;
};

/// Is told how an instance stands as soon as that changed.
using instance_client = caf::typed_actor<
  /// Never the same twice in a row. It may be ahead of the disk by a row.
  caf::reacts_to<instance_standing>>;

/// All repair events of the journal were found; before that none are shown.
struct events_known {
  /// Each of them has told, or is about to. At the start more than there can
  /// be: they are not found yet.
  std::size_t count = 0;
};

/// The agents of all nodes, by name of the node.
using agent_roster = std::shared_ptr<const std::vector<agent_row>>;

struct agents_asked {
  agent_roster all; ///< after a sweep; never null
};

/// Is told how repair events stand, when all of them are known, and how agents
/// answered.
using event_viewer = event_listener::extend<
  /// Twice in a life of the intake: as it begins, and when they are found.
  caf::reacts_to<events_known>,
  /// At the end of each sweep; takes the place of the one before.
  caf::reacts_to<agents_asked>>;

/// What is going on and why; for reading only.
using view_reader = caf::typed_actor<
  /// Answered at once, by what was told so far: before the first reading there
  /// are neither nodes nor instances.
  caf::replies_to<view_query>::with<view_answer>,
  /// Answered at once; also those that a switch has us leave as they are.
  caf::replies_to<ask_troubles>::with<troubles>>;

/// All of it at once. The same scene again if nothing changed.
using scene_source = caf::typed_actor<
  /// Answered at once. After a second it is a new one all the same.
  caf::replies_to<ask_scene>::with<scene_answer>>;

/// Is told what holds acts back.
using guard_viewer = caf::typed_actor<
  /// By the scheduler, when one of the two changed.
  caf::reacts_to<guard_standing, lease>>;

/// Is told what persons ordered.
using order_viewer = caf::typed_actor<
  /// By the desk, when the list changed.
  caf::reacts_to<accepted_orders>>;

/// What programs outside are shown.
using view_counter = view_reader::extend_with<scene_source>;

/// What is going on and why: is told of everything, and tells it on.
using view_actor
  = view_counter::extend_with<event_viewer>::extend_with<story_listener>::
    extend_with<guard_viewer>::extend_with<order_viewer>::extend<
      /// What is not in the picture any more is forgotten.
      caf::reacts_to<picture_news>,
      /// Takes the place of the one before; not shown while the picture does
      /// not have that node.
      caf::reacts_to<node_standing>,
      /// Likewise.
      caf::reacts_to<instance_standing>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::journal_news)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::events_known)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::agents_asked)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::ask_scene)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::scene_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::ask_troubles)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::troubles)
