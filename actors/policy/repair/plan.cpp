// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The next step against what is wrong, as one job, and what stands in its way.

#include "actors/policy/repair/plan.hpp"

#include "actors/policy/base/utc.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

/// What an opcode does to the instance: with its flag a migration also moves
/// what is stopped, and a mirror is mended where it is.
std::vector<std::pair<op_kind, bool>> deeds_of(const std::vector<opcode>& ops) {
  std::vector<std::pair<op_kind, bool>> result;
  for (const auto& op : ops)
    if (op.kind != op_kind::tags_set && op.kind != op_kind::tags_del
        && op.kind != op_kind::wait)
      result.emplace_back(op.kind, op.flag);
  return result;
}

} // namespace

bool is_same_deed(const std::vector<opcode>& a, const std::vector<opcode>& b) {
  return deeds_of(a) == deeds_of(b);
}

std::uint32_t tries_of(const state& s, act_kind act) {
  if (s.act == act)
    return s.tries;
  if (s.act_before == act)
    return s.tries_before;
  return s.act == act_kind::record ? s.tries : 0;
}

namespace {

opcode about(op_kind kind, const facts& seen) {
  opcode op;
  op.kind = kind;
  op.instance = seen.instance.name;
  return op;
}

bool is_drbd(const facts& seen) {
  return seen.instance.disks == disk_template::drbd;
}

/// Failover and migration: the mirror is where it goes, or else any node.
void plan_move(plan& p, op_kind kind, const facts& seen, const rules& r) {
  auto op = about(kind, seen);
  if (p.onto.empty())
    op.allocator = r.allocator;
  // A stopped instance cannot be migrated; Ganeti then fails it over. It stops
  // nothing on a home that was marked offline meanwhile, and looks at no copy
  // whose disks are closed. So they are opened first: that fails where the home
  // is marked, or where the copies are not in step. What changes between the
  // two has the job called back.
  op.flag = kind == op_kind::instance_migrate
            && seen.instance.admin == admin_state::down;
  if (op.flag) {
    p.ops.push_back(about(op_kind::activate_disks, seen));
    p.ops.back().flag = true;
  }
  p.ops.push_back(std::move(op));
}

void plan_mirror(plan& p, const state& s, const facts& seen, const rules& r) {
  auto op = about(op_kind::replace_disks, seen);
  // If mending did not help, a mirror elsewhere will; but not where the home's
  // own disk is broken: that is mended from the mirror, or by a person.
  const auto& mirror = seen.secondaries.front();
  auto home = !seen.home_fault.empty();
  auto serves = !mirror.drained && mirror.vm_capable;
  auto faulty = !seen.mirror_fault.empty() || seen.copy_half;
  p.by_fault = faulty && !mirror.offline && (serves || home);
  p.mends = p.by_fault && (home || tries_of(s, act_kind::fix_storage) == 0);
  op.flag = p.mends;
  if (!p.mends)
    op.allocator = r.allocator;
  std::swap(p.from, p.onto);
  // A mirror that only lost its peer, by a reboot or a cut, needs no more.
  if (p.mends && seen.instance.admin == admin_state::up)
    p.ops.push_back(about(op_kind::activate_disks, seen));
  p.ops.push_back(std::move(op));
}

/// Ganeti reinstalls only what is marked down. The prerequisites of all four
/// are checked before: the first that destroys is the second (spec A.4).
void plan_reinstall(plan& p, const state& s, const facts& seen,
                    const rules& r) {
  auto disks = about(op_kind::recreate_disks, seen);
  p.onto.clear();
  if (r.name_nodes) {
    disks.nodes = place(seen, is_drbd(seen) ? 2 : 1);
    if (!disks.nodes.empty())
      p.onto = disks.nodes.front();
    if (disks.nodes.size() > 1)
      p.beside = disks.nodes.back();
  } else {
    disks.allocator = r.allocator;
  }
  auto up = seen.instance.admin == admin_state::up;
  if (up) {
    p.ops.push_back(about(op_kind::instance_shutdown, seen));
    p.ops.back().flag = true;
  }
  p.ops.push_back(std::move(disks));
  p.ops.push_back(about(op_kind::instance_reinstall, seen));
  if (up || (s.wanted_up && seen.instance.admin == admin_state::down))
    p.ops.push_back(about(op_kind::instance_startup, seen));
}

std::int64_t disk_needed(const facts& seen) {
  if (seen.instance.disks == disk_template::file)
    return 0; // not out of the volume group whose room nodes tell
  constexpr std::int64_t drbd_meta_mib = 128;
  auto total = std::accumulate(seen.instance.disks_mib.begin(),
                               seen.instance.disks_mib.end(), std::int64_t{0});
  if (is_drbd(seen))
    total += drbd_meta_mib
             * static_cast<std::int64_t>(seen.instance.disks_mib.size());
  return total;
}

} // namespace

std::string missing_proof(const node_view& x, const rules& r, instant now) {
  const auto& node = x.name;
  if (!x.offline)
    return fmt::format("{} is not marked offline", node);
  if (r.offline_vouches && !x.power_control)
    return x.lives ? fmt::format("{} is marked offline, and answers", node)
                   : std::string{};
  const auto& found = x.proved_down;
  auto text = fmt::format("waits for proof that {} is down: ", node);
  if (!found && !x.doubt.empty())
    return text
           + fmt::format("{}, and its off is not believed; if it is off, "
                         "say so: orderly confirm-off {} --reason TEXT",
                         x.doubt, node);
  if (!found)
    return text + "no power status was read as off and nobody vouched for it";
  if (found->node != node)
    return text + fmt::format("the one at hand is about {}", found->node);
  if (found->at > now)
    return text + fmt::format("\"{}\" lies in the future", found->text);
  auto by_word = found->level == proof_level::operator_word;
  if (now - found->at > (by_word ? r.word_max_age : r.proof_max_age))
    return text
           + fmt::format("\"{}\" of {} is too old", found->text,
                         utc_text(found->at));
  if (!x.rising.empty())
    return fmt::format("waits: {} is off and about to be switched on: {}", node,
                       x.rising);
  return {};
}

namespace {

/// Why its being off is no death: what a person switches off comes back with
/// all that is on it. A clause, or empty.
std::string off_by_order(const node_view& x) {
  if (!x.leaving.empty())
    return fmt::format("waits: {} is about to go: {}", x.name, x.leaving);
  if (x.wanted_off.empty())
    return {};
  return fmt::format("waits: {0} is off by order ({1}), which is no loss of "
                     "what it holds; if it is lost, say so: orderly "
                     "confirm-off {0} --reason TEXT",
                     x.name, x.wanted_off);
}

/// The first node with a copy that is off by order: why it is waited for.
std::string spared(const facts& seen) {
  auto text = off_by_order(seen.primary);
  for (const auto& node : seen.secondaries)
    if (text.empty())
      text = off_by_order(node);
  return text;
}

obstacle no_room(const facts& seen, std::string_view what) {
  return {obstacle_kind::room,
          fmt::format("no room: group {} has {}", seen.group, what)};
}

/// What the spare nodes say, if they must be asked at all.
obstacle obstacle_of_room(const plan& p, const facts& seen, const rules& r) {
  auto reinstalls = p.act == act_kind::reinstall;
  if (!seen.room)
    return {obstacle_kind::ask_room,
            fmt::format("asks the other nodes of group {} how much room they "
                        "have",
                        seen.group)};
  if (!seen.room->answered) {
    if (!reinstalls || !r.name_nodes)
      return {}; // the allocator will tell
    return {obstacle_kind::room, fmt::format("how much room group {} has is "
                                             "not known: {}",
                                             seen.group, seen.room->text)};
  }
  auto need = disk_needed(seen);
  if (!reinstalls) {
    const auto& nodes = seen.room->nodes;
    auto fits = std::any_of(nodes.begin(), nodes.end(),
                            [&](const auto& x) { return x.disk_mib >= need; });
    return fits ? obstacle{}
                : no_room(seen, fmt::format("no other node in service with "
                                            "{} MiB of disk for the mirror",
                                            need));
  }
  if (place(seen, is_drbd(seen) ? 2 : 1).empty())
    return no_room(seen, fmt::format("not enough nodes in service with {} MiB "
                                     "of disk and {} MiB of memory",
                                     need, seen.instance.memory_mib));
  return {};
}

} // namespace

std::vector<node_name> place(const facts& seen, std::size_t count) {
  if (!seen.room || !seen.room->answered || count == 0)
    return {};
  auto disk = disk_needed(seen);
  std::vector<node_room> fitting;
  for (const auto& x : seen.room->nodes)
    if (x.disk_mib >= disk && x.memory_mib >= seen.instance.memory_mib)
      fitting.push_back(x);
  if (fitting.size() < count)
    return {};
  std::sort(fitting.begin(), fitting.end(), [](const auto& a, const auto& b) {
    return std::tie(b.memory_mib, a.name) < std::tie(a.memory_mib, b.name);
  });
  std::sort(
    fitting.begin() + 1, fitting.end(), [](const auto& a, const auto& b) {
      return std::tie(b.disk_mib, a.name) < std::tie(a.disk_mib, b.name);
    });
  std::vector<node_name> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(fitting[i].name);
  return result;
}

std::optional<plan> plan_for(const state& s, const facts& seen,
                             const rules& r) {
  auto wants = needed(seen);
  if (!wants.type)
    return std::nullopt;
  plan p;
  p.type = *wants.type;
  p.from = seen.primary.name;
  if (is_drbd(seen))
    p.onto = seen.secondaries.front().name;
  switch (p.type) {
  case tags::repair_type::reinstall:
    p.act = act_kind::reinstall;
    plan_reinstall(p, s, seen, r);
    break;
  case tags::repair_type::failover:
    p.act = act_kind::failover;
    plan_move(p, op_kind::instance_failover, seen, r);
    break;
  case tags::repair_type::migrate:
    p.act = act_kind::migrate;
    plan_move(p, op_kind::instance_migrate, seen, r);
    break;
  case tags::repair_type::fix_storage:
    p.act = act_kind::fix_storage;
    plan_mirror(p, s, seen, r);
    break;
  }
  return p;
}

std::string missing_proofs(act_kind act, const facts& seen, const rules& r,
                           instant now) {
  if (act != act_kind::failover && act != act_kind::reinstall)
    return {};
  auto text = missing_proof(seen.primary, r, now);
  if (!text.empty() || act == act_kind::failover)
    return text;
  // What lives there, or only its disks, is a copy of what would be destroyed.
  for (const auto& node : seen.secondaries)
    if (text = missing_proof(node, r, now); !text.empty())
      return fmt::format("{}; it holds a copy of the data, which a reinstall "
                         "destroys: if it lives, return it to service",
                         text);
  return spared(seen);
}

std::string bad_place(const node_view& node) {
  if (!node.leaving.empty())
    return fmt::format("{} is about to go: {}", node.name, node.leaving);
  if (!node.closed.empty())
    return fmt::format("{} is no place just now: {}", node.name, node.closed);
  if (node.offline)
    return fmt::format("{} is marked offline", node.name);
  return node.troubled ? fmt::format("{} does not answer just now", node.name)
                       : std::string{};
}

std::string bad_target(act_kind act, const node_name& onto, const facts& seen) {
  if (act != act_kind::failover && act != act_kind::migrate)
    return {};
  // Its offline mark must not come between the opcodes.
  if (act == act_kind::migrate && !seen.primary.leaving.empty())
    return fmt::format("its node {} is about to go: {}", seen.primary.name,
                       seen.primary.leaving);
  for (const auto& node : seen.secondaries)
    if (node.name == onto)
      if (auto text = bad_place(node); !text.empty())
        return "its mirror's node " + text;
  return {};
}

obstacle obstacle_to(const plan& p, const facts& seen, const rules& r,
                     instant now) {
  if (auto text = missing_proofs(p.act, seen, r, now); !text.empty())
    return {obstacle_kind::proof, std::move(text)};
  if (auto text = bad_target(p.act, p.onto, seen); !text.empty())
    return {obstacle_kind::proof, "waits: " + text};
  // Both work through the home's daemons: they would fail, and cost tries.
  if (works_at_home(p.act) && (seen.primary.troubled || seen.primary.unheard))
    return {obstacle_kind::proof,
            fmt::format("waits: its node {} {}", seen.primary.name,
                        seen.primary.closed.empty()
                          ? "does not answer just now"
                          : "is not asked: " + seen.primary.closed)};
  auto asks = p.act == act_kind::reinstall
              || (p.act == act_kind::fix_storage && !p.mends);
  auto picks = asks || p.onto.empty();
  if (picks && !p.mends && seen.spare_nodes == 0)
    return no_room(seen,
                   fmt::format("no other node in service for the {}",
                               p.act == act_kind::reinstall
                                 ? "reinstallation of " + seen.instance.name
                                 : orderly::describe(p.ops.front())));
  return asks ? obstacle_of_room(p, seen, r) : obstacle{};
}

} // namespace orderly::autorepair
