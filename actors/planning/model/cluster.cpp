// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/model/cluster.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

constexpr std::array<std::string_view, 9> template_names{
  "diskless", "file", "sharedfile", "plain",  "blockdev",
  "drbd",     "rbd",  "ext",        "gluster"};

constexpr std::array<std::string_view, 9> status_names{
  "running",           "ADMIN_down",      "ADMIN_offline",
  "ERROR_down",        "ERROR_up",        "ERROR_nodedown",
  "ERROR_nodeoffline", "ERROR_wrongnode", "USER_down"};

constexpr std::array<std::string_view, 3> policy_names{
  "preferred", "last_resort", "unallocable"};

template <class T, std::size_t N>
std::optional<T> find_name(const std::array<std::string_view, N>& names,
                           std::string_view name) {
  auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    return std::nullopt;
  return static_cast<T>(at - names.begin());
}

} // namespace

std::string_view name_of(disk_template x) {
  return template_names[static_cast<std::size_t>(x)];
}

std::optional<disk_template> disk_template_of(std::string_view name) {
  return find_name<disk_template>(template_names, name);
}

bool uses_local_disk(disk_template x) {
  return x == disk_template::drbd || x == disk_template::plain;
}

bool can_move(disk_template x) {
  return x != disk_template::diskless && x != disk_template::file
         && x != disk_template::plain;
}

std::string_view name_of(storage_type x) {
  return x == storage_type::internal ? "internal" : "external";
}

std::optional<storage_pool> derived_pool(disk_template x) {
  switch (x) {
  case disk_template::diskless:
    return std::nullopt;
  case disk_template::plain:
  case disk_template::drbd:
    return storage_pool{};
  case disk_template::file:
    return storage_pool{storage_type::internal, "file"};
  default:
    return storage_pool{storage_type::external, std::string{name_of(x)}};
  }
}

std::string_view name_of(instance_status x) {
  return status_names[static_cast<std::size_t>(x)];
}

std::optional<instance_status> instance_status_of(std::string_view name) {
  return find_name<instance_status>(status_names, name);
}

std::string_view name_of(alloc_policy x) {
  return policy_names[static_cast<std::size_t>(x)];
}

std::optional<alloc_policy> alloc_policy_of(std::string_view name) {
  return find_name<alloc_policy>(policy_names, name);
}

bool is_online(const instance_spec& x) {
  return x.status != instance_status::admin_offline;
}

bool uses_memory(const instance_spec& x) {
  if (x.forthcoming)
    return false;
  switch (x.status) {
  case instance_status::admin_down:
  case instance_status::admin_offline:
  case instance_status::error_down:
  case instance_status::user_down:
    return false;
  default:
    return true;
  }
}

bool reserves_memory(const instance_spec& x) {
  return is_online(x) && x.auto_balance;
}

std::string common_suffix(const cluster& c) {
  const std::string* shortest = nullptr;
  std::vector<const std::string*> names;
  for (const auto& n : c.nodes)
    names.push_back(&n.name);
  for (const auto& i : c.instances)
    names.push_back(&i.name);
  for (const auto* n : names)
    if (!shortest || n->size() < shortest->size())
      shortest = n;
  if (!shortest)
    return {};
  std::size_t common = shortest->size();
  for (const auto* n : names) {
    std::size_t same = 0;
    while (same < common
           && (*n)[n->size() - 1 - same]
                == (*shortest)[shortest->size() - 1 - same])
      ++same;
    common = same;
  }
  auto suffix = shortest->substr(shortest->size() - common);
  auto dot = suffix.find('.');
  return dot == std::string::npos ? std::string{} : suffix.substr(dot);
}

std::vector<int> split_instances(const cluster& c) {
  std::vector<int> result;
  for (std::size_t i = 0; i < c.instances.size(); ++i) {
    const auto& x = c.instances[i];
    if (x.secondary < 0)
      continue;
    auto p = static_cast<std::size_t>(x.primary);
    auto s = static_cast<std::size_t>(x.secondary);
    if (c.nodes[p].group != c.nodes[s].group)
      result.push_back(static_cast<int>(i));
  }
  return result;
}

} // namespace orderly::planning
