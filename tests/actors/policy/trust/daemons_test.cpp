// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/trust/rig.hpp"

namespace orderly::trust_daemons_test {

using namespace orderly::trust;
using Catch::Matchers::Contains;

TEST_CASE("not having looked says nothing of a node") {
  rig b;
  b.hear(health::healthy);
  auto before = b.s;
  b.after(minutes{1}).hear(health::unknown).hear(health::not_looked);
  CHECK(b.s == before);
}

TEST_CASE("a refused connection is life") {
  rig b;
  b.hear(health::unhealthy, true);
  CHECK(b.s.answered);
  CHECK(b.s.shown_alive == b.now);
  CHECK(answers(b.sight(health::unhealthy, true)));
  CHECK_FALSE(is_silent(b.sight(health::unhealthy, true)));
  CHECK(is_silent(b.sight(health::unhealthy)));
  CHECK_FALSE(is_silent(b.sight(health::unknown)));
}

TEST_CASE("a sign of life ends a proof at once, whoever saw it") {
  rig b;
  b.offline().read(power_state::off).say(health::unhealthy).keep();
  b.after(seconds{1}).hear(health::unhealthy);
  CHECK(b.s.seen_off);
  b.hear(health::unhealthy, true);
  CHECK_FALSE(b.s.seen_off);
  CHECK(b.find<publish>() != nullptr);
}

TEST_CASE("a node counts that is in service and that nobody wants off") {
  rig b;
  CHECK(b.is().should_live());
  b.around.offline = true;
  CHECK_FALSE(b.is().should_live());
  b.around.offline = false;
  b.around.recorded_on = false;
  CHECK_FALSE(b.is().should_live());
  b.around.recorded_on = true;
  b.around.known = false;
  CHECK_FALSE(b.is().should_live());
}

TEST_CASE("who answered since a wish for off counts all the same") {
  rig b;
  b.hear(health::healthy);
  b.after(seconds{1});
  b.feed(wish_heard{{power_state::off, "root", "", b.now, {}}});
  CHECK_FALSE(b.is().should_live());
  b.after(seconds{1}).hear(health::healthy);
  CHECK(b.is().should_live());
  b.around.leaving = true; // an order for off is under way again
  CHECK_FALSE(b.is().should_live());
}

TEST_CASE("who lived though it is left alone counts after a restart too") {
  rig b;
  b.machine.phase = ha_phase::ineligible;
  if (GENERATE(true, false)) {
    b.around.held = "emergency power-off power-1";
  } else {
    b.feed(wish_heard{{power_state::off, "root", "", b.now, {}}});
    b.hear(health::unhealthy);
    CHECK(b.rows("lives-left-alone").empty());
  }
  b.after(seconds{1}).hear(health::healthy);
  CHECK(b.rows("lives-left-alone").size() == 1);
  for (auto i = 0; i < 3; ++i) {
    b.after(seconds{1}).hear(i == 1 ? health::unhealthy : health::healthy);
    CHECK(b.rows("lives-left-alone").empty());
  }
  fields kept;
  put(kept, b.s);
  auto wish = b.s.wish;
  b.s = {};
  SECTION("by its row") {
    recall(b.s, kept);
    b.feed(wish_heard{wish}).after(seconds{5}).hear(health::unhealthy);
    CHECK(b.is().should_live());
    CHECK(b.is().fails_untreated(b.now));
    CHECK(b.rows("lives-left-alone").empty());
  }
  SECTION("an older journal has no such row") {
    b.feed(wish_heard{wish}).after(seconds{5}).hear(health::unhealthy);
    CHECK_FALSE(b.is().should_live());
  }
}

TEST_CASE("that it lived under a hold is over once it goes") {
  rig b;
  b.around.held = "emergency power-off power-1";
  b.machine.phase = ha_phase::ineligible;
  b.hear(health::healthy);
  SECTION("by an order") {
    b.around.leaving = true;
    b.after(seconds{1}).hear(health::unhealthy);
    CHECK(b.rows("goes-left-alone").size() == 1);
    b.after(seconds{1}).hear(health::unhealthy);
    CHECK(b.rows("goes-left-alone").empty());
    b.around.leaving = false;
  }
  SECTION("out of service") {
    b.offline();
    b.around.offline = false;
    b.after(seconds{1}).hear(health::unhealthy);
    CHECK(b.rows("goes-left-alone").size() == 1);
  }
  fields kept;
  put(kept, b.s);
  b.s = {};
  recall(b.s, kept);
  b.after(seconds{1}).hear(health::unhealthy);
  CHECK_FALSE(b.is().should_live());
}

TEST_CASE("since when it answers is counted without breaks") {
  rig b;
  b.hear(health::healthy);
  auto first = b.now;
  b.after(seconds{10}).hear(health::healthy);
  CHECK(b.is().answers_since() == first);
  CHECK(b.is().silent_since() == never);
  b.after(seconds{10}).hear(health::unhealthy);
  CHECK(b.is().answers_since() == never);
  CHECK(b.is().silent_since() == b.now);
  b.around.leaving = true;
  CHECK(b.is().silent_since() == never);
}

TEST_CASE("what was heard before it was taken out of service is over") {
  rig b;
  b.hear(health::healthy).offline();
  CHECK(b.s.verdict == health::unknown);
  CHECK_FALSE(b.s.answered);
}

TEST_CASE("a node that fails and is not treated is trouble") {
  rig b;
  b.hear(health::unhealthy);
  CHECK(b.is().fails_untreated(b.now));
  // It is treated until now, and its own check comes soon.
  CHECK_FALSE(b.is().fails_untreated(b.now + minutes{1}));
  b.machine.phase = ha_phase::ineligible;
  CHECK(b.is().fails_untreated(b.now + minutes{1}));
  b.machine.phase = ha_phase::fencing;
  CHECK_FALSE(b.is().fails_untreated(b.now));
}

TEST_CASE("a person hears once of a node that nobody treats") {
  rig b;
  b.machine.phase = ha_phase::ineligible;
  b.machine.reason = "it has no power control";
  b.hear(health::unhealthy);
  b.after(minutes{4}).feed(untreated_due{});
  CHECK(b.rows("X.UNTREATED_DOWN").empty());
  b.after(minutes{1}).feed(untreated_due{});
  REQUIRE(b.rows("X.UNTREATED_DOWN").size() == 1);
  CHECK_THAT(b.rows("X.UNTREATED_DOWN").front().text,
             Contains("it has no power control"));
  b.after(minutes{1}).feed(untreated_due{});
  CHECK(b.rows("X.UNTREATED_DOWN").empty());
  b.hear(health::healthy).feed(untreated_due{});
  b.hear(health::unhealthy).after(minutes{5}).feed(untreated_due{});
  CHECK(b.rows("X.UNTREATED_DOWN").size() == 1);
}

TEST_CASE("who is to hear of a failing node depends on whose it is") {
  rig b;
  b.machine.phase = ha_phase::ineligible;
  b.hear(health::unhealthy).after(minutes{6});
  SECTION("our own") {
    b.around.is_self = true;
  }
  SECTION("the master") {
    b.around.is_master = true;
  }
  SECTION("held for a person") {
    b.around.held = "power-1 of root";
  }
  SECTION("treated") {
    b.machine.phase = ha_phase::suspect;
  }
  b.feed(untreated_due{});
  CHECK(b.rows("X.UNTREATED_DOWN").empty());
}

TEST_CASE("an unprotected node that falls silent is told at once") {
  rig b;
  b.rehearse(power_state::unknown).rehearse(power_state::unknown);
  b.machine.phase = ha_phase::ineligible;
  b.hear(health::healthy).hear(health::unhealthy);
  CHECK(b.rows("X.UNPROTECTED_DOWN").size() == 1);
  b.hear(health::unhealthy);
  CHECK(b.rows("X.UNPROTECTED_DOWN").empty());
  b.after(minutes{6}).feed(untreated_due{});
  CHECK(b.rows("X.UNTREATED_DOWN").empty());
}

TEST_CASE("a mark vouches only for what has no power control") {
  rig b;
  b.r.offline_vouches = true;
  b.offline();
  CHECK_FALSE(b.is().is_vouched());
  b.around.has_program = false;
  CHECK(b.is().is_vouched());
  CHECK_FALSE(b.is().is_watched());
  b.stranded = {"web1"};
  CHECK(b.is().is_watched());
  b.r.offline_vouches = false;
  CHECK_FALSE(b.is().is_vouched());
}

TEST_CASE("who is marked offline is looked at while a job takes it for dead") {
  rig b;
  b.offline();
  CHECK_FALSE(b.is().is_watched());
  b.around.given_up = true;
  CHECK(b.is().is_watched());
}

TEST_CASE(
  "since when nothing was heard of it is kept, and outlives a restart") {
  rig b;
  b.hear(health::healthy);
  CHECK(b.s.unheard_since == never);
  CHECK(b.s.heard_at == b.now);
  b.after(seconds{10}).hear(health::unhealthy);
  auto since = b.now;
  CHECK(b.s.unheard_since == since);
  b.after(seconds{10}).hear(health::unhealthy);
  CHECK(b.s.unheard_since == since);
  fields kept;
  put(kept, b.s);
  state next;
  recall(next, kept);
  CHECK(next.unheard_since == since);
  b.after(seconds{10}).hear(health::unhealthy, true);
  CHECK(b.s.unheard_since == never);
}

TEST_CASE("one that a person disabled is asked, and its death is no alert") {
  rig b;
  b.machine.phase = ha_phase::disabled;
  CHECK(b.is().is_looked_at());
  b.hear(health::healthy).feed(record_read{});
  CHECK(b.s.unheard_since == never);
  b.after(seconds{10}).hear(health::unhealthy);
  CHECK(b.s.unheard_since == b.now);
  CHECK(b.is().fails_untreated(b.now)); // a storm may have it
  b.after(minutes{6}).feed(untreated_due{});
  CHECK(b.rows("X.UNTREATED_DOWN").empty());
  CHECK(b.rows("X.UNPROTECTED_DOWN").empty());
}

TEST_CASE("one that is recorded off is asked, and only silence is silence") {
  rig b;
  b.machine.phase = ha_phase::ineligible;
  b.around.recorded_on = false;
  CHECK(b.is().is_looked_at());
  CHECK_FALSE(b.is().is_counted());
  b.hear(health::healthy).feed(record_read{});
  CHECK(b.s.unheard_since == never);
  b.after(seconds{10}).hear(health::unhealthy);
  CHECK(b.s.unheard_since == b.now);
}

TEST_CASE("of a node at which nobody looks nothing is heard") {
  rig b;
  b.hear(health::healthy);
  b.offline().after(seconds{10}).feed(record_read{});
  CHECK(b.s.unheard_since == b.now);
  // No row of the machine's keeps it: a restart must know it all the same.
  REQUIRE(b.rows("unheard").size() == 1);
  CHECK(b.find<publish>() != nullptr);
  b.hear(health::healthy);
  CHECK(b.s.unheard_since == never);
  CHECK(b.rows("heard").size() == 1);
}

TEST_CASE("an absence ends what is known of a silence, and that is kept") {
  rig b;
  b.hear(health::healthy);
  b.feed(unwatched{});
  CHECK(b.s.watched_since == never);
  CHECK(b.rows("unwatched").empty());
  b.after(seconds{10}).hear(health::unhealthy);
  b.s.quiet = true;
  b.after(minutes{30}).feed(unwatched{});
  CHECK_FALSE(b.s.quiet);
  CHECK(b.s.watched_since == b.now);
  CHECK(b.rows("unwatched").size() == 1);
  fields kept;
  put(kept, b.s);
  state next;
  recall(next, kept);
  CHECK(next.watched_since == b.now);
  b.hear(health::healthy);
  CHECK(b.s.watched_since == never);
}

TEST_CASE("a silence that is over is known by its end and its length") {
  rig b;
  b.hear(health::healthy);
  CHECK(b.s.heard_again == never);
  b.after(seconds{10}).hear(health::unhealthy);
  CHECK(b.s.heard_again == never);
  b.after(minutes{8}).hear(health::healthy);
  CHECK(b.s.heard_again == b.now);
  CHECK(b.s.silence == minutes{8});
  fields kept;
  put(kept, b.s);
  state next;
  recall(next, kept);
  CHECK(next.heard_again == b.now);
  CHECK(next.silence == minutes{8});
}

TEST_CASE("a silence that seems to begin later than now lasts for a minute") {
  rig b;
  b.s.unheard_since = t0;
  date(b.s, false, t0 + seconds{2});
  CHECK(b.s.unheard_since == t0);
  date(b.s, false, t0 - hours{3});
  CHECK(b.s.unheard_since == t0 - hours{3} - minutes{1});
  SECTION("so does one from before this machine was started, at least") {
    b.s.unheard_since = t0;
    date(b.s, true, t0 + seconds{30});
    CHECK(b.s.unheard_since == t0 - seconds{30});
    date(b.s, true, t0 + hours{1});
    CHECK(b.s.unheard_since == t0 - seconds{30});
    b.s.unheard_since = never;
    date(b.s, true, t0);
    CHECK(b.s.unheard_since == never);
  }
}

} // namespace orderly::trust_daemons_test
