// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The last word of an errand about its jobs and commands, right before they
// leave.

#include "actors/desk/errands.hpp"
#include "actors/shell/patience.hpp"

#include <utility>

namespace orderly::desk_parts {

consent last_say(self_ptr self, const intent_id& intent) {
  errand_id id;
  errand::spot at;
  if (!errand::split_intent(intent, id, at)
      || !is_current(self, number_of(id), at))
    return {false, "its errand does not want it any more"};
  const auto& st = self->state;
  if (!st.picture)
    return {false, "the cluster was not read yet"};
  auto why = errand::against_job(st.errands.at(number_of(id)), at,
                                 surroundings_of(self));
  return {why.empty(), std::move(why)};
}

namespace {

power_last_word judged(self_ptr self, const intent_id& intent,
                       const sighting* seen) {
  const auto& st = self->state;
  errand_id id;
  errand::spot at;
  if (!errand::split_intent(intent, id, at) || !st.picture)
    return {false, false, "no errand wants it"};
  auto i = st.errands.find(number_of(id));
  if (i == st.errands.end())
    return {false, false, "no errand wants it"};
  auto w = surroundings_of(self);
  auto why = errand::against_command(i->second, at, w);
  if (why.empty() && seen != nullptr)
    why = errand::against_sight(i->second, at, *seen, w);
  return {why.empty(), false, std::move(why)};
}

} // namespace

caf::result<power_last_word> bear_witness(self_ptr self,
                                          const intent_id& intent) {
  auto& st = self->state;
  auto word = judged(self, intent, nullptr);
  errand_id id;
  errand::spot at;
  if (!word.stands || !errand::split_intent(intent, id, at))
    return word;
  auto look = errand::look_before(st.errands.at(number_of(id)), at,
                                  surroundings_of(self));
  if (!look)
    return word;
  auto promise = self->make_response_promise<power_last_word>();
  self->request(st.peers.collector, patience::look, *std::move(look))
    .then(
      [self, promise, intent](const sighting& seen) mutable {
        promise.deliver(judged(self, intent, &seen));
      },
      [self, promise, intent](const caf::error&) mutable {
        sighting seen;
        seen.evidence = "the check did not answer";
        promise.deliver(judged(self, intent, &seen));
      });
  return promise;
}

} // namespace orderly::desk_parts
