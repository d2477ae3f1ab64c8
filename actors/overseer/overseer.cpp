// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/overseer/overseer.hpp"

#include "actors/shell/patience.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

using self_ptr = overseer_actor::stateful_pointer<overseer_state>;

constexpr auto interval = minutes{1};

void alert(self_ptr self, std::string text) {
  auto& st = self->state;
  record(self, st.journal,
         entry_about(self, st.ctx, "overseer", entry_kind::alert, "X.LASTS",
                     std::move(text)));
}

/// Whoever was in trouble when a switch was thrown is left in it, and nobody
/// waits for that to last.
void tell_left(self_ptr self, bool& acted, bool acts, std::string_view kind,
               std::string_view why, instant at) {
  if (!std::exchange(acted, acts) || acts)
    return;
  auto left = self->state.troubles.left(kind);
  if (!left.empty())
    alert(self, fmt::format("{}, and this is left as it is: {}. 'orderly "
                            "explain NAME' says what each waits for",
                            why, foresight::text_of(left, at)));
}

void take(self_ptr self, troubles& found) {
  auto& st = self->state;
  // A gap in our right to act ends no trouble.
  if (found.standby)
    st.troubles.begin_anew();
  if (!found.acting)
    return;
  auto at = now(self, st.ctx);
  std::map<object_id, foresight::lasting_troubles::row> all;
  for (auto& x : found.all)
    all.insert_or_assign(std::move(x.object), foresight::lasting_troubles::row{
                                                std::move(x.what), x.since});
  st.troubles.note(all, at);
  auto rules = st.ctx->rules();
  const auto& repair = rules->autorepair;
  tell_left(self, st.treats_nodes, rules->host_ha.enabled,
            "node:", "Host HA only observes now", at);
  tell_left(self, st.treats_all, !rules->host_ha.opt_in,
            "node:", "Host HA treats only nodes that were enabled now", at);
  tell_left(self, st.repairs, repair.enabled && repair.mode == repair_mode::act,
            "instance:", "Auto-repair does nothing now", at);
  auto due = st.troubles.due(at);
  if (due.empty())
    return;
  alert(self, fmt::format("This has lasted for long, and nothing has ended it: "
                          "{}. 'orderly explain NAME' says what each waits for",
                          foresight::text_of(due, at)));
}

void look(self_ptr self) {
  auto& st = self->state;
  self->delayed_send(self, interval, tick{});
  self->request(st.view, patience::neighbour, ask_troubles{})
    .then([self](troubles& found) { take(self, found); },
          [](const caf::error&) {}); // it is asked again
}

} // namespace

overseer_actor::behavior_type overseer(self_ptr self, context_ptr ctx,
                                       journal_actor journal,
                                       view_reader view) {
  die_with_reason(self, "overseer");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.journal = std::move(journal);
  st.view = std::move(view);
  return {
    [self](const tick&) { look(self); },
  };
}

} // namespace orderly
