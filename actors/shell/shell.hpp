// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the shells around the policies have in common: time, exceptions, and
// the rule that nothing leaves before the journal acknowledged it.

#pragma once

#include "actors/shell/context.hpp"
#include "messages/protocol/journal.hpp"
#include "messages/protocol/tick.hpp"

#include <caf/error.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/sec.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace orderly {

template <class Self>
instant now(Self* self, const context_ptr& ctx) {
  return ctx->at(self->clock().now());
}

/// Exceptions end the actor with an error that names it and the cause, for
/// the supervisor to tell.
template <class Self>
void die_with_reason(Self* self, std::string name) {
  self->set_exception_handler(
    [name = std::move(name)](std::exception_ptr& ptr) -> caf::error {
      try {
        std::rethrow_exception(ptr);
      } catch (const std::exception& e) {
        return caf::make_error(caf::sec::runtime_error, name, e.what());
      } catch (...) {
        return caf::make_error(caf::sec::runtime_error, name, "unknown");
      }
    });
}

/// A row of the journal about `object`, as of now.
template <class Self>
journal_entry entry_about(Self* self, const context_ptr& ctx, object_id object,
                          entry_kind kind, std::string code, std::string why) {
  journal_entry entry;
  entry.at = now(self, ctx);
  entry.kind = kind;
  entry.object = std::move(object);
  entry.code = std::move(code);
  entry.why = std::move(why);
  return entry;
}

/// Appends to the journal; `then` runs after the commit and never otherwise.
template <class Self, class Then>
void record(Self* self, const journal_actor& journal,
            std::vector<journal_entry> entries, Then then) {
  self->request(journal, caf::infinite, append{std::move(entries)})
    .then(
      [self, then = std::move(then)](const journal_ack& ack) mutable {
        if (ack.durable)
          then();
        else // what we hold is ahead of the journal: begin again from it
          self->quit(caf::make_error(caf::sec::runtime_error, ack.text));
      },
      [](const caf::error&) {
        // The journal is gone and so, any moment, are we.
      });
}

/// Appends without waiting: for what is only told.
template <class Self>
void record(Self* self, const journal_actor& journal, journal_entry entry) {
  record(self, journal, std::vector<journal_entry>{std::move(entry)}, [] {});
}

/// Carries out at once what calls back, and takes it out of `actions`: that
/// destroys nothing, so it waits for no disk of ours.
template <class Withdraw, class Action, class Carry>
void call_back_first(std::vector<Action>& actions, Carry carry) {
  for (const auto& action : actions)
    if (const auto* back = std::get_if<Withdraw>(&action))
      carry(*back);
  std::erase_if(actions, [](const auto& action) {
    return std::holds_alternative<Withdraw>(action);
  });
}

} // namespace orderly
