// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/trust/rig.hpp"

namespace orderly::trust_controller_test {

using namespace orderly::trust;
using Catch::Matchers::Contains;

TEST_CASE("a reading that makes sense proves that a node could be fenced") {
  rig b;
  b.rehearse(power_state::on);
  CHECK(b.s.check.result == protection::proven);
  CHECK(b.s.check.why == "power status on by /usr/lib/oob");
  CHECK(b.s.rehearse_at == b.now + b.r.rehearsal_interval);
}

TEST_CASE("one reading without sense is chance, two are not") {
  rig b;
  b.rehearse(power_state::on);
  b.after(minutes{60}).rehearse(power_state::unknown);
  CHECK(b.s.check.result == protection::proven);
  CHECK(b.s.rehearse_at == b.now + minutes{1});
  b.after(minutes{1}).rehearse(power_state::unknown);
  CHECK(b.s.check.result == protection::unproven);
  REQUIRE(b.rows("X.UNPROTECTED").size() == 1);
  CHECK(b.rows("X.UNPROTECTED").front().kind == entry_kind::alert);
  CHECK(b.is().is_unprotected());
  b.after(minutes{60}).rehearse(power_state::on);
  CHECK(b.rows("X.PROTECTED").size() == 1);
  CHECK_FALSE(b.is().is_unprotected());
}

TEST_CASE("off beside daemons that answer makes a controller a liar") {
  rig b;
  b.hear(health::healthy);
  // The first time already: a fence may come before the next rehearsal.
  b.rehearse(power_state::off);
  CHECK(b.s.check.result != protection::unproven);
  REQUIRE(b.find<ask_daemons>() != nullptr);
  b.say(health::healthy);
  CHECK_FALSE(b.s.doubted.empty());
  CHECK_FALSE(b.is().doubt().empty());
  CHECK(b.is().is_doubted(b.report(power_state::off).program));

  SECTION("it is believed again once it has said on") {
    b.rehearse(power_state::on);
    CHECK(b.s.doubted.empty());
    CHECK(b.is().doubt().empty());
    CHECK(b.s.check.result == protection::proven);
  }
  SECTION("another helper's on does not make it honest") {
    auto other = b.report(power_state::on);
    other.program = "/usr/lib/other";
    b.feed(power_read{other});
    CHECK_FALSE(b.s.doubted.empty());
    CHECK(b.is().is_doubted(b.report(power_state::off).program));
  }
  SECTION("another helper's off is believed once that has said on itself") {
    auto other = b.report(power_state::off);
    other.program = "/usr/lib/other";
    CHECK(b.is().is_doubted(other.program));
    auto on = other;
    on.state = power_state::on;
    b.feed(power_read{on});
    CHECK_FALSE(b.is().is_doubted(other.program));
    fields kept;
    put(kept, b.s);
    state next;
    recall(next, kept);
    CHECK(next.cleared == std::set<std::string>{"/usr/lib/other"});
  }
  SECTION("of a fence that read on before it read off it is believed") {
    b.feed(said_on_before{b.report(power_state::off)});
    CHECK(b.s.doubted.empty());
  }
  SECTION("a second liar is one beside the first") {
    auto other = b.report(power_state::off);
    other.program = "/usr/lib/other";
    b.feed(rehearsed{other});
    b.say(health::healthy);
    CHECK(b.s.doubted.size() == 2);
    b.rehearse(power_state::on);
    CHECK(b.s.doubted == std::set<std::string>{"/usr/lib/other"});
    fields kept;
    put(kept, b.s);
    state next;
    recall(next, kept);
    CHECK(next.doubted == b.s.doubted);
  }
}

TEST_CASE("an answer of a slow group counts for as long as its checks take") {
  rig b;
  b.r.check_timeout = seconds{20};
  b.around.recorded_on = GENERATE(true, false);
  b.rehearse(power_state::on).hear(health::healthy);
  b.after(seconds{25}).rehearse(power_state::off);
  b.say(health::healthy);
  CHECK(b.is().is_caught("/usr/lib/oob"));
  CHECK(b.s.check.mismatch.empty());
}

TEST_CASE("helpers that are believed come first, and those that are not take "
          "turns") {
  using programs = std::vector<std::string>;
  rig b;
  auto sorted = [&b](std::uint32_t tries) {
    programs all{"/a", "/b", "/c"};
    b.is().sort_by_trust(all, tries);
    return all;
  };
  CHECK(sorted(1) == programs{"/a", "/b", "/c"});
  b.s.doubted = {"/a"};
  b.s.cleared = {"/c"};
  CHECK(sorted(0) == programs{"/c", "/a", "/b"});
  CHECK(sorted(1) == programs{"/c", "/b", "/a"});
  CHECK(sorted(2) == programs{"/c", "/a", "/b"});
}

TEST_CASE("off where on is recorded is rated once its daemons were asked") {
  rig b;
  b.rehearse(power_state::on);
  auto found = GENERATE(health::healthy, health::unhealthy, health::not_looked);
  auto refuses = GENERATE(false, true);
  auto lives = found == health::healthy || refuses;
  auto looked = lives || found == health::unhealthy;
  auto told = std::size_t{0};
  for (auto i = 0; i < 2; ++i) {
    b.after(minutes{60}).rehearse(power_state::off);
    if (i == 0)
      CHECK(b.s.check.seen == power_state::on);
    if (b.find<ask_daemons>() != nullptr)
      b.say(found, refuses);
    CHECK(b.s.rehearse_at == b.now + minutes{1});
    told += b.rows("power-mismatch").size();
  }
  CHECK(b.is().is_caught("/usr/lib/oob") == lives);
  CHECK((b.s.check.result == protection::unproven) == lives);
  CHECK(told == (looked && !lives ? 1 : 0));
}

TEST_CASE("a controller that was asked about is rated while nothing is wrong") {
  rig b;
  b.rehearse(power_state::on).rehearse(power_state::off);
  auto asked = *b.find<ask_daemons>();
  b.machine.phase = ha_phase::suspect;
  auto said = asked.question;
  said.seen = b.sight(health::unhealthy);
  b.feed(said).feed(said);
  CHECK(b.s.check.mismatch.empty());
  CHECK(b.s.check.seen == power_state::on);
}

TEST_CASE("an older journal that names no liar doubts whoever says off") {
  fields old;
  old.put("doubt", "oob said off while the node's daemons answered");
  old.put("doubted", "");
  rig b;
  recall(b.s, old);
  CHECK_FALSE(b.is().doubt().empty());
  CHECK(b.is().is_doubted(b.report(power_state::off).program));
  b.read(power_state::on);
  CHECK(b.is().doubt().empty());
}

TEST_CASE("a rehearsal that reads on ends a proof, like any reading") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy).keep();
  REQUIRE(b.s.seen_off);
  b.after(seconds{1}).rehearse(power_state::on);
  CHECK_FALSE(b.s.seen_off);
  CHECK(b.find<publish>() != nullptr);
}

TEST_CASE("off where on is recorded is no proof of a working controller") {
  rig b;
  b.rehearse(power_state::off);
  CHECK(b.s.check.result == protection::none);
  b.around.recorded_on = false;
  b.rehearse(power_state::off);
  CHECK(b.s.check.result == protection::proven);
}

TEST_CASE("a record that differs twice from what is read is told") {
  rig b;
  b.around.recorded_on = false;
  b.rehearse(power_state::on);
  CHECK(b.rows("power-mismatch").empty());
  b.after(minutes{1}).rehearse(power_state::on);
  REQUIRE(b.rows("power-mismatch").size() == 1);
  // Nobody treats a node that is recorded off.
  CHECK(b.rows("power-mismatch").front().kind == entry_kind::alert);
  b.around.recorded_on = true;
  b.after(minutes{60}).rehearse(power_state::on);
  b.after(minutes{1}).rehearse(power_state::on);
  REQUIRE(b.rows("power-mismatch").size() == 1);
  CHECK_THAT(b.rows("power-mismatch").front().text, Contains("agrees"));
}

TEST_CASE("that what ran though it is recorded off has gone off is an alert") {
  rig b;
  b.around.recorded_on = false;
  b.around.is_home = true;
  b.rehearse(power_state::on).after(minutes{1}).rehearse(power_state::on);
  REQUIRE(b.rows("power-mismatch").size() == 1);
  fields kept;
  put(kept, b.s);
  recall(b.s, kept); // over a restart, too
  b.after(minutes{60}).rehearse(power_state::off);
  b.after(minutes{1}).rehearse(power_state::off);
  REQUIRE(b.rows("power-mismatch").size() == 1);
  CHECK(b.rows("power-mismatch").front().kind == entry_kind::alert);
  CHECK_FALSE(b.s.ran_unrecorded);
}

TEST_CASE("that the record of a node that is off was corrected is no alert") {
  rig b;
  b.around.is_home = true;
  b.rehearse(power_state::off).say(health::unhealthy).after(minutes{1});
  b.rehearse(power_state::off).say(health::unhealthy);
  REQUIRE(b.rows("power-mismatch").size() == 1);
  b.around.recorded_on = false;
  b.after(minutes{60}).rehearse(power_state::off);
  b.after(minutes{1}).rehearse(power_state::off);
  REQUIRE(b.rows("power-mismatch").size() == 1);
  CHECK(b.rows("power-mismatch").front().kind == entry_kind::decision);
}

TEST_CASE("what answers though it is recorded off is soon read") {
  rig b;
  b.rehearse(power_state::on);
  CHECK_FALSE(b.s.rehearse_at < b.now + minutes{60});
  b.around.recorded_on = false;
  b.machine.phase = ha_phase::ineligible;
  b.hear(health::healthy);
  CHECK(b.s.rehearse_at == b.now + minutes{1});
}

TEST_CASE("what a person just ordered is no mismatch yet") {
  rig b;
  for (auto i = 0; i < 3; ++i) {
    auto report = b.report(power_state::off);
    report.wish = {power_state::off, "root", "memory", b.now, {}};
    b.feed(rehearsed{report}).after(minutes{1});
  }
  CHECK(b.s.check.mismatch.empty());
}

TEST_CASE("a controller is judged only while nothing is wrong") {
  rig b;
  b.machine.phase = ha_phase::fencing;
  CHECK_FALSE(b.is().may_rehearse());
  b.rehearse(power_state::unknown).rehearse(power_state::unknown);
  CHECK(b.s.check.result == protection::none);
}

TEST_CASE("our own trouble is none of the controller's") {
  rig b;
  auto report = b.report(power_state::unknown);
  report.tried = false;
  for (auto i = 0; i < 4; ++i)
    b.feed(rehearsed{report}).feed(rehearsal_lost{});
  CHECK(b.s.check.result == protection::none);
  CHECK(b.s.misses == 0);
  CHECK(b.s.rehearse_at == b.now + minutes{1});
}

TEST_CASE("a liar is told once, and again after a silence") {
  rig b;
  b.machine.phase = ha_phase::fenced;
  b.machine.maintenance = true;
  b.read(power_state::off).say(health::unhealthy, true);
  CHECK(b.rows("X.OFF_BUT_ANSWERS").size() == 1);
  CHECK(b.rows("X.OFF_BUT_ANSWERS").front().kind == entry_kind::alert);
  b.read(power_state::off).say(health::healthy);
  CHECK(b.rows("X.OFF_BUT_ANSWERS").empty());
  b.hear(health::unhealthy);
  b.read(power_state::off).say(health::healthy);
  CHECK(b.rows("X.OFF_BUT_ANSWERS").size() == 1);
}

TEST_CASE("what is believed of a controller outlives a restart") {
  rig b;
  b.machine.phase = ha_phase::fenced;
  b.machine.maintenance = true;
  b.rehearse(power_state::on);
  b.feed(fence_denied{b.report(power_state::off)});
  b.s.check = {protection::unproven, "no answer", b.now, power_state::off,
               "recorded on, is off"};
  fields kept;
  put(kept, b.s);
  state next;
  recall(next, kept);
  CHECK(next.check == b.s.check);
  CHECK(next.doubted == std::set<std::string>{"/usr/lib/oob"});
}

TEST_CASE("nothing is believed of another machine under an old name") {
  rig b;
  b.machine.phase = ha_phase::ineligible;
  b.around.offline = true;
  b.read(power_state::off).say(health::unhealthy).keep();
  b.feed(fence_denied{b.report(power_state::off)});
  b.feed(ordered_on{b.now, "root ordered it on"});
  b.s.check.result = protection::proven;
  forget(b.s);
  CHECK_FALSE(b.s.seen_off);
  CHECK(b.s.doubted.empty());
  CHECK(b.s.ordered_on == never);
  CHECK(b.s.check.result == protection::none);
  CHECK(b.s.verdict == health::unknown);
}

} // namespace orderly::trust_controller_test
