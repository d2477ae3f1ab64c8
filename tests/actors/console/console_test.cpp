// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who is asked for what, what is told of a part that gives no answer, and that
// the others go on.

#include "actors/console/console.hpp"
#include "tests/actors/console/counters.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::console_test {

using namespace console_fakes;

namespace {

struct rig {
  rig() {
    tree->now_at = enter(parts);
    answers = on.enter(console, on.ctx(), on.enter(root_fake, tree));
  }

  front enter(const std::shared_ptr<parts_fake>& x) {
    return spawn_parts(
      x, [this](const auto& part) { on.keep(part); }, on.system());
  }

  template <class Word, class Question>
  pending<console_reply<Word>> ask(Question q) {
    return on.ask<console_reply<Word>>(answers,
                                       console_ask<Question>{std::move(q)});
  }

  auto look() { return ask<console_scene>(console_look{}); }

  auto pause() {
    return ask<pause_answer>(pause_order{true, "ann", "new switch"});
  }

  auto repair() {
    return ask<repair_answer>(
      repair_request{"web1", repair_type::failover, "ann"});
  }

  auto errand(console_errand word) {
    return ask<errand_sheet>(std::move(word));
  }

  auto errands() { return ask<errand_list_answer>(errand_list{}); }

  auto balance() { return ask<balance_sheet>(balance_query{true, {"web1"}}); }

  auto about_event() {
    return ask<event_order_answer>(
      event_order{"u-1", event_verb::ack, "ann", 4});
  }

  stage on;
  std::shared_ptr<parts_fake> parts = std::make_shared<parts_fake>();
  std::shared_ptr<tree_fake> tree = std::make_shared<tree_fake>();
  console_actor answers;
};

errand_request info_of_ann() {
  errand_request x;
  x.what = info_errand{{"node1"}};
  x.who = "ann";
  return x;
}

template <class Word>
console_part part_of(const pending<console_reply<Word>>& x) {
  REQUIRE(x);
  return x->trouble.part;
}

/// Answered, and with a word.
template <class Word>
bool is_well(const pending<console_reply<Word>>& x) {
  return x && x->trouble.part == console_part::none
         && x->trouble.why.text.empty();
}

} // namespace

TEST_CASE("the console shows the scene that the view gave, and no copy") {
  rig b;
  auto got = b.look();
  REQUIRE(is_well(got));
  CHECK(got->word == b.parts->now);
}

TEST_CASE("each order goes to the part whose matter it is") {
  rig b;
  auto paused = b.pause();
  REQUIRE(is_well(paused));
  CHECK(paused->word.done);
  REQUIRE(b.parts->pauses.size() == 1);
  CHECK(b.parts->pauses[0].pause);
  CHECK(b.parts->pauses[0].who == "ann");
  CHECK(b.parts->pauses[0].reason == "new switch");
  auto repaired = b.repair();
  REQUIRE(is_well(repaired));
  CHECK(repaired->word.repair == "r-1");
  REQUIRE(b.parts->repairs.size() == 1);
  CHECK(b.parts->repairs[0].instance == "web1");
  CHECK(b.parts->repairs[0].type == repair_type::failover);
  auto planned = b.balance();
  REQUIRE(is_well(planned));
  CHECK(planned->word.asked == 17);
  REQUIRE(b.parts->balances.size() == 1);
  CHECK(b.parts->balances[0].plan_now);
  CHECK(b.parts->balances[0].explained == std::set<instance_name>{"web1"});
  auto acked = b.about_event();
  REQUIRE(is_well(acked));
  CHECK(acked->word.what == event_order_answer::outcome::done);
  REQUIRE(b.parts->events.size() == 1);
  CHECK(b.parts->events[0].uuid == "u-1");
  CHECK(b.parts->events[0].verb == event_verb::ack);
  CHECK(b.parts->events[0].serial_no == 4U);
}

TEST_CASE("all words about errands go to the desk") {
  rig b;
  auto sheet = b.errand(info_of_ann());
  REQUIRE(is_well(sheet));
  CHECK(sheet->word.id == "asked for by ann");
  CHECK(b.errand(errand_query{"info-1"})->word.id == "asked info-1");
  CHECK(b.errand(errand_stop{"info-1", "bob"})->word.id
        == "info-1 stopped by bob");
  auto all = b.errands();
  REQUIRE(is_well(all));
  CHECK(all->word.errands.size() == 2);
}

TEST_CASE("a part that does not answer in time is named") {
  rig b;
  b.parts->hang = true;
  auto scene = b.look();
  auto paused = b.pause();
  auto repaired = b.repair();
  auto query = b.errand(errand_query{"info-1"});
  auto stop = b.errand(errand_stop{"info-1", "bob"});
  auto wanted = b.errand(info_of_ann());
  auto all = b.errands();
  auto planned = b.balance();
  b.on.run_for(millis{4999});
  CHECK_FALSE(scene);
  CHECK_FALSE(planned);
  b.on.run_for(millis{2});
  CHECK(part_of(scene) == console_part::view);
  CHECK(part_of(paused) == console_part::scheduler);
  CHECK(part_of(query) == console_part::desk);
  CHECK(part_of(stop) == console_part::desk);
  CHECK(part_of(wanted) == console_part::desk);
  CHECK(part_of(all) == console_part::desk);
  CHECK(part_of(planned) == console_part::balancer);
  // A tag is a job.
  CHECK_FALSE(repaired);
  b.on.run_for(seconds{3});
  CHECK(part_of(repaired) == console_part::cluster);
  // Whoever asked to read may ask again; an order may have been taken.
  for (const auto& x :
       {scene->trouble, query->trouble, all->trouble, planned->trouble}) {
    CHECK(x.why.kind == fault_kind::timed_out);
    CHECK_FALSE(x.why.text.empty());
  }
  for (const auto& x :
       {paused->trouble, repaired->trouble, stop->trouble, wanted->trouble}) {
    CHECK(x.why.kind == fault_kind::unknown_outcome);
    CHECK_FALSE(x.why.text.empty());
  }
}

TEST_CASE("one part that hangs keeps nobody from the others") {
  rig b;
  b.parts->hanging = console_part::view;
  auto scene = b.look();
  CHECK(is_well(b.pause()));
  CHECK(is_well(b.repair()));
  CHECK(is_well(b.errands()));
  CHECK(is_well(b.balance()));
  CHECK_FALSE(scene);
  // It answers again, while somebody still waits for its first answer.
  b.parts->hanging = console_part::none;
  CHECK(is_well(b.look()));
  b.on.run_for(seconds{6});
  CHECK(part_of(scene) == console_part::view);
}

TEST_CASE("an answer that comes too late goes to nobody else") {
  rig b;
  b.parts->hanging = console_part::scheduler;
  auto first = b.pause();
  b.on.run_for(seconds{6});
  CHECK(part_of(first) == console_part::scheduler);
  b.parts->hanging = console_part::none;
  b.on.tell(caf::actor_cast<late_counter>(b.tree->now_at.scheduler), tick{});
  CHECK(part_of(first) == console_part::scheduler);
  auto second = b.pause();
  REQUIRE(is_well(second));
  CHECK(second->word.done);
}

TEST_CASE("a part that is dead is named at once") {
  rig b;
  b.on.kill(b.tree->now_at.balancer);
  CHECK(part_of(b.balance()) == console_part::balancer);
  CHECK(is_well(b.look()));
}

TEST_CASE("while the core is down that is told after a while") {
  rig b;
  b.tree->down = true;
  auto scene = b.look();
  auto paused = b.pause();
  b.on.run_for(seconds{4});
  CHECK_FALSE(scene);
  b.on.run_for(seconds{2});
  CHECK(part_of(scene) == console_part::core);
  // Nobody was asked.
  CHECK(part_of(paused) == console_part::core);
  CHECK(paused->trouble.why.kind == fault_kind::timed_out);
  CHECK(b.parts->pauses.empty());
}

TEST_CASE("a core that was raised anew is found") {
  rig b;
  REQUIRE(is_well(b.look()));
  auto anew = std::make_shared<parts_fake>();
  anew->now = std::make_shared<const scene>();
  b.tree->now_at = b.enter(anew);
  auto got = b.look();
  REQUIRE(is_well(got));
  CHECK(got->word == anew->now);
}

TEST_CASE("no order is taken while the journal cannot be written") {
  rig b;
  b.on.ctx()->set_journal_trouble("disk full");
  auto paused = b.pause();
  CHECK(part_of(paused) == console_part::journal);
  CHECK(paused->trouble.why.kind == fault_kind::unreachable);
  CHECK_THAT(paused->trouble.why.text, Catch::Contains("disk full"));
  CHECK(part_of(b.repair()) == console_part::journal);
  CHECK(part_of(b.errand(info_of_ann())) == console_part::journal);
  CHECK(part_of(b.errand(errand_stop{"info-1", "ann"}))
        == console_part::journal);
  CHECK(b.parts->pauses.empty());
  CHECK(b.parts->repairs.empty());
  // Whoever only reads is answered.
  CHECK(is_well(b.look()));
  CHECK(is_well(b.errand(errand_query{"info-1"})));
  CHECK(is_well(b.errands()));
  CHECK(is_well(b.balance()));
}

} // namespace orderly::console_test
