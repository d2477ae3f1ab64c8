// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The autorepair machine in its world, with a job queue that does one job at
// a time. Used by the autorepair tests.

#pragma once

#include "tests/actors/policy/repair/world.hpp"

namespace orderly::autorepair::lab {

/// Carries out what the machine asks for, one event a call of `turn`.
class rig : public world {
public:
  void apply(verdict v) {
    REQUIRE(from_fields(to_fields(v.next)) == v.next);
    machine = std::move(v.next);
    if (!v.why.empty())
      story.push_back(v.why);
    for (auto& action : v.actions) {
      if (auto* order = std::get_if<submit>(&action)) {
        take(*order);
      } else if (auto* question = std::get_if<ask_permit>(&action)) {
        asked = *question;
      } else if (const auto* permit = std::get_if<give_back_permit>(&action)) {
        ++given_back;
        given_back_unused += permit->unused ? 1 : 0;
      } else if (auto* back = std::get_if<withdraw>(&action)) {
        called_back.push_back(back->intent);
      } else {
        told.push_back(std::get<tell>(action).code);
      }
    }
  }

  /// Old jobs that nothing is known of are archived.
  [[nodiscard]] facts seen() const {
    auto f = world::seen();
    for (auto id : machine.asked)
      if (f.jobs.count(id) == 0 && queue_answers)
        f.jobs[id] = {id, job_status::lost, never};
    if (machine.untraced)
      f.traced = machine.repair;
    f.traced_at = now;
    recall_copy(machine, heard, f);
    return f;
  }

  void look(bool called = false) {
    now += millis{1};
    apply(step(machine, looked{seen(), fresh(), called}, limits, now));
  }

  void answer_permit(bool granted, instant retry_at = never) {
    now += millis{1};
    questions.push_back(*asked);
    asked.reset();
    apply(step(machine, permit_answered{seen(), granted, "storm", retry_at},
               limits, now));
  }

  /// The tags that go first in a job are set as soon as it runs.
  void begin_job() {
    now += millis{1};
    auto head = std::find_if(under_way->ops.begin(), under_way->ops.end(),
                             [](const auto& op) { return !is_about_tags(op); });
    lucky = execute({under_way->ops.begin(), head});
    apply(step(machine, job_started{event(job_phase::submitted, ++last_job)},
               limits, now));
  }

  void end_job(job_phase p, job_status status, const std::string& text = {}) {
    auto e = event(p, p == job_phase::refused ? 0 : last_job);
    e.status = status;
    e.text = text;
    auto before = seen(); // read before the job did anything
    now += millis{1};
    e.at = now;
    if (e.id != 0)
      jobs[e.id] = {e.id, status, is_final(status) ? now : never};
    auto waits = p == job_phase::overdue && status < job_status::running;
    if (!waits) // it is told again when it has ended
      under_way.reset();
    apply(step(machine, job_ended{e, before}, limits, now));
  }

  /// What is left of the job's work, and its end.
  void finish_job() {
    auto before = seen();
    std::vector<opcode> rest;
    std::copy_if(under_way->ops.begin(), under_way->ops.end(),
                 std::back_inserter(rest),
                 [](const auto& op) { return !is_about_tags(op); });
    auto ok = lucky && execute(rest);
    now += millis{1};
    auto e = event(job_phase::ended, last_job);
    e.status = ok ? job_status::success : job_status::error;
    e.text = ok ? std::string{} : error;
    e.at = now;
    jobs[e.id] = {e.id, e.status, now};
    under_way.reset();
    apply(step(machine, job_ended{e, before}, limits, now));
  }

  void do_job() {
    begin_job();
    finish_job();
  }

  /// The job that notes another one's id.
  void do_note() {
    auto order = *note;
    note.reset();
    job_event e;
    e.intent = order.intent;
    e.phase = job_phase::ended;
    e.id = 5000 + last_job;
    auto before = seen();
    auto ok = execute(order.ops);
    now += millis{1};
    e.status = ok ? job_status::success : job_status::error;
    e.at = now;
    apply(step(machine, job_ended{e, before}, limits, now));
  }

  [[nodiscard]] bool repair_under_way() const {
    return machine.stage == stage::repairing;
  }

  /// Until nothing moves; stops before a repair job ends if told so.
  void run(bool finish_repairs = true) {
    for (int idle = 0, turns = 0; idle < 4; ++turns) {
      REQUIRE(turns < 100);
      idle = 0;
      if (asked) {
        answer_permit(true);
      } else if (note) {
        do_note();
      } else if (under_way && repair_under_way() && !finish_repairs) {
        begin_job();
        if (note)
          do_note();
        return;
      } else if (under_way) {
        do_job();
      } else {
        for (; idle < 4 && !asked && !under_way; ++idle)
          look();
      }
    }
  }

  /// The daemon was away and comes back with what it had written down.
  void restart() {
    asked.reset();
    auto lately = std::move(under_way);
    under_way.reset();
    now += millis{1};
    auto v = resume(from_fields(to_fields(machine)), seen(), limits, now);
    for (const auto& action : v.actions)
      if (const auto* order = std::get_if<submit>(&action))
        intents.erase(order->intent); // the submitter knows it already
    apply(std::move(v));
    if (!under_way && repair_under_way())
      under_way = std::move(lately);
  }

  /// As `orderly harep` sets the machine up.
  void be_harep(millis delay = seconds{10}) {
    limits.single_pass = true;
    limits.offline_vouches = true;
    limits.name_nodes = false;
    limits.allocator = "hail";
    limits.job_delay = delay;
  }

  /// The own tags of the instance, sorted, without the common prefix.
  [[nodiscard]] std::vector<std::string> tags_now() const {
    std::vector<std::string> result;
    for (const auto& tag : record.tags)
      if (tag.rfind(tags::prefix, 0) == 0)
        result.push_back(tag.substr(tags::prefix.size()));
    std::sort(result.begin(), result.end());
    return result;
  }

  [[nodiscard]] std::vector<op_kind> kinds() const {
    std::vector<op_kind> result;
    for (const auto& op : repairs)
      result.push_back(op.kind);
    return result;
  }

  [[nodiscard]] instance_standing shown() const {
    return standing(machine, seen(), limits, now);
  }

  incident_id fresh() { return "u" + std::to_string(++ids); }

  static bool is_about_tags(const opcode& op) {
    return op.kind == op_kind::tags_set || op.kind == op_kind::tags_del;
  }

  state machine;
  mirror_news heard; ///< of the mirror, however long ago
  std::optional<submit> under_way;
  std::optional<submit> note;
  std::optional<ask_permit> asked;
  std::vector<ask_permit> questions;
  std::vector<opcode> repairs; ///< opcodes sent, but for tags and waits
  std::vector<std::string> story;
  std::vector<std::string> told;
  std::set<intent_id> intents;
  std::vector<intent_id> called_back;
  bool queue_answers = true; ///< asked for old jobs
  bool lucky = true;         ///< the tags of the job were set
  int given_back = 0;        ///< permits
  int given_back_unused = 0; ///< ... of which nothing left
  int ids = 0;
  job_id last_job = 1000;

private:
  void take(const submit& order) {
    REQUIRE(intents.insert(order.intent).second);
    if (order.intent == machine.note) {
      REQUIRE_FALSE(note);
      note = order;
      return;
    }
    REQUIRE_FALSE(under_way);
    under_way = order;
    for (const auto& op : order.ops)
      if (!is_about_tags(op) && op.kind != op_kind::wait)
        repairs.push_back(op);
  }

  [[nodiscard]] job_event event(job_phase p, job_id id) const {
    job_event e;
    e.intent = under_way->intent;
    e.phase = p;
    e.id = id;
    e.at = now;
    return e;
  }
};

using texts = std::vector<std::string>;

inline const std::string id1 = "11111111-1111-4111-8111-111111111111";
inline const std::string id2 = "22222222-2222-4222-8222-222222222222";

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// An instance whose primary is dead and that may be failed over.
inline rig broken() {
  rig b;
  b.kill("n1");
  b.cluster_tags = {tagged("failover")};
  return b;
}

/// ... with its failover permitted and its job running.
inline rig failing_over() {
  auto b = broken();
  b.run(false);
  REQUIRE(b.repair_under_way());
  return b;
}

/// A drbd instance whose new secondary is being built.
inline rig fixing() {
  rig b;
  b.nodes["n2"].offline = true;
  b.cluster_tags = {tagged("failover")};
  b.run(false);
  REQUIRE(b.repair_under_way());
  return b;
}

/// A failover with its permit asked for: its tag comes with it, or stands.
inline rig asking(bool apart) {
  auto b = broken();
  if (apart)
    b.limits.job_delay = seconds{10};
  b.look();
  if (apart)
    b.do_job();
  REQUIRE(b.asked);
  return b;
}

inline const std::vector<disk_fault> at_home{{"disk/0", true, "n1"}};

/// The disk of its home was broken when it was asked last.
inline rig poor() {
  rig b;
  b.cluster_tags = {tagged("failover")};
  b.heard = {at_home, false, b.now};
  b.look();
  REQUIRE_FALSE(b.machine.home_fault.empty());
  return b;
}

} // namespace orderly::autorepair::lab
