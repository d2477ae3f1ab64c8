// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/alerts.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <spdlog/spdlog.h>

namespace orderly {

namespace {

/// Before there is a tree; more are only logged.
constexpr std::size_t early_max = 100;
/// For the handle of the journal; after that the alert is only logged.
constexpr seconds handle_patience{10};

courier_actor::behavior_type courier(courier_actor::pointer self,
                                     root_actor root, context_ptr ctx) {
  return {[self, root, ctx](const outside_alert& x) {
    auto entry
      = entry_about(self, ctx, x.object, entry_kind::alert, x.code, x.why);
    self->request(root, handle_patience, ask_counters{})
      .then(
        [entry](const front& at) mutable {
          caf::anon_send(at.journal, append{{std::move(entry)}});
        },
        [x](const caf::error&) {
          spdlog::warn("{} {}: {}", x.object, x.code, x.why);
        });
  }};
}

} // namespace

void alerts::raise(outside_alert x) {
  std::lock_guard guard{mutex_};
  if (!courier_ || !ctx_->journal_trouble().empty())
    spdlog::warn("{} {}: {}", x.object, x.code, x.why);
  if (courier_)
    caf::anon_send(courier_, std::move(x));
  else if (early_.size() < early_max)
    early_.push_back(std::move(x));
}

void alerts::connect(caf::actor_system& system, root_actor root,
                     context_ptr ctx) {
  std::lock_guard guard{mutex_};
  ctx_ = ctx;
  courier_ = system.spawn(courier, std::move(root), std::move(ctx));
  for (auto& x : early_)
    caf::anon_send(courier_, std::move(x));
  early_.clear();
}

} // namespace orderly
