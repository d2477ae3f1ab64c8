// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/rounds.hpp"

#include "actors/balance/planner.hpp"
#include "actors/journal/memory_journal.hpp"
#include "actors/policy/checks/verdict.hpp"
#include "io/ganeti/encode.hpp"
#include "sim/conformance/ask.hpp"
#include "sim/conformance/keys.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

/// Nothing but tags ends by itself within a scenario.
constexpr millis endless = hours{1000};

constexpr millis ask_limit = seconds{30};

/// Time for everything that follows from a report or the end of a job.
constexpr millis reaction = seconds{20};

ganeti_habits round_habits() {
  auto x = quick_habits();
  for (auto* span :
       {&x.failover_least, &x.failover_most, &x.migrate_least, &x.migrate_most,
        &x.replace_least, &x.replace_most, &x.flags_least, &x.flags_most,
        &x.start_least, &x.start_most})
    *span = endless;
  x.running_max = 1000;
  x.tags_overtake = true;
  return x;
}

journal_entry kept(const maintenance::state& s, std::uint64_t seq, instant at) {
  journal_entry e;
  e.seq = seq;
  e.at = at;
  e.object = "event:" + s.uuid;
  e.state = maintenance::to_fields(s);
  e.state_key = e.object;
  return e;
}

json opcode_of(const opcode& op, const cluster_record& record) {
  if (op.kind == op_kind::repair_command)
    return {{"OP_ID", "OP_REPAIR_COMMAND"},
            {"node_name", op.node},
            {"command", op.command},
            {"input", op.input},
            {"input_json", json::parse(op.input, nullptr, false)}};
  auto x = io::encode_opcode(op, &record);
  return x ? *x : json(x.why().text);
}

std::string word_of(const json& x, const char* key) {
  auto i = x.find(key);
  return i != x.end() && i->is_string() ? i->get<std::string>() : std::string{};
}

} // namespace

round_stage::round_stage(const maintd_given& given, instant start,
                         std::uint64_t seed)
  : clock_(std::make_unique<clockwork>(seed)),
    state_(std::make_shared<lab_state>(given.world.plan, given.rules, start)),
    job_fail_(given.job_fail) {
  auto& x = *state_;
  auto& system = clock_->system();
  x.epoch_steady = clock_->now();
  x.prompt_ports = true;
  x.cluster.habits = round_habits();
  x.agents = given.agents;
  for (const auto& [id, status] : given.world.jobs)
    x.cluster.place_job(id, status, {}, hours{24});
  x.cluster.set_next_job(given.world.next_job);
  for (const auto& [name, tags] : given.world.node_tags)
    for (const auto& tag : tags)
      x.cluster.set_tag(tag_kind::node, name, tag, true);
  for (const auto& name : given.world.full_nodes)
    x.cluster.set_full(name, true);
  for (const auto& [node, all] : given.commands)
    for (const auto& [command, how] : all)
      x.cluster.set_command(node, command, how.exit, how.output);
  ports_ = spawn_sim_ports(system, state_, checks::judge());
  caf::anon_send_exit(ports_.journal, caf::exit_reason::kill);
  ports_.journal = spawn_memory_journal(system);
  ports_.planner = system.spawn(planner);
  ports_.placer = system.spawn(planner);
  journal_batch before;
  for (const auto& s : given.events)
    before.entries.push_back(kept(s, before.entries.size() + 1, start));
  if (!before.entries.empty())
    ask<journal_ack>(*clock_, ports_.journal, before, ask_limit);
  auto rules = std::make_shared<const settings>(given.rules);
  tree_ = spawn_tree(
    system, std::make_shared<context>(rules, clock_->now(), now(), seed, "sim"),
    ports_);
  clock_->after_step = [this] {
    spoil_jobs();
    return true;
  };
}

round_stage::~round_stage() {
  clock_->after_step = nullptr;
  state_->gagged = true; // nothing is sent by those who die
  caf::anon_send_exit(tree_, caf::exit_reason::kill);
  tree_ = nullptr;
  clock_->settle();
  stop_ports(ports_);
  ports_ = {};
  clock_->settle();
}

instant round_stage::now() {
  return state_->wall(clock_->now());
}

void round_stage::let_pass(millis span) {
  clock_->run_until(clock_->now() + span);
  state_->advance(now());
}

/// One sweep of reports, and all that follows but the ends of jobs. The first
/// one comes with the start of the daemon.
void round_stage::round() {
  let_pass(began_ ? millis{seconds{60}} : reaction);
  began_ = true;
}

void round_stage::run_jobs() {
  auto& cluster = state_->cluster;
  auto all = cluster.open();
  auto goes_on = [&](job_id id) { return cluster.open().count(id) != 0; };
  for (int i = 0; i < 100 && std::any_of(all.begin(), all.end(), goes_on);
       ++i) {
    for (auto id : all)
      cluster.hasten(id);
    let_pass(millis{20});
  }
  let_pass(reaction);
}

/// Jobs that a scenario wants to fail end in the moment in which they come.
void round_stage::spoil_jobs() {
  auto& cluster = state_->cluster;
  for (; spoiled_ < cluster.jobs().size(); ++spoiled_) {
    auto job = cluster.jobs()[spoiled_];
    for (const auto& text : job_fail_)
      for (const auto& op : job.spec.ops) {
        auto x = opcode_of(op, cluster.record());
        auto colon = text.find(':');
        auto name = colon == text.npos ? "" : text.substr(colon + 1);
        if (word_of(x, "OP_ID") == text.substr(0, colon)
            && (name.empty() || word_of(x, "instance_name") == name
                || word_of(x, "node_name") == name))
          cluster.end_job(job.id, job_status::error,
                          text + " fails, as the scenario has it");
      }
  }
}

std::vector<sent_job> round_stage::sent() const {
  std::vector<sent_job> result;
  for (const auto& job : state_->cluster.jobs()) {
    if (is_bookkeeping(job.spec))
      continue;
    sent_job x;
    x.id = job.id;
    for (const auto& op : job.spec.ops)
      x.ops.push_back(opcode_of(op, state_->cluster.record()));
    result.push_back(std::move(x));
  }
  return result;
}

std::shared_ptr<const scene> round_stage::look() {
  auto handles = ask<front>(*clock_, tree_, ask_counters{}, ask_limit);
  if (!handles)
    return std::make_shared<scene>();
  auto answer
    = ask<scene_answer>(*clock_, handles->view, ask_scene{}, ask_limit);
  return answer ? answer->now : std::make_shared<scene>();
}

std::string round_stage::until_quiet(std::int64_t most) {
  for (std::int64_t i = 0; i < most; ++i) {
    auto before = sent().size();
    round();
    auto events = look()->events;
    auto over = std::all_of(events.begin(), events.end(),
                            [](const auto& x) { return is_final(x.phase); });
    if (sent().size() == before && over)
      return {};
    run_jobs();
  }
  return {};
}

/// As soon as the daemon knows of it.
std::string round_stage::cancel(const std::string& uuid) {
  event_order order;
  order.uuid = uuid;
  order.who = "scenario";
  std::string text = "the daemon does not run";
  for (int i = 0; i < 200; ++i) {
    let_pass(millis{5});
    auto handles = ask<front>(*clock_, tree_, ask_counters{}, ask_limit);
    if (!handles)
      return text;
    auto answer
      = ask<event_order_answer>(*clock_, handles->events, order, ask_limit);
    if (answer && answer->what == event_order_answer::outcome::done)
      return {};
    text = answer ? answer->text : "the daemon does not answer";
  }
  return text;
}

std::string round_stage::set_diagnose(const json& what) {
  auto node = word_of(what, "node");
  if (state_->cluster.node(node) == nullptr)
    return "key \"node\" names none";
  auto report = what.find("diagnose");
  if (report == what.end())
    report = what.find("value");
  if (report == what.end())
    return "key \"diagnose\" is missing";
  state_->agents[node].object = report->dump();
  return {};
}

std::string round_stage::remove_tag(const json& what) {
  auto object = word_of(what, "object");
  std::string node = word_of(what, "node");
  if (node.empty() && !split_object(object, "node", node))
    return "it names no node";
  const auto* record = state_->cluster.node(node);
  if (record == nullptr)
    return "it names an object that is not there";
  auto pattern = word_of(what, "tag");
  std::string glob;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    auto end = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    glob += end == std::string::npos ? pattern[i] : '*';
    i = end == std::string::npos ? i : end;
  }
  auto tags = record->tags;
  auto gone = false;
  for (const auto& tag : tags)
    if (like(glob.empty() ? "maintd:*" : glob, tag))
      gone = state_->cluster.set_tag(tag_kind::node, node, tag, false) || gone;
  return gone ? std::string{} : "there is no such tag";
}

std::string round_stage::finish_job(const json& what) {
  auto job = what.value("job", json{});
  auto status = job_status_from(word_of(what, "status"));
  auto all = sent();
  job_id id = job.is_number_unsigned() ? job.get<job_id>() : 0;
  if (job.is_string())
    for (std::size_t i = 0; i < all.size(); ++i)
      if (fmt::format("J{}", i + 1) == job
          || fmt::format("{{J{}}}", i + 1) == job)
        id = all[i].id;
  if (!status || !is_final(*status))
    return "key \"status\" is no end of a job";
  if (*status == job_status::success) {
    for (int i = 0; i < 100 && state_->cluster.open().count(id) != 0; ++i) {
      state_->cluster.hasten(id);
      let_pass(millis{20});
    }
  } else if (!state_->cluster.end_job(id, *status, "it failed")) {
    return "key \"job\" names no job that goes on";
  }
  let_pass(reaction);
  return {};
}

std::string round_stage::ask_http(const json& what) {
  auto request = word_of(what, "request");
  constexpr std::string_view get = "GET ";
  if (!request.starts_with(get))
    return "only GET is understood";
  if (!began_)
    let_pass(reaction);
  auto answer = io::http::answer_old_path(request.substr(get.size()), *look());
  json x{{"status", answer ? answer->status : 404U}};
  auto body = answer ? answer->body : std::string{io::http::old_not_found};
  x["text"] = body;
  auto parsed = json::parse(body, nullptr, false);
  if (!parsed.is_discarded())
    x["json"] = parsed;
  http_.push_back(std::move(x));
  return {};
}

std::string round_stage::step(const json& what) {
  auto name = word_of(what, "step");
  std::string wrong;
  if (name == "round")
    round();
  else if (name == "run-jobs")
    run_jobs();
  else if (name == "until-quiet")
    wrong = until_quiet(what.value("max_rounds", std::int64_t{20}));
  else if (name == "cancel")
    wrong = cancel(word_of(what, "incident"));
  else if (name == "set-diagnose")
    wrong = set_diagnose(what);
  else if (name == "remove-tag")
    wrong = remove_tag(what);
  else if (name == "finish-job")
    wrong = finish_job(what);
  else if (name == "http")
    wrong = ask_http(what);
  else
    wrong = "it is not built yet";
  return wrong.empty() ? wrong : fmt::format("step {}: {}", what.dump(), wrong);
}

} // namespace orderly::sim::conformance
