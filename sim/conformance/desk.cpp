// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/desk.hpp"

#include "actors/policy/checks/verdict.hpp"
#include "io/ganeti/encode.hpp"
#include "sim/conformance/ask.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

/// So long before a scenario its daemon starts: enough to read the cluster
/// several times, and for every machine to boot.
constexpr millis head_start = seconds{90};

/// An errand that takes longer has no end.
constexpr millis errand_limit = hours{2};

/// How often the console asks how far it is.
constexpr millis look_again = millis{300};

constexpr millis answer_limit = seconds{60};

json encoded(const opcode& op, const cluster_record& record) {
  auto x = io::encode_opcode(op, &record);
  return x ? *x : json{{"OP_ID", x.why().text}};
}

/// `OP_INSTANCE_SHUTDOWN:i2`, or without a name every such opcode.
bool is_meant(const std::string& text, const json& op) {
  auto colon = text.find(':');
  if (op.value("OP_ID", "") != text.substr(0, colon))
    return false;
  if (colon == std::string::npos)
    return true;
  auto name = text.substr(colon + 1);
  return op.value("instance_name", "") == name
         || op.value("node_name", "") == name;
}

json oob_command(const helper_call& x) {
  return {{"OP_ID", "OP_OOB_COMMAND"},
          {"command", to_string(x.verb)},
          {"node_names", {x.node}}};
}

} // namespace

desk_stage::desk_stage(const power_given& given, instant start,
                       std::uint64_t seed)
  : clock_(std::make_unique<clockwork>(seed)),
    state_(std::make_shared<lab_state>(given.world.plan, given.rules,
                                       start - head_start)),
    board_(std::make_shared<switchboard>()),
    job_fail_(given.job_fail),
    is_on_(given.is_on) {
  auto& x = *state_;
  x.epoch_steady = clock_->now();
  x.prompt_ports = true;
  x.cluster.habits = quick_habits();
  x.cluster.set_next_job(given.world.next_job);
  x.cluster.set_watcher(given.watcher);
  for (const auto& [node, on] : is_on_)
    if (x.truth.has(node))
      x.truth.set_power(node, on);
  board_->script.read(given.helper);
  for (const auto& [path, kind] : given.files)
    board_->files.set(path, kind);
  board_->reachable_after = given.reachable_after;
  auto& system = clock_->system();
  probes_ = spawn_probe_port(system, state_, checks::judge());
  ports_.cluster = spawn_cluster_port(system, state_);
  ports_.jobs = spawn_job_port(system, state_);
  ports_.power = spawn_helper_port(system, state_, board_);
  ports_.probes = spawn_reach_port(system, state_, board_, probes_);
  ports_.journal = spawn_journal_port(system, state_);
  clock_->after_step = [this] {
    spoil_jobs();
    if (on_step)
      on_step();
    return true;
  };
  auto rules = std::make_shared<const settings>(given.rules);
  tree_ = spawn_tree(system,
                     std::make_shared<context>(rules, clock_->now(),
                                               start - head_start, seed, "sim"),
                     ports_);
}

desk_stage::~desk_stage() {
  clock_->after_step = nullptr;
  state_->gagged = true; // nothing is sent by those who die
  caf::anon_send_exit(tree_, caf::exit_reason::kill);
  tree_ = nullptr;
  clock_->settle();
  stop_ports(ports_);
  caf::anon_send_exit(probes_, caf::exit_reason::kill);
  ports_ = {};
  probes_ = nullptr;
  clock_->settle();
}

void desk_stage::let_pass(millis span) {
  clock_->run_until(clock_->now() + span);
  state_->advance(state_->wall(clock_->now()));
}

void desk_stage::let_be_on(const node_name& node) {
  auto& truth = state_->truth;
  if (!truth.has(node) || is_on_.count(node) != 0)
    return;
  if (truth.set_power(node, true))
    let_pass(world::boot_time + seconds{1});
}

/// Jobs that a scenario wants to fail end in the moment in which they come.
void desk_stage::spoil_jobs() {
  auto& cluster = state_->cluster;
  for (; jobs_seen_ < cluster.jobs().size(); ++jobs_seen_) {
    const auto& job = cluster.jobs()[jobs_seen_];
    for (const auto& text : job_fail_)
      for (const auto& op : job.spec.ops)
        if (is_meant(text, encoded(op, cluster.record())))
          cluster.end_job(job.id, job_status::error,
                          text + " fails, as the scenario has it");
  }
}

errand_counter desk_stage::desk() {
  auto handles = ask<front>(*clock_, tree_, ask_counters{}, answer_limit);
  return handles ? handles->desk : errand_counter{};
}

std::string desk_stage::wait_ready() {
  let_pass(head_start);
  if (state_->cluster.reads().empty())
    return "the daemon has not read the cluster";
  if (!desk())
    return "the daemon has no power desk";
  first_call_ = board_->calls.size();
  first_job_ = state_->cluster.jobs().size();
  first_entry_ = state_->journal.entries().size();
  return {};
}

std::optional<errand_sheet> desk_stage::hand_in(const errand_request& what) {
  return ask<errand_sheet>(*clock_, desk(), what, answer_limit);
}

std::optional<errand_sheet> desk_stage::work_off(const errand_request& what) {
  auto sheet = hand_in(what);
  auto end = clock_->now() + errand_limit;
  while (sheet && sheet->found && sheet->refusal.empty() && !sheet->id.empty()
         && sheet->ended == never) {
    if (clock_->now() >= end)
      return std::nullopt;
    let_pass(look_again);
    sheet = ask<errand_sheet>(*clock_, desk(), errand_query{sheet->id},
                              answer_limit);
  }
  return sheet;
}

std::vector<helper_call> desk_stage::calls() const {
  const auto& all = board_->calls;
  return {all.begin() + static_cast<std::ptrdiff_t>(first_call_), all.end()};
}

std::vector<deed> desk_stage::deeds() const {
  std::vector<deed> result;
  auto made = calls();
  auto call = made.begin();
  auto add_calls = [&](std::size_t jobs) {
    for (; call != made.end() && call->jobs_before <= jobs; ++call)
      result.push_back({oob_command(*call), true});
  };
  const auto& jobs = state_->cluster.jobs();
  for (auto i = first_job_; i < jobs.size(); ++i) {
    add_calls(i);
    for (const auto& op : jobs[i].spec.ops)
      result.push_back({encoded(op, state_->cluster.record()), false});
  }
  add_calls(jobs.size());
  return result;
}

std::vector<journal_entry> desk_stage::entries() const {
  const auto& all = state_->journal.entries();
  return {all.begin() + static_cast<std::ptrdiff_t>(first_entry_), all.end()};
}

std::vector<std::string> desk_stage::job_texts() const {
  std::vector<std::string> result;
  const auto& jobs = state_->cluster.jobs();
  for (auto i = first_job_; i < jobs.size(); ++i)
    result.push_back(jobs[i].text);
  return result;
}

} // namespace orderly::sim::conformance
