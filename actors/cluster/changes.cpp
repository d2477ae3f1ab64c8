// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster/changes.hpp"

#include <algorithm>
#include <numeric>

namespace orderly {

namespace {

const instance_record* record_before(const picture_change& change,
                                     const instance_name& name) {
  return change.before ? find_record(change.before->instances, name) : nullptr;
}

void lodge_all_anew(cluster_state& st) {
  st.lodgers.clear();
  for (std::size_t i = 0; i < st.picture->instances.size(); ++i) {
    const auto& x = st.picture->instances[i];
    st.lodgers[x.primary].push_back(i);
    for (const auto& name : x.secondaries)
      st.lodgers[name].push_back(i);
  }
}

} // namespace

picture_change change_of(const cluster_picture& before,
                         const cluster_record& after) {
  picture_change result;
  result.before = before;
  static const std::vector<instance_record> none;
  const auto* first = after.instances.data();
  auto note = [&](const instance_record& is) {
    result.other.push_back(static_cast<std::size_t>(&is - first));
  };
  compare(
    before ? before->instances : none, after.instances,
    [&](const instance_record& was, const instance_record& is) {
      if (was != is)
        note(is);
    },
    note, [&](const instance_record& was) { result.gone.push_back(was.name); });
  return result;
}

picture_changes changes_between(const cluster_record& before,
                                const cluster_record& after) {
  picture_changes c;
  c.all = before.tags != after.tags || before.groups != after.groups;
  auto note = [&](const node_record& x) { c.nodes.insert(x.name); };
  compare(
    before.nodes, after.nodes,
    [&](const node_record& was, const node_record& is) {
      if (was != is)
        note(is);
    },
    note, note);
  if (before.jobs != after.jobs)
    for (const auto* jobs : {&before.jobs, &after.jobs})
      for (const auto& job : *jobs)
        c.jobs.insert(job.instances.begin(), job.instances.end());
  return c;
}

void relodge(cluster_state& st, const picture_change& change) {
  const auto& all = st.picture->instances;
  auto places_hold = change.before && change.gone.empty()
                     && change.before->instances.size() == all.size();
  if (!places_hold) {
    lodge_all_anew(st);
    return;
  }
  for (auto k : change.other) {
    const auto& is = all[k];
    const auto& was = change.before->instances[k];
    if (was.primary == is.primary && was.secondaries == is.secondaries)
      continue;
    auto leave
      = [&](const node_name& node) { std::erase(st.lodgers[node], k); };
    auto join = [&](const node_name& node) {
      auto& there = st.lodgers[node];
      there.insert(std::lower_bound(there.begin(), there.end(), k), k);
    };
    leave(was.primary);
    std::for_each(was.secondaries.begin(), was.secondaries.end(), leave);
    join(is.primary);
    std::for_each(is.secondaries.begin(), is.secondaries.end(), join);
  }
}

std::set<node_name> rehome(cluster_state& st, const picture_change& change) {
  std::map<node_name, bool> before;
  auto count = [&](const instance_record& x, std::uint32_t more) {
    if (x.admin != admin_state::up)
      return;
    auto& here = st.homes[x.primary];
    before.emplace(x.primary, here > 0);
    here += more;
  };
  constexpr auto one_less = static_cast<std::uint32_t>(-1);
  for (const auto& name : change.gone)
    count(*record_before(change, name), one_less);
  for (auto k : change.other) {
    const auto& is = st.picture->instances[k];
    if (const auto* was = record_before(change, is.name))
      count(*was, one_less);
    count(is, 1);
  }
  std::set<node_name> result;
  for (const auto& [node, was] : before) {
    auto i = st.homes.find(node);
    if ((i->second > 0) != was)
      result.insert(node);
    if (i->second == 0)
      st.homes.erase(i);
  }
  return result;
}

std::vector<std::size_t> concerned(const cluster_state& st,
                                   const picture_changes& around,
                                   const picture_change& change) {
  const auto& all = st.picture->instances;
  std::vector<std::size_t> result;
  if (around.all) {
    result.resize(all.size());
    std::iota(result.begin(), result.end(), std::size_t{0});
    return result;
  }
  result = change.other;
  for (const auto& node : around.nodes)
    if (auto i = st.lodgers.find(node); i != st.lodgers.end())
      result.insert(result.end(), i->second.begin(), i->second.end());
  for (const auto* names : {&around.jobs, &st.attentive})
    for (const auto& name : *names)
      if (const auto* x = find_record(all, name))
        result.push_back(static_cast<std::size_t>(x - all.data()));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

} // namespace orderly
