// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The intake between agents and neighbours of glass, with a journal of its own.
// No event comes alive here but where a test says so.

#include "actors/journal/journal.hpp"
#include "actors/maintenance/intake.hpp"
#include "messages/codes.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_intake_test {

using names = std::vector<std::string>;

namespace {

const std::string evacuates = R"({"status": "evacuate", "details": "fan"})";
const std::string is_well = R"({"status": "Ok"})";

/// What agents say, and what the neighbours have heard.
struct glass {
  std::map<node_name, std::string> reports; ///< who is not here is silent
  std::vector<ask_diagnosis> asked;
  std::set<node_name> hanging; ///< who does not even refuse
  names started;
  names stopped;
  std::vector<event_standing> standings; ///< told to the view
  agent_roster agents;
  std::vector<std::size_t> known;
  std::vector<upkeep> told;
  std::vector<event_facts> facts;
  std::vector<event_report> seen;
};

using glass_ptr = std::shared_ptr<glass>;

agent_port::behavior_type agents_of(agent_port::pointer self, glass_ptr x) {
  return {
    [self, x](const ask_diagnosis& what) {
      x->asked.push_back(what);
      diagnosis said;
      auto i = x->reports.find(what.node);
      if (i == x->reports.end()) {
        said.text = "nobody listens there";
      } else {
        said.how = hearing::heard;
        said.object = i->second;
      }
      auto promise = self->make_response_promise<diagnosis>();
      if (x->hanging.count(what.node) == 0)
        promise.deliver(said);
      return promise;
    },
    [](const deposit_repair&) { return deposit_answer{}; },
  };
}

supervisor_actor::behavior_type supervisor_of(glass_ptr x) {
  return {
    [x](const start_child& what) { x->started.push_back(what.name); },
    [x](const stop_child& what) { x->stopped.push_back(what.name); },
    [](const tick&) {},
  };
}

event_viewer::behavior_type view_of(glass_ptr x) {
  return {
    [x](const event_standing& what) { x->standings.push_back(what); },
    [x](const events_known& what) { x->known.push_back(what.count); },
    [x](const agents_asked& what) { x->agents = what.all; },
  };
}

/// The cluster's actor, the balancer and an event: of what they understand only
/// this is looked at.
caf::behavior neighbour(caf::event_based_actor* self, glass_ptr x) {
  self->set_default_handler(caf::drop);
  return {
    [x](const upkeep& what) { x->told.push_back(what); },
    [x](const event_facts& what) { x->facts.push_back(what); },
    [x](const event_report& what) { x->seen.push_back(what); },
    [](const event_order&) {
      return event_order_answer{event_order_answer::outcome::done, "passed on"};
    },
  };
}

settings acting() {
  settings s;
  s.maintenance.mode = repair_mode::act;
  return s;
}

struct rig {
  explicit rig(const settings& with = acting()) : on(with) {
    for (const auto* name : {"n1", "n2", "n3"}) {
      node_record node;
      node.name = name;
      node.uuid = "uuid-" + node.name;
      node.address = "10.0.0." + node.name.substr(1);
      record.nodes.push_back(node);
      heard->reports[name] = is_well;
    }
    record.nodes[2].offline = true;
    other = on.enter(neighbour, heard);
    enter();
  }

  /// A life of the intake.
  void enter() {
    auto paper_port = on.keep(spawn_fake(on.system(), disk));
    auto nobody = on.keep(spawn_fake(on.system(), paper_view));
    intake_peers peers;
    peers.journal = on.enter(journal, on.ctx(), paper_port, nobody);
    peers.balancer = caf::actor_cast<upkeep_client>(other);
    peers.view = on.enter(view_of, heard);
    peers.members = on.enter(supervisor_of, heard);
    boss = on.enter(intake, on.ctx(), std::move(peers),
                    on.enter(agents_of, heard));
  }

  void begin() {
    on.tell(boss, cluster_here{caf::actor_cast<cluster_actor>(other)});
    show();
    on.run_for(seconds{1});
  }

  /// A reading of the cluster.
  void show() {
    picture_news news;
    news.picture = std::make_shared<const cluster_record>(record);
    news.poll.answered = true;
    news.poll.at = on.now();
    on.tell(boss, news);
  }

  void sweep() { on.run_for(on.rules().maintenance.interval); }

  void stand(const node_name& name) {
    node_standing x;
    x.node = name;
    on.tell(boss, x);
  }

  /// The UUID of the only event.
  std::string event() {
    REQUIRE(heard->started.size() == 1);
    return heard->started.front().substr(std::string{"event:"}.size());
  }

  /// Its actor comes alive, and says how it stands.
  void come_alive(event_phase phase) {
    on.tell(boss, event_started{event()}, caf::actor_cast<event_actor>(other));
    say(phase);
  }

  void say(event_phase phase) {
    event_standing x;
    x.uuid = event();
    x.node = "n1";
    x.node_uuid = "uuid-n1";
    x.identity = identity;
    x.phase = phase;
    on.tell(boss, x);
  }

  stage on;
  cluster_record record;
  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<view_fake> paper_view = std::make_shared<view_fake>();
  glass_ptr heard = std::make_shared<glass>();
  caf::actor other;
  intake_actor boss;
  std::string identity
    = maintenance::read_report({"n1", hearing::heard, evacuates, {}, {}, {}})
        .identity;
};

} // namespace

TEST_CASE("all nodes are asked at once, in service or not, and again after the "
          "interval") {
  rig b;
  b.begin();
  REQUIRE(b.heard->asked.size() == 3);
  CHECK(b.heard->asked[2].node == "n3");
  CHECK(b.heard->asked[2].address == "10.0.0.3");
  b.sweep();
  CHECK(b.heard->asked.size() == 6);
  CHECK(b.heard->started.empty());
}

TEST_CASE("nobody is asked before the journal and a first picture were read") {
  rig b;
  SECTION("no journal") {
    b.show();
  }
  SECTION("no picture") {
    b.on.tell(b.boss, cluster_here{caf::actor_cast<cluster_actor>(b.other)});
  }
  b.on.run_for(minutes{5});
  CHECK(b.heard->asked.empty());
}

TEST_CASE("nobody is asked where repair events are switched off") {
  auto off = acting();
  off.maintenance.mode = repair_mode::off;
  rig b{off};
  b.begin();
  b.on.run_for(minutes{5});
  CHECK(b.heard->asked.empty());
}

TEST_CASE("who hangs is waited for, and then judged with the others") {
  rig b;
  b.heard->reports["n1"] = evacuates;
  b.heard->hanging = {"n3"};
  b.begin();
  b.on.run_for(b.on.rules().maintenance.report_timeout - seconds{1});
  // A bad collector shows only when all have answered.
  CHECK(b.disk->count(codes::event_noted) == 0);
  b.on.run_for(minutes{1});
  CHECK(b.disk->count(codes::event_noted) == 1);
  REQUIRE(b.heard->agents);
  CHECK(b.heard->agents->at(2).why == "no answer in time");
}

TEST_CASE("a request is one event, on disk before it starts, however often it "
          "is repeated") {
  rig b;
  auto slow = b.disk->writes.answer;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    auto reply = slow(batch);
    reply.after = seconds{5};
    return reply;
  };
  b.heard->reports["n1"] = evacuates;
  b.begin();
  CHECK(b.heard->started.empty());
  b.on.run_for(seconds{5});
  CHECK(b.heard->started == names{"event:" + b.event()});
  b.sweep();
  b.sweep();
  CHECK(b.heard->started.size() == 1);
  CHECK(b.disk->count(codes::event_noted) == 1);
}

TEST_CASE("a node that says nothing makes no event, and is shown") {
  rig b;
  b.heard->reports.erase("n2");
  b.begin();
  CHECK(b.heard->started.empty());
  REQUIRE(b.heard->agents);
  REQUIRE(b.heard->agents->size() == 3);
  CHECK(b.heard->agents->at(0).missed == 0);
  CHECK(b.heard->agents->at(1).how == hearing::silent);
  CHECK(b.heard->agents->at(1).why == "nobody listens there");
  CHECK(b.heard->agents->at(1).missed == 1);
  b.sweep();
  CHECK(b.heard->agents->at(1).missed == 2);
}

TEST_CASE("a report that cannot be understood is none") {
  rig b;
  b.heard->reports["n1"] = R"({"status": "explode"})";
  b.heard->reports["n2"] = "{";
  b.begin();
  CHECK(b.heard->started.empty());
  CHECK(b.heard->agents->at(0).how == hearing::failed);
  CHECK(b.heard->agents->at(1).how == hearing::failed);
}

TEST_CASE("events of an earlier life are started again, and found only once") {
  rig b;
  b.heard->reports["n1"] = evacuates;
  b.begin();
  auto first = b.event();
  b.on.kill(b.boss);
  b.heard->started.clear();
  b.enter();
  b.begin();
  CHECK(b.heard->started == names{"event:" + first});
  CHECK(b.heard->known.back() == 1);
  // What it is about is not known before it says so: nothing new is found.
  b.sweep();
  CHECK(b.heard->started.size() == 1);
}

TEST_CASE("an event hears of the picture and of its node's reports") {
  rig b;
  b.heard->reports["n1"] = evacuates;
  b.begin();
  b.stand("n1");
  b.come_alive(event_phase::noted);
  REQUIRE_FALSE(b.heard->facts.empty());
  CHECK(b.heard->facts.back().turn);
  b.sweep();
  REQUIRE_FALSE(b.heard->seen.empty());
  CHECK(b.heard->seen.back().what == event_report::sight::shown);
  b.heard->reports["n1"] = is_well;
  b.sweep();
  CHECK(b.heard->seen.back().what == event_report::sight::absent);
  b.heard->reports.erase("n1");
  b.sweep();
  CHECK(b.heard->seen.back().what == event_report::sight::unknown);
}

TEST_CASE("an event gets no facts before its node has said how it stands") {
  rig b;
  b.heard->reports["n1"] = evacuates;
  b.begin();
  b.come_alive(event_phase::noted);
  b.show();
  CHECK(b.heard->facts.empty());
  b.stand("n1");
  CHECK(b.heard->facts.size() == 1);
}

TEST_CASE("others keep out of a node while an event works on it") {
  rig b;
  b.heard->reports["n1"] = evacuates;
  b.begin();
  b.stand("n1");
  b.come_alive(event_phase::noted);
  CHECK(b.heard->told.empty());
  b.say(event_phase::draining);
  REQUIRE(b.heard->told.size() == 2); // the cluster's actor, and the balancer
  CHECK(b.heard->told.back().nodes.count("n1") == 1);
  b.say(event_phase::completed);
  CHECK(b.heard->told.size() == 4);
  CHECK(b.heard->told.back().nodes.empty());
}

TEST_CASE("where events are only observed nobody keeps out for them") {
  auto observing = acting();
  observing.maintenance.mode = repair_mode::observe;
  rig b{observing};
  b.heard->reports["n1"] = evacuates;
  b.begin();
  b.stand("n1");
  b.come_alive(event_phase::draining);
  CHECK(b.heard->told.empty());
}

TEST_CASE("what is reported on after its event was forgotten is a new one, if "
          "it was said since") {
  rig b;
  b.heard->reports["n1"] = evacuates;
  b.begin();
  b.stand("n1");
  b.come_alive(event_phase::noted);
  b.on.run_for(seconds{1});
  b.say(event_phase::forgotten);
  CHECK(b.heard->stopped == b.heard->started);
  CHECK(b.heard->started.size() == 1);
  b.sweep();
  REQUIRE(b.heard->started.size() == 2);
  CHECK(b.heard->started[0] != b.heard->started[1]);
}

TEST_CASE("an order goes to its event, which need not be alive yet") {
  rig b;
  auto order = [&](const std::string& uuid) {
    return b.on.ask<event_order_answer>(
      b.boss, event_order{uuid, event_verb::cancel, "anna", {}});
  };
  using outcome = event_order_answer::outcome;
  auto early = order("U");
  REQUIRE(early);
  CHECK(early->what == outcome::refused);
  b.heard->reports["n1"] = evacuates;
  b.begin();
  CHECK(order("U")->what == outcome::unknown);
  CHECK(order(b.event())->what == outcome::refused);
  b.come_alive(event_phase::noted);
  auto passed = order(b.event());
  REQUIRE(passed);
  CHECK(passed->what == outcome::done);
  CHECK(passed->text == "passed on");
}

} // namespace orderly::maintenance_intake_test
