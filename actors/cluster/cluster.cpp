// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster/cluster.hpp"

#include "actors/cluster/changes.hpp"
#include "actors/cluster/facts.hpp"
#include "actors/cluster/members.hpp"
#include "actors/cluster/places.hpp"
#include "actors/cluster/relay.hpp"
#include "actors/cluster/tagged_settings.hpp"
#include "actors/instance/instance.hpp"
#include "actors/node/node.hpp"
#include "actors/policy/base/backoff.hpp"
#include "actors/shell/patience.hpp"

#include <algorithm>
#include <utility>

namespace orderly {

namespace {

/// Something changed, or somebody needs the truth; and once more after a
/// reading that was under way when it did.
constexpr auto poll_soon_after = millis{200};
constexpr auto poll_again_soon = seconds{1};

using self_ptr = cluster_self;

void poll(self_ptr self);

// --- routing ----------------------------------------------------------------

/// Tells the others that a node is no more.
void forget_node(self_ptr self, const node_name& name) {
  auto& st = self->state;
  st.nodes.erase(name);
  st.standings.erase(name);
  st.troubled_at.erase(name);
  st.attentive_nodes.erase(name);
  self->send(st.members, stop_child{node_object(name)});
  self->send(st.peers.scheduler, permit_release{node_object(name)});
  node_standing gone;
  gone.node = name;
  gone.phase = ha_phase::disabled;
  gone.counted = false; // the storm guard counts who is there
  gone.reason = "no longer part of the cluster";
  self->send(st.peers.scheduler, gone);
}

/// `turned`: nodes that became the home of something, or are none any more.
void compare_nodes(self_ptr self, const cluster_record& before,
                   const std::set<node_name>& turned) {
  auto& st = self->state;
  auto online_before = st.digest.online;
  auto marks_before = std::move(st.digest.marks);
  st.digest = digest_of(st);
  auto guests_before = std::exchange(st.stranded, stranded_in(st));
  auto given_up_before = std::exchange(st.given_up, given_up_in(st));
  auto differs = [](const auto& a, const auto& b, const node_name& name) {
    auto i = a.find(name);
    auto j = b.find(name);
    return i == a.end() || j == b.end() ? (i == a.end()) != (j == b.end())
                                        : i->second != j->second;
  };
  auto others_changed = before.master != st.picture->master || !online_before
                        || *online_before != *st.digest.online;
  compare(
    before.nodes, st.picture->nodes,
    [&](const node_record& was, const node_record& is) {
      auto same
        = was == is && !differs(guests_before, st.stranded, is.name)
          && turned.count(is.name) == 0
          && given_up_before.count(is.name) == st.given_up.count(is.name)
          && !differs(marks_before, st.digest.marks, is.name);
      if (others_changed || !same || st.attentive_nodes.count(is.name) != 0)
        send_facts(self, is);
    },
    [&](const node_record& is) { start_node(self, is.name); },
    [&](const node_record& was) { forget_node(self, was.name); });
}

/// It is no more, or has another name by now.
void forget_instance(self_ptr self, const instance_name& name) {
  auto& st = self->state;
  st.instances.erase(name);
  st.attentive.erase(name);
  st.mirrors.erase(name);
  self->send(st.members, stop_child{instance_object(name)});
  self->send(st.peers.scheduler, permit_release{instance_object(name)});
}

void compare_instances(self_ptr self, const cluster_record& before) {
  auto& st = self->state;
  auto gone = st.change->gone.begin();
  auto all_gone = st.change->gone.end();
  for (auto place :
       concerned(st, changes_between(before, *st.picture), *st.change)) {
    const auto& is = st.picture->instances[place];
    for (; gone != all_gone && *gone < is.name; ++gone)
      forget_instance(self, *gone);
    const auto* was = find_record(before.instances, is.name);
    if (was != nullptr && was->uuid == is.uuid) {
      send_facts(self, is);
      continue;
    }
    if (was != nullptr) // another one, under its name
      forget_instance(self, is.name);
    start_instance(self, is);
  }
  for (; gone != all_gone; ++gone)
    forget_instance(self, *gone);
}

void compare_groups(self_ptr self, const cluster_record& before) {
  auto& st = self->state;
  compare(
    before.groups, st.picture->groups,
    [](const group_record&, const group_record&) {},
    [&](const group_record& is) { start_group(self, is.name); },
    [&](const group_record& was) {
      st.groups.erase(was.name);
      st.tagged.erase(was.name);
      st.removing.erase(was.name);
      self->send(st.members, stop_child{object_of_group(was.name)});
    });
}

void take_picture(self_ptr self, const cluster_picture& next) {
  auto& st = self->state;
  auto before = std::move(st.picture);
  st.picture = next;
  st.change.reset();
  if (before == next) {
    // Nothing changed; those who wait for a fresh look get one.
    for (const auto& name : st.attentive_nodes)
      if (const auto* x = find_record(st.picture->nodes, name))
        send_facts(self, *x);
    for (const auto& name : st.attentive)
      if (const auto* x = find_record(st.picture->instances, name))
        send_facts(self, *x);
    return;
  }
  static const cluster_record nothing;
  const auto& old = before ? *before : nothing;
  st.change
    = std::make_shared<const picture_change>(change_of(before, *st.picture));
  relodge(st, *st.change);
  compare_nodes(self, old, rehome(st, *st.change));
  compare_instances(self, old);
  compare_groups(self, old);
  if (!before)
    start_group(self, {}); // the cluster as a whole
}

// --- polling ----------------------------------------------------------------

void poll_after(self_ptr self, millis pause) {
  self->state.next.set(self, pause);
}

/// Something of ours changed the cluster, or is about to need the truth.
void poll_soon(self_ptr self) {
  auto& st = self->state;
  if (!st.told_of_holds)
    return; // the first reading is yet to come
  if (st.polling || st.soon)
    st.soon = true; // a poll is near already: never put it off
  else {
    st.soon = true;
    poll_after(self, poll_soon_after);
  }
}

/// Somebody wants fresh facts, or has enough of them.
void attend(self_ptr self, const attention& what) {
  auto note = [wanted = what.wanted](auto& attentive, const auto& name) {
    if (wanted && !name.empty())
      attentive.insert(name);
    else
      attentive.erase(name);
  };
  note(self->state.attentive, what.instance);
  note(self->state.attentive_nodes, what.node);
  if (what.wanted || what.node.empty())
    poll_soon(self);
}

void polled(self_ptr self, bool answered, const cluster_answer& answer) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  st.polling = false;
  poll_report report;
  report.answered = answered && answer.picture != nullptr;
  report.is_master = answer.is_master;
  report.text = answer.text;
  report.at = now(self, st.ctx);
  report.asked_at = st.asked_at;
  if (report.answered) {
    report.master = answer.picture->master;
    st.failures = 0;
    st.read_at = st.asked_at;
    heed_settings(self, *answer.picture);
    take_picture(self, answer.picture);
    end_partings(self);
    send_tags(self);
  } else {
    st.change.reset();
    ++st.failures;
  }
  call_the_roll(self);
  self->send(st.leader, report);
  picture_news news{st.picture, report,
                    static_cast<std::uint32_t>(st.removing.size()), st.change};
  for (const auto& client : st.peers.told)
    self->send(client, news);
  st.change.reset(); // it keeps the picture before
  auto pause = st.failures == 0
                 ? rules->cluster.poll_interval
                 : std::min(rules->cluster.poll_interval,
                            backoff(rules->cluster.retry_base,
                                    rules->cluster.retry_max, st.failures));
  if (st.soon)
    pause = poll_again_soon;
  poll_after(self, pause);
}

void poll(self_ptr self) {
  auto& st = self->state;
  if (st.polling)
    return;
  st.polling = true;
  st.soon = false;
  // What changes while the picture is put together may not be in it.
  st.asked_at = now(self, st.ctx);
  auto limit = st.ctx->rules()->cluster.poll_timeout;
  self->request(st.port, limit + patience::slack, read_cluster{limit})
    .then([self](const cluster_answer& answer) { polled(self, true, answer); },
          [self](const caf::error&) {
            cluster_answer none;
            none.text = "the cluster port did not answer";
            polled(self, false, none);
          });
}

void take_standing(self_ptr self, const node_standing& standing) {
  auto& st = self->state;
  auto& known = st.standings[standing.node];
  auto left_alone = known.phase == ha_phase::ineligible
                    && standing.phase == ha_phase::ineligible;
  auto matters = known.proved_down != standing.proved_down
                 || known.doubt != standing.doubt
                 || known.unheard_since != standing.unheard_since
                 || known.wanted_off != standing.wanted_off
                 || known.phase != standing.phase;
  // Two are silent, and whether one of them can still write counts.
  auto falls_quiet
    = known.quiet != standing.quiet
      && std::any_of(st.standings.begin(), st.standings.end(), [&](auto& x) {
           return x.first != standing.node && x.second.unheard_since != never;
         });
  // What an instance may wait for, though nothing of the cluster changed.
  auto opens = (known.troubled && !standing.troubled)
               || (!known.closed.empty() && standing.closed.empty())
               || (left_alone && known.answers && !standing.answers);
  auto fits = known.troubled == standing.troubled
              && known.closed.empty() == standing.closed.empty();
  if (!known.troubled && standing.troubled)
    st.troubled_at[standing.node] = now(self, st.ctx);
  const auto* record
    = st.picture ? find_record(st.picture->nodes, standing.node) : nullptr;
  auto took = record != nullptr && may_take(st, *record);
  known = standing;
  if (!fits && record != nullptr)
    reconsider(st, *record);
  if ((!matters && !opens && !falls_quiet) || !st.picture)
    return;
  if (record != nullptr)
    recount(st, *record, took);
  for (auto index : st.lodgers[standing.node])
    send_facts(self, st.picture->instances[index]);
  if (matters)
    poll_soon(self);
}

void meet(self_ptr self, const node_started& what, const node_actor& handle) {
  auto& st = self->state;
  const auto* x = find_record(st.picture->nodes, what.node);
  if (x == nullptr)
    return; // it left while it was started
  st.nodes.insert_or_assign(what.node, handle);
  self->send(handle, facts_of(st, *x));
}

void meet(self_ptr self, const instance_started& what,
          const instance_actor& handle) {
  auto& st = self->state;
  const auto* x = find_record(st.picture->instances, what.instance);
  if (x == nullptr)
    return;
  st.instances.insert_or_assign(what.instance, handle);
  self->send(handle, facts_of(st, *x));
}

} // namespace

cluster_actor::behavior_type cluster(self_ptr self, context_ptr ctx,
                                     cluster_peers peers, cluster_port port,
                                     leader_actor leader,
                                     supervisor_actor members) {
  die_with_reason(self, "cluster");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.port = std::move(port);
  st.leader = std::move(leader);
  st.members = std::move(members);
  // The first reading waits for the holds: automation must not begin where a
  // person switches things off.
  return {
    [self](const node_standing& standing) { take_standing(self, standing); },
    [self](const attention& what) { attend(self, what); },
    [self](const node_started& what, node_actor& handle) {
      meet(self, what, handle);
    },
    [self](const instance_started& what, instance_actor& handle) {
      meet(self, what, handle);
    },
    [self](const group_started& what, group_actor& handle) {
      self->state.groups.insert_or_assign(what.group, handle);
      self->state.tagged.erase(what.group);
      send_tags(self, what.group);
    },
    [self](const group_standing& what) {
      auto& removing = self->state.removing;
      if (what.removing)
        removing.insert(what.group);
      else
        removing.erase(what.group);
    },
    [self](const room_question& what) { return room(self, what); },
    [self](const copy_question& what) { return pass_on(self, what); },
    [self](repair_request& what) { return pass_on(self, std::move(what)); },
    [self](off_word& what) { return pass_on(self, std::move(what)); },
    [self](const pause_watcher& what) {
      return self->delegate(self->state.port, what);
    },
    [self](const holds& what) {
      take_holds(self, what);
      if (!std::exchange(self->state.told_of_holds, true))
        poll(self);
    },
    [self](const upkeep& what) { take_upkeep(self, what); },
    [self](const power_records& what) { take_records(self, what); },
    [self](const mirror_news& news) { take_mirrors(self, news); },
    [self](const power_report& report) { tell_keeper(self, report); },
    [self](const sighting& seen) { tell_keeper(self, seen); },
    [self](const tick& t) {
      if (self->state.next.rings(t))
        poll(self);
    },
  };
}

} // namespace orderly
