// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/desk/desk_rig.hpp"

#include <deque>
#include <stdexcept>

namespace orderly {

namespace {

struct prop_state {
  static inline const char* name = "prop";

  /// Answers that are on their way.
  std::map<std::uint64_t,
           std::pair<power_report, caf::typed_response_promise<power_report>>>
    reports;
  std::map<std::uint64_t, std::pair<job_order, job_client>> open;
  std::uint64_t last = 0;
};

instant at(const context_ptr& ctx, caf::actor_clock& clock) {
  return ctx->at(clock.now());
}

/// Of the power switch, what the desk knows, and its own timer.
using desk_switch
  = power_switch::extend_with<wish_keeper>::extend<caf::reacts_to<tick>>;

using switch_self = desk_switch::stateful_pointer<prop_state>;

/// Done at once, and told after a while.
void carry_out(switch_self self, desk_world& world, const power_order& order,
               instant at, caf::typed_response_promise<power_report> promise) {
  power_report r;
  r.node = order.node;
  r.verb = order.verb;
  r.intent = order.intent;
  r.at = at;
  if (world.broken.count(order.node) != 0) {
    r.complaint = "OOB program execution failed (bmc gone)";
  } else {
    auto& power = world.power[order.node];
    // The wish is kept with the command, as the oob actor does.
    if (!is_reading(order.verb)) {
      auto& wish = world.wishes[order.node];
      wish.wanted
        = order.verb == power_verb::off ? power_state::off : power_state::on;
      wish.at = at;
    }
    if (order.verb == power_verb::off)
      power = power_state::off;
    if (order.verb == power_verb::on)
      power = power_state::on;
    r.confirmed = true;
    r.state = power;
    r.evidence = std::string{"status read "} + to_string(power);
  }
  auto ticket = ++self->state.last;
  self->state.reports.emplace(ticket, std::pair{r, std::move(promise)});
  self->delayed_send(self, world.switch_time, tick{0, ticket});
}

/// Asks the witness, then does as it is told.
desk_switch::behavior_type fake_switch(switch_self self, desk_world_ptr world,
                                       context_ptr ctx) {
  return {
    [](const power_order&) { return power_report{}; },
    [self, world, ctx](const power_order& order, const power_witness& witness)
      -> caf::result<power_report> {
      world->orders.push_back(order);
      auto promise = self->make_response_promise<power_report>();
      if (is_reading(order.verb)) {
        carry_out(self, *world, order, at(ctx, self->clock()), promise);
        return promise;
      }
      self->request(witness, caf::infinite, power_last_look{order.intent})
        .then([=](const power_last_word& word) mutable {
          if (word.stands) {
            carry_out(self, *world, order, at(ctx, self->clock()), promise);
            return;
          }
          power_report r;
          r.node = order.node;
          r.verb = order.verb;
          r.held_back = true;
          r.evidence = "not commanded: " + word.why;
          promise.deliver(r);
        });
      return promise;
    },
    [](const wish_client&) {},
    [world](const power_withdraw& x) { world->taken_back.push_back(x); },
    [world](ask_wishes) { return power_wishes{world->wishes}; },
    [](const program_question& q) {
      program_answer x;
      x.program = q.program;
      if (q.program == "/missing")
        x.wrong = "it is not there";
      return x;
    },
    [self](const tick& t) {
      auto i = self->state.reports.find(t.generation);
      i->second.second.deliver(i->second.first);
      self->state.reports.erase(i);
    },
  };
}

permit_office::behavior_type fake_office(permit_office::pointer,
                                         desk_world_ptr world) {
  return {
    [](const permit_request&) { return permit{}; },
    [](const permit_request&, const permit_client&) { return permit{}; },
    [](const permit_release&) {},
    [world](const ask_risky_acts&) { return world->risky; },
  };
}

/// Idempotent by intent, as the job submitter is.
job_submitter_actor::behavior_type
fake_jobs(job_submitter_actor::stateful_pointer<prop_state> self,
          desk_world_ptr world, context_ptr ctx) {
  return {
    [self, world](job_order& order, job_client& client) {
      auto known = world->jobs.find(order.intent);
      if (known == world->jobs.end() && order.ops.empty()) {
        job_event lost;
        lost.intent = order.intent;
        lost.phase = job_phase::refused;
        lost.text = "it was never sent";
        self->send(client, lost);
        return;
      }
      if (known == world->jobs.end()) {
        world->sent.push_back(order);
        job_event queued;
        queued.intent = order.intent;
        queued.phase = job_phase::submitted;
        world->jobs.emplace(order.intent, queued);
      }
      auto ticket = ++self->state.last;
      self->state.open.emplace(ticket, std::pair{order, client});
      self->delayed_send(self, world->job_time, tick{0, ticket});
    },
    [](const job_lookup&) { return job_lookup_answer{}; },
    [world](const job_withdraw& x) { world->withdrawn.push_back(x.intent); },
    [](const lease&) {},
    [self, world, ctx](const tick& t) {
      auto i = self->state.open.find(t.generation);
      auto [order, client] = i->second;
      self->state.open.erase(i);
      auto& known = world->jobs.at(order.intent);
      if (known.phase == job_phase::submitted)
        known = world->run(world->first(order.intent), at(ctx, self->clock()));
      self->send(client, known);
    },
  };
}

struct keeper_state {
  static inline const char* name = "keeper";

  std::deque<caf::typed_response_promise<off_word_answer>> words;
};

cluster_actor::behavior_type
fake_cluster(cluster_actor::stateful_pointer<keeper_state> self,
             desk_world_ptr world) {
  return {
    [](const node_standing&) {},
    [world](const attention&) { ++world->attentions; },
    [](const room_question&) { return room_answer{}; },
    [](const copy_question&) { return copy_answer{}; },
    [](const repair_request&) { return repair_answer{}; },
    [self, world](const off_word& x) -> caf::result<off_word_answer> {
      world->words.push_back(x);
      if (x.taken_back)
        return off_word_answer{!world->word_believed, {}};
      auto promise = self->make_response_promise<off_word_answer>();
      self->state.words.push_back(promise);
      self->delayed_send(self, world->word_time, tick{});
      return promise;
    },
    [world](const pause_watcher& x) {
      world->pauses.push_back(x);
      return watcher_answer{world->watcher_obeys, "no such file"};
    },
    [world](const holds& x) { world->held.push_back(x); },
    [world](const power_records& x) { world->records.push_back(x); },
    [](const mirror_news&) {},
    [](const upkeep&) {},
    [](const group_standing&) {},
    [](const power_report&) {},
    [](const sighting&) {},
    [](const node_started&, const node_actor&) {},
    [](const instance_started&, const instance_actor&) {},
    [](const group_started&, const group_actor&) {},
    [self](const tick&) {
      self->state.words.front().deliver(off_word_answer{true, "taken"});
      self->state.words.pop_front();
    },
  };
}

node_checker::behavior_type fake_collector(node_checker::pointer,
                                           desk_world_ptr world) {
  return {
    [world](const probe_request& x) {
      ++world->probes;
      sighting s;
      s.node = x.node;
      s.verdict = world->nodes_answer ? health::healthy : health::unhealthy;
      return s;
    },
    [](const activity_request&) { return activity_answer{}; },
  };
}

} // namespace

job_event desk_world::run(const job_order& order, instant when) {
  job_event e;
  e.intent = order.intent;
  e.owner = order.owner;
  e.phase = job_phase::ended;
  e.id = 100;
  e.at = when;
  e.status = job_status::success;
  const auto& op = order.ops.at(0);
  auto object = op.instance.empty() ? op.node : op.instance;
  if (failing.count(std::string{to_string(op.kind)} + ":" + object) != 0) {
    e.status = job_status::error;
    e.text = "it refuses";
  } else if (op.kind == op_kind::node_modify) {
    auto& x = node(op.node);
    x.serial_no += op.offline && *op.offline != x.offline ? 2 : 1;
    x.offline = op.offline.value_or(x.offline);
    x.powered = op.powered.value_or(x.powered);
  }
  return e;
}

const job_order& desk_world::first(const intent_id& intent) const {
  return *std::find_if(sent.begin(), sent.end(),
                       [&](const auto& x) { return x.intent == intent; });
}

desk_rig::desk_rig() {
  world->cluster.master = "m";
  for (const char* name : {"m", "n1", "n2", "n3"}) {
    node_record x;
    x.name = name;
    x.group = "g1";
    x.oob_program = "/usr/bin/oob";
    x.serial_no = 1;
    world->cluster.nodes.push_back(x);
    world->power[name] = power_state::on;
  }
  world->cluster.groups = {{"g1", "", {}}};
  instance_record i;
  i.name = "i1";
  i.primary = "n1";
  i.secondaries = {"n2"};
  i.disks = disk_template::drbd;
  world->cluster.instances.push_back(i);
  i.name = "i2";
  i.primary = "n2";
  i.secondaries = {"n1"};
  world->cluster.instances.push_back(i);
  boot();
}

void desk_rig::boot() {
  auto& sys = theatre.system();
  auto keep = [this](const auto& x) {
    props_.push_back(caf::actor_cast<caf::actor>(x));
    return x;
  };
  auto view = keep(spawn_fake(sys, seen));
  auto port = keep(spawn_fake(sys, book));
  journal_ = keep(sys.spawn(journal, theatre.ctx(), port, view));
  desk_peers s;
  s.journal = journal_;
  s.view = view;
  s.collector = keep(sys.spawn(fake_collector, world));
  auto power = keep(sys.spawn(fake_switch, world, theatre.ctx()));
  s.oob = power;
  s.wishes = power;
  s.scheduler = keep(sys.spawn(fake_office, world));
  s.jobs = keep(sys.spawn(fake_jobs, world, theatre.ctx()));
  desk = keep(sys.spawn(power_desk, theatre.ctx(), s));
  auto picture = keep(sys.spawn(fake_cluster, world));
  theatre.tell(desk, cluster_here{picture});
}

void desk_rig::crash() {
  for (const auto& x : props_)
    caf::anon_send_exit(x, caf::exit_reason::kill);
  theatre.settle();
  props_.clear();
  desk = desk_actor{};
  journal_ = journal_actor{};
}

void desk_rig::read() {
  picture_news news;
  news.picture = std::make_shared<const cluster_record>(world->cluster);
  news.poll.answered = true;
  news.poll.is_master = is_master;
  news.poll.master = is_master ? "m" : "n3";
  news.poll.at = theatre.now();
  news.poll.asked_at = theatre.now();
  theatre.tell(desk, news);
  // As the leader makes it of the same reading.
  lease right{is_master,
              theatre.now() + theatre.rules().leader.lease,
              {},
              news.poll.master};
  theatre.tell(desk, right);
}

void desk_rig::run_for(seconds span) {
  for (auto left = span; left > seconds{0}; left -= seconds{1}) {
    theatre.run_for(seconds{1});
    read();
  }
}

std::size_t desk_rig::alerts() const {
  return static_cast<std::size_t>(
    std::count_if(book->entries.begin(), book->entries.end(),
                  [](const auto& x) { return x.kind == entry_kind::alert; }));
}

errand_sheet desk_rig::ask(const errand_request& x) {
  auto answer = theatre.ask<errand_sheet>(desk, x);
  if (!answer)
    throw std::logic_error("the desk does not answer");
  return *answer;
}

errand_sheet desk_rig::sheet(const errand_id& id) {
  auto answer = theatre.ask<errand_sheet>(desk, errand_query{id});
  if (!answer)
    throw std::logic_error("the desk does not answer");
  return *answer;
}

errand_sheet desk_rig::end(const errand_id& id, const std::string& who) {
  auto answer = theatre.ask<errand_sheet>(desk, errand_stop{id, who});
  if (!answer)
    throw std::logic_error("the desk does not answer");
  return *answer;
}

} // namespace orderly
