// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/fast_roll.hpp"

#include "actors/planning/roll/round_table.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace orderly::planning {

namespace {

/// Small numbers that follow each other as if by chance, the same each time.
class lots {
public:
  int draw(int below) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(below));
  }

private:
  std::uint64_t state_ = 1;
};

class search {
public:
  search(const round_room& room, std::vector<int> nodes, std::int64_t effort)
    : room_(room), nodes_(std::move(nodes)), effort_(effort), table_(room) {
    // nop
  }

  std::vector<std::vector<int>> run(int least) {
    first_fit();
    auto best = table_;
    while (best.size() > least && dissolve() && repair())
      best = table_;
    std::vector<std::vector<int>> result;
    for (int r = 0; r < best.size(); ++r)
      result.push_back(best.members(r));
    return result;
  }

private:
  /// Those with the most rivals and the most to move come first.
  void first_fit() {
    auto weight = [this](int n) {
      mib all = room_.shared_memory(n);
      for (const auto& d : room_.demands(n))
        all += d.memory;
      return std::tuple{room_.rivals(n).size(), all};
    };
    auto order = nodes_;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return weight(a) > weight(b); });
    for (auto n : order) {
      auto r = 0;
      while (r < table_.size() && !joins(n, r))
        ++r;
      if (r == table_.size())
        table_.put(n, table_.open_round());
    }
  }

  /// Puts it there if nobody has to leave.
  bool joins(int node, int round) {
    if (!table_.driven_out(node, round).empty())
      return false;
    table_.put(node, round);
    if (table_.fits(round))
      return true;
    table_.take_out(node);
    return false;
  }

  /// The nodes of the smallest round wait for a place in another.
  bool dissolve() {
    if (table_.size() < 2)
      return false;
    auto smallest = 0;
    for (int r = 1; r < table_.size(); ++r)
      if (table_.members(r).size() < table_.members(smallest).size())
        smallest = r;
    auto members = table_.members(smallest);
    for (auto n : members)
      dismiss(n);
    table_.close_round(smallest);
    banned_.clear();
    return true;
  }

  void dismiss(int node) {
    table_.take_out(node);
    waiting_.push_back(node);
  }

  struct chance {
    std::size_t who = 0; ///< in waiting_
    int round = -1;
    std::vector<int> out;
  };

  /// The place for one who waits that drives out the fewest.
  chance best_chance() {
    chance best;
    auto equals = 0;
    for (std::size_t k = 0; k < waiting_.size(); ++k)
      for (int r = 0; r < table_.size(); ++r) {
        --effort_;
        auto ban = banned_.find({waiting_[k], r});
        if (ban != banned_.end() && ban->second > turn_)
          continue;
        auto out = table_.driven_out(waiting_[k], r);
        if (best.round >= 0 && out.size() > best.out.size())
          continue;
        equals
          = best.round >= 0 && out.size() == best.out.size() ? equals + 1 : 1;
        if (equals == 1 || lots_.draw(equals) == 0)
          best = {k, r, std::move(out)};
      }
    return best;
  }

  bool repair() {
    for (; !waiting_.empty(); ++turn_) {
      if (effort_ <= 0)
        return false;
      auto x = best_chance();
      if (x.round < 0)
        continue; // all are banned; bans end
      auto node = waiting_[x.who];
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(x.who));
      for (auto n : x.out)
        drive_out(n, x.round);
      table_.put(node, x.round);
      make_room(node, x.round);
    }
    return true;
  }

  void drive_out(int node, int round) {
    dismiss(node);
    constexpr int shortest = 3;
    auto length = static_cast<int>(waiting_.size()) + shortest;
    banned_[{node, round}] = turn_ + length + lots_.draw(length);
  }

  /// Where there is no room for instances without a given place, chance says
  /// who leaves until there is.
  void make_room(int node, int round) {
    while (!table_.fits(round)) {
      auto members = table_.members(round);
      effort_ -= static_cast<std::int64_t>(members.size());
      members.erase(std::find(members.begin(), members.end(), node));
      if (members.empty())
        return; // it fits alone, or it would not be here
      drive_out(members[at(lots_.draw(static_cast<int>(members.size())))],
                round);
    }
    effort_ -= room_.has_choice() ? room_.node_count() : 0;
  }

  const round_room& room_;
  std::vector<int> nodes_;
  std::int64_t effort_;
  round_table table_;
  std::vector<int> waiting_;
  std::map<std::pair<int, int>, std::int64_t> banned_; ///< until which turn
  std::int64_t turn_ = 0;
  lots lots_;
};

} // namespace

rolled fast_roll(const placement& p, const std::vector<bool>& wanted,
                 roll_rules rules, std::int64_t effort) {
  rolled result;
  round_room room{p, rules};
  std::vector<int> nodes;
  for (int n = 0; n < p.node_count(); ++n) {
    if (!wanted[at(n)])
      continue;
    auto alone = room.place_all({n});
    if (const auto* why = std::get_if<hindrance>(&alone))
      result.stuck.push_back({n, *why});
    else
      nodes.push_back(n);
  }
  result.bound = bound_of(room, nodes);
  for (auto& members : search{room, nodes, effort}.run(result.bound.rounds())) {
    std::sort(members.begin(), members.end());
    reboot_round r;
    r.nodes = members;
    auto placed = room.place_all(members);
    for (const auto& m : std::get<std::vector<round_move>>(placed))
      r.moves.push_back(m);
    result.rounds.push_back(std::move(r));
  }
  order_rounds(*p.source, result.rounds);
  return result;
}

} // namespace orderly::planning
