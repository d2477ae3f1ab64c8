// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/packing.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// Looks at a pool of sizes before one room is called as full as it gets.
constexpr int most_looks = 4000;

/// More of what is left over are not tried at once.
constexpr std::size_t most_in_pool = 24;

class packer {
public:
  explicit packer(const packing_question& q)
    : q_(q),
      where_(q.start),
      held_(q.rooms.size()),
      effort_(q.effort),
      dice_(q.seed * 2654435761U + 1) {
    for (std::size_t k = 0; k < where_.size(); ++k)
      if (where_[k] < 0)
        over_.push_back(static_cast<int>(k));
      else
        held_[at(where_[k])].push_back(static_cast<int>(k));
  }

  std::vector<int> run() {
    for (int r = 0; r < rooms() && !over_.empty(); ++r)
      repack(r, -1);
    while (!over_.empty() && effort_ > 0 && rooms() > 1) {
      auto a = roll(rooms());
      auto b = roll(rooms() - 1);
      repack(a, b < a ? b : b + 1);
    }
    return where_;
  }

private:
  int rooms() const { return static_cast<int>(q_.rooms.size()); }

  /// Small numbers that follow from the seed.
  int roll(int sides) {
    dice_ = dice_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((dice_ >> 33U) % static_cast<std::uint64_t>(sides));
  }

  mib sum(const std::vector<int>& all) const {
    mib result = 0;
    for (auto k : all)
      result += q_.sizes[at(k)];
    return result;
  }

  void shuffle(std::vector<int>& all) {
    for (std::size_t k = all.size(); k > 1; --k)
      std::swap(all[k - 1], all[at(roll(static_cast<int>(k)))]);
  }

  /// Both rooms, or one if `b` is -1, with all that is in them and is over.
  /// As much over as before is taken too: it is another way to go on.
  void repack(int a, int b) {
    auto before = sum(over_);
    shuffle(over_);
    auto part = std::min(over_.size(), most_in_pool);
    std::vector<int> rest{over_.begin() + static_cast<std::ptrdiff_t>(part),
                          over_.end()};
    std::vector<int> pool{over_.begin(),
                          over_.begin() + static_cast<std::ptrdiff_t>(part)};
    for (auto r : {a, b})
      if (r >= 0)
        pool.insert(pool.end(), held_[at(r)].begin(), held_[at(r)].end());
    shuffle(pool);
    auto in_a = fullest(a, pool);
    auto in_b = b < 0 ? std::vector<int>{} : fullest(b, pool);
    pool.insert(pool.end(), rest.begin(), rest.end());
    if (sum(pool) > before)
      return;
    settle(a, std::move(in_a));
    if (b >= 0)
      settle(b, std::move(in_b));
    over_ = std::move(pool);
    for (auto k : over_)
      where_[at(k)] = -1;
  }

  void settle(int room, std::vector<int> all) {
    for (auto k : all)
      where_[at(k)] = room;
    held_[at(room)] = std::move(all);
  }

  /// Takes from the pool what fills the room best.
  std::vector<int> fullest(int room, std::vector<int>& pool) {
    candidates_.clear();
    for (auto k : pool)
      if (q_.open[at(k)][at(room)] && q_.sizes[at(k)] <= q_.rooms[at(room)])
        candidates_.push_back(k);
    rests_.assign(candidates_.size() + 1, 0);
    for (std::size_t k = candidates_.size(); k-- > 0;)
      rests_[k] = rests_[k + 1] + q_.sizes[at(candidates_[k])];
    chosen_.clear();
    best_.clear();
    best_left_ = q_.rooms[at(room)] + 1;
    looks_ = most_looks;
    choose(0, q_.rooms[at(room)]);
    effort_ -= most_looks - looks_ + 1;
    for (auto k : best_)
      pool.erase(std::find(pool.begin(), pool.end(), k));
    return best_;
  }

  void choose(std::size_t from, mib left) {
    if (left < best_left_) {
      best_left_ = left;
      best_ = chosen_;
    }
    // Not even all that follows would fill it better.
    if (--looks_ <= 0 || best_left_ == 0 || from == candidates_.size()
        || left - rests_[from] >= best_left_)
      return;
    auto k = candidates_[from];
    if (q_.sizes[at(k)] <= left) {
      chosen_.push_back(k);
      choose(from + 1, left - q_.sizes[at(k)]);
      chosen_.pop_back();
    }
    choose(from + 1, left);
  }

  const packing_question& q_;
  std::vector<int> where_;
  std::vector<std::vector<int>> held_;
  std::vector<int> over_; ///< that are in no room
  std::int64_t effort_;
  std::uint64_t dice_;
  // One search for the fullest room.
  std::vector<int> candidates_;
  std::vector<mib> rests_; ///< of the sizes from each one on
  std::vector<int> chosen_;
  std::vector<int> best_;
  mib best_left_ = 0;
  int looks_ = 0;
};

} // namespace

std::vector<int> pack(const packing_question& q) {
  return packer{q}.run();
}

} // namespace orderly::planning
