// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How old what an instance's actor knows may be when its policy is asked.

#include "actors/instance/seen.hpp"
#include "actors/power/oob.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::instance_seen_test {

namespace {

struct rig {
  rig() {
    st.ctx = on.ctx();
    st.facts.emplace();
    st.facts->record.name = "x";
    st.room = autorepair::room_view{true, {}, {}};
    st.room_at = start;
  }

  [[nodiscard]] const settings& rules() { return *st.ctx->rules(); }

  /// It runs on n1, and its mirror is on n2.
  instance_facts& mirrored() {
    auto& facts = *st.facts;
    facts.record.disks = disk_template::drbd;
    facts.record.admin = admin_state::up;
    facts.record.primary = "n1";
    facts.record.secondaries = {"n2"};
    return facts;
  }

  /// Is what was answered about room still known so long after that?
  [[nodiscard]] bool knows_room(millis later) {
    return instance_parts::seen(st, start + later).room.has_value();
  }

  stage on;
  instance_state st;
  instant start{hours{470'000}};
};

} // namespace

TEST_CASE(
  "what was answered about room is good while a job's last looks last") {
  rig b;
  auto most = b.rules().autorepair.room_max_age;
  auto looks = power_patience(b.rules());
  CHECK(b.knows_room(most));
  CHECK_FALSE(b.knows_room(most + seconds{1}));
  b.st.machine.intent = "a";
  b.st.headed = "a";
  b.st.headed_at = b.start + most;
  CHECK(b.knows_room(most + looks));
  CHECK_FALSE(b.knows_room(most + looks + seconds{1}));

  SECTION("and no longer once it was held back, or for a job of before") {
    b.st.headed_at = never;
    CHECK_FALSE(b.knows_room(most + seconds{1}));
  }
  SECTION("nor for another job") {
    b.st.machine.intent = "b";
    CHECK_FALSE(b.knows_room(most + seconds{1}));
  }
}

TEST_CASE("one answer that a copy is faulty counts for ever once its home was "
          "heard after it") {
  rig b;
  auto& facts = b.mirrored();
  facts.standings["n1"].node = "n1";
  facts.mirror_fault = {{"disk/0", false, "n2"}};
  facts.mirror_seen = 1;
  facts.mirror_read_at = b.start;
  facts.mirror_heard_at = b.start + seconds{6};
  auto at = facts.mirror_heard_at + seconds{1};
  auto fault = to_string(facts.mirror_fault);

  SECTION("nobody has asked it since") {
    auto seen = instance_parts::seen(b.st, at);
    CHECK(seen.copy_fault == fault);
    CHECK(seen.copy_pending);
    CHECK(instance_parts::next_look(b.st, at) > at);
  }
  SECTION("its checks passed since") {
    at += minutes{5};
    auto seen = instance_parts::seen(b.st, at);
    CHECK(seen.copy_fault == fault);
    CHECK_FALSE(seen.copy_pending);
    CHECK(instance_parts::next_look(b.st, at) == never);
  }
  SECTION("it was heard last after the question and before the answer") {
    facts.standings["n1"].unheard_since = at;
    facts.standings["n1"].heard_at = b.start + seconds{3};
    CHECK(instance_parts::seen(b.st, at).copy_fault.empty());
  }
  SECTION("it was heard after the answer, and then no more") {
    facts.standings["n1"].unheard_since = at;
    facts.standings["n1"].heard_at = facts.mirror_heard_at + millis{1};
    auto seen = instance_parts::seen(b.st, at);
    CHECK(seen.copy_fault == fault);
    CHECK_FALSE(seen.copy_pending);
  }
}

TEST_CASE("a copy was alone with a home of which nobody knows what it did") {
  rig b;
  auto& facts = b.mirrored();
  auto& home = facts.standings["n1"];
  auto& mirror = facts.standings["n2"];
  home.unheard_since = mirror.unheard_since = b.start;
  home.quiet = true;
  CHECK(instance_parts::apart_since(facts) == never);
  home.watched_since = b.start + minutes{30};
  CHECK(instance_parts::apart_since(facts) == b.start);
  home.proved_down = proof{}; // by now
  CHECK(instance_parts::apart_since(facts) == b.start);
  mirror.unheard_since = home.watched_since + seconds{1};
  CHECK(instance_parts::apart_since(facts) == never);
}

TEST_CASE("a copy was left behind before the record called it one") {
  rig b;
  auto& facts = b.mirrored();
  auto& home = facts.standings["n1"];
  auto& mirror = facts.standings["n2"];
  auto was = [&](instant unlike) {
    return instance_parts::were_apart_since(facts, unlike);
  };
  facts.mirror_read_at = never;
  mirror.silence = minutes{8};
  mirror.heard_again = b.start + minutes{10};
  auto since = b.start + minutes{2};
  CHECK(was(since) == since);
  CHECK(was(never) == never);
  SECTION("it was heard again before another one was its mirror") {
    CHECK(was(mirror.heard_again) == since);
    CHECK(was(mirror.heard_again + millis{1}) == never);
  }
  SECTION("it was silent for less than a minute") {
    mirror.silence = minutes{1} - millis{1};
    CHECK(was(since) == never);
  }
  SECTION("its copy was read after that") {
    facts.mirror_read_at = mirror.heard_again + millis{1};
    CHECK(was(since) == never);
  }
  SECTION("its home read off soon after it fell silent itself") {
    home.unheard_since = since;
    home.quiet = true;
    CHECK(was(since) == never);
    home.unheard_since = since + seconds{1}; // and wrote until then
    CHECK(was(since) == since);
  }
}

} // namespace orderly::instance_seen_test
