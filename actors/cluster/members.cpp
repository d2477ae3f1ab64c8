// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster/members.hpp"

#include "actors/group/group.hpp"
#include "actors/instance/instance.hpp"
#include "actors/node/node.hpp"

namespace orderly {

namespace {

node_peers peers_of_nodes(cluster_self self) {
  auto result = self->state.peers.of_nodes;
  auto us = caf::actor_cast<cluster_actor>(self);
  result.cluster = us;
  result.told.insert(result.told.begin(), us);
  return result;
}

instance_peers peers_of_instances(cluster_self self) {
  auto result = self->state.peers.of_instances;
  result.cluster = caf::actor_cast<cluster_actor>(self);
  return result;
}

group_peers peers_of_groups(cluster_self self) {
  auto result = self->state.peers.of_groups;
  auto us = caf::actor_cast<cluster_actor>(self);
  result.cluster = us;
  result.told = us;
  return result;
}

} // namespace

void start_node(cluster_self self, const node_name& name) {
  auto ctx = self->state.ctx;
  auto peers = peers_of_nodes(self);
  auto* system = &self->system();
  auto boss = caf::actor_cast<caf::actor_addr>(self);
  self->send(self->state.members,
             start_child{node_object(name), [=] {
                           auto h = system->spawn(node, ctx, peers, name);
                           if (auto up = caf::actor_cast<caf::actor>(boss))
                             caf::anon_send(up, node_started{name}, h);
                           return caf::actor_cast<caf::actor>(h);
                         }});
}

void start_instance(cluster_self self, const instance_record& x) {
  auto ctx = self->state.ctx;
  auto name = x.name;
  auto uuid = x.uuid;
  auto peers = peers_of_instances(self);
  auto* system = &self->system();
  auto boss = caf::actor_cast<caf::actor_addr>(self);
  self->send(self->state.members,
             start_child{instance_object(name), [=] {
                           auto h
                             = system->spawn(instance, ctx, peers, name, uuid);
                           if (auto up = caf::actor_cast<caf::actor>(boss))
                             caf::anon_send(up, instance_started{name}, h);
                           return caf::actor_cast<caf::actor>(h);
                         }});
}

void start_group(cluster_self self, const group_name& name) {
  auto ctx = self->state.ctx;
  auto peers = peers_of_groups(self);
  auto* system = &self->system();
  auto boss = caf::actor_cast<caf::actor_addr>(self);
  self->send(self->state.members,
             start_child{object_of_group(name), [=] {
                           auto h = system->spawn(group, ctx, peers, name);
                           if (auto up = caf::actor_cast<caf::actor>(boss))
                             caf::anon_send(up, group_started{name}, h);
                           return caf::actor_cast<caf::actor>(h);
                         }});
}

} // namespace orderly
