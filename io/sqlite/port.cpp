// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/port.hpp"

#include "io/sqlite/journal.hpp"
#include "io/sqlite/worker.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <fmt/core.h>

namespace orderly::io {

/// From the thread to the port: what came of an append.
struct append_done {
  std::uint64_t ticket = 0;
  journal_ack ack;
};

/// From the thread to the port: what was read.
struct read_done {
  std::uint64_t ticket = 0;
  journal_contents contents;
};

} // namespace orderly::io

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::io::append_done)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::io::read_done)

namespace orderly::io {

namespace {

using port_shell = journal_port::extend<caf::reacts_to<append_done>,
                                        caf::reacts_to<read_done>>;

using ack_promise = caf::typed_response_promise<journal_ack>;
using contents_promise = caf::typed_response_promise<journal_contents>;

struct pending_append {
  ack_promise promise;
  std::size_t entries = 0;
};

struct port_state {
  static inline const char* name = "sqlite_journal";

  std::shared_ptr<journal_file> file;
  std::shared_ptr<std::function<void()>> when_ours;
  std::uint64_t tickets = 0;
  std::map<std::uint64_t, pending_append> appends;
  std::map<std::uint64_t, contents_promise> reads;
  std::size_t queued = 0; ///< entries in `appends`
  /// A batch was refused for want of room: those behind it must fail too.
  bool gap = false;
  worker thread;
};

journal_ack write(journal_file& file, const journal_batch& batch) {
  auto written = file.append(batch);
  return written ? journal_ack{true, {}}
                 : journal_ack{false, written.why().text, file.lost()};
}

journal_contents read(journal_file& file, std::uint32_t recent_max) {
  auto contents = file.read(recent_max);
  if (contents)
    return std::move(*contents);
  journal_contents out;
  out.text = contents.why().text;
  out.lost = file.lost();
  out.passing = !out.lost && contents.why().kind == fault_kind::io;
  return out;
}

using self_ptr = port_shell::stateful_pointer<port_state>;

ack_promise take_batch(self_ptr self, journal_batch& batch,
                       std::size_t queued_max) {
  auto& st = self->state;
  auto promise = self->make_response_promise<journal_ack>();
  auto size = batch.entries.size();
  st.gap = st.gap || st.queued + size > queued_max;
  if (st.gap) {
    promise.deliver(journal_ack{
      false, fmt::format("journal: {} entries wait for the disk and {} may; "
                         "it must be read before more are written",
                         st.queued, queued_max)});
    return promise;
  }
  auto ticket = ++st.tickets;
  st.queued += size;
  st.appends.emplace(ticket, pending_append{promise, size});
  st.thread.post(
    [me = port_shell{self}, file = st.file, ticket, batch = std::move(batch)] {
      caf::anon_send(me, append_done{ticket, write(*file, batch)});
    });
  return promise;
}

contents_promise take_question(self_ptr self, const journal_read& query) {
  auto& st = self->state;
  auto promise = self->make_response_promise<journal_contents>();
  constexpr std::size_t reads_max = 16;
  if (st.reads.size() >= reads_max) {
    journal_contents busy;
    busy.text
      = fmt::format("journal: {} readings are under way already", reads_max);
    promise.deliver(std::move(busy));
    return promise;
  }
  auto ticket = ++st.tickets;
  st.gap = false;
  st.reads.emplace(ticket, promise);
  st.thread.post([me = port_shell{self}, file = st.file, ticket,
                  when_ours = st.when_ours, recent_max = query.recent_max] {
    auto found = read(*file, recent_max);
    if (auto todo = found.readable ? std::exchange(*when_ours, {}) : nullptr)
      todo();
    caf::anon_send(me, read_done{ticket, std::move(found)});
  });
  return promise;
}

port_shell::behavior_type port(self_ptr self, settings s,
                               std::function<void()> when_ours,
                               std::function<duty()> on_duty) {
  auto& state = self->state;
  state.when_ours
    = std::make_shared<std::function<void()>>(std::move(when_ours));
  state.file
    = std::make_shared<journal_file>(s.journal.path, s.journal.keep_entries);
  state.thread.each(minutes{1},
                    [file = state.file, on_duty = std::move(on_duty)] {
                      file->note_duty(on_duty ? on_duty() : duty::unknown);
                    });
  auto queued_max = s.journal.queued_max;
  return {
    [self, queued_max](journal_batch& batch) {
      return take_batch(self, batch, queued_max);
    },
    [self](const journal_read& query) { return take_question(self, query); },
    [self](append_done& done) {
      auto& st = self->state;
      auto found = st.appends.find(done.ticket);
      if (found == st.appends.end())
        return;
      st.queued -= found->second.entries;
      found->second.promise.deliver(std::move(done.ack));
      st.appends.erase(found);
    },
    [self](read_done& done) {
      auto& st = self->state;
      auto found = st.reads.find(done.ticket);
      if (found == st.reads.end())
        return;
      found->second.deliver(std::move(done.contents));
      st.reads.erase(found);
    },
  };
}

} // namespace

journal_port spawn_sqlite_journal(caf::actor_system& system, const settings& s,
                                  std::function<void()> when_ours,
                                  std::function<duty()> on_duty) {
  return system.spawn(port, s, std::move(when_ours), std::move(on_duty));
}

} // namespace orderly::io
