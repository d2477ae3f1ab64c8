// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Instances that leave the nodes of an emergency power-off while it goes on:
// elsewhere nothing is shut down. What a job of ours stopped there all the
// same, because it was moved while that job waited in the queue, is started
// again.

#include "actors/policy/base/intents.hpp"
#include "actors/policy/errand/worker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

/// A job, not of this errand, that may move the instance; or 0.
job_id mover_of(const state& s, const instance_name& name,
                const surroundings& w) {
  for (const auto& job : w.picture->jobs)
    if (incident_in_trail(job.reason) != s.id
        && (intent_in_trail(job.reason).empty() || may_move(job))
        && std::count(job.instances.begin(), job.instances.end(), name) > 0)
      return job.id;
  return 0;
}

} // namespace

bool may_move(const running_job& job) {
  auto intent = intent_in_trail(job.reason);
  auto act = act_of(intent);
  auto repairs = act == act_kind::migrate || act == act_kind::failover;
  return repairs || is_of_event(intent) || is_move(intent);
}

std::string gone_astray(const state& s, const row& r, const surroundings& w) {
  const auto* x = w.instance(r.object);
  if (!is_epo_off(s) || x == nullptr || x->admin != admin_state::up)
    return {};
  auto targets = [x](const row& y) {
    return y.kind == row_kind::node && y.object == x->primary
           && y.state != row_state::unsupported;
  };
  return std::any_of(s.rows.begin(), s.rows.end(), targets) ? node_name{}
                                                            : x->primary;
}

/// It is not shut down elsewhere, nor while a job may take it there.
bool worker::is_left_running(index i) {
  auto& r = at(i);
  if (auto home = gone_astray(s(), r, w_); !home.empty()) {
    skip(i, fmt::format("it is on {} by now, which stays on", home), true);
    return true;
  }
  auto job = mover_of(s(), r.object, w_);
  if (job == 0)
    return false;
  if (now_ - r.moved >= clear_within) {
    fail(i, fmt::format("it was not shut down: job {} may move it, and has not "
                        "ended",
                        job));
  } else {
    r.due = now_ + reading_pause;
    act(look_soon{});
  }
  return true;
}

/// What waits in the queue to be shut down, and is elsewhere by now.
void worker::call_back_astray() {
  for (index i = 0; i < s().rows.size(); ++i) {
    const auto& r = at(i);
    if (r.kind == row_kind::instance && r.state == row_state::running
        && r.due == never && step_at(i) == step_kind::shutdown
        && !gone_astray(s(), r, w_).empty())
      act(call_back{intent_of(s(), spot_of(i))});
  }
}

/// A reading from after its shutdown says where it was stopped. False: nothing
/// is to be started.
bool worker::begin_again_elsewhere(index i) {
  auto& r = at(i);
  auto home = gone_astray(s(), r, w_);
  if (home.empty() || !halted().empty()
      || (r.evidence.empty() && w_.read_at <= r.moved))
    return false;
  opcode op;
  op.kind = op_kind::instance_startup;
  op.instance = r.object;
  r.home = home;
  if (r.evidence.empty()) {
    r.evidence
      = fmt::format("it was shut down, and is on {}, which stays on: it "
                    "is started again there",
                    home);
    r.text = r.evidence;
    auto text = fmt::format("{}: {}", r.object, r.evidence);
    say(entry_kind::decision, instance_object(r.object), "errand-astray", text);
    remark(std::move(text));
  }
  order_job(i, std::move(op), "it was shut down on a node that stays on");
  return true;
}

/// True if one was found that is to be started again.
bool worker::start_the_astray() {
  bool any = false;
  for (index i = 0; i < s().rows.size(); ++i) {
    auto& r = at(i);
    if (r.kind != row_kind::instance || r.state != row_state::done
        || !r.evidence.empty() || gone_astray(s(), r, w_).empty())
      continue;
    r.state = row_state::running;
    r.met = false;
    any = true;
    enter(i);
  }
  return any;
}

} // namespace orderly::errand
