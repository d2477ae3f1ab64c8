// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The journal's disk: survives the daemon, takes a moment, sometimes fails
// without saying whether the write is there. Faults and laws hook into it.

#pragma once

#include "messages/duty.hpp"
#include "messages/journal_entry.hpp"
#include "sim/world/dice.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace orderly::sim {

enum class disk_mood {
  ok,
  fail, ///< every write fails; half of them are there all the same
  slow, ///< writes take seconds
};

/// A time with what tells it by a later calendar.
struct noted_time {
  instant at = never; ///< of the world
  millis ahead{};     ///< the calendar of then
  std::uint64_t machine_boots = 0;
};

/// What a file of the journal holds.
struct journal_file {
  std::map<std::string, fields> states;
  std::vector<std::size_t> entries; ///< their places among all that were made
  std::uint64_t last_seq = 0;
  noted_time adopted; ///< as in `journal_contents`
};

class disk {
public:
  using hook = std::function<void(const journal_entry&)>;

  explicit disk(std::uint64_t seed) : dice_(dice_for(seed, "disk")) {
    // nop
  }

  disk_mood mood = disk_mood::ok;
  instant mood_since;

  /// The calendar of who reads it is so far ahead of the world's time.
  millis calendar_ahead{};

  /// What a daemon does each minute; called when it may count.
  std::function<void()> each_minute;

  /// Is called for each entry right when it became durable.
  void on_durable(hook f) { hooks_.push_back(std::move(f)); }

  /// The file is removed while it is open: whoever has it open writes on, to a
  /// file that nobody can open again.
  void lose();

  /// Keeps a copy of the file, as it is now.
  void back_up();

  /// The machine that it is in goes down, and is started anew before it is
  /// opened again: nobody can tell by how much the calendar was set over that.
  void reboot() { reboots_ = true; }

  /// How often it was.
  [[nodiscard]] std::uint64_t machine_boots() const { return machine_boots_; }

  /// Puts the copy in the file's place, as `lose` would with an empty one.
  /// False: there is no copy.
  bool restore();

  /// A daemon starts and opens whatever has the file's name. Another file
  /// than its own is one that a person has it take.
  void open(instant now);

  /// Who is on duty by what its daemon has heard by `now`, and since when it
  /// itself was first. What a live daemon notes each minute is worked out when
  /// it counts: before a reading, when a write fails, and when the daemon ends.
  void note_duty(duty x, instant since, instant now);

  /// What has the file's name is not what is open.
  [[nodiscard]] bool replaced() const { return named_.has_value(); }

  /// How often another file took its place when the journal was opened.
  [[nodiscard]] std::uint64_t files() const { return files_; }

  /// Intents that the open file knows.
  [[nodiscard]] std::set<intent_id> intents() const;

  /// When a write that comes in at `now` will be through: after all earlier
  /// ones.
  instant due(instant now);

  /// The write is through.
  journal_ack commit(const journal_batch& batch);

  [[nodiscard]] journal_contents read(const journal_read& what);

  /// All that ever became durable, oldest first, without `state`.
  [[nodiscard]] const std::vector<journal_entry>& entries() const {
    return entries_;
  }

  [[nodiscard]] const std::map<std::string, fields>& states() const {
    return file_.states;
  }

  /// Batches whose writer was told that they failed: what they said may be
  /// missing.
  [[nodiscard]] std::uint64_t failed() const { return failed_; }

private:
  void catch_up() const;
  [[nodiscard]] noted_time noted(instant at) const;
  [[nodiscard]] instant told(const noted_time& then) const;
  void store(const journal_batch& batch);

  dice dice_;
  std::vector<hook> hooks_;
  std::vector<journal_entry> entries_;
  journal_file file_; ///< the open one
  std::uint64_t files_ = 0;
  std::optional<journal_file> named_; ///< if another one has its name by now
  std::optional<journal_file> copy_;
  noted_time on_duty_;      ///< when a daemon noted last that it was
  noted_time worked_;       ///< as in `journal_contents`
  bool duty_noted_ = false; ///< anybody's duty ever was
  bool unnoted_ = false;    ///< as in `journal_contents`
  std::uint64_t machine_boots_ = 0;
  bool reboots_ = false;
  bool written_ = false; ///< in this life, and the last write did not fail
  std::uint64_t failed_ = 0;
  instant busy_until_;
};

} // namespace orderly::sim
