// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds after each of many drawn events, whatever they are.

#include "tests/actors/policy/trust/rig.hpp"

#include <random>

namespace orderly::trust_test {

using namespace orderly::trust;

namespace {

class storm {
public:
  explicit storm(std::uint32_t seed) : random_(seed) {
    // nop
  }

  /// Something happens to the node, its record or its machine.
  void move(rig& b) {
    static constexpr std::array phases{
      ha_phase::ineligible, ha_phase::ineligible, ha_phase::available,
      ha_phase::suspect,    ha_phase::fencing,    ha_phase::fenced};
    b.after(millis{below(90'000)});
    if (below(4) == 0)
      b.machine.phase = phases[below(phases.size())];
    b.around.has_program = below(5) != 0;
    b.around.recorded_on = below(5) != 0;
    b.around.leaving = below(6) == 0;
    b.around.held = below(6) == 0 ? "power-1 of root" : "";
    if (below(6) != 0)
      return;
    b.around.offline = !b.around.offline;
    if (b.around.offline)
      b.feed(taken_out{});
    else
      b.feed(in_service{});
  }

  event draw(const rig& b) {
    switch (below(25)) {
    case 1:
      return fence_denied{report(b)};
    case 2:
      return rehearsed{report(b)};
    case 3:
      return rehearsal_lost{};
    case 4:
      return wish_heard{wish(b)};
    case 5:
      return wish_recorded{wish(b)};
    case 6:
      return ordered_on{b.now - millis{below(5'000)}, "root ordered it on"};
    case 7:
      return raised{b.now - millis{below(5'000)}};
    case 8:
      return machine_renewed{};
    case 9:
      return reading_lost{};
    case 10:
      return proofs_due{};
    case 11:
      return untreated_due{};
    case 12:
    case 13:
      return heard{sight(b)};
    case 24:
      return recorded_off{};
    default:
      return power_read{report(b)};
    }
  }

  /// Answers what was asked, at once or, like a slow disk, not at all.
  void answer(rig& b) {
    auto asked = b.did;
    for (const auto& x : asked) {
      if (const auto* what = std::get_if<ask_daemons>(&x)) {
        auto said = what->question;
        said.seen = sight(b);
        b.feed(heard{said.seen}).feed(said);
        answer(b);
      } else if (const auto* row = std::get_if<write_proof>(&x)) {
        kept_.push_back(row->found);
      }
    }
    if (!kept_.empty() && below(2) == 0) {
      auto found = kept_.front();
      kept_.erase(kept_.begin());
      b.feed(proof_is_kept{found});
    }
  }

private:
  std::uint32_t below(std::size_t n) {
    return static_cast<std::uint32_t>(random_() % n);
  }

  power_report report(const rig& b) {
    // Mostly off, or hardly any proof would last.
    auto drawn = static_cast<power_state>(below(3));
    auto made = b.report(below(4) == 0 ? drawn : power_state::off);
    made.program = below(2) == 0 ? "/usr/lib/oob" : "/usr/lib/other";
    made.tried = below(8) != 0;
    made.wish = wish(b);
    return made;
  }

  power_wish wish(const rig& b) {
    power_wish x;
    x.wanted = static_cast<power_state>(below(3));
    x.who = "root";
    x.at = b.now - millis{below(60'000)};
    return x;
  }

  sighting sight(const rig& b) {
    auto drawn = static_cast<health>(below(4));
    return b.sight(below(4) == 0 ? drawn : health::unhealthy, below(12) == 0);
  }

  std::mt19937 random_;
  std::vector<proof> kept_;
};

} // namespace

TEST_CASE("a proof never stands beside life, doubt, an order or service") {
  std::size_t proofs = 0;
  for (std::uint32_t seed = 1; seed <= 240; ++seed) {
    storm drawn{seed};
    rig b;
    b.stranded = {"web1"};
    for (auto i = 0; i < 400; ++i) {
      drawn.move(b);
      b.feed(drawn.draw(b));
      drawn.answer(b);
      const auto& off = b.s.seen_off;
      if (!off)
        continue;
      ++proofs;
      INFO("seed " << seed << ", event " << i);
      REQUIRE(b.around.offline);
      REQUIRE((b.s.doubted.empty() || !b.s.cleared.empty()));
      REQUIRE(off->at > b.s.ordered_on);
      REQUIRE(off->at > b.s.shown_alive);
    }
  }
  CHECK(proofs > 1'000);
}

TEST_CASE("every event is legal in every state, and the same says the same") {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    storm drawn{seed};
    rig b;
    for (auto i = 0; i < 200; ++i) {
      drawn.move(b);
      auto e = drawn.draw(b);
      auto twin = b;
      twin.feed(e);
      b.feed(e);
      REQUIRE(twin.s == b.s);
      REQUIRE(twin.did.size() == b.did.size());
      // Nothing is both told and lost: a step never leaves a question open
      // that it did not ask.
      for (const auto& x : b.did)
        if (const auto* asked = std::get_if<ask_daemons>(&x))
          REQUIRE(asked->question.seen.verdict == health::unknown);
    }
  }
}

} // namespace orderly::trust_test
