// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/room.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <filesystem>

#include <fmt/format.h>

namespace orderly {

namespace {

constexpr auto interval = seconds{10};
constexpr std::int64_t mib = 1024 * 1024;

struct room_watch_state {
  // No aggregate: CAF would try to make it from the actor's own pointer.
  room_watch_state() = default;

  context_ptr ctx;
  std::shared_ptr<alerts> to;
  std::shared_ptr<free_room> into;
  bool told = false;
};

using room_self = room_actor::stateful_pointer<room_watch_state>;

std::int64_t room_at(const std::string& journal) {
  auto folder = std::filesystem::path{journal}.parent_path();
  std::error_code e;
  auto space = std::filesystem::space(folder.empty() ? "." : folder, e);
  return e ? -1 : static_cast<std::int64_t>(space.available);
}

void tell(room_self self, std::int64_t room, std::int64_t least) {
  const auto& path = self->state.ctx->rules()->journal.path;
  self->state.to->raise(
    {"journal", "journal-room",
     fmt::format("{} MiB are left on the disk of {}, less than {} "
                 "(journal.room_min); when it is full nothing is begun any "
                 "more",
                 room / mib, path, least / mib)});
}

void look(room_self self) {
  auto& st = self->state;
  self->delayed_send(self, interval, tick{});
  auto rules = st.ctx->rules();
  auto room = room_at(rules->journal.path);
  auto least = mib * rules->journal.room_min_mib;
  st.into->store(room);
  if (room < 0)
    return;
  // Told again only after there was clearly more.
  if (room > least + least / 4)
    st.told = false;
  if (room < least && !std::exchange(st.told, true))
    tell(self, room, least);
}

room_actor::behavior_type room_watch(room_self self, context_ptr ctx,
                                     std::shared_ptr<alerts> to,
                                     std::shared_ptr<free_room> into) {
  self->state.ctx = std::move(ctx);
  self->state.to = std::move(to);
  self->state.into = std::move(into);
  look(self);
  return {[self](tick) { look(self); }};
}

} // namespace

room_actor spawn_room_watch(caf::actor_system& system, context_ptr ctx,
                            std::shared_ptr<alerts> to,
                            std::shared_ptr<free_room> into) {
  return system.spawn<caf::detached>(room_watch, std::move(ctx), std::move(to),
                                     std::move(into));
}

} // namespace orderly
