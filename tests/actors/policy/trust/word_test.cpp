// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/trust/word.hpp"
#include "tests/actors/policy/trust/rig.hpp"

namespace orderly::trust_word_test {

using namespace orderly::trust;
using Catch::Matchers::Contains;

namespace {

/// A word that is judged by hand.
struct word_rig : rig {
  word_rules wr{r, hours{24}};
  off_word word;
  judgement j;
  word_action then;

  word_rig() {
    machine.phase = ha_phase::suspect;
    word = {"n1", "root", "pulled both cords", now + minutes{10}};
  }

  word_rig& begin(bool ready = true) {
    around.machine = &machine;
    auto next = begin_word("n1", word, s, around, ready, wr, now);
    j = next.next;
    then = next.then;
    return *this;
  }

  word_rig& go(const word_event& e) {
    around.machine = &machine;
    auto next = trust::go_on("n1", j, e, s, around, wr, now);
    j = next.next;
    then = next.then;
    return *this;
  }

  word_rig& looked(health x, bool lives = false) {
    return go(word_looked{sight(x, lives), false});
  }

  word_rig& read(power_state x) { return go(word_read{report(x), false}); }

  /// Until it is on disk.
  word_rig& believed_so_far() {
    return begin().looked(health::unhealthy).read(power_state::unknown);
  }

  [[nodiscard]] std::string refused() const {
    const auto* answer = std::get_if<word_answer>(&then);
    return answer != nullptr && !answer->taken ? answer->text : std::string{};
  }

  template <class Action>
  [[nodiscard]] bool does() const {
    return std::holds_alternative<Action>(then);
  }
};

} // namespace

TEST_CASE("a word counts after daemons, controller and disk") {
  word_rig b;
  b.begin();
  REQUIRE(b.does<word_look>());
  b.looked(health::unhealthy);
  REQUIRE(b.does<word_ask_controller>());
  b.read(power_state::unknown);
  REQUIRE(b.does<word_write>());
  CHECK(std::get<word_write>(b.then).what.text
        == "off by the word of root: pulled both cords");
  b.go(word_written{});
  REQUIRE(b.does<word_tell>());
  CHECK(std::get<word_tell>(b.then).what.outdates == b.now - b.r.proof_max_age);
  b.machine.phase = ha_phase::fenced;
  b.go(word_told{});
  REQUIRE(b.does<word_write>());
  b.go(word_written{});
  REQUIRE(b.does<word_answer>());
  CHECK(std::get<word_answer>(b.then).taken);
}

TEST_CASE("a word about a held node says what holds it, unless it ends that") {
  word_rig b;
  b.around.held = "emergency power-off power-1";
  b.word.ends_hold = GENERATE(true, false);
  b.believed_so_far().go(word_written{});
  b.machine.phase = ha_phase::fenced;
  b.go(word_told{}).go(word_written{});
  REQUIRE(b.does<word_answer>());
  auto text = std::get<word_answer>(b.then).text;
  auto held = text.find("emergency power-off power-1") != std::string::npos;
  CHECK(held != b.word.ends_hold);
}

TEST_CASE("without power control nobody is asked but the daemons") {
  word_rig b;
  b.around.has_program = false;
  b.begin().looked(health::unhealthy);
  CHECK(b.does<word_write>());
}

TEST_CASE("a word against what can be asked is not taken") {
  word_rig b;
  b.begin();
  SECTION("it answers") {
    b.looked(health::unhealthy, true);
    CHECK_THAT(b.refused(), Contains("it answers"));
  }
  SECTION("nobody looked") {
    b.looked(health::not_looked);
    CHECK_THAT(b.refused(), Contains("could not be asked"));
  }
  SECTION("nobody else answers either") {
    auto seen = b.sight(health::unhealthy);
    seen.alone = true;
    b.go(word_looked{seen, false});
    CHECK_THAT(b.refused(), Contains("--ignore-silence"));
  }
  SECTION("its power reads on") {
    b.looked(health::unhealthy).read(power_state::on);
    CHECK_THAT(b.refused(), Contains("says that it is on"));
  }
  SECTION("somebody has just ordered it on") {
    b.looked(health::unhealthy);
    auto report = b.report(power_state::unknown);
    report.wish = {power_state::on, "bob", "", b.now, {}};
    b.go(word_read{report, false});
    CHECK_THAT(b.refused(), Contains("bob ordered it on"));
  }
  SECTION("our power switch does not answer") {
    b.looked(health::unhealthy).go(word_read{{}, true});
    CHECK_THAT(b.refused(), Contains("could not be asked"));
  }
  SECTION("its daemons answer by the time that its controller did") {
    b.looked(health::unhealthy).hear(health::healthy);
    b.read(power_state::unknown);
    CHECK_THAT(b.refused(), Contains("answer again"));
  }
}

TEST_CASE("nobody's word is wanted for what is known otherwise") {
  word_rig b;
  SECTION("the master") {
    b.around.is_master = true;
  }
  SECTION("our own node") {
    b.around.is_self = true;
  }
  SECTION("a reset is out") {
    b.machine.recovery_dispatched = true;
  }
  SECTION("nobody looks after it") {
    b.machine.phase = ha_phase::disabled;
    b.machine.reason = "disabled for it by root";
    b.begin();
    CHECK_THAT(b.refused(), Contains("(disabled for it by root)")
                              && Contains("orderly ha enable n1"));
  }
  SECTION("its record is not known") {
    b.around.known = false;
  }
  b.begin();
  CHECK_FALSE(b.refused().empty());
}

TEST_CASE("a word about what is proved is taken for granted") {
  word_rig b;
  b.machine.phase = ha_phase::fenced;
  b.machine.proved_down = proof{"n1", proof_level::power_status, "", b.now};
  b.begin();
  CHECK(b.does<word_look>()); // not on disk yet
  b.around.proof_kept = true;
  b.begin();
  REQUIRE(b.does<word_answer>());
  CHECK(std::get<word_answer>(b.then).taken);
  b.after(minutes{5});
  b.begin();
  CHECK(b.does<word_look>());
}

TEST_CASE("a word is taken back at any time before it counts") {
  word_rig b;
  b.begin();
  auto back = [&b] { ++b.s.words_back; };
  SECTION("before its controller is asked") {
    back();
    b.looked(health::unhealthy);
  }
  SECTION("while its controller is asked") {
    b.looked(health::unhealthy);
    back();
    b.read(power_state::unknown);
  }
  SECTION("while it is written down") {
    b.looked(health::unhealthy).read(power_state::unknown);
    back();
    b.go(word_written{});
  }
  CHECK(b.refused() == word_is_back);
}

TEST_CASE("a word is about the machine that had the name when it was given") {
  word_rig b;
  b.begin().looked(health::unhealthy);
  forget(b.s);
  b.read(power_state::unknown);
  CHECK(b.refused() == is_another);
}

TEST_CASE("a word does not count whose author has stopped waiting") {
  word_rig b;
  b.believed_so_far();
  b.after(minutes{10});
  SECTION("while it was written down") {
    b.go(word_written{}).read(power_state::unknown).looked(health::unhealthy);
    CHECK_THAT(b.refused(), Contains("took too long"));
  }
  SECTION("before it began") {
    b.begin();
    CHECK_THAT(b.refused(), Contains("orderlyd was restarted"));
  }
}

TEST_CASE("a word that counted before a restart is not told as failed") {
  word_rig b;
  b.believed_so_far();
  b.machine.proved_down = proof{"node1", proof_level::operator_word,
                                "off by the word of eve", b.now};
  b.around.proof_kept = false; // nobody has looked since
  b.after(minutes{10});
  b.begin();
  REQUIRE(b.does<word_answer>());
  CHECK(std::get<word_answer>(b.then).taken);
}

TEST_CASE("a word whose author was told no is void although it counted") {
  word_rig b;
  b.believed_so_far().go(word_written{});
  b.machine.phase = ha_phase::fenced;
  b.go(word_told{});
  b.after(minutes{10});
  b.go(word_written{});
  REQUIRE(b.does<word_answer>());
  CHECK_FALSE(std::get<word_answer>(b.then).taken);
  CHECK_FALSE(std::get<word_answer>(b.then).voids.empty());
}

TEST_CASE("a word that took long is judged again") {
  word_rig b;
  b.begin().looked(health::unhealthy);
  SECTION("by the daemons if it was the controller") {
    b.after(minutes{1});
    b.read(power_state::unknown).go(word_written{});
    REQUIRE(b.does<word_look>());
    CHECK(std::get<word_look>(b.then).counts);
    b.looked(health::unhealthy);
    CHECK(b.does<word_tell>());
  }
  SECTION("by both if it was the disk") {
    b.read(power_state::unknown).after(minutes{1});
    b.go(word_written{});
    REQUIRE(b.does<word_ask_controller>());
    b.read(power_state::on);
    CHECK_THAT(b.refused(), Contains("says that it is on"));
  }
  SECTION("by its daemons last, however long its controller takes") {
    b.read(power_state::unknown).after(minutes{1});
    b.go(word_written{});
    REQUIRE(b.does<word_ask_controller>());
    b.after(minutes{1});
    b.read(power_state::unknown);
    REQUIRE(b.does<word_look>());
    CHECK(std::get<word_look>(b.then).counts);
    SECTION("and it is silent") {
      b.looked(health::unhealthy);
      CHECK(b.does<word_tell>());
    }
    SECTION("and it answers") {
      b.looked(health::unhealthy, true);
      CHECK_THAT(b.refused(), Contains("it answers by now"));
    }
    SECTION("and nobody looked") {
      b.looked(health::not_looked);
      CHECK_THAT(b.refused(), Contains("could not be asked again"));
    }
    SECTION("and that silence is old") {
      auto seen = b.sight(health::unhealthy);
      b.after(b.r.a_check() + millis{1});
      b.go(word_looked{seen, false});
      CHECK_THAT(b.refused(), Contains("right before it would have counted"));
    }
  }
  SECTION("by its daemons last, without power control too") {
    b.around.has_program = false;
    b.read(power_state::unknown).after(minutes{1});
    b.go(word_written{});
    CHECK(b.does<word_look>());
  }
}

TEST_CASE("a word is void once its node was returned or has lived") {
  word_rig b;
  b.around.offline = true;
  b.believed_so_far();
  SECTION("returned") {
    b.around.offline = false;
    b.go(word_written{});
    CHECK_THAT(b.refused(), Contains("took it back into service"));
  }
  SECTION("lived") {
    b.after(seconds{1}).hear(health::unhealthy, true);
    b.go(word_written{});
    CHECK_THAT(b.refused(), Contains("it has answered since"));
  }
  SECTION("ordered on") {
    b.after(seconds{1}).feed(ordered_on{b.now, "root ordered it on"});
    b.go(word_written{});
    CHECK_THAT(b.refused(), Contains("ordered it on meanwhile"));
  }
  SECTION("something else came of it") {
    b.go(word_written{}).go(word_told{});
    CHECK_THAT(b.refused(), Contains("something else"));
  }
}

TEST_CASE("a word is judged by the times of its node's group") {
  word_rig b;
  b.wr.of_trust.check_timeout = seconds{60};
  b.begin().looked(health::unhealthy).after(minutes{1});
  b.read(power_state::unknown);
  SECTION("what was silent a check ago need not be asked again") {
    b.go(word_written{});
    CHECK(b.does<word_tell>());
  }
  SECTION("what has answered a check ago is not off") {
    b.begin().looked(health::unhealthy).hear(health::healthy);
    b.after(minutes{1});
    b.read(power_state::unknown);
    CHECK_THAT(b.refused(), Contains("answer again"));
  }
}

TEST_CASE("an answer that nobody waits for turns a word down") {
  word_rig b;
  b.begin().go(word_written{});
  CHECK_FALSE(b.refused().empty());
}

} // namespace orderly::trust_word_test
