// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/lane.hpp"

#include <algorithm>
#include <iterator>

namespace orderly {

lane::entry lane::offer(instant since, const bounds& within, bool slow) {
  entry result;
  result.mine = ++last_;
  auto room = std::size_t{within.parallel_max} + within.queued_max;
  if (running() + waiting() >= room) {
    auto& last = waiting_.empty()          ? waiting_slowly_
                 : waiting_slowly_.empty() ? waiting_
                 : *waiting_.rbegin() < *waiting_slowly_.rbegin()
                   ? waiting_slowly_
                   : waiting_;
    // Nobody is asked to wait twice for one that has waited less.
    if (last.empty() || last.rbegin()->first <= since)
      return result;
    result.displaced = last.rbegin()->second;
    last.erase(std::prev(last.end()));
  }
  (slow ? waiting_slowly_ : waiting_).emplace(since, result.mine);
  result.admitted = true;
  return result;
}

std::optional<lane::ticket> lane::next(const bounds& within) {
  auto slow_max = std::max<std::size_t>(within.parallel_max / 2, 1);
  auto may_be_slow = !waiting_slowly_.empty() && slow_running_ < slow_max;
  if (running() >= within.parallel_max || (waiting_.empty() && !may_be_slow))
    return std::nullopt;
  auto slow = waiting_.empty()
              || (may_be_slow && *waiting_slowly_.begin() < *waiting_.begin());
  auto& from = slow ? waiting_slowly_ : waiting_;
  auto mine = from.extract(from.begin()).value().second;
  running_.emplace(mine, slow);
  slow_running_ += slow ? 1 : 0;
  return mine;
}

void lane::ended(ticket x) {
  auto i = running_.find(x);
  if (i == running_.end())
    return;
  slow_running_ -= i->second ? 1 : 0;
  running_.erase(i);
}

} // namespace orderly
