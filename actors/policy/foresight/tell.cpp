// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/foresight/tell.hpp"

#include <algorithm>
#include <set>

namespace orderly::foresight {

namespace {

/// Entries about one of an instance's nodes that may go with its own.
constexpr std::size_t evidence_max = 20;

/// `wanted` names an object (`node:x`) or just its name.
bool concerns(const journal_entry& e, const std::string& wanted) {
  if (e.object == wanted || e.incident == wanted)
    return true;
  auto colon = e.object.find(':');
  return colon != std::string::npos
         && e.object.compare(colon + 1, std::string::npos, wanted) == 0;
}

/// Who reads on wants what comes next.
std::vector<journal_entry> next_decisions(const scene& all,
                                          const view_query& q) {
  std::vector<journal_entry> result;
  auto is_old = [&q](const auto& x) { return x->seq <= q.after; };
  for (auto i = std::partition_point(all.decisions.begin(), all.decisions.end(),
                                     is_old);
       i != all.decisions.end() && result.size() < q.limit; ++i)
    if (q.object.empty() || concerns(**i, q.object))
      result.push_back(**i);
  return result;
}

/// The newest ones; after a certain one those that follow it.
std::vector<journal_entry> decisions_of(const scene& all, const view_query& q) {
  if (q.after > 0)
    return next_decisions(all, q);
  std::vector<journal_entry> result;
  for (auto i = all.decisions.rbegin();
       i != all.decisions.rend() && result.size() < q.limit; ++i) {
    const auto& entry = **i;
    if (q.object.empty() || concerns(entry, q.object))
      result.push_back(entry);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// True if `wanted` means the thing called `name`: in full, with its kind in
/// front, or as the first label of a domain name.
bool means(const std::string& wanted, const char* kind,
           const std::string& name) {
  std::string bare;
  if (!split_object(wanted, kind, bare)) {
    if (wanted.find(':') != std::string::npos)
      return false;
    bare = wanted;
  }
  return bare == name
         || (name.size() > bare.size() && name[bare.size()] == '.'
             && name.compare(0, bare.size(), bare) == 0);
}

/// What was last seen of the nodes of `row`, in the incidents that they are
/// or were in: why their instance is as it is.
std::vector<journal_entry> evidence_for(const scene& all,
                                        const instance_row& row) {
  std::set<node_name> nodes{row.secondaries.begin(), row.secondaries.end()};
  nodes.insert(row.primary);
  std::vector<journal_entry> result;
  for (const auto& name : nodes) {
    incident_id incident;
    std::size_t taken = 0;
    auto object = node_object(name);
    for (auto i = all.decisions.rbegin();
         i != all.decisions.rend() && taken < evidence_max; ++i) {
      const auto& entry = **i;
      if (entry.object != object || entry.incident.empty())
        continue;
      if (incident.empty())
        incident = entry.incident;
      if (entry.incident != incident)
        break;
      result.push_back(entry);
      ++taken;
    }
  }
  return result;
}

void explain_node(const scene& all, view_query q, const node_row& row,
                  view_answer& answer) {
  answer.found = true;
  answer.nodes.push_back(row);
  q.object = node_object(row.name);
  answer.decisions = decisions_of(all, q);
}

void explain_instance(const scene& all, view_query q, const instance_row& row,
                      view_answer& answer) {
  answer.found = true;
  for (const auto& node : all.nodes)
    if (node->name == row.primary
        || std::count(row.secondaries.begin(), row.secondaries.end(),
                      node->name)
             > 0)
      answer.nodes.push_back(*node);
  auto seen = evidence_for(all, row);
  q.object = instance_object(row.name);
  auto own = decisions_of(all, q);
  // The instance's own story comes first, but never fills all of it.
  auto places = static_cast<std::size_t>(q.limit);
  auto kept = std::min(seen.size(), std::max(places / 4, places - own.size()));
  std::sort(seen.begin(), seen.end(),
            [](const auto& a, const auto& b) { return a.seq > b.seq; });
  seen.resize(kept);
  if (own.size() + kept > places)
    own.erase(own.begin(),
              own.begin()
                + static_cast<std::ptrdiff_t>(own.size() + kept - places));
  own.insert(own.end(), seen.begin(), seen.end());
  std::sort(own.begin(), own.end(),
            [](const auto& a, const auto& b) { return a.seq < b.seq; });
  answer.decisions = std::move(own);
  answer.instances.push_back(row);
}

/// The first thing that `wanted` means; one of exactly that name comes before
/// those of which it is only the first label.
template <class Row>
const Row* meant(const std::string& wanted, const char* kind,
                 const std::vector<std::shared_ptr<const Row>>& all) {
  const Row* found = nullptr;
  for (const auto& x : all) {
    if (!means(wanted, kind, x->name))
      continue;
    if (x->name == wanted || kind + (":" + x->name) == wanted)
      return x.get();
    if (found == nullptr)
      found = x.get();
  }
  return found;
}

void explain(const scene& all, const view_query& q, view_answer& answer) {
  answer.found = false;
  if (const auto* node = meant(q.object, "node", all.nodes))
    explain_node(all, q, *node, answer);
  else if (const auto* x = meant(q.object, "instance", all.instances))
    explain_instance(all, q, *x, answer);
}

} // namespace

view_answer tell(const scene& all, const view_query& q) {
  view_answer result;
  result.status = all.status;
  switch (q.subject) {
  case view_subject::status:
    break;
  case view_subject::nodes:
    for (const auto& row : all.nodes)
      result.nodes.push_back(*row);
    break;
  case view_subject::instances:
    for (const auto& row : all.instances)
      result.instances.push_back(*row);
    break;
  case view_subject::decisions:
    result.decisions = decisions_of(all, q);
    break;
  case view_subject::explain:
    explain(all, q, result);
    break;
  }
  return result;
}

} // namespace orderly::foresight
