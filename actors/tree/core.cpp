// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/tree/core.hpp"

#include "actors/balance/balancer.hpp"
#include "actors/cluster/cluster.hpp"
#include "actors/desk/desk.hpp"
#include "actors/jobs/submitter.hpp"
#include "actors/journal/journal.hpp"
#include "actors/maintenance/intake.hpp"
#include "actors/mirrors/mirrors.hpp"
#include "actors/node/collector.hpp"
#include "actors/overseer/overseer.hpp"
#include "actors/power/oob.hpp"
#include "actors/scheduler/leader.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "actors/view/view.hpp"

#include <caf/exit_reason.hpp>

#include <limits>

#include <fmt/format.h>

namespace orderly {

namespace {

using core_self = caf::stateful_actor<core_state>*;

/// The overseer looks at no moment at which others do.
constexpr auto first_look = millis{37'041};

/// What the members' supervisor says about a restart goes into the journal.
supervisor_options member_options(const context_ptr& ctx,
                                  const journal_actor& journal,
                                  caf::actor_system& system) {
  supervisor_options options;
  options.abandon = true;
  options.tell = [ctx, journal, &system](const std::string& child,
                                         const std::string& cause,
                                         std::uint32_t restarts) {
    journal_entry entry;
    entry.at = ctx->at(system.clock().now());
    entry.kind = entry_kind::alert;
    entry.object = child;
    entry.code = "restart";
    entry.why = fmt::format("its actor failed and is restarted (number {} in "
                            "this period): {}",
                            restarts, cause);
    caf::anon_send(journal, append{{std::move(entry)}});
  };
  return options;
}

/// The next part that still runs is asked to stop; after the last one we go.
void stop_next(core_self self) {
  auto& st = self->state;
  if (st.parts.empty()) {
    self->quit(caf::exit_reason::user_shutdown);
    return;
  }
  // Without a sender: an exit message from a linked actor undoes the link,
  // and we would never hear that the part is gone.
  caf::anon_send_exit(st.parts.front(), caf::exit_reason::user_shutdown);
}

void part_gone(core_self self, const caf::exit_msg& e) {
  auto& st = self->state;
  if (st.stopping) {
    // Not always the one that was asked: any may fail on the way.
    std::erase_if(st.parts, [&](const caf::actor& part) {
      return part.address() == e.source;
    });
    stop_next(self);
    return;
  }
  for (const auto& part : st.parts)
    if (part.address() == e.source) {
      self->quit(e.reason); // the links take the others along
      return;
    }
  if (e.reason == caf::exit_reason::user_shutdown) {
    st.stopping = true;
    stop_next(self);
  } else {
    self->quit(e.reason);
  }
}

/// The overseer has nothing to do before its first look, and comes with it; it
/// is the first to stop.
void oversee(core_self self, const context_ptr& ctx,
             const journal_actor& journal, const view_actor& view) {
  auto& st = self->state;
  if (st.stopping)
    return;
  auto watch = self->system().spawn(overseer, ctx, journal, view);
  auto part = caf::actor_cast<caf::actor>(watch);
  self->link_to(part);
  st.parts.insert(st.parts.begin(), part);
  self->send(watch, tick{});
}

/// Whom the cluster's actor works with, and those that it starts.
cluster_peers peers_of(const node_peers& all, const recalling_journal& book,
                       const collector_actor& looks, const power_switch& power,
                       const mirror_service& copies, const desk_actor& desk,
                       const balancer_actor& scales, const view_actor& eye) {
  cluster_peers peers;
  peers.scheduler = all.scheduler;
  peers.mirrors = copies;
  peers.balancer = scales;
  peers.told = {looks, desk, scales, eye};
  peers.of_nodes = all;
  peers.of_instances
    = {book, looks, all.scheduler, power, all.jobs, {}, scales, eye, copies};
  peers.of_groups.jobs = all.jobs;
  return peers;
}

/// In this order they stop; who is not there does not.
template <class... Handles>
void keep_order(core_self self, const Handles&... all) {
  auto add = [self](const auto& handle) {
    if (handle)
      self->state.parts.push_back(caf::actor_cast<caf::actor>(handle));
  };
  (add(all), ...);
}

/// They are told where the picture is made, and whom to tell what they hear.
void introduce(core_self self, const cluster_actor& picture,
               const desk_actor& desk, const intake_actor& events,
               const collector_actor& looks, const oob_actor& power) {
  self->send(desk, cluster_here{picture});
  if (events)
    self->send(events, cluster_here{picture});
  auto ear = caf::actor_cast<node_listener>(picture);
  self->send(looks, ear);
  self->send(power, ear);
}

/// Until it has found all events, none is shown.
intake_actor begin_intake(core_self self, const context_ptr& ctx,
                          intake_peers peers, const ports& world) {
  constexpr auto not_known_yet = std::numeric_limits<std::size_t>::max();
  self->send(peers.view, events_known{not_known_yet});
  peers.queue = world.jobs;
  auto found
    = self->system().spawn(intake, ctx, std::move(peers), world.agents);
  self->link_to(caf::actor_cast<caf::actor>(found));
  return found;
}

} // namespace

caf::behavior core(core_self self, context_ptr ctx, ports world,
                   root_actor parent) {
  auto& system = self->system();
  auto part = [self](const auto& handle) {
    self->link_to(caf::actor_cast<caf::actor>(handle));
    return handle;
  };
  auto eye = part(system.spawn(view, ctx));
  auto book = part(system.spawn(journal, ctx, world.journal, eye));
  auto looks = part(system.spawn(collector, ctx, world.probes));
  auto permits = part(system.spawn(scheduler, ctx, book, eye));
  auto power = part(system.spawn(oob, ctx, world.power, book));
  auto jobs = part(system.spawn(job_submitter, ctx, world.jobs, book));
  auto desk = part(
    system.spawn(power_desk, ctx,
                 desk_peers{book, looks, permits, power, power, jobs, eye}));
  auto copies = system.spawn<caf::lazy_init>(mirrors, ctx, world.cluster);
  auto scales = part(system.spawn(
    balancer, ctx, balancer_peers{book, permits, jobs, eye, copies}, world));
  supervisor_actor members;
  auto begin_members = [&] {
    members
      = part(system.spawn(supervisor, ctx, member_options(ctx, book, system)));
  };
  intake_actor events;
  if (world.agents) {
    begin_members(); // events are members, and found before there is a leader
    events = begin_intake(
      self, ctx, {book, permits, jobs, copies, scales, scales, eye, members},
      world);
  }
  leader_peers followers{book, {permits, power, jobs, desk, scales}};
  if (events)
    followers.told.push_back(events);
  auto head = part(system.spawn(leader, ctx, std::move(followers)));
  if (!members)
    begin_members();
  self->send(part(copies), tick{}); // known before, it begins in its turn
  node_peers to_all{book,    {looks, power},
                    permits, jobs,
                    {},      {copies, permits, desk, scales, eye}};
  if (events)
    to_all.told.push_back(events);
  auto peers = peers_of(to_all, book, looks, power, copies, desk, scales, eye);
  if (events)
    peers.told.push_back(events);
  auto picture = part(
    system.spawn(cluster, ctx, std::move(peers), world.cluster, head, members));
  keep_order(self, events, scales, desk, picture, copies, members, head,
             permits, looks, jobs, power, book, eye);
  self->delayed_send(self, first_look, tick{});
  introduce(self, picture, desk, events, looks, power);
  self->send(parent, front{eye, permits, book, picture, desk, scales, events});
  self->set_exit_handler(
    [self](const caf::exit_msg& e) { part_gone(self, e); });
  return {[self, ctx, book, eye](tick) { oversee(self, ctx, book, eye); }};
}

} // namespace orderly
