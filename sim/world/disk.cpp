// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/world/disk.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

instant disk::due(instant now) {
  auto takes = mood == disk_mood::slow ? millis{dice_.between(2000, 5000)}
                                       : millis{dice_.between(1, 4)};
  busy_until_ = std::max(busy_until_, now) + takes;
  return busy_until_;
}

void disk::lose() {
  catch_up();
  named_ = journal_file{};
}

void disk::back_up() {
  copy_ = file_;
}

bool disk::restore() {
  if (!copy_)
    return false;
  catch_up();
  named_ = copy_;
  return true;
}

void disk::open(instant now) {
  machine_boots_ += std::exchange(reboots_, false) ? 1 : 0;
  worked_ = on_duty_;
  unnoted_ = !duty_noted_ && file_.last_seq > 0;
  written_ = false;
  if (!named_)
    return;
  file_ = *std::exchange(named_, std::nullopt);
  file_.adopted = noted(now);
  ++files_;
}

void disk::catch_up() const {
  if (each_minute)
    each_minute();
}

noted_time disk::noted(instant at) const {
  return {at, calendar_ahead, machine_boots_};
}

/// By the calendar of now; by that of then if the machine was started anew.
instant disk::told(const noted_time& then) const {
  if (then.at == never)
    return never;
  auto known = then.machine_boots == machine_boots_;
  return then.at + (known ? calendar_ahead : then.ahead);
}

void disk::note_duty(duty x, instant since, instant now) {
  auto until = mood == disk_mood::fail ? std::min(now, mood_since) : now;
  if (x == duty::others)
    on_duty_ = {};
  else if (x == duty::ours && written_ && until - since >= minutes{1})
    on_duty_ = noted(since + std::chrono::floor<minutes>(until - since));
  else
    return;
  worked_ = {};
  unnoted_ = false;
  duty_noted_ = true;
}

std::set<intent_id> disk::intents() const {
  std::set<intent_id> result;
  for (auto place : file_.entries)
    result.insert(entries_[place].intent);
  return result;
}

namespace {

constexpr const char* lost_text
  = "somebody removed the journal, or put it back from a backup";

} // namespace

journal_ack disk::commit(const journal_batch& batch) {
  if (named_)
    return {false, lost_text, true};
  if (mood != disk_mood::fail) {
    store(batch);
    written_ = true;
    return {true, {}};
  }
  catch_up();
  ++failed_;
  written_ = false;
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
        file_.states.erase(key);
      else
        file_.states[key] = *x.state;
    }
    file_.last_seq = std::max(file_.last_seq, x.seq);
    file_.entries.push_back(entries_.size());
    entries_.push_back(x);
    entries_.back().state.reset();
    for (const auto& call : hooks_)
      call(x);
  }
}

journal_contents disk::read(const journal_read& what) {
  catch_up();
  journal_contents result;
  if (named_) {
    result.text = lost_text;
    result.lost = true;
    return result;
  }
  if (mood == disk_mood::fail) {
    result.text = "journal: input/output error while reading";
    return result;
  }
  result.readable = true;
  result.last_seq = file_.last_seq;
  result.adopted = told(file_.adopted);
  result.worked = told(worked_);
  result.reboot
    = worked_.at != never && worked_.machine_boots != machine_boots_;
  result.unnoted = unnoted_;
  result.states = file_.states;
  auto count = std::min<std::size_t>(what.recent_max, file_.entries.size());
  for (auto i = file_.entries.size() - count; i < file_.entries.size(); ++i)
    result.recent.push_back(entries_[file_.entries[i]]);
  return result;
}

} // namespace orderly::sim
