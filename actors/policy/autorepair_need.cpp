// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is wrong with an instance, and the next step against it: the second
// table of spec repair A.4. A node that is only drained is alive: what is on
// it is moved or left, never given up.

#include "actors/policy/autorepair_plan.hpp"
#include "actors/policy/utc.hpp"

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

bool in_service(const node_view& x) {
  return x.known && !x.offline && !x.drained && x.vm_capable;
}

const char* fault_of(const node_view& x) {
  if (!x.known)
    return "missing in the cluster's records";
  if (x.offline)
    return "offline";
  return x.drained ? "drained" : "not vm_capable";
}

std::string describe(const char* role, const node_view& x) {
  return fmt::format("{} {} is {}", role, x.name, fault_of(x));
}

need broken(std::optional<tags::repair_type> type, std::string why) {
  return {type, std::move(why), true};
}

/// A live migration is for what runs.
need needs_migration(const facts& x, std::string why) {
  if (x.instance.admin != admin_state::up)
    return broken(std::nullopt,
                  fmt::format("{}; the instance is marked {} and only a "
                              "running one is migrated",
                              why, to_string(x.instance.admin)));
  return broken(tags::repair_type::migrate, std::move(why));
}

/// Disks of an instance that is marked offline are not touched: Ganeti
/// refuses to replace them.
need needs_mirror(const facts& x, std::string why) {
  if (x.instance.admin == admin_state::offline)
    return broken(std::nullopt, why
                                  + "; the instance is marked offline and its "
                                    "disks cannot be replaced until it is "
                                    "marked down or up");
  return broken(tags::repair_type::fix_storage, std::move(why));
}

need needed_by_drbd(const facts& x) {
  if (x.secondaries.empty())
    return broken(std::nullopt, "it is a drbd instance without a secondary");
  const auto& mirror = x.secondaries.front();
  auto why
    = in_service(x.primary) ? std::string{} : describe("primary", x.primary);
  if (!in_service(mirror))
    why += (why.empty() ? "" : " and ") + describe("secondary", mirror);
  if (!mirror.known)
    return broken(std::nullopt, std::move(why));
  if (x.primary.offline)
    return broken(mirror.offline ? tags::repair_type::reinstall
                                 : tags::repair_type::failover,
                  std::move(why));
  if (!in_service(mirror))
    return needs_mirror(x, std::move(why));
  if (!in_service(x.primary))
    return needs_migration(x, std::move(why));
  return {};
}

/// Instances whose disks are on the primary alone, or nowhere.
need needed_by_local(const facts& x) {
  if (in_service(x.primary))
    return {};
  auto why = describe("primary", x.primary);
  auto on_disk = x.instance.disks == disk_template::plain
                 || x.instance.disks == disk_template::file;
  if (!on_disk)
    return broken(std::nullopt,
                  fmt::format("{}; instances with disk template {} are not "
                              "repaired",
                              why, to_string(x.instance.disks)));
  if (x.primary.offline)
    return broken(tags::repair_type::reinstall, std::move(why));
  return broken(std::nullopt, why
                                + "; the only copy of its data is there, "
                                  "intact, and stays");
}

need needed_by_external(const facts& x) {
  if (in_service(x.primary))
    return {};
  auto why = describe("primary", x.primary);
  if (x.primary.offline)
    return broken(tags::repair_type::failover, std::move(why));
  return needs_migration(x, std::move(why));
}

std::string missing_proof(const facts& x, const rules& r, instant now) {
  const auto& node = x.primary.name;
  if (!x.primary.offline)
    return fmt::format("no failover: {} is not marked offline", node);
  const auto& found = x.primary.proved_down;
  auto text = fmt::format("waits for proof that {} is down: ", node);
  if (!found)
    return text + "no power status was read as off and nobody vouched for it";
  if (found->node != node)
    return text + fmt::format("the one at hand is about {}", found->node);
  if (found->at > now)
    return text + fmt::format("\"{}\" lies in the future", found->text);
  if (now - found->at > r.proof_max_age)
    return text
           + fmt::format("\"{}\" of {} is too old", found->text,
                         utc_text(found->at));
  return {};
}

} // namespace

need needed(const facts& seen) {
  if (!seen.primary.known)
    return broken(std::nullopt, describe("primary", seen.primary));
  if (seen.instance.disks == disk_template::drbd)
    return needed_by_drbd(seen);
  if (is_external(seen.instance.disks))
    return needed_by_external(seen);
  return needed_by_local(seen);
}

std::optional<plan> plan_for(const facts& seen) {
  auto wants = needed(seen);
  if (!wants.type)
    return std::nullopt;
  plan p;
  p.type = *wants.type;
  p.op.instance = seen.instance.name;
  p.from = seen.primary.name;
  if (seen.instance.disks == disk_template::drbd)
    p.onto = seen.secondaries.front().name;
  switch (p.type) {
  case tags::repair_type::reinstall:
    return std::nullopt;
  case tags::repair_type::failover:
    p.act = act_kind::failover;
    p.op.kind = op_kind::instance_failover;
    break;
  case tags::repair_type::migrate:
    p.act = act_kind::migrate;
    p.op.kind = op_kind::instance_migrate;
    break;
  case tags::repair_type::fix_storage:
    p.act = act_kind::fix_storage;
    p.op.kind = op_kind::replace_disks;
    std::swap(p.from, p.onto);
    break;
  }
  return p;
}

obstacle obstacle_to(const plan& p, const facts& seen, const rules& r,
                     instant now) {
  if (p.act == act_kind::failover)
    if (auto text = missing_proof(seen, r, now); !text.empty())
      return {obstacle_kind::proof, std::move(text)};
  auto picks = p.act == act_kind::fix_storage || p.onto.empty();
  if (picks && seen.spare_nodes == 0)
    return {obstacle_kind::room,
            fmt::format("no room: group {} has no other node in service for "
                        "the {}",
                        seen.group, orderly::describe(p.op))};
  return {};
}

std::string tag_to_add(tags::repair_type type, const facts& seen) {
  return fmt::format("add tag {}{} to instance {}, group {} or the cluster",
                     tags::prefix, tags::to_string(type), seen.instance.name,
                     seen.group);
}

const char* verb_of(act_kind act) {
  switch (act) {
  case act_kind::failover:
    return "fail over";
  case act_kind::migrate:
    return "migrate";
  case act_kind::fix_storage:
    return "find a new secondary";
  default:
    return "set tags";
  }
}

} // namespace orderly::autorepair
