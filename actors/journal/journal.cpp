// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/journal/journal.hpp"

#include "actors/policy/base/backoff.hpp"

#include <fmt/format.h>

namespace orderly {

namespace {

using self_ptr = recalling_journal::stateful_pointer<journal_state>;

enum : std::uint32_t { retry_tick, end_tick };

constexpr std::uint32_t recent_max = 2000;

/// Whatever a stranger's words are in: what is kept is bounded in number only.
/// An order about a thousand nodes needs less.
constexpr std::size_t why_max = 32'768;

void bound(std::string& why) {
  if (why.size() <= why_max)
    return;
  auto size = why.size();
  why.resize(why_max);
  why += fmt::format("... ({} bytes)", size);
}

/// A trouble that is over so soon is no alert.
constexpr auto blip_max = seconds{5};

/// The pause between two tries to write grows from the one to the other.
constexpr millis retry_base = millis{100};
constexpr millis retry_max = seconds{10};

void flush(self_ptr self);
void read_back(self_ptr self);
void read_back_after(self_ptr self, const std::string& why);

void retry_later(self_ptr self) {
  auto& st = self->state;
  auto pause = backoff(retry_base, retry_max, ++st.tries);
  self->delayed_send(self, pause, tick{retry_tick, 0});
}

/// The file is not ours any more. Nothing is acknowledged from here on, so that
/// nothing leaves; whoever still hears us is told, and then we end, because
/// what is in memory nobody could ever read again.
void lose(self_ptr self, const std::string& text) {
  auto& st = self->state;
  if (st.lost)
    return;
  st.lost = true;
  st.ctx->forbid(text);
  auto alert = entry_about(self, st.ctx, "journal", entry_kind::alert,
                           "journal-lost", text);
  alert.seq = ++st.seq;
  self->send(st.view, journal_news{{std::move(alert)}});
  self->delayed_send(self, st.ctx->rules()->journal.lost_linger,
                     tick{end_tick, 0});
}

/// It cannot be written, and is tried again: until that works nothing begins,
/// because nothing leaves before its commit. Whoever can be told without it is
/// told now.
void stick(self_ptr self, const std::string& text) {
  auto& st = self->state;
  if (st.stuck_since == never)
    st.stuck_since = now(self, st.ctx);
  if (st.ctx->journal_trouble().empty())
    st.ctx->set_journal_trouble(text);
}

/// A row of our own: nobody waits for it.
void enqueue(journal_state& st, journal_entry row) {
  row.seq = ++st.seq;
  ++st.queued;
  st.queue.push_back({{std::move(row)}, {}});
}

/// A commit landed: what was told meanwhile becomes part of the story, if it
/// lasted. A disk that calls all failed, and keeps it, adds no row a row.
void unstick(self_ptr self) {
  auto& st = self->state;
  if (st.stuck_since == never)
    return;
  auto at = now(self, st.ctx);
  if (at - st.stuck_since < blip_max) {
    st.stuck_since = never;
    st.ctx->set_journal_trouble({});
    return;
  }
  auto alert = entry_about(
    self, st.ctx, "journal", entry_kind::alert, "journal-stuck",
    fmt::format("for {} s the journal could not be written, nothing was begun "
                "and orders were refused: {}",
                std::chrono::ceil<seconds>(at - st.stuck_since).count(),
                st.ctx->journal_trouble()));
  st.stuck_since = never;
  st.ctx->set_journal_trouble({});
  enqueue(st, std::move(alert));
}

/// One of ours before failed in this trouble: only a commit shows that it is
/// over.
void try_writing(self_ptr self) {
  auto& st = self->state;
  if (st.ctx->journal_trouble().empty())
    return;
  if (st.stuck_since == never)
    st.stuck_since = now(self, st.ctx);
  auto note = entry_about(self, st.ctx, "journal", entry_kind::note,
                          "journal-again", "can it be written again?");
  enqueue(st, std::move(note));
}

/// The scheduler holds all that destroys until a person has looked.
void tell_damage(self_ptr self, const std::string& what) {
  auto& st = self->state;
  if (what.empty())
    return;
  auto alert = entry_about(self, st.ctx, "journal", entry_kind::alert,
                           "journal-damaged", what);
  enqueue(st, std::move(alert));
}

/// For so long nobody watched before this life did. What another master's
/// daemon does while we only stand by nobody knows here: it watched.
millis unwatched(self_ptr self) {
  const auto& ctx = self->state.ctx;
  auto worked = self->state.worked;
  auto off_duty = ctx->off_duty(self->clock().now());
  // An earlier core of this process knows better.
  if (self->state.unnoted && off_duty == millis{0})
    worked = self->state.written;
  if (worked == never)
    return off_duty;
  if (ctx->others_watched())
    return {};
  if (self->state.reboot)
    return unknown_absence; // the calendar may have been set over it
  auto since = ctx->on_duty_since();
  auto gap = (since == never ? now(self, ctx) : since) - worked;
  constexpr millis grain = minutes{1}; // of `worked`
  // By a calendar that was set back meanwhile.
  return gap < -grain ? unknown_absence : gap - grain;
}

/// Beside what is dated by it, or not at all.
void write_calendar(self_ptr self, std::vector<journal_entry>& entries) {
  auto& st = self->state;
  auto row = entry_about(self, st.ctx, "journal", entry_kind::note, "calendar",
                         "what dates this journal");
  if (st.states.take_news(st.ctx->calendar_name(), row))
    entries.push_back(std::move(row));
}

recalled answer(self_ptr self, const recall& question) {
  const auto& st = self->state;
  recalled result;
  result.unwatched = unwatched(self);
  result.adopted = st.adopted;
  result.damaged = st.damaged;
  if (question.key.empty())
    result.recent = st.recent;
  if (question.is_prefix)
    st.states.tell_all(result, question.key);
  else
    st.states.tell(result, question.key);
  return result;
}

recalled answer(self_ptr self, const recall_keys& question) {
  auto& st = self->state;
  recalled result;
  result.adopted = st.adopted;
  result.damaged = st.damaged;
  if (!question.keys.empty() && st.known.insert(question.keys.front()).second)
    result.unwatched = unwatched(self);
  for (const auto& key : question.keys)
    st.states.tell(result, key);
  return result;
}

/// Everything in flight is on disk.
void landed(self_ptr self) {
  auto& st = self->state;
  st.tries = 0;
  st.busy = false;
  st.unsure = false;
  journal_news news;
  for (auto& item : st.flight) {
    for (auto& entry : item.entries) {
      st.states.keep(entry);
      if (entry.kind != entry_kind::note)
        news.entries.push_back(std::move(entry));
    }
    if (item.promise.pending())
      item.promise.deliver(journal_ack{true, {}});
  }
  st.flight.clear();
  if (!news.entries.empty())
    self->send(st.view, std::move(news));
  unstick(self);
  flush(self);
}

void flush(self_ptr self) {
  auto& st = self->state;
  if (!st.loaded || st.busy || st.unsure || st.lost)
    return;
  if (st.flight.empty()) {
    std::size_t taken = 0;
    auto limit = st.ctx->rules()->journal.batch_max;
    while (!st.queue.empty() && taken < limit) {
      taken += st.queue.front().entries.size();
      st.flight.push_back(std::move(st.queue.front()));
      st.queue.pop_front();
    }
    st.queued -= taken;
  }
  if (st.flight.empty())
    return;
  journal_batch batch;
  for (const auto& item : st.flight)
    batch.entries.insert(batch.entries.end(), item.entries.begin(),
                         item.entries.end());
  if (batch.entries.empty()) {
    landed(self);
    return;
  }
  st.flight_seq = batch.entries.back().seq;
  st.busy = true;
  self->request(st.port, st.ctx->rules()->journal.timeout, std::move(batch))
    .then(
      [self](const journal_ack& ack) {
        if (ack.durable)
          landed(self);
        else if (ack.lost)
          lose(self, ack.text);
        else
          read_back_after(self, ack.text);
      },
      [self](const caf::error&) {
        read_back_after(self, "its disk did not answer in time");
      });
}

/// As it was when this life began.
void load(self_ptr self, journal_contents& found) {
  auto& st = self->state;
  st.loaded = true;
  st.tries = 0;
  st.seq = found.last_seq;
  st.adopted = found.adopted;
  st.damaged = found.damaged;
  st.worked = found.worked;
  st.reboot = found.reboot;
  st.unnoted = found.unnoted;
  st.recent = std::move(found.recent);
  auto last = st.recent.empty() ? never : st.recent.back().at;
  st.written = last;
  st.states.load(std::move(found.states), st.ctx->calendar_name(),
                 now(self, st.ctx), std::max(last, found.worked));
}

/// Unknown whether the batch in flight is there: look.
void read_back(self_ptr self) {
  auto& st = self->state;
  st.busy = true;
  st.unsure = !st.flight.empty();
  self
    ->request(st.port, st.ctx->rules()->journal.timeout,
              journal_read{st.loaded ? 1 : recent_max})
    .then(
      [self](journal_contents& found) {
        auto& state = self->state;
        state.busy = false;
        if (found.lost) {
          lose(self, found.text);
          return;
        }
        if (!found.readable) {
          stick(self, found.text);
          retry_later(self);
          return;
        }
        if (!state.loaded) {
          load(self, found);
          // Appends that came before the journal was read have no number.
          for (auto& item : state.queue)
            for (auto& entry : item.entries)
              entry.seq = ++state.seq;
          if (!state.recent.empty())
            self->send(state.view, journal_news{state.recent});
          for (auto& [question, promise] : state.asked)
            promise.deliver(answer(self, question));
          state.asked.clear();
          for (auto& [question, promise] : state.asked_keys)
            promise.deliver(answer(self, question));
          state.asked_keys.clear();
          tell_damage(self, found.damage);
          try_writing(self);
          flush(self);
        } else if (!state.flight.empty()
                   && found.last_seq >= state.flight_seq) {
          landed(self);
        } else {
          state.unsure = false; // not there
          retry_later(self);
        }
      },
      [self](const caf::error&) {
        self->state.busy = false;
        stick(self, "its disk did not answer in time");
        retry_later(self);
      });
}

void read_back_after(self_ptr self, const std::string& why) {
  stick(self, why);
  read_back(self);
}

} // namespace

recalling_journal::behavior_type journal(self_ptr self, context_ptr ctx,
                                         journal_port port,
                                         story_listener view) {
  die_with_reason(self, "journal");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.port = std::move(port);
  st.view = std::move(view);
  read_back(self);
  return {
    [self](append& what) -> caf::result<journal_ack> {
      auto& state = self->state;
      auto limit = state.ctx->rules()->journal.queued_max;
      if (state.queued + what.entries.size() > limit)
        return journal_ack{false, "the journal's queue is full"};
      if (state.loaded)
        write_calendar(self, what.entries);
      auto calendar = state.ctx->calendar_name();
      for (auto& entry : what.entries) {
        bound(entry.why);
        kept_states::stamp(entry, calendar);
        if (state.loaded)
          entry.seq = ++state.seq;
      }
      state.queued += what.entries.size();
      auto promise = self->make_response_promise<journal_ack>();
      state.queue.push_back({std::move(what.entries), promise});
      flush(self);
      return promise;
    },
    [self](recall& question) -> caf::result<recalled> {
      auto& state = self->state;
      if (state.loaded)
        return answer(self, question);
      auto promise = self->make_response_promise<recalled>();
      state.asked.emplace_back(std::move(question), promise);
      return promise;
    },
    [self](recall_keys& question) -> caf::result<recalled> {
      auto& state = self->state;
      if (state.loaded)
        return answer(self, question);
      auto promise = self->make_response_promise<recalled>();
      state.asked_keys.emplace_back(std::move(question), promise);
      return promise;
    },
    [self](const tick& t) {
      if (t.what == end_tick)
        self->quit(caf::make_error(caf::sec::runtime_error,
                                   self->state.ctx->forbidden()));
      // After a failure: what is in flight is looked at until that works,
      // and written again only if it is not there.
      auto& state = self->state;
      if (state.busy || state.lost)
        return;
      if (!state.loaded || state.unsure)
        read_back(self);
      else
        flush(self);
    },
  };
}

} // namespace orderly
