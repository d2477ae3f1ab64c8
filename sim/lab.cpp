// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab.hpp"

#include "actors/planner.hpp"
#include "sim/drill.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

std::string bare(const object_id& object) {
  auto colon = object.find(':');
  return colon == std::string::npos ? object : object.substr(colon + 1);
}

} // namespace

std::string stamp(instant start, instant at) {
  auto s = std::chrono::duration_cast<seconds>(at - start).count();
  if (s >= 3600)
    return fmt::format("+{}h{:02}m{:02}s", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("+{}m{:02}s", s / 60, s % 60);
}

lab::lab(const world_plan& plan, settings rules, std::uint64_t seed)
  : clock_(std::make_unique<clockwork>(seed)),
    state_(std::make_shared<lab_state>(plan, rules)) {
  state_->epoch_steady = clock_->now();
  start_ = state_->epoch_wall;
  state_->advance(start_);
  state_->truth.on_event(
    [this](const std::string& text) { line("world", text); });
  state_->journal.on_durable([this](const journal_entry& e) { entry(e); });
  ports_ = spawn_sim_ports(clock_->system(), state_);
  ports_.planner = clock_->system().spawn(remembering_planner);
  ports_.placer = clock_->system().spawn(planner);
  context_ = std::make_shared<context>(
    std::make_shared<const settings>(std::move(rules)), clock_->now(), start_,
    seed, "sim");
  watch_clocks();
  clock_->after_step = [this] { return look(); };
  start_daemon();
}

lab::~lab() {
  clock_->after_step = nullptr;
  kill_daemon();
  for (const auto& x : persons_)
    caf::anon_send_exit(x, caf::exit_reason::kill);
  persons_.clear();
  stop_ports(ports_);
  ports_ = {};
  clock_->settle();
}

instant lab::now() {
  return state_->wall(clock_->now());
}

void lab::watch_clocks() {
  context_->watch([this] {
    auto x = offsets_;
    x.wall += state_->clock_error;
    return x;
  });
}

void lab::jump_clocks(const clock_jump& x) {
  offsets_.boot += x.asleep;
  offsets_.wall += x.asleep + x.stepped;
}

void lab::line(const std::string& who, const std::string& what) {
  auto at = now();
  for (auto c : fmt::format("{} {} {}\n", to_ms(at), who, what))
    hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  if (on_line)
    on_line(at, who, what);
}

void lab::entry(const journal_entry& e) {
  if (e.kind != entry_kind::note)
    line(bare(e.object), (e.kind == entry_kind::alert ? "ALERT " : "") + e.why);
  if (on_entry)
    on_entry(e);
}

bool lab::look() {
  auto found = laws_.check(*state_, now());
  broken_.insert(broken_.end(), found.begin(), found.end());
  return broken_.empty();
}

void lab::run_until(instant end) {
  // While our machine is suspended the world goes on and no timer runs.
  if (auto until = std::min(end, state_->suspended_until); until > now()) {
    auto asleep = std::chrono::duration_cast<millis>(until - now());
    jump_clocks({asleep, millis{0}});
    state_->epoch_wall += asleep;
    state_->advance(now());
    look();
  }
  auto at = clock_->now() + (end - now());
  clock_->run_until(at);
  state_->advance(now());
}

std::string lab::enter(const std::string& command) {
  auto read = read_command_line(command);
  if (!read)
    return read.why().text;
  visit x;
  x.lab = state_;
  x.daemon = [this] { return tree_; };
  x.say = [this](const std::string& text) { line(tester, text); };
  x.command = command;
  x.wanted = read->wanted;
  x.stops = read->stops;
  persons_.push_back(spawn_person(clock_->system(), std::move(x)));
  clock_->settle();
  return {};
}

std::string lab::apply(const std::string& fault) {
  if (is_command_line(fault)) {
    state_->advance(now());
    return enter(fault);
  }
  auto order = parse_fault(fault);
  if (!order)
    return order.why().text;
  state_->advance(now());
  auto trouble = sim::apply(*order, *state_);
  if (state_->daemon_wanted && !tree_)
    start_daemon();
  else if (!state_->daemon_wanted && tree_)
    kill_daemon();
  if (auto wanted = std::exchange(state_->pause_asked, std::nullopt);
      wanted && trouble.empty())
    trouble = pause(*wanted);
  if (auto wanted = std::exchange(state_->set_asked, std::nullopt))
    trouble = reload(wanted->first, wanted->second);
  look(); // without a daemon no step may come for long
  return trouble;
}

std::string lab::reload(const std::string& key, const std::string& value) {
  auto rules = *context_->rules();
  auto trouble = set_knob(rules, key, value);
  if (auto all = contradictions(rules); trouble.empty() && !all.empty())
    trouble = all.front();
  if (!trouble.empty())
    return trouble;
  state_->rules = rules;
  change_rules(rules);
  return {};
}

std::string lab::pause(bool on) {
  if (!tree_)
    return "the daemon does not run, so nobody can pause it";
  // Perhaps in the middle of a step: nothing here may wait.
  clock_->system().spawn([root = tree_, on](caf::event_based_actor* self) {
    self->request(root, minutes{1}, ask_counters{})
      .then(
        [self, on](const front& f) {
          self->send(f.scheduler, pause_order{on, "tester", ""});
        },
        [](const caf::error&) {});
  });
  return {};
}

void lab::kill_daemon() {
  if (!tree_)
    return;
  state_->gagged = true;
  caf::anon_send_exit(tree_, caf::exit_reason::kill);
  tree_ = nullptr;
  auto watching = std::move(clock_->after_step);
  clock_->after_step = nullptr;
  clock_->settle();
  clock_->after_step = std::move(watching);
  state_->gagged = false;
}

void lab::start_daemon() {
  if (tree_)
    return;
  state_->daemon_wanted = true;
  state_->daemon_since = now();
  state_->journal.open();
  // A new life: its clocks are mapped anew, and nothing is forbidden yet.
  context_ = std::make_shared<context>(context_->rules(), clock_->now(),
                                       now() + state_->clock_error,
                                       state_->seed, "sim");
  watch_clocks();
  tree_ = spawn_tree(clock_->system(), context_, ports_);
}

void lab::check_liveness(const liveness_bounds& bounds) {
  auto found = laws_.check_liveness(*state_, now(), bounds);
  broken_.insert(broken_.end(), found.begin(), found.end());
}

void lab::change_rules(const settings& rules) {
  context_->replace(std::make_shared<const settings>(rules));
}

view_answer lab::ask(const view_query& question) {
  view_answer result;
  caf::scoped_actor self{clock_->system()};
  auto first = self->request(tree_, caf::infinite, ask_counters{});
  clock_->settle();
  front handles;
  first.receive([&](front& f) { handles = std::move(f); },
                [](const caf::error&) {});
  if (!handles.view)
    return result;
  auto second = self->request(handles.view, caf::infinite, question);
  clock_->settle();
  second.receive([&](view_answer& a) { result = std::move(a); },
                 [](const caf::error&) {});
  return result;
}

} // namespace orderly::sim
