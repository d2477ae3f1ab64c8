// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/pass/dry_cluster.hpp"

#include "actors/pass/dry_jobs.hpp"
#include "actors/shell/patience.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>

namespace orderly {

namespace {

struct dry_cluster_state {
  static inline const char* name = "dry_cluster";

  cluster_port real;
  notebook_actor sent;
};

using dry_cluster_self = cluster_port::stateful_pointer<dry_cluster_state>;

template <class Record>
std::vector<std::string>* tags_in(std::vector<Record>& all,
                                  const std::string& name) {
  auto i = std::find_if(all.begin(), all.end(),
                        [&](const Record& x) { return x.name == name; });
  return i == all.end() ? nullptr : &i->tags;
}

std::vector<std::string>* tags_of(cluster_record& all, const opcode& op) {
  switch (op.tags_on) {
  case tag_kind::cluster:
    return &all.tags;
  case tag_kind::group:
    return tags_in(all.groups, op.tag_object);
  case tag_kind::node:
    return tags_in(all.nodes, op.tag_object);
  case tag_kind::instance:
    break;
  }
  return tags_in(all.instances, op.tag_object);
}

void write_tags(cluster_record& all, const opcode& op) {
  auto* tags = tags_of(all, op);
  if (tags == nullptr)
    return;
  for (const auto& tag : op.tags) {
    std::erase(*tags, tag);
    if (op.kind == op_kind::tags_set)
      tags->push_back(tag);
  }
  std::sort(tags->begin(), tags->end());
}

running_job in_flight(const noted_job& job) {
  running_job result;
  result.id = job.id;
  result.reason = job.spec.reason;
  for (const auto& op : job.spec.ops)
    if (!op.instance.empty())
      result.instances.push_back(op.instance);
  std::sort(result.instances.begin(), result.instances.end());
  result.instances.erase(
    std::unique(result.instances.begin(), result.instances.end()),
    result.instances.end());
  return result;
}

auto on_read(dry_cluster_self self, const read_cluster& what) {
  auto promise = self->make_response_promise<cluster_answer>();
  auto fail = [promise](const caf::error&) mutable {
    cluster_answer none;
    none.text = "the cluster port did not answer";
    promise.deliver(std::move(none));
  };
  self->request(self->state.real, what.time_limit + patience::slack, what)
    .then(
      [self, promise, fail](const cluster_answer& answer) mutable {
        self->request(self->state.sent, patience::neighbour, read_notes{})
          .then(
            [promise, answer](const notes& written) mutable {
              auto seen = answer;
              if (seen.picture && !written.jobs.empty())
                seen.picture = std::make_shared<const cluster_record>(
                  pretend(*seen.picture, written.jobs));
              promise.deliver(std::move(seen));
            },
            fail);
      },
      fail);
  return promise;
}

cluster_port::behavior_type impl(dry_cluster_self self, cluster_port real,
                                 notebook_actor sent) {
  self->state.real = std::move(real);
  self->state.sent = std::move(sent);
  return {
    [self](const read_cluster& what) { return on_read(self, what); },
    [self](const read_room& what) {
      return self->delegate(self->state.real, what);
    },
    [](const read_mirrors&) {
      // Ganeti would be sent jobs that find it out.
      return mirrors_answer{false, {}, "not asked in a dry run", {}};
    },
    [](const pause_watcher&) {
      return watcher_answer{false, "the watcher is not paused in a dry run"};
    },
  };
}

} // namespace

cluster_record pretend(const cluster_record& real,
                       const std::vector<noted_job>& jobs) {
  auto result = real;
  for (const auto& job : jobs) {
    if (!only_tags(job.spec.ops)) {
      result.jobs.push_back(in_flight(job));
      continue;
    }
    for (const auto& op : job.spec.ops)
      write_tags(result, op);
  }
  return result;
}

cluster_port spawn_dry_cluster(caf::actor_system& system, cluster_port real,
                               notebook_actor sent) {
  return system.spawn(impl, std::move(real), std::move(sent));
}

} // namespace orderly
