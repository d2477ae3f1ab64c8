// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The clock of clockwork: timers in the order of CAF's own test clock (by
// time, and at one time as they came) without its two trees. Most timers are
// limits of requests that are answered long before: taking one back marks it,
// and it is dropped when its time has come. Knows the timers that our actors
// use, delayed messages and limits of requests, and no others.

#pragma once

#include <caf/detail/test_actor_clock.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace orderly::sim {

class quick_clock : public caf::detail::test_actor_clock {
public:
  /// When the next timer is due; nullopt: there is none.
  std::optional<time_point> next_due();

  /// Time is `due`: everything goes out whose time has come.
  void trigger(time_point due);

  void set_request_timeout(time_point t, caf::abstract_actor* self,
                           caf::message_id id) override;
  void cancel_request_timeout(caf::abstract_actor* self,
                              caf::message_id id) override;
  void cancel_timeouts(caf::abstract_actor* self) override;
  void schedule_message(time_point t, caf::strong_actor_ptr receiver,
                        caf::mailbox_element_ptr content) override;
  void cancel_all() override;

  // Not for us: these end the program.
  void set_ordinary_timeout(time_point t, caf::abstract_actor* self,
                            caf::atom_value type, std::uint64_t id) override;
  void set_multi_timeout(time_point t, caf::abstract_actor* self,
                         caf::atom_value type, std::uint64_t id) override;
  void cancel_ordinary_timeout(caf::abstract_actor* self,
                               caf::atom_value type) override;
  void schedule_message(time_point t, caf::group target,
                        caf::strong_actor_ptr sender,
                        caf::message content) override;

private:
  /// Without a receiver: taken back. Without content: the limit of `request`.
  struct timer {
    caf::strong_actor_ptr receiver;
    caf::mailbox_element_ptr content;
    caf::message_id request;
  };

  /// In a heap with the first one on top.
  struct place {
    time_point due;
    std::uint64_t turn;
    std::uint32_t timer;

    bool operator<(const place& other) const {
      return other.due < due || (other.due == due && other.turn < turn);
    }
  };

  void add(time_point t, timer what);
  void take_back(std::uint32_t index);
  void drop_top();
  void forget(caf::actor_id who, caf::message_id id);
  std::vector<std::pair<caf::message_id, std::uint32_t>>&
  limits_of(caf::actor_id who);

  std::vector<timer> timers_;
  std::vector<std::uint32_t> unused_; ///< places among the timers
  std::vector<place> order_;
  std::uint64_t turns_ = 0;
  /// Open limits by actor: few at a time, and actors have small numbers.
  std::vector<std::vector<std::pair<caf::message_id, std::uint32_t>>> limits_;
};

} // namespace orderly::sim
