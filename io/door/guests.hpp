// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who comes in when all places are taken. A newcomer that asks at once is
// worth more than one that was let in and says nothing: strangers who only
// hold places lose them. Used by the server, for one door.

#pragma once

#include "io/door/session.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace orderly::io::http {

class guests {
public:
  explicit guests(const limits& bounds)
    : all_max_(bounds.connections_max),
      peer_max_(bounds.connections_per_peer_max),
      greetings_max_(bounds.greetings_max) {
    // nop
  }

  /// Makes room for one more of `peer`, by ending who holds a place of theirs,
  /// or of the door's, without use; false if all are at work.
  bool make_room(const std::string& peer, steady_time now);

  /// One is in, and kept until it leaves; null: it is on its way.
  void enter(std::uint64_t id, const std::string& peer,
             std::shared_ptr<session> who);

  /// One that has shown nothing yet, likewise. Where there is no place the
  /// oldest of its kind goes that is of the peer with most of them: who comes
  /// often ends his own. Never one goes that has shown something.
  void greet(std::uint64_t id, const std::string& peer,
             std::shared_ptr<session> who);

  /// It has shown its certificate, and takes a place of its peer's; false: all
  /// are at work, or it is none of those that greet.
  bool admit(std::uint64_t id, steady_time now);

  void leave(std::uint64_t id);

  void clear() {
    inside_.clear();
    greeting_.clear();
    by_peer_.clear();
    greeting_by_peer_.clear();
  }

  /// All sessions that still are.
  [[nodiscard]] std::vector<std::shared_ptr<session>> all() const;

private:
  struct guest {
    std::string peer;
    std::shared_ptr<session> who;
  };

  /// Ends the one that waits longest without use; of `peer`, or if null of
  /// whoever holds most places.
  bool end_idlest(const std::string* peer, steady_time now);

  using greetings = std::map<std::uint64_t, guest>;

  /// Takes one out of those that greet, and returns it.
  guest take_out(greetings::iterator who);

  /// Whose place is taken next.
  greetings::iterator least_missed();

  std::size_t all_max_;
  std::size_t peer_max_;
  std::size_t greetings_max_;
  std::map<std::uint64_t, guest> inside_;
  greetings greeting_; ///< the oldest one first
  std::map<std::string, std::size_t> by_peer_;
  std::map<std::string, std::size_t> greeting_by_peer_;
};

} // namespace orderly::io::http
