// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Everybody whom a node's actor works with but the journal, played by the knobs
// of each host.

#pragma once

#include "actors/node/node.hpp"
#include "messages/protocol/view.hpp"
#include "sim/walk/host.hpp"
#include "sim/world/dice.hpp"

#include <caf/actor_system.hpp>
#include <caf/allowed_unsafe_message_type.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace orderly::sim::walking {

/// What a journal keeps of a walk: the states. It outlives its actor.
struct paper {
  std::map<std::string, fields> states;
  std::uint64_t last_seq = 0;
  instant worked = never; ///< when it was written to last, for the next life
};

using paper_ptr = std::shared_ptr<paper>;

/// Hears how nodes stand and what was decided, and makes nothing of it.
using onlooker = standing_client::extend_with<story_listener>;

/// To oneself: it is time for what is kept under `key`.
struct turn {
  std::uint64_t key = 0;
};

/// What is answered later. Whoever answers within the instant lets a machine go
/// round and round in it.
struct answers_later {
  std::map<std::uint64_t, std::function<void()>> kept;
  std::uint64_t last_key = 0;
  dice chance{1};

  /// Sooner or later, or what is asked at one time would always be answered in
  /// the same order.
  template <class Self>
  void about(Self self, millis span, std::function<void()> what) {
    auto most = 2 * span.count();
    later(self, millis{chance.between(most / 10, most)}, std::move(what));
  }

  template <class Self>
  void later(Self self, millis span, std::function<void()> what) {
    kept.emplace(++last_key, std::move(what));
    self->delayed_send(self, span, turn{last_key});
  }

  void wake(const turn& x) {
    auto found = kept.extract(x.key);
    if (!found.empty())
      found.mapped()();
  }
};

journal_port spawn_paper(caf::actor_system& sys, paper_ptr all,
                         context_ptr ctx);
node_checker spawn_checker(caf::actor_system& sys, hosts_ptr all,
                           context_ptr ctx);
warned_office spawn_office(caf::actor_system& sys, hosts_ptr all);
/// What it commands it writes into `book` first.
power_switch spawn_switch(caf::actor_system& sys, hosts_ptr all,
                          context_ptr ctx, paper_ptr book);
job_submitter_actor spawn_jobs(caf::actor_system& sys, hosts_ptr all,
                               context_ptr ctx);
picture_source spawn_source(caf::actor_system& sys);
onlooker spawn_onlooker(caf::actor_system& sys);

} // namespace orderly::sim::walking

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::sim::walking::turn)
