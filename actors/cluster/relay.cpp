// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster/relay.hpp"

#include "actors/cluster/places.hpp"
#include "actors/shell/patience.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly {

void call_the_roll(cluster_self self) {
  auto& st = self->state;
  self->send(st.peers.mirrors,
             mirror_roll{st.picture, st.attentive, st.failures > 0, st.change},
             caf::actor_cast<mirror_listener>(self));
}

void take_mirrors(cluster_self self, const mirror_news& news) {
  auto& st = self->state;
  for (const auto& [name, heard] : news.heard) {
    const auto* record
      = st.picture ? find_record(st.picture->instances, name) : nullptr;
    if (record == nullptr)
      continue;
    auto& x = st.mirrors[name];
    auto matters = !heard.fault.empty() || !x.fault.empty()
                   || st.attentive.count(name) != 0;
    x = heard;
    if (matters)
      send_facts(self, *record);
  }
}

caf::result<room_answer> room(cluster_self self, const room_question& what) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  auto promise = self->make_response_promise<room_answer>();
  room_answer none;
  const auto* x
    = st.picture ? find_record(st.picture->instances, what.instance) : nullptr;
  const auto* home
    = x != nullptr ? find_record(st.picture->nodes, x->primary) : nullptr;
  if (home == nullptr) {
    none.text = "instance " + what.instance + " is not known";
    promise.deliver(none);
    return promise;
  }
  auto own = x->secondaries;
  own.push_back(x->primary);
  auto spare = [own](room_answer answer) {
    std::erase_if(answer.nodes, [&](const node_room& node) {
      return std::find(own.begin(), own.end(), node.name) != own.end();
    });
    return answer;
  };
  auto at = now(self, st.ctx);
  auto group = home->group;
  auto known = st.rooms.find(group);
  if (known != st.rooms.end()
      && at - known->second.at < rules->autorepair.room_max_age / 2) {
    promise.deliver(spare(known->second.answer));
    return promise;
  }
  read_room question;
  question.time_limit = rules->cluster.poll_timeout;
  for (const auto& node : st.picture->nodes)
    if (node.group == group && may_take(st, node))
      question.nodes.push_back(node.name);
  auto limit = question.time_limit + patience::slack;
  self->request(st.port, limit, std::move(question))
    .then(
      [self, promise, spare, group, at](const room_answer& answer) mutable {
        if (answer.answered)
          self->state.rooms[group] = {answer, at};
        promise.deliver(spare(answer));
      },
      [promise, none](const caf::error&) mutable {
        none.text = "the cluster port did not answer";
        promise.deliver(none);
      });
  return promise;
}

caf::result<copy_answer> pass_on(cluster_self self, copy_question what) {
  auto i = self->state.instances.find(what.instance);
  if (i == self->state.instances.end())
    return copy_answer{"its copies were not looked at yet",
                       "its copies were not looked at yet"};
  return self->delegate(i->second, std::move(what));
}

caf::result<repair_answer> pass_on(cluster_self self, repair_request what) {
  const auto& st = self->state;
  if (!st.picture)
    return repair_answer{false, "", "the cluster was not read yet"};
  if (find_record(st.picture->instances, what.instance) == nullptr)
    return repair_answer{false, "",
                         fmt::format("there is no instance {}", what.instance)};
  auto i = st.instances.find(what.instance);
  if (i == st.instances.end())
    return repair_answer{false, "", "the cluster was not read yet"};
  return self->delegate(i->second, std::move(what));
}

} // namespace orderly
