// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is wrong with an instance: the second table of spec repair A.4. A node
// that is only drained is alive: what is on it is moved or left, never given
// up.

#include "actors/policy/base/commands.hpp"
#include "actors/policy/base/utc.hpp"
#include "actors/policy/repair/plan.hpp"

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

std::string role_and_state(const char* role, const node_view& x) {
  return fmt::format("{} {} is {}", role, x.name, fault_of(x));
}

need broken(std::optional<tags::repair_type> type, std::string why) {
  return {type, std::move(why), true};
}

/// What is parked is not moved: Ganeti refuses to.
need needs_migration(const facts& x, std::string why) {
  if (x.instance.admin == admin_state::offline)
    return broken(std::nullopt, why
                                  + "; the instance is marked offline and is "
                                    "not moved until it is marked down or up");
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

/// The copy that is left lacks what was written since it is faulty. Ganeti
/// would start it all the same, because its peer is offline.
need needs_person(const facts& x, std::string why) {
  const auto& mirror = x.secondaries.front().name;
  auto n = broken(
    std::nullopt,
    fmt::format("{0}, and its copy on {1} is known to be faulty since {2} "
                "({3}): what was written later is on {4} alone, so that a "
                "failover is not automation's. Bring {4} back first, which "
                "keeps the data: {6}; or, if that is lost and {4} is off, fail "
                "over by hand to the old data: gnt-instance failover {5}",
                why, mirror, utc_text(x.copy_since), x.copy_fault,
                x.primary.name, x.instance.name,
                revive_command(x.primary.name, x.primary.power_control)));
  n.copy_hinders = true;
  return n;
}

/// The good copy stays where it is until the other one was mended.
need needs_peace(const facts& x, std::string why) {
  auto n = broken(
    std::nullopt,
    fmt::format("{}, and its copy on {} is known to be faulty since {} ({}): "
                "it is not moved there. Start it where it is, so that its "
                "mirror can be asked and mended: gnt-instance startup {}",
                why, x.secondaries.front().name, utc_text(x.copy_since),
                x.copy_fault, x.instance.name));
  n.copy_hinders = true;
  return n;
}

/// The mirror has what the home lacks: it is not given up for a new one.
need needs_home(const facts& x, std::string why) {
  const auto& mirror = x.secondaries.front();
  const auto& bad = x.home_fault;
  auto way
    = mirror.offline
        ? fmt::format("Bring {0} back, so that {1} can be mended from it: {2}; "
                      "or, if {0} is lost, have a new mirror made by hand from "
                      "what {1} has: gnt-instance replace-disks -n NODE {3}",
                      mirror.name, bad.home,
                      revive_command(mirror.name, mirror.power_control),
                      x.instance.name)
      : x.instance.admin == admin_state::up
        ? std::string{"It is mended where it is once its nodes say so again"}
        : fmt::format("Start it, so that it can be asked and mended: "
                      "gnt-instance startup {}",
                      x.instance.name);
  auto n = broken(std::nullopt,
                  fmt::format("{}, and the copy on its home {} is known to "
                              "lack something since {} ({}): what is on {} is "
                              "not given up for a copy of that. {}",
                              why, bad.home, utc_text(bad.since), bad.fault,
                              mirror.name, way));
  n.copy_hinders = mirror.offline || x.instance.admin != admin_state::up;
  return n;
}

/// It moves once its mirror was asked, and is well.
need needs_sync(const facts& x, std::string why) {
  return broken(std::nullopt,
                fmt::format("{}; its copy on {} is known to be faulty since {} "
                            "({}): it moves there once that is well again",
                            why, x.secondaries.front().name,
                            utc_text(x.copy_since), x.copy_fault));
}

/// Ganeti would give new, empty disks even to what is parked, and then refuse
/// to install a system on them: the data would be lost for nothing.
need needs_reinstall(const facts& x, std::string why) {
  if (x.instance.admin == admin_state::offline)
    return broken(std::nullopt, why
                                  + "; the instance is marked offline and is "
                                    "not reinstalled until it is marked down "
                                    "or up");
  return broken(tags::repair_type::reinstall, std::move(why));
}

need needed_by_drbd(const facts& x) {
  if (x.secondaries.empty())
    return broken(std::nullopt, "it is a drbd instance without a secondary");
  const auto& mirror = x.secondaries.front();
  auto why = in_service(x.primary) ? std::string{}
                                   : role_and_state("primary", x.primary);
  if (!in_service(mirror))
    why += (why.empty() ? "" : " and ") + role_and_state("secondary", mirror);
  if (!mirror.known)
    return broken(std::nullopt, std::move(why));
  if (x.primary.offline && mirror.offline)
    return needs_reinstall(x, std::move(why));
  if (x.primary.offline)
    return x.copy_fault.empty()
             ? broken(tags::repair_type::failover, std::move(why))
             : needs_person(x, std::move(why));
  // The home's own disk is mended from it first, while both can be asked.
  auto lacks = !x.home_fault.empty();
  if (!in_service(mirror) && lacks
      && (mirror.offline || x.mirror_fault.empty()))
    return needs_home(x, std::move(why));
  if (!in_service(mirror))
    return needs_mirror(x, std::move(why));
  // What does not run Ganeti moves without a look at the copies.
  if (x.copy_half)
    return needs_mirror(
      x, fmt::format("{}{}its copy on {} counts as half made since {} ({})",
                     why, why.empty() ? "" : ", and ", mirror.name,
                     utc_text(x.copy_since), x.copy_fault));
  if (!in_service(x.primary) && !x.copy_fault.empty()
      && x.instance.admin == admin_state::down)
    return needs_peace(x, std::move(why));
  // Nor does what runs move onto a copy that lacks its latest writes.
  if (!in_service(x.primary) && !x.copy_fault.empty())
    return x.mirror_fault.empty() ? needs_sync(x, std::move(why))
                                  : needs_mirror(x, std::move(why));
  if (!in_service(x.primary))
    return needs_migration(x, std::move(why));
  if (!x.mirror_fault.empty())
    return needs_mirror(x,
                        "its mirror is faulty: " + to_string(x.mirror_fault));
  if (x.mirror_syncs && x.copy_read)
    return {};
  if (!x.copy_fault.empty() && !x.copy_read)
    return broken(std::nullopt,
                  fmt::format("its copy counts as behind since {} ({}), until "
                              "Ganeti says that its mirror is well",
                              utc_text(x.copy_since), x.copy_fault));
  if (!x.copy_fault.empty() && x.mirror_near)
    return broken(std::nullopt,
                  fmt::format("its mirror was found faulty at {} ({}): it is "
                              "asked once more",
                              utc_text(x.copy_since), x.copy_fault));
  if (!x.copy_fault.empty())
    return broken(std::nullopt,
                  fmt::format("its mirror is known to be faulty since {} ({}), "
                              "and cannot be asked just now",
                              utc_text(x.copy_since), x.copy_fault));
  return {};
}

/// Instances whose disks are on the primary alone, or nowhere.
need needed_by_local(const facts& x) {
  if (in_service(x.primary))
    return {};
  auto why = role_and_state("primary", x.primary);
  auto on_disk = x.instance.disks == disk_template::plain
                 || x.instance.disks == disk_template::file;
  if (!on_disk)
    return broken(std::nullopt,
                  fmt::format("{}; instances with disk template {} are not "
                              "repaired",
                              why, to_string(x.instance.disks)));
  if (x.primary.offline)
    return needs_reinstall(x, std::move(why));
  return broken(std::nullopt, why
                                + "; the only copy of its data is there, "
                                  "intact, and stays");
}

need needed_by_external(const facts& x) {
  if (in_service(x.primary))
    return {};
  auto why = role_and_state("primary", x.primary);
  if (x.primary.offline)
    return broken(tags::repair_type::failover, std::move(why));
  return needs_migration(x, std::move(why));
}

} // namespace

need needed(const facts& seen) {
  if (!seen.primary.known)
    return broken(std::nullopt, role_and_state("primary", seen.primary));
  if (seen.instance.disks == disk_template::drbd)
    return needed_by_drbd(seen);
  if (is_external(seen.instance.disks))
    return needed_by_external(seen);
  return needed_by_local(seen);
}

std::string tag_to_add(tags::repair_type type, const facts& seen) {
  return fmt::format("add tag {}{} to instance {}, group {} or the cluster",
                     tags::prefix, tags::to_string(type), seen.instance.name,
                     seen.group);
}

std::string leave_for(tags::repair_type type, const facts& seen) {
  if (type != tags::repair_type::reinstall)
    return tag_to_add(type, seen);
  return fmt::format("it would destroy the data of {}, which is there again "
                     "when its node is back",
                     seen.instance.name);
}

const char* verb_of(act_kind act) {
  switch (act) {
  case act_kind::failover:
    return "fail over";
  case act_kind::migrate:
    return "migrate";
  case act_kind::fix_storage:
    return "repair the mirror";
  case act_kind::reinstall:
    return "reinstall";
  default:
    return "set tags";
  }
}

} // namespace orderly::autorepair
