// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The console's words over a wire: two actor systems on this machine, of which
// one asks what the other one has. orderlyd itself opens no such port.

#include "actors/console/console.hpp"
#include "tests/actors/console/counters.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/io/middleman.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <catch2/catch.hpp>

namespace orderly::console_remote_test {

using namespace console_fakes;

namespace {

constexpr auto patience = minutes{1};

struct over_tcp : caf::actor_system_config {
  over_tcp() {
    load<caf::io::middleman>();
    add_message_types<caf::id_block::orderly_console>();
    set("scheduler.max-threads", 2);
    set("middleman.enable-automatic-connections", false);
  }
};

/// A console in a system of its own, with a port on the loopback.
struct daemon {
  daemon() {
    auto keep = [this](const auto& part) {
      cast.push_back(caf::actor_cast<caf::actor>(part));
    };
    auto tree = std::make_shared<tree_fake>();
    tree->now_at = spawn_parts(parts, keep, system);
    auto root = system.spawn(root_fake, tree);
    keep(root);
    auto ctx
      = std::make_shared<context>(std::make_shared<const settings>(),
                                  system.clock().now(), from_ms(1), 1, "test");
    answers = spawn_console(system, ctx, root);
    keep(answers);
    auto opened = system.middleman().publish(answers, 0, "127.0.0.1");
    REQUIRE(opened);
    port = *opened;
  }

  ~daemon() {
    (void)system.middleman().unpublish(answers, port);
    for (const auto& x : cast)
      caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
    cast.clear();
  }

  daemon(const daemon&) = delete;
  daemon& operator=(const daemon&) = delete;

  over_tcp config;
  caf::actor_system system{config};
  std::shared_ptr<parts_fake> parts = std::make_shared<parts_fake>();
  std::vector<caf::actor> cast;
  console_actor answers;
  std::uint16_t port = 0;
};

std::shared_ptr<const scene> small_scene() {
  auto row = std::make_shared<node_row>();
  row->name = row->standing.node = "node1";
  row->standing.phase = ha_phase::fenced;
  auto all = std::make_shared<scene>();
  all->revision = 12;
  all->status.right_to_act = {true, from_ms(9), "node2 is master", "node2"};
  all->nodes = {row};
  return all;
}

template <class Word, class Question>
console_reply<Word> ask(caf::scoped_actor& self, const console_actor& there,
                        Question q) {
  console_reply<Word> result;
  self->request(there, patience, console_ask<Question>{std::move(q)})
    .receive([&](console_reply<Word>& x) { result = std::move(x); },
             [&](const caf::error& e) { FAIL(self->system().render(e)); });
  return result;
}

} // namespace

TEST_CASE("a console in another actor system is asked as one in ours") {
  daemon far;
  far.parts->now = small_scene();
  over_tcp config;
  caf::actor_system here{config};
  auto found
    = here.middleman().remote_actor<console_actor>("127.0.0.1", far.port);
  REQUIRE(found);
  caf::scoped_actor self{here};
  auto seen = ask<console_scene>(self, *found, console_look{});
  REQUIRE(seen.word);
  CHECK(seen.word->revision == 12);
  CHECK(seen.word->status.right_to_act == far.parts->now->status.right_to_act);
  REQUIRE(seen.word->nodes.size() == 1);
  CHECK(*seen.word->nodes[0] == *far.parts->now->nodes[0]);
  auto paused
    = ask<pause_answer>(self, *found, pause_order{true, "ann", "new switch"});
  CHECK(paused.word.done);
  CHECK(paused.word.text == "held");
  CHECK(ask<repair_answer>(self, *found,
                           repair_request{"web1", repair_type::migrate, ""})
          .word.repair
        == "r-1");
  console_errand stop = errand_stop{"info-1", "bob"};
  CHECK(ask<errand_sheet>(self, *found, stop).word.id
        == "info-1 stopped by bob");
  CHECK(ask<errand_list_answer>(self, *found, errand_list{}).word.errands.size()
        == 2);
  CHECK(ask<balance_sheet>(self, *found, balance_query{}).word.asked == 17);
}

TEST_CASE("a part that is gone is named over a wire, too") {
  daemon far;
  // The desk: the fourth that entered.
  caf::anon_send_exit(far.cast.at(3), caf::exit_reason::kill);
  over_tcp config;
  caf::actor_system here{config};
  auto found
    = here.middleman().remote_actor<console_actor>("127.0.0.1", far.port);
  REQUIRE(found);
  caf::scoped_actor self{here};
  auto all = ask<errand_list_answer>(self, *found, errand_list{});
  CHECK(all.trouble.part == console_part::desk);
  CHECK(all.trouble.why.kind == fault_kind::timed_out);
  CHECK(ask<balance_sheet>(self, *found, balance_query{}).word.asked == 17);
}

TEST_CASE("who takes a console for something else is told so") {
  using other = caf::typed_actor<caf::replies_to<
    console_ask<pause_order>>::with<console_reply<repair_answer>>>;
  daemon far;
  over_tcp config;
  caf::actor_system here{config};
  auto found = here.middleman().remote_actor<other>("127.0.0.1", far.port);
  REQUIRE_FALSE(found);
  CHECK(found.error() == caf::sec::unexpected_actor_messaging_interface);
}

} // namespace orderly::console_remote_test
