// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/opcodes.hpp"

#include "actors/policy/maintenance/report.hpp"

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

/// Off a node that is marked offline Ganeti starts the instance elsewhere
/// without having stopped it. This fails right before that, and with it the
/// job. The copies of what is stopped Ganeti does not look at before a
/// failover, unless its disks are open: so they are opened, and must be in
/// step.
opcode first_its_disks(const work& w) {
  opcode op;
  op.kind = op_kind::activate_disks;
  op.instance = w.instance;
  op.flag = w.admin != admin_state::up;
  return op;
}

} // namespace

std::string sentence_of(const state& s, const work& w) {
  switch (w.kind) {
  case work_kind::command:
    return fmt::format("runs repair command {} on {}", command_in(s.original),
                       s.node);
  case work_kind::drain:
    return fmt::format("drains {}", s.node);
  case work_kind::move:
    return fmt::format("moves {} off {} to {}", w.instance, s.node, w.target);
  case work_kind::mirror:
    return fmt::format("moves the mirror of {} off {} to {}", w.instance,
                       w.from.secondary, w.target);
  case work_kind::offline:
    return fmt::format("marks {} offline: it is empty", s.node);
  case work_kind::ready:
  case work_kind::sorry:
    return fmt::format("tags {} with {}", s.node, s.tag);
  case work_kind::untag:
    return fmt::format("removes {} from {}", s.tag, s.node);
  }
  return {};
}

bool only_tags(work_kind x) {
  return x == work_kind::ready || x == work_kind::sorry
         || x == work_kind::untag;
}

bool moves(work_kind x) {
  return x == work_kind::move || x == work_kind::mirror;
}

bool is_late(const work& w) {
  return w.kind == work_kind::command && w.stage == work_stage::sent
         && w.overdue;
}

std::vector<opcode> opcodes_of(const state& s, const work& w, const rules& r) {
  opcode op;
  switch (w.kind) {
  case work_kind::command:
    op.kind = op_kind::repair_command;
    op.node = s.node;
    op.command = command_in(s.original);
    op.input = s.original;
    break;
  case work_kind::drain:
    op.kind = op_kind::node_set_drained;
    op.node = s.node;
    op.flag = true;
    break;
  case work_kind::move: {
    auto fails_over = s.action == event_action::evacuate_failover;
    auto stopped = w.admin != admin_state::up;
    // A migration of what is stopped is a failover to Ganeti, and one of what
    // was started meanwhile interrupts nothing.
    auto restarts = fails_over && !(stopped && r.ask_home);
    op.kind = restarts ? op_kind::instance_failover : op_kind::instance_migrate;
    op.instance = w.instance;
    if (w.from.secondary.empty())
      op.target = w.target;
    // A migration that may fall back on a failover would do so off a home that
    // was marked offline while it waited: Ganeti stops nothing there.
    op.flag = !restarts && (stopped || !r.ask_home);
    // To Ganeti that also says that the home is known to be down: it starts
    // elsewhere what it could not stop.
    op.ignore_consistency = fails_over && !r.ask_home;
    if (r.ask_home && (stopped || fails_over))
      return {first_its_disks(w), op};
    break;
  }
  case work_kind::mirror:
    op.kind = op_kind::replace_disks;
    op.instance = w.instance;
    op.target = w.target;
    op.early_release = r.early_release;
    break;
  case work_kind::offline:
    op.kind = op_kind::node_modify;
    op.node = s.node;
    op.offline = true;
    op.auto_promote = true;
    break;
  case work_kind::ready:
  case work_kind::sorry:
  case work_kind::untag:
    op.kind
      = w.kind == work_kind::untag ? op_kind::tags_del : op_kind::tags_set;
    op.tags_on = tag_kind::node;
    op.tag_object = s.node;
    op.tags = {s.tag};
    break;
  }
  return {op};
}

} // namespace orderly::maintenance
