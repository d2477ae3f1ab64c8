// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/stage.hpp"

#include "actors/journal/memory_journal.hpp"
#include "actors/pass/pass.hpp"
#include "actors/pass/world.hpp"
#include "actors/policy/checks/verdict.hpp"
#include "io/cli/pass_settings.hpp"
#include "io/ganeti/encode.hpp"
#include "io/harep/output.hpp"
#include "sim/conformance/ask.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

namespace orderly::sim::conformance {

namespace {

/// So long a pass may take in simulated time; none should take a tenth.
constexpr auto pass_limit = minutes{2};

/// Long enough for a pass to be over first, whatever the job delay.
constexpr auto repair_time = seconds{5};

ganeti_habits habits() {
  auto x = quick_habits();
  for (auto* span :
       {&x.failover_least, &x.failover_most, &x.migrate_least, &x.migrate_most,
        &x.replace_least, &x.replace_most, &x.recreate_least, &x.recreate_most,
        &x.reinstall_least, &x.reinstall_most, &x.start_least, &x.start_most})
    *span = repair_time;
  // Without a job delay a tag would wait for the end of the repair, and the
  // pass with it.
  x.tags_overtake = true;
  return x;
}

settings rules_for(const harep_options& wanted) {
  auto s = pass_settings({}, wanted);
  // The scenarios are about versions of Ganeti that can do that.
  s.autorepair.new_nodes = node_picker::allocator;
  // A second is a long time here: suspensions end at whole ones.
  s.cluster.poll_interval = millis{100};
  s.host_ha.check_interval = millis{50};
  s.rounds.hold_retry = millis{50};
  return s;
}

/// Jobs from before have ended so long ago that no pause after them runs.
constexpr millis long_ago = hours{24};

} // namespace

stage::stage(const given_world& given, instant start, std::uint64_t seed)
  : clock_(std::make_unique<clockwork>(seed)),
    state_(std::make_shared<lab_state>(given.plan, settings{}, start)),
    seed_(seed) {
  auto& x = *state_;
  x.epoch_steady = clock_->now();
  x.prompt_ports = true;
  x.cluster.habits = habits();
  for (const auto& [id, status] : given.jobs) {
    x.cluster.place_job(id, status, {}, long_ago);
    placed_.insert(id);
  }
  x.cluster.set_next_job(given.next_job);
  for (const auto& [name, tags] : given.node_tags)
    for (const auto& tag : tags)
      x.cluster.set_tag(tag_kind::node, name, tag, true);
  for (const auto& name : given.full_nodes)
    x.cluster.set_full(name, true);
  ports_ = spawn_sim_ports(clock_->system(), state_, checks::judge());
}

stage::~stage() {
  stop_ports(ports_);
  ports_ = {};
  clock_->settle();
}

instant stage::now() {
  return state_->wall(clock_->now());
}

void stage::let_pass(millis span) {
  clock_->run_until(clock_->now() + span);
  state_->advance(now());
}

void stage::run_harep(const std::vector<std::string>& args, played& into) {
  auto& system = clock_->system();
  if (into.began == never)
    into.began = now();
  into.states.clear();
  auto command = parse_harep(args, "sim", "", "");
  if (!command.options) {
    into.code = command.code;
    (command.code == 0 ? into.out : into.err) += command.text;
    into.ended = now();
    return;
  }
  const auto& wanted = *command.options;
  auto rules = std::make_shared<const settings>(rules_for(wanted));
  state_->rules = *rules;
  auto ctx = std::make_shared<context>(rules, clock_->now(), now(),
                                       seed_ + placed_.size(), "sim");
  auto journal = spawn_memory_journal(system);
  auto real = ports_;
  real.journal = journal;
  auto world = spawn_pass_world(system, real, wanted.dry_run);
  auto tree = spawn_tree(system, ctx, world.outside);
  auto limit = std::min<millis>(wanted.limit, pass_limit);
  auto report = ask<pass_report>(*clock_, spawn_pass(system, ctx, tree),
                                 run_pass{limit}, limit + minutes{1});
  auto written = ask<notes>(*clock_, world.sent, read_notes{}, seconds{1});
  into.ended = now();
  if (!report) {
    report.emplace();
    report->error = "the pass did not come back";
  }
  for (const auto& row : report->instances)
    into.states[row.name]
      = row.standing.phase ? to_string(*row.standing.phase) : "";
  auto said = make_harep_output(wanted, *report, written.value_or(notes{}));
  into.code = said.code;
  into.out += said.out;
  into.err += said.err;
  state_->gagged = true; // nothing is sent by those who die
  caf::anon_send_exit(tree, caf::exit_reason::kill);
  end_pass_world(world, wanted.dry_run);
  caf::anon_send_exit(journal, caf::exit_reason::kill);
  clock_->settle();
  state_->gagged = false;
}

std::vector<sent_job> stage::sent() const {
  std::vector<sent_job> result;
  for (const auto& job : state_->cluster.jobs()) {
    if (placed_.count(job.id) != 0 || is_bookkeeping(job.spec))
      continue;
    sent_job x;
    x.id = job.id;
    for (const auto& op : job.spec.ops)
      if (op.kind != op_kind::wait) {
        auto encoded = io::encode_opcode(op, &state_->cluster.record());
        x.ops.push_back(encoded ? *encoded : json(encoded.why().text));
      }
    result.push_back(std::move(x));
  }
  return result;
}

} // namespace orderly::sim::conformance
