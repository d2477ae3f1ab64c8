// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who asks the mirrors, between a cluster port and a listener made of glass.

#pragma once

#include "actors/mirrors/mirrors.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

namespace orderly::mirrors_rig {

using names = std::vector<instance_name>;

struct glass {
  desk<read_mirrors, mirrors_answer> reads;
  std::vector<mirror_news> heard;
};

using glass_ptr = std::shared_ptr<glass>;

inline cluster_port::behavior_type port_of(cluster_port::pointer self,
                                           glass_ptr x) {
  return {
    [](const read_cluster&) { return cluster_answer{}; },
    [](const read_room&) { return room_answer{}; },
    [self, x](const read_mirrors& what) {
      x->reads.asked.push_back(what);
      auto promise = self->make_response_promise<mirrors_answer>();
      if (auto said = x->reads.answer(what); said.answer)
        promise.deliver(*said.answer);
      return promise;
    },
    [](const pause_watcher&) { return watcher_answer{}; },
  };
}

inline mirror_listener::behavior_type listener_of(glass_ptr x) {
  return {[x](const mirror_news& news) { x->heard.push_back(news); }};
}

inline instance_record drbd(int number) {
  instance_record x;
  x.name = fmt::format("web{:03}", number);
  x.primary = "node1";
  x.secondaries = {"node2"};
  x.disks = disk_template::drbd;
  x.admin = admin_state::up;
  return x;
}

inline settings each_minute() {
  settings s;
  s.autorepair.mirror_interval = minutes{1};
  return s;
}

struct rig {
  explicit rig(int instances, const settings& with = each_minute()) : on(with) {
    for (auto name : {"node1", "node2"}) {
      node_record node;
      node.name = name;
      picture.nodes.push_back(node);
    }
    for (auto i = 0; i < instances; ++i)
      picture.instances.push_back(drbd(i));
    world->reads.answer = [this](const read_mirrors& what) {
      mirrors_answer a;
      a.answered = true;
      for (const auto& name : what.instances)
        if (faulty.count(name) != 0)
          a.faults[name] = {disk_fault{}};
        else if (syncing.count(name) != 0)
          a.faults[name] = {disk_fault{"disk/0", false, "node2", true}};
        else
          a.well.insert(name);
      return says(a);
    };
    ear = on.enter(listener_of, world);
    asker = on.enter(mirrors, on.ctx(), on.enter(port_of, world));
    call();
  }

  /// A reading of the cluster.
  void call(std::set<instance_name> attentive = {}, bool silent = false) {
    seen = std::make_shared<const cluster_record>(picture);
    on.tell(asker, mirror_roll{seen, std::move(attentive), silent}, ear);
  }

  /// The same, with word of which instances differ from the one before.
  void call_with(std::vector<std::size_t> other) {
    auto change = std::make_shared<const picture_change>(
      picture_change{seen, {}, std::move(other)});
    seen = std::make_shared<const cluster_record>(picture);
    on.tell(asker, mirror_roll{seen, {}, false, change}, ear);
  }

  /// Who was asked in the newest question.
  names next(millis span) {
    auto before = world->reads.asked.size();
    on.run_for(span);
    return world->reads.asked.size() == before
             ? names{}
             : world->reads.asked.back().instances;
  }

  /// Somebody relies on the mirror of that one.
  pending<mirror_answer> seek(int number, bool marked_down = false) {
    auto said = on.ask<mirror_answer>(
      asker, mirror_question{fmt::format("web{:03}", number), marked_down});
    on.settle();
    return said;
  }

  stage on;
  glass_ptr world = std::make_shared<glass>();
  cluster_picture seen; ///< by the asker
  cluster_record picture;
  std::set<instance_name> faulty;
  std::set<instance_name> syncing;
  mirror_listener ear;
  mirror_service asker;
};

} // namespace orderly::mirrors_rig
