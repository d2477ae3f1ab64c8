// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the cluster actor does beside reading the picture: it asks for room,
// hears how mirrors are, passes persons' words on, and spreads what the desk
// says of nodes.

#pragma once

#include "actors/cluster/facts.hpp"

namespace orderly {

/// How much room the spare nodes of an instance have.
caf::result<room_answer> room(cluster_self self, const room_question& what);

/// What was heard of mirrors goes to those whom it is news for.
void take_mirrors(cluster_self self, const mirror_news& news);

/// Whoever asks mirrors hears whom there is to ask.
void call_the_roll(cluster_self self);

/// Automation keeps out of these nodes and no others; their actors and those
/// of their instances hear it at once.
void take_holds(cluster_self self, const holds& what);

/// Repair events work on these nodes and no others.
void take_upkeep(cluster_self self, const upkeep& what);

/// A picture came: it shows what came of orders that ended before it was read.
void end_partings(cluster_self self);

/// Power records that the cluster itself cannot keep.
void take_records(cluster_self self, const power_records& what);

/// A person's word goes to the node's actor, which judges it.
caf::result<off_word_answer> pass_on(cluster_self self, off_word what);

/// What was read or heard of a node by somebody else goes to its actor.
template <class News>
void tell_keeper(cluster_self self, const News& news) {
  auto i = self->state.nodes.find(news.node);
  if (i != self->state.nodes.end())
    self->send(i->second, news);
}

/// Somebody is about to move an instance: its own actor knows its copies.
caf::result<copy_answer> pass_on(cluster_self self, copy_question what);

/// Somebody asks for one repair: so does that to the instance's.
caf::result<repair_answer> pass_on(cluster_self self, repair_request what);

} // namespace orderly
