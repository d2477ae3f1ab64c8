// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/journal.hpp"

#include "io/ownership/path.hpp"
#include "io/sqlite/database.hpp"
#include "io/sqlite/epoch_file.hpp"
#include "io/sqlite/lock_file.hpp"
#include "io/sqlite/salvage.hpp"
#include "io/sqlite/schema.hpp"
#include "io/sqlite/tables.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <sys/stat.h>

namespace orderly::io {

namespace {

/// The lock lies beside the name: another name of the file has another one.
std::string why_shared(const std::string& path) {
  struct stat x {};

  if (::lstat(path.c_str(), &x) != 0)
    return {};
  if (S_ISLNK(x.st_mode))
    return path
           + " is a symbolic link, and another orderlyd could use its file by "
             "another name: let journal.path name the file itself";
  if (x.st_nlink > 1)
    return fmt::format("{} has {} names, and another orderlyd could use it by "
                       "another one: remove its other links",
                       path, x.st_nlink);
  return {};
}

void note_adopted(tables& rows) {
  auto now = time_of_now();
  rows.set_meta("adopted", now.time);
  rows.set_meta("adopted_uptime", now.uptime);
  rows.set_meta("adopted_boot", now.boot);
}

instant adopted_in(tables& rows) {
  return time_of({rows.meta("adopted"), rows.meta("adopted_uptime"),
                  rows.meta("adopted_boot")});
}

} // namespace

struct journal_file::content {
  explicit content(const std::string& path)
    : lock(closed(path) + ".lock"), db(guarded(path)) {
    // nop
  }

  /// A checksum is no seal: whoever can write one of its files can take back a
  /// pause, or have a whole journal refused.
  static const std::string& closed(const std::string& path) {
    for (const auto* beside : {"", ".lock", ".epoch", "-wal", "-shm"})
      if (auto doubt = doubt_file(path + beside); !doubt.text.empty())
        throw refusal{fault_kind::refused, doubt.text};
    // SQLite would not follow them: no wait for the disk helps.
    std::error_code none;
    for (const auto* beside : {"-wal", "-shm"})
      if (std::filesystem::is_symlink(path + beside, none))
        throw refusal{fault_kind::refused,
                      path + beside
                        + " is a symbolic link: put the file itself there"};
    if (auto why = why_shared(path); !why.empty())
      throw refusal{fault_kind::refused, why};
    return path;
  }

  const std::string& guarded(const std::string& path) const {
    if (!lock.taken())
      throw refusal{lock.kind(), lock.text()};
    check_header(path);
    return path;
  }

  /// Checks all of it, and lets `judge` do so too. A refused file shall stay as
  /// it is, with its log, also when it is closed.
  template <class Judge>
  void prepare(Judge judge) {
    abandon();
    constexpr int lock_wait_ms = 5000;
    sqlite3_busy_timeout(db.handle(), lock_wait_ms);
    db.run("PRAGMA synchronous = FULL");
    auto age = identify(db);
    if (age == file_age::empty)
      create_tables(db);
    verify(db);
    if (age == file_age::without_checksums)
      add_checksums(db);
    rows.verify();
    judge();
    configure(db);
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0,
                      nullptr);
  }

  void trim(std::uint32_t keep) {
    db.run("BEGIN IMMEDIATE");
    rows.trim(keep);
    rows.seal();
    db.run("COMMIT");
  }

  /// What is at the path by now is not touched when we close.
  void abandon() {
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                      nullptr);
  }

  lock_file lock;
  database db;
  tables rows{db};
};

journal_file::journal_file(std::string path, std::uint32_t keep_entries)
  : path_(std::move(path)), keep_entries_(keep_entries), place_(path_) {
  // nop
}

journal_file::~journal_file() = default;

void journal_file::close() {
  content_.reset();
}

fault journal_file::failure(const std::exception& error,
                            const char* doing) const {
  auto say = [&](fault_kind kind, const char* advice) {
    return fault{kind, fmt::format("journal {}: cannot {}: {}{}", path_, doing,
                                   error.what(), advice)};
  };
  if (auto refused = dynamic_cast<const refusal*>(&error))
    return say(refused->kind, "");
  auto sqlite = dynamic_cast<const sqlite_error*>(&error);
  if (!sqlite)
    return say(fault_kind::internal, "");
  if (sqlite->damaged())
    return say(fault_kind::bad_input,
               "; the file is damaged or no journal: restore a copy, or move "
               "it away to start with an empty one");
  if ((sqlite->code() & 0xff) == SQLITE_BUSY)
    return say(fault_kind::refused, "; another program uses the file");
  return say(fault_kind::io, "; is the disk healthy, not full and writable?");
}

void journal_file::lose(std::string why) {
  lost_ = std::move(why);
  throw refusal{fault_kind::refused, lost_};
}

void journal_file::check_place() {
  if (auto what = place_.changed(); !what.empty())
    lose(what
         + "; what would be written now nobody could find again. Put the "
           "file back if it was only moved, or begin anew, knowing that "
           "pause, budget and open intents are forgotten; then start "
           "orderlyd");
}

void journal_file::begin_life(content& fresh) {
  auto beside = path_ + ".epoch";
  auto seen = read_epoch(beside);
  auto ours = fresh.rows.meta("epoch");
  if (seen > ours)
    lose(fmt::format("it is from start {} of orderlyd and {} says that there "
                     "were {}: it was put back from a backup, or is new, and "
                     "does not know what was begun since. Put the newest one "
                     "back, or look that no job and no power command of ours "
                     "is under way, remove {} and start orderlyd",
                     ours, beside, seen, beside));
  fresh.rows.set_meta("epoch", ours + 1);
  note_version(fresh.rows);
  // Somebody removed the number, as the refusal above says.
  if (seen == 0 && ours > 0)
    note_adopted(fresh.rows);
  write_epoch(beside, ours + 1);
}

/// SQLite takes a log for ended where it is damaged, and what was committed
/// behind that is gone.
void journal_file::check_tail(content& fresh) const {
  auto epoch = read_epoch(path_ + ".epoch");
  if (epoch == 0 || epoch != fresh.rows.meta("epoch"))
    return; // another file, or one that a person had taken: judged elsewhere
  auto told = fresh.lock.noted();
  if (told == 0 && fresh.rows.meta("numbered") != 0)
    throw damaged_rows{fmt::format("how far it went is not known: {}.lock, "
                                   "which says that, was removed or is not as "
                                   "it was written",
                                   path_)};
  if (told > fresh.rows.last_seq())
    throw damaged_rows{fmt::format("it ends with entry {}, and entry {} was "
                                   "acknowledged",
                                   fresh.rows.last_seq(), told)};
}

std::unique_ptr<journal_file::content> journal_file::open_content() {
  auto fresh = std::make_unique<content>(path_);
  if (auto then = fresh->lock.noted_duty(); !alive_ && then.time != 0)
    worked_ = then;
  fresh->prepare([&] {
    if (!alive_)
      check_tail(*fresh);
  });
  if (!alive_)
    unnoted_ = !fresh->lock.notes_duty()
               && (fresh->lock.noted() > 0 || fresh->rows.last_seq() > 0);
  return fresh;
}

/// Nothing that was begun may be forgotten in silence, and host HA must not
/// stop for one bit: what can be relied on goes on in a new file, paused.
std::unique_ptr<journal_file::content>
journal_file::begin_anew(const std::string& why) {
  auto beside = path_ + ".epoch";
  auto kept = salvage(path_);
  auto epoch = std::max(read_epoch(beside), kept.epoch) + 1;
  // From here on, whatever comes between, the old file is not taken for whole.
  write_epoch(beside, epoch);
  auto place = set_aside(path_);
  auto fresh = open_content();
  fresh->db.run("BEGIN IMMEDIATE");
  for (const auto& e : kept.entries)
    fresh->rows.insert(e);
  for (const auto& [key, state] : kept.states)
    fresh->rows.keep_state(key, state);
  fresh->rows.seal();
  note_adopted(fresh->rows);
  fresh->rows.set_meta("damaged", fresh->rows.meta("adopted"));
  fresh->rows.set_meta("epoch", epoch);
  note_version(fresh->rows);
  fresh->db.run("COMMIT");
  fresh->lock.note(fresh->rows.last_seq());
  damage_ = fmt::format(
    "the journal was damaged: {}. The damaged file was kept as {}; {} states "
    "and {} entries were as they had been written and go on in a new one, {} "
    "were not{}. Budget, pause and open intents may be forgotten: so orderlyd "
    "is paused. Look that no job and no power command of ours is under way, "
    "then say 'orderly resume'; or stop orderlyd, put back a copy that is "
    "whole, and remove {}",
    why, place, kept.states.size(), kept.entries.size(), kept.bad_rows,
    kept.cut_short ? " and others could not be read" : "", beside);
  return fresh;
}

std::unique_ptr<journal_file::content> journal_file::first_content() {
  std::string why;
  try {
    auto fresh = open_content();
    fresh->trim(keep_entries_);
    begin_life(*fresh);
    return fresh;
  } catch (const damaged_rows& error) {
    why = error.what();
  } catch (const sqlite_error& error) {
    // What does not fit its tables: they are not as they were made.
    if (!error.damaged() && error.code() != SQLITE_ERROR)
      throw;
    why = error.what();
  }
  // The number beside it shows that there was a journal of ours.
  if (read_epoch(path_ + ".epoch") == 0)
    throw sqlite_error{SQLITE_CORRUPT, why};
  return begin_anew(why);
}

result<std::uint64_t> journal_file::open() {
  try {
    close();
    if (lost())
      throw refusal{fault_kind::refused, lost_};
    if (auto what = place_.replaced(); !what.empty())
      lose(what + "; it is not opened again in this life of orderlyd");
    auto fresh = alive_ ? open_content() : first_content();
    auto last_seq = fresh->rows.last_seq();
    if (last_seq < known_)
      lose(fmt::format("it ends with entry {} and we wrote entry {}: it was "
                       "put back from a backup",
                       last_seq, known_));
    alive_ = true;
    known_ = last_seq;
    content_ = std::move(fresh);
    place_.settle();
    return known_;
  } catch (const std::exception& error) {
    return failure(error, "open it");
  }
}

void journal_file::note_duty(duty x) {
  auto lasts = std::exchange(duty_, x) == x;
  if (!content_ || !lasts || x == duty::unknown)
    return;
  if (x == duty::ours && !written_)
    return;
  content_->lock.note_duty(x == duty::ours ? time_of_now() : known_time{});
  worked_ = {};
  unnoted_ = false;
}

result<std::uint64_t> journal_file::append(const journal_batch& batch) {
  if (!content_)
    return fault{fault_kind::refused,
                 "journal " + path_
                   + ": it is closed since it was not read yet or a write "
                     "failed; it must be read first"};
  bool committing = false;
  try {
    auto& rows = content_->rows;
    if (batch.entries.empty())
      return rows.last_seq();
    check_place();
    content_->db.run("BEGIN IMMEDIATE");
    // From here on a journal without a readable number is not whole.
    auto numbers
      = !numbered_ && known_ > 0 && content_->lock.note(known_, true);
    if (numbers)
      rows.set_meta("numbered", 1);
    for (auto& e : batch.entries) {
      rows.insert(e);
      if (e.state)
        rows.keep_state(e.state_key.empty() ? e.object : e.state_key, *e.state);
    }
    rows.seal();
    committing = true;
    content_->db.run("COMMIT");
    numbered_ = numbered_ || numbers;
    // Between the look and the commit it may have gone.
    if (auto what = place_.replaced(); !what.empty())
      lose(what + " while we wrote to it");
    place_.settle();
    known_ = rows.last_seq();
    content_->lock.note(known_);
    written_ = true;
    return known_;
  } catch (const std::exception& error) {
    written_ = false;
    auto why = failure(error, committing ? "commit" : "append");
    if (committing)
      why.kind = fault_kind::unknown_outcome;
    if (lost())
      content_->abandon();
    close();
    return why;
  }
}

result<journal_contents> journal_file::read(std::uint32_t recent_max) {
  if (!content_)
    if (auto opened = open(); !opened)
      return opened.why();
  try {
    auto found = content_->rows.read(recent_max);
    found.adopted = adopted_in(content_->rows);
    found.damage = damage_;
    found.worked = time_of(worked_);
    found.reboot = is_of_other_start(worked_);
    found.unnoted = unnoted_;
    return found;
  } catch (const std::exception& error) {
    auto why = failure(error, "read it");
    close();
    return why;
  }
}

} // namespace orderly::io
