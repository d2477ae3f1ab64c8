// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/world.hpp"

#include "sim/conformance/keys.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

/// An instance, unless a scenario says otherwise: small enough for any node.
constexpr std::int64_t usual_memory = 512;
constexpr std::int64_t usual_disk = 1024;

taker template_into(disk_template& to) {
  return [&to](const json& v) {
    to = v.is_string() ? disk_template_from(v.get<std::string>())
                       : disk_template::unknown;
    return to != disk_template::unknown;
  };
}

taker admin_into(admin_state& to) {
  return [&to](const json& v) {
    for (auto x : {admin_state::up, admin_state::down, admin_state::offline})
      if (v == to_string(x)) {
        to = x;
        return true;
      }
    return false;
  };
}

std::string take_node(const json& x, const std::string& where,
                      given_world& into) {
  world_plan::node node;
  node.group = "g1";
  node.power_control = false;
  auto master = false;
  auto full = false;
  std::vector<std::string> tags;
  auto parameters = [&node](const json& v) {
    auto program = v.is_object() ? v.value("oob_program", json("")) : json{};
    node.power_control = program.is_string() && program != "" && program != "!";
    return v.is_object();
  };
  auto wrong = take_keys(x, where,
                         {{"name", text_into(node.name)},
                          {"group", text_into(node.group)},
                          {"offline", flag_into(node.offline)},
                          {"drained", flag_into(node.drained)},
                          {"vm_capable", flag_into(node.vm_capable)},
                          {"memory_mib", number_into(node.memory_mib)},
                          {"disk_mib", number_into(node.disk_mib)},
                          {"full", flag_into(full)},
                          {"master", flag_into(master)},
                          {"tags", texts_into(tags)},
                          {"ndparams", parameters},
                          {"uuid", text_into(node.uuid)},
                          {"powered", of_no_concern},
                          {"master_candidate", of_no_concern},
                          {"diagnose", of_no_concern}});
  if (wrong.empty() && node.name.empty())
    return where + ": key \"name\" is missing";
  if (master)
    into.plan.master = node.name;
  if (full)
    into.full_nodes.push_back(node.name);
  if (!tags.empty())
    into.node_tags[node.name] = std::move(tags);
  into.plan.nodes.push_back(std::move(node));
  return wrong;
}

std::string take_instance(const json& x, const std::string& where,
                          given_world& into) {
  instance_record one;
  std::string secondary;
  one.memory_mib = usual_memory;
  one.os = "debootstrap+default";
  std::int64_t disk = usual_disk;
  auto wrong = take_keys(x, where,
                         {{"name", text_into(one.name)},
                          {"uuid", text_into(one.uuid)},
                          {"primary", text_into(one.primary)},
                          {"secondary", text_into(secondary)},
                          {"disk_template", template_into(one.disks)},
                          {"admin_state", admin_into(one.admin)},
                          {"memory_mib", number_into(one.memory_mib)},
                          {"disk_mib", number_into(disk)},
                          {"os", text_into(one.os)},
                          {"tags", texts_into(one.tags)}});
  if (wrong.empty() && (one.name.empty() || one.primary.empty()))
    return where + ": key \"name\" or \"primary\" is missing";
  if (one.uuid.empty())
    one.uuid = "uuid-" + one.name;
  if (!secondary.empty())
    one.secondaries.push_back(secondary);
  if (one.disks != disk_template::diskless)
    one.disks_mib.push_back(disk);
  into.plan.instances.push_back(std::move(one));
  return wrong;
}

std::string take_group(const json& x, const std::string& where,
                       given_world& into) {
  group_record one;
  auto wrong = take_keys(x, where,
                         {{"name", text_into(one.name)},
                          {"uuid", text_into(one.uuid)},
                          {"tags", texts_into(one.tags)}});
  if (one.uuid.empty())
    one.uuid = "uuid-" + one.name;
  into.plan.groups.push_back(std::move(one));
  return wrong;
}

std::string take_jobs(const json& all, given_world& into) {
  if (!all.is_object())
    return "given.jobs is no object";
  for (const auto& [key, value] : all.items()) {
    job_id id = 0;
    auto read = std::from_chars(key.data(), key.data() + key.size(), id);
    auto is = value.is_object() ? value.value("status", json{}) : value;
    auto status
      = is.is_string() ? job_status_from(is.get<std::string>()) : std::nullopt;
    if (read.ec != std::errc{} || read.ptr != key.data() + key.size()
        || !status)
      return fmt::format("given.jobs: \"{}\" is no id, or its status is none",
                         key);
    into.jobs[id] = *status;
  }
  return {};
}

template <class Take>
std::string take_list(const json& given, const char* key, given_world& into,
                      Take take) {
  auto all = given.value(key, json::array());
  if (!all.is_array())
    return fmt::format("given.{} is no list", key);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (auto wrong = take(all[i], fmt::format("given.{}[{}]", key, i), into);
        !wrong.empty())
      return wrong;
  return {};
}

std::string take_node_tags(const json& all, given_world& into) {
  for (const auto& [name, tags] : all.items())
    if (!texts_into(into.node_tags[name])(tags))
      return "given.node_tags is no object of lists";
  return {};
}

/// Somebody must be master and alive; scenarios about repairs do not say who.
void choose_master(world_plan& plan) {
  auto i = std::find_if(plan.nodes.rbegin(), plan.nodes.rend(),
                        [](const world_plan::node& x) {
                          return !x.offline && !x.drained && x.vm_capable;
                        });
  if (plan.master.empty() && !plan.nodes.empty())
    plan.master = i == plan.nodes.rend() ? plan.nodes.back().name : i->name;
}

/// Names that are used must exist: the simulator takes that for granted.
std::string check_names(const given_world& x) {
  auto is_node = [&](const std::string& name) {
    return std::any_of(x.plan.nodes.begin(), x.plan.nodes.end(),
                       [&](const auto& n) { return n.name == name; });
  };
  if (x.plan.nodes.empty())
    return "given.nodes is missing or empty";
  for (const auto& one : x.plan.instances) {
    auto homes = one.secondaries;
    homes.push_back(one.primary);
    for (const auto& name : homes)
      if (!is_node(name))
        return fmt::format("given: instance {} is on node {}, which is none",
                           one.name, name);
  }
  for (const auto& [name, tags] : x.node_tags)
    if (!is_node(name))
      return fmt::format("given.node_tags: there is no node {}", name);
  return {};
}

void complete_groups(world_plan& plan) {
  for (const auto& node : plan.nodes)
    if (std::none_of(plan.groups.begin(), plan.groups.end(),
                     [&](const auto& g) { return g.name == node.group; }))
      plan.groups.push_back({node.group, "uuid-" + node.group, {}});
}

} // namespace

result<given_world> read_world(const json& given) {
  given_world x;
  x.plan.name = "conformance";
  auto next = static_cast<std::int64_t>(x.next_job);
  // The order is ours, so that a fault is the same every time.
  auto wrong = take_list(given, "groups", x, take_group);
  if (wrong.empty())
    wrong = take_list(given, "nodes", x, take_node);
  if (wrong.empty())
    wrong = take_list(given, "instances", x, take_instance);
  if (wrong.empty())
    wrong = take_jobs(given.value("jobs", json::object()), x);
  if (wrong.empty())
    wrong = take_node_tags(given.value("node_tags", json::object()), x);
  if (wrong.empty())
    wrong = take_keys(given, "given",
                      {{"cluster_tags", texts_into(x.plan.tags)},
                       {"next_job", number_into(next)},
                       {"groups", of_no_concern},
                       {"nodes", of_no_concern},
                       {"instances", of_no_concern},
                       {"jobs", of_no_concern},
                       {"node_tags", of_no_concern},
                       {"incidents", of_no_concern},
                       {"config", of_no_concern}});
  if (wrong.empty())
    wrong = check_names(x);
  if (!wrong.empty())
    return fault{fault_kind::bad_input, wrong};
  x.next_job = static_cast<job_id>(next);
  choose_master(x.plan);
  complete_groups(x.plan);
  return x;
}

std::optional<job_status> job_status_from(const std::string& text) {
  for (auto x : {job_status::queued, job_status::waiting, job_status::canceling,
                 job_status::running, job_status::canceled, job_status::success,
                 job_status::error})
    if (text == to_string(x))
      return x;
  return std::nullopt;
}

} // namespace orderly::sim::conformance
