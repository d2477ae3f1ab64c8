// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab/host.hpp"

#include "actors/balance/planner.hpp"
#include "actors/policy/checks/verdict.hpp"
#include "sim/lab/drill.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>

#include <utility>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

std::string bare(const object_id& object) {
  auto colon = object.find(':');
  return colon == std::string::npos ? object : object.substr(colon + 1);
}

} // namespace

host::host(clockwork& clock, lab_pointer state, host_listener listener)
  : clock_(clock),
    state_(std::move(state)),
    listener_(std::move(listener)),
    ports_(spawn_sim_ports(clock.system(), state_, checks::judge())) {
  ports_.planner = clock.system().spawn(remembering_planner);
  ports_.placer = clock.system().spawn(planner);
  state_->journal.on_durable([this](const journal_entry& e) {
    if (e.kind != entry_kind::note)
      listener_.line(bare(e.object),
                     (e.kind == entry_kind::alert ? "ALERT " : "") + e.why);
    listener_.entry(e);
  });
  laws_.begin(*state_);
  make_context();
  state_->journal.each_minute = [this] { note_duty(); };
}

host::~host() {
  kill_daemon();
  for (const auto& x : persons_)
    caf::anon_send_exit(x, caf::exit_reason::kill);
  persons_.clear();
  stop_ports(ports_);
  state_->journal.each_minute = {};
  ports_ = {};
  clock_.settle();
}

/// Its clocks are mapped anew, and nothing is forbidden yet.
void host::make_context() {
  auto rules = context_ ? context_->of_file()
                        : std::make_shared<const settings>(state_->rules);
  context_ = std::make_shared<context>(std::move(rules), clock_.now(),
                                       now() + state_->clock_error,
                                       state_->seed, "sim");
  context_->watch(
    [this] {
      auto x = offsets_;
      x.wall += state_->clock_error;
      return x;
    },
    fmt::format("{}-{}", state_->self(), state_->journal.machine_boots()));
}

void host::jump_clocks(const clock_jump& x) {
  note_duty();
  offsets_.boot += x.asleep;
  offsets_.wall += x.asleep + x.stepped;
}

std::vector<broken_law> host::look() {
  return laws_.check(*state_, now());
}

std::vector<broken_law> host::check_liveness(const liveness_bounds& bounds) {
  if (!tree_)
    return {};
  // That a journal cannot be written is an alert on all ways that need no disk:
  // the log, /readyz, a metric.
  if (!context_->journal_trouble().empty())
    laws_.hear_of_all();
  return laws_.check_liveness(*state_, now(), bounds);
}

std::string host::enter(const std::string& command) {
  auto read = read_command_line(command);
  if (!read)
    return read.why().text;
  visit x;
  x.lab = state_;
  x.daemon = [this] { return tree_; };
  x.say = [this](const std::string& text) { listener_.line(tester, text); };
  x.command = command;
  x.wanted = read->wanted;
  x.stops = read->stops;
  persons_.push_back(spawn_person(clock_.system(), std::move(x)));
  clock_.settle();
  return {};
}

std::string host::apply(const fault_order& fault) {
  auto trouble = sim::apply(fault, *state_);
  if (state_->daemon_wanted && !tree_)
    start_daemon();
  else if (!state_->daemon_wanted && tree_)
    kill_daemon();
  if (auto wanted = std::exchange(state_->pause_asked, std::nullopt);
      wanted && trouble.empty())
    trouble = pause(*wanted);
  if (auto wanted = std::exchange(state_->set_asked, std::nullopt))
    trouble = reload(wanted->first, wanted->second);
  return trouble;
}

std::string host::reload(const std::string& key, const std::string& value) {
  auto rules = *context_->of_file();
  auto trouble = set_knob(rules, key, value);
  if (auto all = contradictions(rules); trouble.empty() && !all.empty())
    trouble = all.front();
  if (!trouble.empty())
    return trouble;
  state_->rules = rules;
  change_rules(rules);
  return {};
}

std::string host::pause(bool on) {
  if (!tree_)
    return "the daemon does not run, so nobody can pause it";
  // The core may be down, and is raised after a pause.
  constexpr minutes core_patience{1};
  // Perhaps in the middle of a step: nothing here may wait.
  auto ask = [root = tree_, lab = state_, on,
              asked = now()](caf::event_based_actor* self) {
    auto told = [lab, on, asked](const pause_answer& answer) {
      if (answer.done)
        lab->note(pause_word{on, asked});
    };
    self->request(root, core_patience, ask_counters{})
      .then(
        [self, told, on](const front& f) {
          self
            ->request(f.scheduler, caf::infinite, pause_order{on, "tester", ""})
            .then(told, [](const caf::error&) {});
        },
        [](const caf::error&) {});
  };
  clock_.system().spawn(ask);
  return {};
}

void host::note_duty() {
  // The disk knows times by the clock that nobody sets.
  auto shift = context_->at(clock_.now()) - now();
  auto since = context_->on_duty_since();
  state_->journal.note_duty(context_->on_duty(),
                            since == never ? never : since - shift, now());
}

void host::kill_daemon() {
  if (!tree_)
    return;
  state_->gagged = true;
  caf::anon_send_exit(tree_, caf::exit_reason::kill);
  tree_ = nullptr;
  state_->daemon_ended = now();
  note_duty();
  auto watching = std::move(clock_.after_step);
  clock_.after_step = nullptr;
  clock_.settle();
  clock_.after_step = std::move(watching);
  state_->gagged = false;
}

void host::start_daemon() {
  if (tree_)
    return;
  constexpr auto short_absence = minutes{5};
  constexpr auto long_life = minutes{15};
  auto ended = state_->daemon_ended;
  auto went_on = ended != never && now() - ended <= short_absence
                 && ended - state_->daemon_since >= long_life;
  state_->daemon_wanted = true;
  state_->daemon_since = now();
  if (!went_on)
    state_->watched_since = now();
  state_->journal.open(now());
  make_context();
  tree_ = spawn_tree(clock_.system(), context_, ports_);
}

void host::change_rules(const settings& rules) {
  context_->replace(std::make_shared<const settings>(rules));
}

view_answer host::ask(const view_query& question) {
  view_answer result;
  caf::scoped_actor self{clock_.system()};
  auto first = self->request(tree_, caf::infinite, ask_counters{});
  clock_.settle();
  front handles;
  first.receive([&](front& f) { handles = std::move(f); },
                [](const caf::error&) {});
  if (!handles.view)
    return result;
  auto second = self->request(handles.view, caf::infinite, question);
  clock_.settle();
  second.receive([&](view_answer& a) { result = std::move(a); },
                 [](const caf::error&) {});
  return result;
}

} // namespace orderly::sim
