// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What of a picture concerns one node or instance, and what of it changed:
// for the cluster actor.

#pragma once

#include "actors/cluster/cluster.hpp"

namespace orderly {

using cluster_self = cluster_actor::stateful_pointer<cluster_state>;

/// Who is at home on nodes that are marked offline, and may be started
/// elsewhere once those are proved off. By the digest and the lodgers of the
/// picture.
std::map<node_name, std::vector<instance_name>>
stranded_in(const cluster_state& st);

/// Those marked offline that a failover or reinstallation in the queue takes
/// for dead.
std::set<node_name> given_up_in(const cluster_state& st);

node_facts facts_of(const cluster_state& st, const node_record& record);

cluster_digest digest_of(const cluster_state& st);

instance_facts facts_of(const cluster_state& st, const instance_record& record);

/// Tells the instance's actor, if there is one yet.
void send_facts(cluster_self self, const instance_record& x);

/// The same for a node's actor.
void send_facts(cluster_self self, const node_record& x);

/// A group, or the cluster as a whole under an empty name, hears which tags it
/// has about auto-repair, if it has any or had some.
void send_tags(cluster_self self, const group_name& name);

/// All of them do.
void send_tags(cluster_self self);

} // namespace orderly
