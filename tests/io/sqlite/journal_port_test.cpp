// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/port.hpp"
#include "tests/support/scratch.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch.hpp>

#include <atomic>
#include <csignal>
#include <memory>

#include <sys/resource.h>

namespace orderly::sqlite_journal_port_test {

namespace {

struct fixture {
  fixture() { s.journal.path = folder.path("j.db"); }

  journal_batch batch(std::uint64_t from, std::uint64_t count) {
    journal_batch b;
    for (auto seq = from; seq < from + count; ++seq) {
      journal_entry e;
      e.seq = seq;
      e.object = "node:n1";
      e.why = "because";
      e.state = fields{{{"seq", std::to_string(seq)}}};
      b.entries.push_back(std::move(e));
    }
    return b;
  }

  template <class Answer, class Question>
  Answer ask(const journal_port& port, Question question) {
    Answer answer;
    caf::scoped_actor self{system};
    self->request(port, seconds{30}, std::move(question))
      .receive([&](Answer& x) { answer = std::move(x); },
               [](caf::error& why) { FAIL(caf::to_string(why)); });
    return answer;
  }

  journal_ack append(const journal_port& port, journal_batch b) {
    return ask<journal_ack>(port, std::move(b));
  }

  journal_contents read(const journal_port& port) {
    return ask<journal_contents>(port, journal_read{10});
  }

  scratch_folder folder;
  settings s;
  caf::actor_system_config config;
  caf::actor_system system{config};
};

/// While it lives this process can write to no file, as on a full disk.
class full_disk {
public:
  full_disk() {
    before_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    auto none = limit_;
    none.rlim_cur = 0;
    ::setrlimit(RLIMIT_FSIZE, &none);
  }

  ~full_disk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;

private:
  void (*before_)(int) = SIG_DFL;
  rlimit limit_{};
};

} // namespace

TEST_CASE("the journal port keeps what it acknowledged") {
  fixture f;
  {
    auto port = io::spawn_sqlite_journal(f.system, f.s);
    auto empty = f.read(port);
    CHECK(empty.readable);
    CHECK(empty.last_seq == 0);
    CHECK(f.append(port, f.batch(1, 3)).durable);
    CHECK(f.append(port, f.batch(4, 1)).durable);
    caf::scoped_actor self{f.system};
    self->send_exit(port, caf::exit_reason::user_shutdown);
    self->wait_for(port);
  }
  auto port = io::spawn_sqlite_journal(f.system, f.s);
  auto found = f.read(port);
  REQUIRE(found.readable);
  CHECK(found.last_seq == 4);
  CHECK(found.recent.size() == 4);
  CHECK(found.states["node:n1"].text("seq") == "4");
}

TEST_CASE("the journal port writes nothing before it was read") {
  fixture f;
  auto port = io::spawn_sqlite_journal(f.system, f.s);
  auto ack = f.append(port, f.batch(1, 1));
  CHECK(!ack.durable);
  CHECK(ack.text.find("must be read first") != std::string::npos);
  CHECK(f.read(port).readable);
  CHECK(f.append(port, f.batch(1, 1)).durable);
}

TEST_CASE("batches behind a failed one fail too, until the next reading") {
  fixture f;
  auto port = io::spawn_sqlite_journal(f.system, f.s);
  REQUIRE(f.read(port).readable);
  REQUIRE(f.append(port, f.batch(1, 1)).durable);
  CHECK(!f.append(port, f.batch(1, 1)).durable);
  CHECK(!f.append(port, f.batch(2, 1)).durable);
  CHECK(f.read(port).last_seq == 1);
  CHECK(f.append(port, f.batch(2, 1)).durable);
}

TEST_CASE("more entries than may wait are refused, and those behind them") {
  fixture f;
  f.s.journal.queued_max = 10;
  auto port = io::spawn_sqlite_journal(f.system, f.s);
  REQUIRE(f.read(port).readable);
  auto ack = f.append(port, f.batch(1, 11));
  CHECK(!ack.durable);
  CHECK(ack.text.find("10 may") != std::string::npos);
  CHECK(!f.append(port, f.batch(12, 1)).durable);
  CHECK(f.read(port).last_seq == 0);
  CHECK(f.append(port, f.batch(1, 10)).durable);
}

TEST_CASE("a journal that cannot be opened is told, not waited for") {
  fixture f;
  f.s.journal.path = "/nonexistent/j.db";
  auto port = io::spawn_sqlite_journal(f.system, f.s);
  auto found = f.read(port);
  CHECK(!found.readable);
  CHECK(found.text.find("/nonexistent/j.db") != std::string::npos);
}

TEST_CASE("a journal that a disk keeps from being opened may be opened later") {
  fixture f;
  auto port = io::spawn_sqlite_journal(f.system, f.s);
  SECTION("a new one") {
    // nothing is there
  }
  SECTION("one that was used before") {
    auto before = io::spawn_sqlite_journal(f.system, f.s);
    REQUIRE(f.read(before).readable);
    REQUIRE(f.append(before, f.batch(1, 3)).durable);
    caf::scoped_actor self{f.system};
    self->send_exit(before, caf::exit_reason::user_shutdown);
    self->wait_for(before);
    before = nullptr;
  }
  {
    full_disk now;
    for (int i = 0; i < 3; ++i) {
      auto found = f.read(port);
      CHECK_FALSE(found.readable);
      CHECK(found.passing);
      CHECK_FALSE(found.lost);
      CHECK_FALSE(found.text.empty());
    }
  }
  auto found = f.read(port);
  CHECK(found.readable);
  CHECK(found.adopted == never);
  CHECK(found.damaged == never);
  CHECK(f.append(port, f.batch(found.last_seq + 1, 1)).durable);
}

TEST_CASE("a journal that is another's, or has no folder, is not waited for") {
  fixture f;
  auto first = io::spawn_sqlite_journal(f.system, f.s);
  REQUIRE(f.read(first).readable);
  auto second = f.read(io::spawn_sqlite_journal(f.system, f.s));
  CHECK_FALSE(second.readable);
  CHECK_FALSE(second.passing);
  f.s.journal.path = "/nonexistent/j.db";
  CHECK_FALSE(f.read(io::spawn_sqlite_journal(f.system, f.s)).passing);
}

TEST_CASE("what has to be done once the journal is ours is done once, before "
          "anybody hears of it") {
  fixture f;
  auto done = std::make_shared<std::atomic<int>>(0);
  auto port = io::spawn_sqlite_journal(f.system, f.s, [done] { ++*done; });
  {
    full_disk now;
    CHECK_FALSE(f.read(port).readable);
    CHECK(*done == 0);
  }
  CHECK(f.read(port).readable);
  CHECK(*done == 1);
  CHECK(f.read(port).readable);
  CHECK(*done == 1);
}

TEST_CASE("many batches at once are written in the order of arrival") {
  fixture f;
  auto port = io::spawn_sqlite_journal(f.system, f.s);
  REQUIRE(f.read(port).readable);
  constexpr std::uint64_t batches = 200;
  std::size_t durable = 0;
  std::size_t answered = 0;
  caf::scoped_actor self{f.system};
  // Batches out of order would be refused: numbers must grow.
  for (std::uint64_t i = 0; i < batches; ++i)
    self->send(port, f.batch(1 + i * 5, 5));
  self->receive_for(answered, std::size_t{batches})(
    [&](journal_ack& ack) { durable += ack.durable ? 1 : 0; });
  CHECK(durable == batches);
  CHECK(f.read(port).last_seq == batches * 5);
}

TEST_CASE("the port may be dropped while it writes") {
  fixture f;
  for (int round = 0; round < 5; ++round) {
    auto port = io::spawn_sqlite_journal(f.system, f.s);
    caf::anon_send(port, journal_read{1});
    for (std::uint64_t i = 1; i <= 20; ++i)
      caf::anon_send(port, f.batch(i, 1));
    if (round % 2 == 0)
      caf::anon_send_exit(port, caf::exit_reason::kill);
  }
  f.system.await_all_actors_done();
  auto port = io::spawn_sqlite_journal(f.system, f.s);
  CHECK(f.read(port).readable);
}

} // namespace orderly::sqlite_journal_port_test
