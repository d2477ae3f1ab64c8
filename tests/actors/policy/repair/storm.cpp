// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/repair/storm.hpp"

#include "actors/policy/repair/token.hpp"

namespace orderly::autorepair::lab {

storm::storm(std::uint64_t seed) : dice_{seed} {
  limits.proof_max_age = minutes{10};
  limits.name_nodes = seed % 5 != 0;
  limits.allocator = "hail";
  limits.single_pass = seed % 7 == 0;
  limits.job_delay = seconds{seed % 2 == 0 ? 10 : 0};
  limits.tokens = !limits.single_pass && seed % 4 != 3;
  record.memory_mib = 1024;
  record.disks_mib = {1000};
  if (seed % 3 == 0) {
    record.disks = disk_template::rbd;
    record.secondaries.clear();
  } else if (seed % 10 == 1) {
    record.disks = disk_template::plain;
    record.secondaries.clear();
  }
  past_.push_back(shot());
}

/// The world as a picture, with what the queue says of the jobs asked for.
facts storm::shot() {
  auto f = seen();
  f.jobs.clear();
  if (machine.untraced)
    f.traced = machine.repair;
  f.traced_at = now;
  for (auto id : machine.asked) {
    if (id == zombie_ || id == stray_)
      f.jobs[id] = {id, job_status::running, never};
    else if (auto i = jobs.find(id); i != jobs.end())
      f.jobs[id] = i->second;
    else if (roll(4) != 0)
      f.jobs[id]
        = {id, id % 3 == 0 ? job_status::success : job_status::lost, never};
  }
  // What still runs and is not ours to wait for is somebody else's.
  if (zombie_ && f.jobs.count(*zombie_) == 0)
    f.foreign_job = zombie_;
  return f;
}

void storm::turn() {
  now += millis{static_cast<std::int64_t>(1 + roll(20000))};
  if (roll(5) == 0)
    disturb();
  auto stale = !under_way_ && past_.back().read_at <= ended_;
  if (roll(2) == 0 || stale)
    past_.push_back(shot());
  while (past_.size() > 3)
    past_.pop_front();
  // Pictures may be late, but never go back in time.
  if (past_.size() > 1 && roll(2) == 0)
    past_.pop_front();
  happen();
}

void storm::happen() {
  switch (roll(under_way_ || note_ ? 10 : 5)) {
  case 0:
  case 1:
    return feed(looked{picture(), "id" + std::to_string(++ids_)});
  case 2: {
    auto granted = roll(4) != 0;
    return feed(permit_answered{picture(), granted, "storm", now + seconds{5}});
  }
  case 3:
    return feed(odd_event());
  case 4:
    return restart();
  case 5:
    if (under_way_ && !begun_)
      begin_job();
    return;
  case 6:
    if (note_)
      end_note();
    return;
  default:
    if (under_way_)
      end_job();
  }
}

job_event storm::event_of(job_phase p, const submit& order, job_id id) const {
  job_event e;
  e.intent = order.intent;
  e.phase = p;
  e.id = id;
  e.at = now;
  return e;
}

event storm::odd_event() {
  job_event e;
  e.intent = roll(2) == 0 ? "" : "id1/i1/1-failover";
  if ((under_way_ && e.intent == under_way_->intent)
      || (note_ && e.intent == note_->intent))
    e.intent += "x";
  e.phase = static_cast<job_phase>(roll(4));
  e.status = static_cast<job_status>(roll(8));
  e.id = roll(3);
  if (roll(2) == 0)
    return job_started{e};
  if (roll(3) == 0)
    return doubted{e.intent, "odd"};
  return job_ended{e, picture()};
}

/// The tags that go first in a job are set as soon as it runs.
void storm::begin_job() {
  begun_ = true;
  auto head = std::find_if(under_way_->ops.begin(), under_way_->ops.end(),
                           [](const auto& op) { return !is_about_tags(op); });
  tagged_well_ = execute({under_way_->ops.begin(), head});
  feed(job_started{event_of(job_phase::submitted, *under_way_, job_)});
  // A reinstall waits long enough for its node to come back now and then.
  const auto* core = core_of(*under_way_);
  if (core == nullptr || core->kind != op_kind::recreate_disks || roll(3) == 0)
    return;
  nodes[record.primary].offline = false;
  past_ = {shot()};
  feed(looked{picture(), "id" + std::to_string(++ids_)});
}

void storm::end_job(bool well) {
  auto order = *under_way_;
  auto e = event_of(job_phase::ended, order, job_);
  auto luck = well ? 0 : roll(12);
  if (asked_for_ || (luck == 7 && !begun_)) {
    e.phase = job_phase::refused; // never sent
    e.id = 0;
  } else if (called_back_ && luck < 4) {
    e.status = job_status::canceled;
    e.text = "called back";
    if (roll(2) == 0 && record.admin == admin_state::up)
      record.admin = admin_state::down; // its shutdown had run
  } else if (luck < 8) {
    if (!begun_)
      begin_job();
    std::vector<opcode> rest;
    std::copy_if(order.ops.begin(), order.ops.end(), std::back_inserter(rest),
                 [](const auto& op) { return !is_about_tags(op); });
    auto ok = tagged_well_ && execute(rest);
    e.status = ok ? job_status::success : job_status::error;
    e.text = ok || tagged_well_ ? std::string{} : error;
  } else if (luck == 8) {
    e.phase = job_phase::overdue;
    e.status = job_status::running;
    if (core_of(order) != nullptr)
      zombie_ = job_;
  } else if (luck == 9) {
    e.status = job_status::error;
    e.text = core_of(order) != nullptr
                 && core_of(order)->kind != op_kind::recreate_disks
               ? "Can't compute nodes using iallocator 'hail'"
               : "";
  } else {
    e.status = luck == 10 ? job_status::error : job_status::lost;
  }
  under_way_.reset();
  asked_for_ = called_back_ = false;
  ended_ = now;
  if (e.id != 0 && e.phase == job_phase::ended)
    jobs[e.id] = {e.id, e.status, now};
  count(order, e);
  laws_.ended(order, e);
  feed(job_ended{e, picture()});
}

void storm::count(const submit& order, const job_event& e) {
  auto good = e.phase == job_phase::ended && e.status == job_status::success;
  for (const auto& op : order.ops) {
    if (op.kind == op_kind::tags_del && good && order.ops.size() == 1)
      written_.insert("removed");
    if (op.kind != op_kind::tags_set || !good)
      continue;
    for (const auto& tag : op.tags) {
      if (is_token(tag)) {
        ++counts["token"];
        continue;
      }
      auto kind = is_pending(tag) ? "pending" : part_of(tag, 4);
      written_.insert(kind);
      ++counts[kind];
    }
  }
  if (const auto* core = core_of(order))
    ++counts[to_string(core->kind)];
}

void storm::end_note() {
  auto order = *note_;
  note_.reset();
  auto e = event_of(job_phase::ended, order, 5000 + job_);
  if (roll(5) == 0) {
    e.phase = job_phase::refused;
    e.id = 0;
  } else {
    e.status = execute(order.ops) ? job_status::success : job_status::error;
  }
  ended_ = now;
  ++counts["note"];
  feed(job_ended{e, picture()});
}

void storm::restart() {
  machine = from_fields(to_fields(machine));
  if (!is_under_way(machine) || roll(4) != 0)
    return;
  past_ = {shot()}; // the first picture of a new life is a new one
  auto v = resume(machine, picture(), limits, now);
  auto again
    = std::any_of(v.actions.begin(), v.actions.end(), [](const auto& action) {
        const auto* order = std::get_if<submit>(&action);
        return order != nullptr && order->again;
      });
  auto before = machine;
  digest(before, v, true);
  if (!again || roll(3) != 0)
    return;
  before = machine;
  digest(before, step(before, doubted{before.intent, "late"}, limits, now),
         true);
}

void storm::feed(const event& e) {
  auto before = machine;
  digest(before, step(before, e, limits, now), false);
}

void storm::digest(const state& before, const verdict& v, bool restarted) {
  REQUIRE(from_fields(to_fields(v.next)) == v.next);
  machine = v.next;
  // After a restart a tag job may be given up that was sent or was not.
  if (under_way_ && machine.stage == stage::idle) {
    if (roll(2) == 0 && !begun_)
      execute(under_way_->ops);
    under_way_.reset();
    ended_ = now;
  }
  for (const auto& action : v.actions)
    if (const auto* order = std::get_if<submit>(&action))
      take(before, v.next, *order, restarted);
    else if (std::holds_alternative<ask_permit>(action) && !restarted
             && before.stage != stage::repairing)
      REQUIRE(acting());
    else if (std::holds_alternative<tell>(action))
      REQUIRE(acting());
    else if (const auto* back = std::get_if<withdraw>(&action))
      call_back(before, *back, restarted);
  judge_failed(before);
  at_rest(before);
}

void storm::take(const state& before, const state& after, const submit& order,
                 bool restarted) {
  ++counts["order"];
  auto again = restarted || before.stage == stage::repairing;
  if (again && order.intent == before.intent) {
    // Asked for, or sent again: the queue knows it, or it was never sent.
    REQUIRE(under_way_);
    asked_for_ = order.ops.empty() && before.job == 0 && !begun_;
    if (before.job == 0 && core_of(order) != nullptr)
      laws_.judge_repair(before, order, picture(), limits, now);
    return;
  }
  if (order.intent == after.note) {
    if (restarted && order.ops.empty())
      return;
    laws_.judge_note(after, order);
    note_ = order;
    return;
  }
  REQUIRE_FALSE(under_way_);
  laws_.judge(before, order, picture(), limits, now);
  under_way_ = order;
  begun_ = asked_for_ = called_back_ = false;
  tagged_well_ = true;
  ++job_;
}

void storm::at_rest(const state& before) {
  if (machine.stage != stage::idle || is_under_way(machine))
    return;
  auto moved = before.stage != stage::idle || machine.phase != rested_;
  if (moved && (machine.phase != rested_ || !written_.empty()))
    moves.insert({rested_, machine.phase, written_});
  rested_ = machine.phase;
  written_.clear();
}

void storm::clear_sky() {
  for (auto& [name, node] : nodes)
    node.offline = node.drained = false;
  dead = record.primary;
  nodes[dead].offline = true;
  room_asked = true;
  room_text.clear();
  memory_free = 8192;
  record.admin = admin_state::up;
  foreign_job.reset();
  limits.enabled = true;
  limits.observe = false;
  mirror_fault.clear();
  mirror_late = false;
  cluster_tags = {tagged("reinstall")};
  trails.clear();
  std::erase_if(record.tags, [](const auto& tag) {
    return is_failure(tag) || part_of(tag, 0) == "suspend"
           || risk_of(part_of(tag, 0)) >= 0;
  });
  if (zombie_)
    jobs[*zombie_] = {*zombie_, job_status::error, now};
  if (stray_)
    jobs[*stray_] = {*stray_, job_status::error, now};
  zombie_.reset();
  stray_.reset();
}

/// Pictures come with news, and when they are wanted; else the last one stays.
void storm::deliver() {
  auto next = shot();
  const auto& last = past_.back();
  auto news = next.instance != last.instance
              || next.cluster_tags != last.cluster_tags
              || next.primary.offline != last.primary.offline
              || next.foreign_job != last.foreign_job
              || next.jobs.size() != last.jobs.size()
              || next.primary.proved_down.has_value()
                   != last.primary.proved_down.has_value();
  if (news || wants_picture(machine, last))
    past_ = {std::move(next)};
}

void storm::calm_down() {
  clear_sky();
  limits.proof_max_age = hours{1000};
  for (int i = 0; i < 300; ++i) {
    now += minutes{31};
    if (i == 0)
      prove(dead);
    std::erase_if(record.tags, is_failure);
    deliver();
    if (under_way_)
      end_job(true);
    else if (note_)
      end_note();
    else if (machine.stage == stage::permitting)
      feed(permit_answered{picture(), true, {}, never});
    else
      feed(looked{picture(), "id" + std::to_string(++ids_)});
  }
}

} // namespace orderly::autorepair::lab
