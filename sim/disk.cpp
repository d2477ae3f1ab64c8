// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/disk.hpp"

#include <algorithm>

namespace orderly::sim {

instant disk::due(instant now) {
  auto takes = mood == disk_mood::slow ? millis{dice_.between(2000, 5000)}
                                       : millis{dice_.between(1, 4)};
  busy_until_ = std::max(busy_until_, now) + takes;
  return busy_until_;
}

journal_ack disk::commit(const journal_batch& batch) {
  if (mood != disk_mood::fail) {
    store(batch);
    return {true, {}};
  }
  ++failed_;
  if (dice_.chance(500))
    store(batch);
  return {false, "journal: input/output error while committing "
                   + std::to_string(batch.entries.size())
                   + " entries; whether they are there is unknown"};
}

void disk::store(const journal_batch& batch) {
  for (const auto& x : batch.entries) {
    if (x.state) {
      const auto& key = x.state_key.empty() ? x.object : x.state_key;
      if (x.state->empty())
        states_.erase(key);
      else
        states_[key] = *x.state;
    }
    last_seq_ = std::max(last_seq_, x.seq);
    entries_.push_back(x);
    entries_.back().state.reset();
    for (const auto& call : hooks_)
      call(x);
  }
}

journal_contents disk::read(const journal_read& what) const {
  journal_contents result;
  if (mood == disk_mood::fail) {
    result.text = "journal: input/output error while reading";
    return result;
  }
  result.readable = true;
  result.last_seq = last_seq_;
  result.states = states_;
  auto count = std::min<std::size_t>(what.recent_max, entries_.size());
  result.recent.assign(entries_.end() - static_cast<std::ptrdiff_t>(count),
                       entries_.end());
  return result;
}

} // namespace orderly::sim
