// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was decided, before it is done: the journal actor above a port that is
// slow, lies still, or does not know itself what it has written.

#include "tests/actors/journal/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::journal_test {

namespace {

journal_entry entry(const std::string& code) {
  journal_entry e;
  e.kind = entry_kind::decision;
  e.object = "node:node1";
  e.code = code;
  e.why = "because";
  return e;
}

journal_entry remembering(const std::string& key, const std::string& value) {
  auto e = entry(value);
  e.state_key = key;
  e.state = value.empty() ? fields{} : fields{{{"is", value}}};
  return e;
}

struct rig : journal_rig {
  using journal_rig::journal_rig;

  pending<journal_ack> add(const std::string& code) {
    return on.ask<journal_ack>(actor, append{{entry(code)}});
  }

  pending<recalled> recall_of(const std::string& key, bool is_prefix = false) {
    return on.ask<recalled>(actor, recall{key, is_prefix});
  }

  /// Codes and numbers of all that is on disk: "a1 b2".
  std::string written() const {
    std::string result;
    for (const auto& e : disk->entries)
      result += (result.empty() ? "" : " ") + e.code + std::to_string(e.seq);
    return result;
  }

  /// Every write takes a second.
  void slow_down() {
    disk->writes.answer = [this](const journal_batch& batch) {
      disk->write(batch);
      return says(journal_ack{true, {}}, seconds{1});
    };
  }
};

settings with(std::uint32_t batch_max, std::uint32_t queued_max) {
  settings s;
  s.journal.batch_max = batch_max;
  s.journal.queued_max = queued_max;
  return s;
}

} // namespace

TEST_CASE("a state is told by the calendar of now, however that was set since "
          "it was written") {
  rig b;
  clock_offsets offsets{hours{1}, hours{400'000}};
  b.on.ctx()->watch([&offsets] { return offsets; }, "boot-1");
  auto t = from_ms(1'767'225'600'000);
  auto keep = [&](const std::string& key) {
    auto e = remembering(key, "1");
    e.state->put("at", t);
    b.on.ask<journal_ack>(b.actor, append{{std::move(e)}});
    b.on.settle();
  };
  keep("job:old");
  offsets.wall -= minutes{4};
  b.on.ctx()->settle_clocks(b.on.clock_now());
  keep("job:young");
  auto heard = b.recall_of("job:", true);
  b.on.settle();
  REQUIRE(heard);
  CHECK(heard->states.at("job:old").when("at") == t - minutes{4});
  CHECK(heard->states.at("job:young").when("at") == t);
  CHECK(heard->undated.empty());
  // Else as it was given.
  CHECK(heard->states.at("job:young").all().size() == 2);
}

TEST_CASE("an append is answered after the commit and not before") {
  rig b;
  b.slow_down();
  auto a = b.add("a");
  b.on.run_for(millis{999});
  CHECK_FALSE(a);
  CHECK(b.seen->entries.empty());
  b.on.run_for(millis{1});
  REQUIRE(a);
  CHECK(a->durable);
  REQUIRE(b.seen->entries.size() == 1);
  CHECK(b.seen->entries[0].code == "a");
}

TEST_CASE("no row holds more words than anybody reads") {
  rig b;
  auto loud = entry("loud");
  loud.why = std::string(1'000'000, 'x');
  auto done = b.on.ask<journal_ack>(b.actor, append{{loud}});
  b.on.run_for(seconds{5});
  REQUIRE(done);
  REQUIRE(b.disk->entries.size() == 1);
  const auto& why = b.disk->entries.front().why;
  CHECK(why.size() < 33'000);
  CHECK(why.ends_with("... (1000000 bytes)"));
}

TEST_CASE("entries keep the order of the appends and are numbered on") {
  rig b;
  b.slow_down();
  for (const auto* code : {"a", "b", "c", "d"})
    b.add(code);
  b.on.run_for(seconds{5});
  CHECK(b.written() == "a1 b2 c3 d4");
}

TEST_CASE("appends that come during a commit share the next one") {
  rig b;
  b.slow_down();
  auto a = b.add("a");
  auto c = b.add("b");
  auto d = b.add("c");
  CHECK(b.disk->writes.asked.size() == 1);
  b.on.run_for(seconds{1});
  CHECK(a);
  CHECK_FALSE(c);
  REQUIRE(b.disk->writes.asked.size() == 2);
  CHECK(b.disk->writes.asked[1].entries.size() == 2);
  b.on.run_for(seconds{1});
  CHECK(c);
  CHECK(d);
}

TEST_CASE("a commit holds no more entries than the rules allow") {
  rig b{with(2, 100)};
  b.slow_down();
  for (const auto* code : {"a", "b", "c", "d", "e", "f"})
    b.add(code);
  b.on.run_for(seconds{10});
  CHECK(b.written() == "a1 b2 c3 d4 e5 f6");
  REQUIRE(b.disk->writes.asked.size() == 4); // a, bc, de, f
  for (const auto& batch : b.disk->writes.asked)
    CHECK(batch.entries.size() <= 2);
}

TEST_CASE("a full queue refuses at once and says so") {
  rig b{with(10, 2)};
  b.slow_down();
  b.add("a"); // under way
  auto x = b.add("b");
  auto y = b.add("c");
  auto z = b.add("d");
  REQUIRE(z);
  CHECK_FALSE(z->durable);
  CHECK(z->text == "the journal's queue is full");
  b.on.run_for(seconds{5});
  CHECK(x->durable);
  CHECK(y->durable);
  CHECK(b.written() == "a1 b2 c3");
  b.add("e"); // there is room again
  b.on.run_for(seconds{5});
  CHECK(b.written() == "a1 b2 c3 e4");
}

TEST_CASE("a failed commit that is there all the same is not written again") {
  rig b;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{false, "input/output error"});
  };
  auto a = b.add("a");
  b.on.run_for(minutes{1});
  REQUIRE(a);
  CHECK(a->durable);
  CHECK(b.disk->writes.asked.size() == 1);
  CHECK(b.written() == "a1");
}

TEST_CASE("a failed commit that is not there is written again") {
  rig b;
  auto failures = 2;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    if (failures-- > 0)
      return says(journal_ack{false, "input/output error"});
    b.disk->write(batch);
    return says(journal_ack{true, {}});
  };
  auto a = b.add("a");
  CHECK_FALSE(a);
  b.on.run_for(minutes{1});
  REQUIRE(a);
  CHECK(a->durable);
  CHECK(b.disk->writes.asked.size() == 3);
  CHECK(b.written() == "a1");
}

TEST_CASE("nothing overtakes a commit whose outcome is unknown") {
  rig b;
  auto failures = 1;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    if (failures-- > 0)
      return says(journal_ack{false, "input/output error"});
    b.disk->write(batch);
    return says(journal_ack{true, {}});
  };
  b.add("a");
  b.add("b");
  b.on.run_for(minutes{1});
  CHECK(b.written() == "a1 b2");
}

TEST_CASE("a commit is not repeated before the disk could be read back") {
  rig b;
  // There, although it was said to have failed; and then nothing can be read.
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{false, "input/output error"});
  };
  auto read = b.disk->reads.answer;
  b.disk->reads.answer
    = [](const journal_read&) { return says(journal_contents{}); };
  auto a = b.add("a");
  b.on.run_for(minutes{1});
  auto c = b.add("b"); // no reason to try again either
  b.on.run_for(minutes{1});
  CHECK_FALSE(a);
  CHECK(b.disk->writes.asked.size() == 1);
  b.disk->reads.answer = read;
  b.on.run_for(minutes{1});
  CHECK(a);
  CHECK(c);
  CHECK(b.written() == "a1 b2 journal-stuck3");
}

TEST_CASE("a port that never answers is asked what it has, and written again") {
  rig b;
  auto hangs = 1;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    if (hangs-- > 0)
      return reply<journal_ack>{};
    b.disk->write(batch);
    return says(journal_ack{true, {}});
  };
  auto a = b.add("a");
  b.on.run_for(b.on.rules().journal.timeout - millis{1});
  CHECK(b.disk->reads.asked.size() == 1); // at its start
  b.on.run_for(seconds{5});
  CHECK(b.disk->reads.asked.size() == 2);
  REQUIRE(a);
  CHECK(b.written() == "a1");
}

TEST_CASE("the newest state of an object is kept, and forgotten when empty") {
  rig b;
  b.on.ask<journal_ack>(
    b.actor, append{{remembering("node:a", "1"), remembering("node:b", "2"),
                     remembering("job:a", "3"), remembering("node:a", "4")}});
  auto one = b.recall_of("node:a");
  REQUIRE(one);
  REQUIRE(one->states.size() == 1);
  CHECK(one->states.at("node:a").text("is") == "4");
  auto all = b.recall_of("node:", true);
  REQUIRE(all);
  CHECK(all->states.size() == 2);
  b.on.ask<journal_ack>(b.actor, append{{remembering("node:a", "")}});
  CHECK(b.recall_of("node:a")->states.empty());
}

TEST_CASE("a new journal goes on where the one before stopped") {
  rig b;
  b.on.ask<journal_ack>(b.actor, append{{remembering("node:a", "x")}});
  b.add("b");
  b.on.kill(b.actor);
  b.start();
  CHECK(b.recall_of("node:a")->states.at("node:a").text("is") == "x");
  b.add("c");
  CHECK(b.written() == "x1 b2 c3");
}

TEST_CASE("what comes before the journal could be read waits for it") {
  rig b;
  b.on.kill(b.actor);
  b.disk->write({{remembering("node:a", "x")}});
  b.disk->entries.back().seq = 7;
  auto read = b.disk->reads.answer;
  b.disk->reads.answer
    = [](const journal_read&) { return says(journal_contents{}); };
  b.start();
  auto asked = b.recall_of("node:a");
  auto a = b.add("a");
  b.on.run_for(minutes{1});
  CHECK_FALSE(asked);
  CHECK_FALSE(a);
  CHECK(b.disk->writes.asked.empty());
  b.disk->reads.answer = read;
  b.on.run_for(minutes{1});
  REQUIRE(asked);
  CHECK(asked->states.size() == 1);
  CHECK(a);
  CHECK(b.written() == "x7 a8 journal-stuck9");
}

TEST_CASE("when its file is taken away nothing is acknowledged any more, all "
          "who hear are told, and it ends") {
  rig b;
  b.disk->writes.answer = [](const journal_batch&) {
    return says(journal_ack{false, "somebody removed it", true});
  };
  auto a = b.add("a");
  b.on.run_for(seconds{10});
  auto later = b.add("b");
  b.on.run_for(seconds{10});
  CHECK_FALSE(a);
  CHECK_FALSE(later);
  CHECK_FALSE(a.failed());
  CHECK(b.disk->writes.asked.size() == 1);
  CHECK(b.on.ctx()->forbidden() == "somebody removed it");
  CHECK(b.on.ctx()->why_not() == "somebody removed it");
  REQUIRE_FALSE(b.seen->entries.empty());
  CHECK(b.seen->entries.back().kind == entry_kind::alert);
  CHECK(b.seen->entries.back().code == "journal-lost");
  CHECK(b.seen->entries.back().why == "somebody removed it");
  b.on.run_for(b.on.rules().journal.lost_linger);
  CHECK_FALSE(a);
  CHECK(b.add("c").failed()); // it is gone, and with it the core
}

TEST_CASE("a file from a backup that is found on reading back is not ours") {
  rig b;
  b.disk->writes.answer = [](const journal_batch&) {
    return says(journal_ack{false, "input/output error"});
  };
  b.disk->reads.answer = [](const journal_read&) {
    journal_contents x;
    x.text = "it was put back from a backup";
    x.lost = true;
    return says(x);
  };
  auto a = b.add("a");
  b.on.run_for(seconds{10});
  CHECK_FALSE(a);
  CHECK(b.on.ctx()->forbidden() == "it was put back from a backup");
  CHECK(b.disk->writes.asked.size() == 1);
}

} // namespace orderly::journal_test
