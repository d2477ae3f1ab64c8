// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A restart in the middle of a round: what was sent is asked for, nothing is
// sent twice, and nothing is forgotten.

#include "tests/actors/policy/balance/rig.hpp"

#include <algorithm>

#include <catch2/catch.hpp>

namespace orderly::balance::balance_restart_test {

TEST_CASE("a restart asks what became of what was sent, and sends nothing "
          "twice") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.grant("a");
  auto intent = b.open("a")->intent;
  b.job(intent, job_phase::submitted);
  auto kept = to_fields(b.s);
  b.s = from_fields(kept);
  CHECK(to_fields(b.s) == kept);
  REQUIRE(b.s.open.size() == 1); // what had no permit is planned anew
  CHECK(b.open("a")->job == 7);
  b.feed(looked{});
  auto q = b.said<ask_permit>();
  REQUIRE(q);
  CHECK(q->resumed);
  auto job = b.said<submit>();
  REQUIRE(job);
  CHECK(job->intent == intent);
  CHECK(job->ops.empty());
  b.grant("a");
  CHECK(b.last.actions.empty());
  b.feed(looked{});
  CHECK_FALSE(b.said<submit>());
  b.job(intent, job_phase::ended);
  CHECK(b.s.phase == balance_phase::resting);
  CHECK(b.s.moved == 1);
  CHECK(b.s.due == b.now + minutes{5});
}

TEST_CASE("what is kept is the same exactly if its record is") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.grant("a");
  b.s.waits["w"] = {b.now, 1, ""};
  const auto was = b.s;
  auto differs = [&](auto change) {
    auto is = was;
    change(is);
    CHECK(kept_alike(was, is) == (to_fields(was) == to_fields(is)));
    CHECK(kept_alike(was, is) == kept_alike(is, was));
    return !kept_alike(was, is);
  };
  auto sent = [](state& s) -> move& {
    return *std::find_if(s.open.begin(), s.open.end(),
                         [](const auto& x) { return !x.intent.empty(); });
  };
  CHECK_FALSE(differs([](state&) {}));
  // What had no permit is not kept, and what goes on is not either.
  CHECK_FALSE(differs([](state& s) {
    std::erase_if(s.open, [](const auto& x) { return x.intent.empty(); });
  }));
  CHECK_FALSE(differs([&](state& s) { sent(s).text = "other"; }));
  CHECK_FALSE(differs([](state& s) { s.text = "other"; }));
  CHECK(differs([](state& s) { ++s.round; }));
  CHECK(differs([](state& s) { s.waits["w"].why = "other"; }));
  CHECK(differs([](state& s) { s.waits.clear(); }));
  CHECK(differs([](state& s) { s.open.clear(); }));
  CHECK(differs([&](state& s) { sent(s).job = 99; }));
  CHECK(differs([&](state& s) { sent(s).withdrawn = true; }));
  CHECK(differs([&](state& s) { sent(s).admin = admin_state::offline; }));
  CHECK(differs([&](state& s) { sent(s).what.to.primary = "other"; }));
  CHECK(differs([&](state& s) { sent(s).what.from.secondary = "other"; }));
  CHECK(differs([&](state& s) { sent(s).intent += "x"; }));
}

TEST_CASE("what was sent is not called back because nobody has looked at it "
          "yet") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.grant("a");
  b.read();
  view_news x;
  x.unseen = {"a", "c"};
  b.answer_view(x);
  CHECK_FALSE(b.said<withdraw>());
  b.grant("c");
  CHECK(b.story.back() == "c is not moved: was not looked at yet");
}

TEST_CASE("a reservation that could not be taken yet after a restart is asked "
          "for again") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  b.s = from_fields(to_fields(b.s));
  b.feed(looked{});
  b.refuse("a", "starting", false);
  CHECK(b.open("a") != nullptr);
  CHECK(due_at(b.s, b.limits) == b.now + seconds{5});
  b.wait(seconds{5});
  auto q = b.said<ask_permit>();
  REQUIRE(q);
  CHECK(q->resumed);
  b.grant("a");
  b.wait(seconds{5});
  CHECK_FALSE(b.said<ask_permit>());
}

TEST_CASE("what was recorded and never sent is not sent after a restart") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  auto intent = b.open("a")->intent;
  b.s = from_fields(to_fields(b.s));
  b.feed(looked{});
  b.job(intent, job_phase::refused, job_status::lost, "it was never sent",
        true);
  CHECK(b.s.open.empty());
  CHECK(b.s.waits.empty());
  // The next round has intents of its own.
  b.now += seconds{1};
  b.begin({rig::swap_a()});
  b.grant("a");
  CHECK(b.said<submit>()->intent != intent);
}

TEST_CASE("back-offs outlive a restart") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  b.job(b.open("a")->intent, job_phase::ended, job_status::error);
  auto after = from_fields(to_fields(b.s));
  CHECK(after.waits == b.s.waits);
  CHECK(after.round == 1);
  CHECK(taboo_of(after, b.seen, b.now).fixed.count("a") == 1);
}

TEST_CASE("a record that makes no sense gives a machine that does nothing") {
  fields f;
  f.put("round", "x");
  f.put("move0", "a");
  f.put("wait0", "");
  f.put("wait0.failures", std::int64_t{-7});
  auto s = from_fields(f);
  CHECK(s.round == 0);
  CHECK(s.open.empty());
  CHECK(s.waits.at("").failures == 1);
}

} // namespace orderly::balance::balance_restart_test
