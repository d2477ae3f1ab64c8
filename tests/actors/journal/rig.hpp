// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rig of the journal's tests: the actor between a port that is played
// and a view that only listens.

#pragma once

#include "actors/journal/journal.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <memory>
#include <utility>

namespace orderly {

struct journal_rig {
  explicit journal_rig(settings rules = {}) : on(std::move(rules)) {
    port = on.keep(spawn_fake(on.system(), disk));
    onlooker = on.keep(spawn_fake(on.system(), seen));
    start();
  }

  void start() {
    actor = on.enter(journal, on.ctx(), port, onlooker);
    on.settle();
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<view_fake> seen = std::make_shared<view_fake>();
  stage on;
  journal_port port;
  view_actor onlooker;
  journal_actor actor;
};

} // namespace orderly
