// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/heart.hpp"

#include "io/limits/limits.hpp"
#include "io/log/log.hpp"
#include "io/notify/notify.hpp"

#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <limits>

#include <fmt/format.h>

namespace orderly {

namespace {

struct heart_state {
  // No aggregate: CAF would try to make it from the actor's own pointer.
  heart_state() = default;

  root_actor root;
  std::uint64_t logged = 0; ///< newest decision that was logged
  instant since = never;    ///< decisions from before the start are not
  /// All of those were seen. From here on only their order counts: a calendar
  /// that is set back would silence the log until it has caught up.
  bool underway = false;
  bool burst = false; ///< all that the journal has is asked for at once
  bool ready_told = false;
  std::string shown;
  std::string stuck; ///< what was told of the journal
};

/// Decisions that are asked for at once.
constexpr std::uint32_t answer_most = 500;
/// Each of the two answers that a beat waits for. Late ones feed no watchdog.
constexpr seconds beat_patience{10};
constexpr millis between_beats{500};
constexpr auto everything = std::numeric_limits<std::uint32_t>::max();

using heart_self = heart_actor::stateful_pointer<heart_state>;

std::string status_line(const status_row& s) {
  std::uint32_t nodes = 0;
  for (const auto& [phase, count] : s.nodes_by_phase)
    nodes += count;
  return fmt::format("{}{}, {} nodes, {} in trouble{}{}",
                     s.journal_trouble.empty() ? "" : "JOURNAL STUCK, ",
                     s.right_to_act.held ? "master" : s.right_to_act.text,
                     nodes, s.guard.troubled, s.guard.storm ? ", STORM" : "",
                     s.guard.paused ? ", paused" : "");
}

/// What cannot become a row of the journal is told here at least.
void tell_stuck(heart_state& st, const status_row& s) {
  if (s.journal_trouble.empty() == st.stuck.empty())
    return;
  st.stuck = s.journal_trouble;
  if (st.stuck.empty())
    return; // the alert that it is over is a row
  journal_entry alert;
  alert.at = s.now;
  alert.kind = entry_kind::alert;
  alert.object = "journal";
  alert.code = "journal-stuck";
  alert.why = "nothing is begun and no order is taken until it can be written "
              "again: "
              + st.stuck;
  io::log_entry(alert);
}

/// Reads on in the story, and again at once where there is more of it.
void read_on(heart_self self) {
  auto quiet = [](const caf::error&) {};
  self
    ->request<caf::message_priority::high>(self->state.root, beat_patience,
                                           ask_counters{})
    .then(
      [self, quiet](const front& at) {
        view_query q;
        q.subject = view_subject::decisions;
        q.after = self->state.logged;
        auto most = self->state.burst ? everything : answer_most;
        q.limit = most;
        // Before all that readers ask for.
        self->request<caf::message_priority::high>(at.view, beat_patience, q)
          .then(
            [self, most](const view_answer& a) {
              auto& st = self->state;
              if (st.since == never)
                st.since = a.status.started;
              auto full = a.decisions.size() >= most;
              // More came at the start than fits.
              if (!st.underway && full && a.decisions.front().at >= st.since) {
                st.burst = true;
                read_on(self);
                return;
              }
              st.burst = false;
              // Several questions wait while the core is raised again.
              auto known = st.logged;
              for (const auto& entry : a.decisions) {
                if (entry.seq <= known)
                  continue;
                st.logged = std::max(st.logged, entry.seq);
                if (st.underway || entry.at >= st.since)
                  io::log_entry(entry);
              }
              // None: perhaps the journal was not read yet.
              st.underway = st.underway || (!a.decisions.empty() && !full);
              if (st.underway && full)
                read_on(self);
              tell_stuck(st, a.status);
              auto line = status_line(a.status);
              if (line != st.shown) {
                st.shown = line;
                io::notify_status(line);
              }
              if (!st.ready_told) {
                st.ready_told = true;
                io::notify_ready();
              }
              io::notify_watchdog();
            },
            quiet);
      },
      quiet);
}

void beat(heart_self self) {
  self->delayed_send(self, between_beats, tick{});
  read_on(self);
}

/// Those that there are: without agents nobody asks them.
template <class... Handles>
void watch(heart_self self, const Handles&... handles) {
  ((handles ? self->monitor(handles) : void()), ...);
}

heart_actor::behavior_type
heart(heart_self self, root_actor root, const ports& x,
      std::function<void(const std::string&)> ended) {
  self->state.root = std::move(root);
  watch(self, self->state.root, x.cluster, x.jobs, x.power, x.probes, x.journal,
        x.model, x.planner, x.placer, x.agents);
  self->set_down_handler([self, ended](const caf::down_msg& down) {
    if (down.reason != caf::exit_reason::user_shutdown)
      ended(self->system().render(down.reason) + io::word_on_memory());
    if (down.source == self->state.root.address())
      self->quit();
  });
  beat(self);
  return {[self](tick) { beat(self); }};
}

} // namespace

heart_actor spawn_heart(caf::actor_system& system, root_actor root,
                        const ports& outside,
                        std::function<void(const std::string&)> ended) {
  // On a thread of its own: it waits behind no other actor.
  return system.spawn<caf::detached>(heart, std::move(root), outside,
                                     std::move(ended));
}

} // namespace orderly
