// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node that was marked offline before may live, and run what belongs to it.
// Ganeti stops no instance there: so an emergency power-off switches it off
// only if it is seen, right before the command leaves, that nothing of it
// answers. That an earlier one had marked it says nothing of what was started
// since, if nobody watched. So is one whose instances were shut down: for
// Ganeti that is done also if the node's daemon is dead and nothing stopped.

#include "actors/policy/base/commands.hpp"
#include "actors/policy/errand/asked.hpp"
#include "actors/policy/errand/grounds.hpp"
#include "actors/policy/errand/plan.hpp"
#include "actors/policy/errand/words.hpp"
#include "actors/policy/settings/group_settings.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

probe_request question_about(const node_record& node, const surroundings& w) {
  return {node.name, node.address, check_timeout_of(*w.rules, node.group)};
}

bool is_ours(const node_record& node, std::uint64_t own_until) {
  return node.serial_no != 0 && node.serial_no <= own_until;
}

bool is_marked_by_epo(const node_record& node, const surroundings& w) {
  auto i = w.holds->find(node.name);
  return i != w.holds->end() && is_ours(node, i->second.own_until);
}

std::vector<std::string> lodgers(const node_name& node, const surroundings& w) {
  std::vector<std::string> result;
  for (const auto& x : w.picture->instances)
    if (x.admin == admin_state::up && x.primary == node)
      result.push_back(x.name);
  return result;
}

namespace {

/// We marked it, and nobody has changed that by a reading from after it.
bool is_own_mark(const row& r, const node_record& node, const surroundings& w) {
  return is_ours(node, r.own_until) && w.read_at > r.moved;
}

/// Ganeti calls a shutdown done also if the node's daemon did not answer. If
/// one node is looked at for that, all are: commands leave in their order.
bool is_any_said_down(const state& s) {
  return std::any_of(s.rows.begin(), s.rows.end(), [](const row& r) {
    return r.kind == row_kind::instance && r.state == row_state::done;
  });
}

} // namespace

std::optional<probe_request> look_before(const state& s, const spot& at,
                                         const surroundings& w) {
  if (!is_epo_off(s) || at.row >= s.rows.size())
    return std::nullopt;
  const auto& r = s.rows[at.row];
  auto node = w.node(r.object);
  if (!node || !node->offline)
    return std::nullopt;
  // Our hold of this errand says nothing: it was taken before the mark.
  auto own = is_own_mark(r, *node, w);
  if (own ? !is_any_said_down(s) : lodgers(r.object, w).empty())
    return std::nullopt;
  if (r.was_offline && is_marked_by_epo(*node, w))
    return std::nullopt;
  auto question = question_about(*node, w);
  question.last_look = true;
  question.out = true;
  return question;
}

std::string against_sight(const state& s, const spot& at, const sighting& seen,
                          const surroundings& w) {
  auto lives = seen.lives || seen.verdict == health::healthy;
  auto silent = seen.verdict == health::unhealthy && !lives && !seen.unwitnessed
                && !seen.alone;
  if (silent || at.row >= s.rows.size())
    return {};
  const auto& node = s.rows[at.row].object;
  auto record = w.node(node);
  if (record && is_own_mark(s.rows[at.row], *record, w)) {
    // A daemon that answers did what it was told.
    if (seen.verdict == health::healthy || lodgers(node, w).empty())
      return {};
    return fmt::format(
      "its node daemon does not answer{}{}, so that Ganeti may have stopped "
      "nothing there: {}; look there, and undo it: orderly epo --on {}; or cut "
      "it off: orderly power off {}",
      seen.evidence.empty() ? "" : ": ", seen.evidence,
      some_of(lodgers(node, w)), node, node);
  }
  return fmt::format(
    "{}{}{}; what may run there Ganeti cannot stop: {}; take it back first: "
    "{}; or cut it off: orderly power off {}",
    lives ? "it is marked offline and answers"
          : "it is marked offline, and whether it lives is not known",
    seen.evidence.empty() ? "" : ": ", seen.evidence, some_of(lodgers(node, w)),
    return_command(node, true), node);
}

} // namespace orderly::errand
