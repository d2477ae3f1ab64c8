// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster/places.hpp"

#include "actors/policy/repair/plan.hpp"

#include <utility>

namespace orderly {

namespace {

std::string why_unfit(const cluster_state& st, const node_record& node) {
  autorepair::node_view view;
  view.name = node.name;
  view.offline = node.offline;
  if (auto i = st.standings.find(node.name); i != st.standings.end()) {
    view.troubled = i->second.troubled;
    view.closed = i->second.closed;
  }
  return autorepair::bad_place(view);
}

} // namespace

std::map<group_name, std::uint32_t> spares_in(const cluster_state& st) {
  std::map<group_name, std::uint32_t> result;
  for (const auto& node : st.picture->nodes)
    if (may_take(st, node))
      ++result[node.group];
  return result;
}

void recount(cluster_state& st, const node_record& node, bool took) {
  auto takes = may_take(st, node);
  if (takes != took)
    st.digest.spares[node.group] += takes ? 1U : -1U;
}

std::shared_ptr<const unfit_nodes> unfit_in(const cluster_state& st) {
  unfit_nodes result;
  for (const auto& node : st.picture->nodes)
    if (auto why = why_unfit(st, node); !why.empty())
      result.emplace(node.name, std::move(why));
  return std::make_shared<const unfit_nodes>(std::move(result));
}

void reconsider(cluster_state& st, const node_record& node) {
  // Instances have the map from before: it is copied, and is as long as there
  // are nodes in trouble.
  auto result = *st.digest.unfit;
  if (auto why = why_unfit(st, node); why.empty())
    result.erase(node.name);
  else
    result[node.name] = std::move(why);
  st.digest.unfit = std::make_shared<const unfit_nodes>(std::move(result));
}

} // namespace orderly
