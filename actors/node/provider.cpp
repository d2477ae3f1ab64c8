// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/provider.hpp"

#include "actors/power/oob.hpp"
#include "actors/shell/patience.hpp"

#include <caf/actor_cast.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <utility>

namespace orderly {

node_provider::node_provider(node_checker checks, power_switch power)
  : checks_(std::move(checks)), power_(std::move(power)) {
  // nop
}

void node_provider::check(asker self, probe_request what,
                          listener<sighting> then, silence silent) const {
  self->request(checks_, patience::look, std::move(what))
    .then(std::move(then),
          [silent = std::move(silent)](const caf::error&) { silent(); });
}

void node_provider::activity(asker self, activity_request what,
                             listener<activity_answer> then,
                             silence silent) const {
  // Longer than the collector's own patience, which covers its queue.
  self->request(checks_, patience::look, std::move(what))
    .then(std::move(then),
          [silent = std::move(silent)](const caf::error&) { silent(); });
}

void node_provider::status(asker self, power_order what,
                           listener<power_report> then, silence silent) const {
  self->request(power_, patience::look, std::move(what))
    .then(std::move(then),
          [silent = std::move(silent)](const caf::error&) { silent(); });
}

void node_provider::reset(asker self, power_order what, millis limit,
                          listener<power_report> then, silence silent) const {
  what.verb = power_verb::cycle;
  command(self, std::move(what), limit, std::move(then), std::move(silent));
}

void node_provider::fence(asker self, power_order what, millis limit,
                          listener<power_report> then, silence silent) const {
  what.verb = power_verb::off;
  command(self, std::move(what), limit, std::move(then), std::move(silent));
}

void node_provider::command(asker self, power_order what, millis limit,
                            listener<power_report> then, silence silent) const {
  self
    ->request(power_, limit, std::move(what),
              caf::actor_cast<power_witness>(self))
    .then(std::move(then),
          [silent = std::move(silent)](const caf::error&) { silent(); });
}

millis node_provider::patience(const settings& rules) {
  return power_patience(rules);
}

} // namespace orderly
