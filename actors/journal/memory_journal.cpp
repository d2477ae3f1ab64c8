// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/journal/memory_journal.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>

namespace orderly {

namespace {

struct memory_state {
  static inline const char* name = "memory_journal";

  journal_contents kept;
};

using memory_self = journal_port::stateful_pointer<memory_state>;

void keep(journal_contents& all, const journal_batch& batch) {
  for (auto entry : batch.entries) {
    all.last_seq = std::max(all.last_seq, entry.seq);
    const auto& key = entry.state_key.empty() ? entry.object : entry.state_key;
    if (entry.state && entry.state->empty())
      all.states.erase(key);
    else if (entry.state)
      all.states.insert_or_assign(key, *entry.state);
    entry.state.reset();
    all.recent.push_back(std::move(entry));
  }
}

journal_port::behavior_type impl(memory_self self) {
  self->state.kept.readable = true;
  return {
    [self](const journal_batch& batch) {
      keep(self->state.kept, batch);
      return journal_ack{true, {}};
    },
    [self](const journal_read& what) {
      auto result = self->state.kept;
      auto& recent = result.recent;
      if (recent.size() > what.recent_max)
        recent.erase(recent.begin(),
                     recent.end()
                       - static_cast<std::ptrdiff_t>(what.recent_max));
      return result;
    },
  };
}

} // namespace

journal_port spawn_memory_journal(caf::actor_system& system) {
  return system.spawn(impl);
}

} // namespace orderly
