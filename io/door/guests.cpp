// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/guests.hpp"

#include <algorithm>

namespace orderly::io::http {

namespace {

using phase = session::phase;

/// An answer that does not leave for so long has a reader who does not read.
constexpr millis write_patience = seconds{2};

/// True if nothing is lost with it: it waits for the client.
bool is_useless(const session& x, steady_time now) {
  switch (x.at()) {
  case phase::greeting:
  case phase::idle:
  case phase::reading:
  case phase::lingering:
    return true;
  case phase::writing:
    return now - x.since() > write_patience;
  case phase::handling:
  case phase::done:
    return false;
  }
  return false;
}

} // namespace

bool guests::make_room(const std::string& peer, steady_time now) {
  auto i = by_peer_.find(peer);
  if (i != by_peer_.end() && i->second >= peer_max_ && !end_idlest(&peer, now))
    return false;
  return inside_.size() < all_max_ || end_idlest(nullptr, now);
}

bool guests::end_idlest(const std::string* peer, steady_time now) {
  std::shared_ptr<session> worst;
  std::uint64_t id = 0;
  std::size_t most = 0;
  for (const auto& [number, x] : inside_) {
    if (peer != nullptr && x.peer != *peer)
      continue;
    if (!x.who || !is_useless(*x.who, now))
      continue;
    auto held = by_peer_[x.peer];
    if (!worst || held > most
        || (held == most && x.who->since() < worst->since())) {
      worst = x.who;
      id = number;
      most = held;
    }
  }
  if (!worst)
    return false;
  worst->close();
  leave(id);
  return true;
}

void guests::enter(std::uint64_t id, const std::string& peer,
                   std::shared_ptr<session> who) {
  auto& count = by_peer_[peer]; // first what may fail
  if (inside_.insert_or_assign(id, guest{peer, std::move(who)}).second)
    ++count;
}

void guests::greet(std::uint64_t id, const std::string& peer,
                   std::shared_ptr<session> who) {
  auto& count = greeting_by_peer_[peer]; // first what may fail
  if (greeting_.insert_or_assign(id, guest{peer, std::move(who)}).second)
    ++count;
  if (greeting_.size() <= greetings_max_)
    return;
  if (auto out = take_out(least_missed()).who)
    out->close();
}

guests::greetings::iterator guests::least_missed() {
  std::size_t most = 0;
  for (const auto& [peer, count] : greeting_by_peer_)
    most = std::max(most, count);
  return std::find_if(greeting_.begin(), greeting_.end(), [&](const auto& x) {
    return greeting_by_peer_[x.second.peer] == most;
  });
}

guests::guest guests::take_out(greetings::iterator who) {
  auto peer = greeting_by_peer_.find(who->second.peer);
  if (--peer->second == 0)
    greeting_by_peer_.erase(peer);
  auto out = std::move(who->second);
  greeting_.erase(who);
  return out;
}

bool guests::admit(std::uint64_t id, steady_time now) {
  auto i = greeting_.find(id);
  if (i == greeting_.end())
    return false;
  auto x = take_out(i);
  if (!make_room(x.peer, now))
    return false;
  enter(id, x.peer, std::move(x.who));
  return true;
}

void guests::leave(std::uint64_t id) {
  if (auto x = greeting_.find(id); x != greeting_.end())
    take_out(x);
  auto i = inside_.find(id);
  if (i == inside_.end())
    return;
  auto peer = by_peer_.find(i->second.peer);
  if (--peer->second == 0)
    by_peer_.erase(peer);
  inside_.erase(i);
}

std::vector<std::shared_ptr<session>> guests::all() const {
  std::vector<std::shared_ptr<session>> result;
  for (const auto& [id, x] : inside_)
    if (x.who)
      result.push_back(x.who);
  for (const auto& [id, x] : greeting_)
    if (x.who)
      result.push_back(x.who);
  return result;
}

} // namespace orderly::io::http
