// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/journal.hpp"

#include "io/sqlite/database.hpp"
#include "io/sqlite/epoch_file.hpp"
#include "io/sqlite/lock_file.hpp"
#include "io/sqlite/schema.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>

#include <fmt/core.h>

namespace orderly::io {

namespace {

std::string to_json(const fields& state) {
  auto object = nlohmann::json::object();
  for (auto& [name, value] : state.all())
    object[name] = value;
  // Text that is not UTF-8 has no place in JSON: its bytes are replaced.
  using handler = nlohmann::json::error_handler_t;
  return object.dump(-1, ' ', false, handler::replace);
}

fields from_json(const std::string& key, const std::string& text) {
  auto object = nlohmann::json::parse(text, nullptr, false);
  fields out;
  if (!object.is_object())
    throw refusal{fault_kind::bad_input,
                  "the state of " + key + " is no JSON object"};
  for (auto& [name, value] : object.items()) {
    if (!value.is_string())
      throw refusal{fault_kind::bad_input,
                    "the state of " + key + " holds more than texts"};
    out.put(name, value.get_ref<const std::string&>());
  }
  return out;
}

entry_kind kind_of(const std::string& text) {
  constexpr std::array all{entry_kind::decision, entry_kind::intent,
                           entry_kind::outcome, entry_kind::alert,
                           entry_kind::note};
  for (auto kind : all)
    if (text == to_string(kind))
      return kind;
  throw refusal{fault_kind::bad_input,
                "an entry is of the unknown kind '" + text + "'"};
}

void trim(database& db, std::uint32_t keep) {
  statement find{db, "SELECT seq FROM entries ORDER BY seq DESC "
                     "LIMIT 1 OFFSET ?"};
  find.bind(1, std::int64_t{keep});
  if (!find.step())
    return;
  auto through = find.number(0);
  find.reset();
  db.run("BEGIN IMMEDIATE");
  statement remove{db, "DELETE FROM entries WHERE seq <= ?"};
  remove.bind(1, through);
  remove.run();
  statement note{db, "UPDATE meta SET value = ? WHERE key = 'trimmed_through'"};
  note.bind(1, through);
  note.run();
  db.run("COMMIT");
}

} // namespace

struct journal_file::content {
  explicit content(const std::string& path)
    : lock(path + ".lock"), db(guarded(path)) {
    // nop
  }

  const std::string& guarded(const std::string& path) const {
    if (!lock.taken())
      throw refusal{fault_kind::refused, lock.text()};
    check_header(path);
    return path;
  }

  void prepare(std::uint32_t keep_entries) {
    // A refused file shall stay as it is, also when it is closed.
    abandon();
    constexpr int lock_wait_ms = 5000;
    sqlite3_busy_timeout(db.handle(), lock_wait_ms);
    db.run("PRAGMA synchronous = FULL");
    if (identify(db))
      create_tables(db);
    verify(db);
    configure(db);
    trim(db, keep_entries);
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0,
                      nullptr);
    last_seq = static_cast<std::uint64_t>(
      db.number("SELECT max((SELECT ifnull(max(seq), 0) FROM entries), "
                "(SELECT ifnull(max(value), 0) FROM meta "
                "WHERE key = 'trimmed_through'))"));
  }

  /// What is at the path by now is not touched when we close.
  void abandon() {
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                      nullptr);
  }

  void insert(const journal_entry& e) {
    constexpr auto seq_max
      = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (e.seq <= last_seq || e.seq > seq_max)
      throw refusal{
        fault_kind::refused,
        fmt::format("entry {} cannot follow entry {}", e.seq, last_seq)};
    statement s{db, "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"};
    s.bind(1, static_cast<std::int64_t>(e.seq));
    s.bind(2, to_ms(e.at));
    s.bind(3, to_string(e.kind));
    s.bind(4, e.object);
    s.bind(5, e.incident);
    s.bind(6, e.intent);
    s.bind(7, e.code);
    s.bind(8, e.why);
    s.run();
    last_seq = e.seq;
  }

  void keep_state(const journal_entry& e) {
    if (!e.state)
      return;
    auto& key = e.state_key.empty() ? e.object : e.state_key;
    statement s{db, e.state->empty() ? "DELETE FROM states WHERE key = ?"
                                     : "INSERT INTO states VALUES (?, ?) "
                                       "ON CONFLICT (key) DO UPDATE "
                                       "SET json = excluded.json"};
    s.bind(1, key);
    if (!e.state->empty())
      s.bind(2, to_json(*e.state));
    s.run();
  }

  /// 0: it was never set.
  std::int64_t meta(const char* key) {
    return db.number(fmt::format("SELECT ifnull(max(value), 0) FROM meta "
                                 "WHERE key = '{}'",
                                 key)
                       .c_str());
  }

  void set_meta(const char* key, std::int64_t value) {
    db.run(
      fmt::format("INSERT OR REPLACE INTO meta VALUES ('{}', {})", key, value)
        .c_str());
  }

  journal_contents read(std::uint32_t recent_max) {
    journal_contents out;
    out.adopted = from_ms(meta("adopted"));
    statement states{db, "SELECT key, json FROM states"};
    while (states.step())
      out.states[states.text(0)] = from_json(states.text(0), states.text(1));
    statement recent{db, "SELECT seq, at_ms, kind, object, incident, intent, "
                         "code, why FROM entries ORDER BY seq DESC LIMIT ?"};
    recent.bind(1, std::int64_t{recent_max});
    while (recent.step()) {
      journal_entry e;
      e.seq = static_cast<std::uint64_t>(recent.number(0));
      e.at = from_ms(recent.number(1));
      e.kind = kind_of(recent.text(2));
      e.object = recent.text(3);
      e.incident = recent.text(4);
      e.intent = recent.text(5);
      e.code = recent.text(6);
      e.why = recent.text(7);
      out.recent.push_back(std::move(e));
    }
    std::reverse(out.recent.begin(), out.recent.end());
    out.last_seq = last_seq;
    out.readable = true;
    return out;
  }

  lock_file lock;
  database db;
  std::uint64_t last_seq = 0;
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
  auto ours = fresh.meta("epoch");
  if (seen > ours)
    lose(fmt::format("it is from start {} of orderlyd and {} says that there "
                     "were {}: it was put back from a backup, or is new, and "
                     "does not know what was begun since. Put the newest one "
                     "back, or look that no job and no power command of ours "
                     "is under way, remove {} and start orderlyd",
                     ours, beside, seen, beside));
  fresh.set_meta("epoch", ours + 1);
  // Somebody removed the number, as the refusal above says.
  if (seen == 0 && ours > 0)
    fresh.set_meta("adopted", to_ms(std::chrono::floor<millis>(
                                std::chrono::system_clock::now())));
  write_epoch(beside, ours + 1);
}

result<std::uint64_t> journal_file::open() {
  try {
    close();
    if (lost())
      throw refusal{fault_kind::refused, lost_};
    if (auto what = place_.replaced(); !what.empty())
      lose(what + "; it is not opened again in this life of orderlyd");
    auto fresh = std::make_unique<content>(path_);
    fresh->prepare(keep_entries_);
    if (!alive_)
      begin_life(*fresh);
    if (fresh->last_seq < known_)
      lose(fmt::format("it ends with entry {} and we wrote entry {}: it was "
                       "put back from a backup",
                       fresh->last_seq, known_));
    alive_ = true;
    known_ = fresh->last_seq;
    content_ = std::move(fresh);
    place_.settle();
    return content_->last_seq;
  } catch (const std::exception& error) {
    return failure(error, "open it");
  }
}

result<std::uint64_t> journal_file::append(const journal_batch& batch) {
  if (!content_)
    return fault{fault_kind::refused,
                 "journal " + path_
                   + ": it is closed since it was not read yet or a write "
                     "failed; it must be read first"};
  bool committing = false;
  try {
    if (batch.entries.empty())
      return content_->last_seq;
    check_place();
    content_->db.run("BEGIN IMMEDIATE");
    for (auto& e : batch.entries) {
      content_->insert(e);
      content_->keep_state(e);
    }
    committing = true;
    content_->db.run("COMMIT");
    // Between the look and the commit it may have gone.
    if (auto what = place_.replaced(); !what.empty())
      lose(what + " while we wrote to it");
    place_.settle();
    known_ = content_->last_seq;
    return known_;
  } catch (const std::exception& error) {
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
    return content_->read(recent_max);
  } catch (const std::exception& error) {
    auto why = failure(error, "read it");
    close();
    return why;
  }
}

} // namespace orderly::io
