// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode_live.hpp"

#include "io/ganeti/encode.hpp"

#include <algorithm>
#include <array>

namespace orderly::io {

namespace {

const std::vector<std::string> room_fields{"name", "mfree", "dfree"};

constexpr std::int64_t no_figure = -1;

/// What one node says of a disk: a list of seven in this order.
constexpr std::size_t says_percent = 3;
constexpr std::size_t says_degraded = 5;
constexpr std::size_t says_local_disk = 6;
constexpr std::size_t says_count = 7;

/// Ganeti's LDS_OKAY and LDS_FAULTY.
constexpr int local_disk_ok = 1;
constexpr int local_disk_faulty = 4;

fault not_understood(const std::string& text) {
  return {fault_kind::bad_input,
          "the job that reads mirrors gave what is not understood: " + text};
}

std::string text_at(const json& x, const char* key) {
  auto i = x.find(key);
  return i != x.end() && i->is_string() ? i->get<std::string>() : std::string{};
}

enum class side { silent, well, syncs_peer, syncing, degraded, broken };

/// How a node sees its side of a disk. None if that is not understood.
result<side> side_of(const json& says) {
  if (says.is_null())
    return side::silent;
  if (!says.is_array() || says.size() != says_count
      || !says[says_degraded].is_boolean())
    return not_understood("a node's view of a disk is no list of seven with a "
                          "truth value in it");
  if (says[says_local_disk] == local_disk_faulty)
    return side::broken;
  if (!says[says_degraded].get<bool>())
    return side::well;
  // With a percentage it is resyncing and will be whole without us. The side
  // that gives says that its own disk is in order.
  if (says[says_percent].is_null())
    return side::degraded;
  return says[says_local_disk] == local_disk_ok ? side::syncs_peer
                                                : side::syncing;
}

/// What the two sides of a disk say, made one; the first is the primary's.
std::optional<disk_fault> worst_of(std::string disk, const side (&says)[2],
                                   const std::array<node_name, 2>& nodes) {
  // A broken disk makes both sides degraded, so it says more; and a lost
  // connection says more than what it broke off.
  for (auto what : {side::broken, side::degraded, side::syncing})
    for (std::size_t i = 0; i < 2; ++i)
      if (says[i] == what)
        return disk_fault{std::move(disk), what == side::broken, nodes[i],
                          what == side::syncing};
  for (std::size_t i = 0; i < 2; ++i)
    if (says[i] == side::syncs_peer)
      return disk_fault{std::move(disk), false, nodes[1 - i], true};
  return std::nullopt;
}

/// What is wrong with a disk, if anything is. `heard` becomes false if a side
/// said nothing.
result<std::optional<disk_fault>> fault_of_disk(const json& disk, bool& heard) {
  if (!disk.is_object())
    return not_understood("a disk is no object");
  auto info = disk.find("drbd_info");
  if (info == disk.end() || !info->is_object())
    return std::optional<disk_fault>{};
  constexpr const char* names[] = {"pstatus", "sstatus"};
  side sides[] = {side::silent, side::silent};
  for (std::size_t i = 0; i < 2; ++i) {
    auto says = disk.find(names[i]);
    if (says == disk.end())
      return not_understood(std::string{"a mirrored disk has no "} + names[i]);
    auto seen = side_of(*says);
    if (!seen)
      return seen.why();
    heard = heard && *seen != side::silent;
    sides[i] = *seen;
  }
  return worst_of(
    text_at(disk, "iv_name"), sides,
    {text_at(*info, "primary_node"), text_at(*info, "secondary_node")});
}

result<std::vector<disk_fault>> faults_of_instance(const json& instance,
                                                   bool& heard) {
  if (!instance.is_object())
    return not_understood("an instance is no object");
  auto disks = instance.find("disks");
  if (disks == instance.end() || !disks->is_array())
    return not_understood("an instance has no list of disks");
  std::vector<disk_fault> all;
  for (const auto& disk : *disks) {
    auto one = fault_of_disk(disk, heard);
    if (!one)
      return one.why();
    if (*one)
      all.push_back(std::move(**one));
  }
  return all;
}

} // namespace

luxi_question question_for_room(const std::vector<node_name>& nodes) {
  json filter{"|"};
  for (const auto& name : nodes)
    filter.push_back(json{"=", "name", name});
  return {"Query", in_json(json{"node", room_fields, filter})};
}

result<std::vector<node_room>> decode_room(std::string_view reply) {
  auto table = open_table(reply);
  if (!table)
    return table.why();
  std::vector<node_room> result;
  for (const auto& cells : *table) {
    row_reader row{cells, room_fields, "room on nodes"};
    node_room x;
    x.name = row.text();
    x.memory_mib = row.number_or(no_figure);
    x.disk_mib = std::max<std::int64_t>(row.number_or(0), 0);
    if (!row.ok())
      return row.why();
    if (x.memory_mib >= 0)
      result.push_back(std::move(x));
  }
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return result;
}

luxi_question question_for_mirrors(const std::vector<instance_name>& instances,
                                   std::int64_t nanoseconds) {
  auto trail = json::array();
  trail.push_back({remark_source, "how are the mirrors?", nanoseconds});
  json op{{"OP_ID", "OP_INSTANCE_QUERY_DATA"},
          {"instances", instances},
          {"static", false},
          {"use_locking", false},
          {"reason", std::move(trail)}};
  auto job = json::array({std::move(op)});
  auto jobs = json::array({std::move(job)});
  return {"SubmitManyJobs", in_json(json::array({std::move(jobs)}))};
}

result<mirrors_answer> decode_mirrors(const json& found) {
  if (!found.is_object())
    return not_understood("it is no object");
  mirrors_answer answer;
  answer.answered = true;
  for (const auto& [name, instance] : found.items()) {
    auto heard = true;
    auto all = faults_of_instance(instance, heard);
    if (!all)
      return fault{all.why().kind, all.why().text + " (" + name + ")"};
    if (!all->empty())
      answer.faults.emplace(name, std::move(*all));
    else if (heard)
      answer.well.insert(name);
  }
  return answer;
}

} // namespace orderly::io
