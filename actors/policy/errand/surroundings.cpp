// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an errand knows of the cluster, and how names are understood.

#include "actors/policy/base/natural_order.hpp"
#include "actors/policy/errand/asked.hpp"
#include "actors/policy/errand/plan.hpp"
#include "actors/policy/errand/words.hpp"
#include "actors/policy/settings/power_levels.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

constexpr std::size_t near_max = 3;

/// Letters to change, add or leave out; more than `most` is all the same.
std::size_t distance(const std::string& a, const std::string& b,
                     std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most)
    return most + 1;
  std::vector<std::size_t> last(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto corner = last[0];
    last[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      auto above = last[j];
      auto change = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      last[j] = std::min({change, above + 1, last[j - 1] + 1});
      corner = above;
    }
  }
  return last[b.size()];
}

/// Whom the text may have meant.
std::vector<std::string> near(const std::string& typed,
                              const std::vector<std::string>& all) {
  auto slip = std::max<std::size_t>(2, typed.size() / 4);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& x : all) {
    auto far = x.rfind(typed, 0) == 0
                 ? 0
                 : std::min(distance(typed, x, slip),
                            distance(typed, x.substr(0, x.find('.')), slip));
    if (far <= slip && far < typed.size())
      found.emplace_back(far, x);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> result;
  for (const auto& [far, x] : found)
    if (result.size() < near_max)
      result.push_back(x);
  return result;
}

refusal unknown(const char* kind, const std::string& typed,
                const std::vector<std::string>& all) {
  auto text = fmt::format("there is no {} '{}' in the last reading of the "
                          "cluster",
                          kind, typed);
  auto alike = near(typed, all);
  if (!alike.empty())
    text += fmt::format("; did you mean '{}'?", fmt::join(alike, "' or '"));
  return {std::move(text), refused_for::not_found};
}

/// In full, or by the first label if only one has it.
std::variant<const node_record*, refusal> node_named(const std::string& typed,
                                                     const surroundings& w) {
  const node_record* found = nullptr;
  std::vector<std::string> all;
  for (const auto& x : w.picture->nodes) {
    if (x.name == typed)
      return &x;
    all.push_back(x.name);
    if (typed.empty() || x.name.rfind(typed + ".", 0) != 0)
      continue;
    if (found != nullptr)
      return refusal{fmt::format("'{}' may be '{}' or '{}': give the full name",
                                 typed, found->name, x.name),
                     refused_for::not_found};
    found = &x;
  }
  if (found != nullptr)
    return found;
  return unknown("node", typed, all);
}

/// Pictures are sorted by name.
template <class Record>
const Record* find_in(const std::vector<Record>& all, const std::string& name) {
  auto i = std::lower_bound(
    all.begin(), all.end(), name,
    [](const Record& x, const std::string& y) { return x.name < y; });
  return i != all.end() && i->name == name ? &*i : nullptr;
}

void sort_naturally(std::vector<node_record>& nodes) {
  std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) {
    return natural_less(a.name, b.name);
  });
}

} // namespace

node_record surroundings::in_force(node_record x) const {
  if (auto i = amended->find(x.name); i != amended->end()) {
    if (i->second.offline)
      x.offline = *i->second.offline;
    if (i->second.powered)
      x.powered = *i->second.powered;
  }
  if (!keeps_power_record(x)) {
    auto off = recorded_off->find(x.name);
    x.powered = off == recorded_off->end()
                || (!off->second.empty() && off->second != x.uuid);
  }
  return x;
}

const node_record* surroundings::raw_node(const node_name& name) const {
  return find_in(picture->nodes, name);
}

std::optional<node_record> surroundings::node(const node_name& name) const {
  if (const auto* x = raw_node(name))
    return in_force(*x);
  return std::nullopt;
}

const instance_record* surroundings::instance(const instance_name& name) const {
  return find_in(picture->instances, name);
}

std::vector<std::string> surroundings::levels(const node_record& x) const {
  return power_levels(x, *rules);
}

std::size_t surroundings::doubt_of(const node_name& node,
                                   const std::string& program) const {
  auto i = doubted->find(node);
  if (i == doubted->end())
    return 0;
  auto found = std::find(i->second.begin(), i->second.end(), program);
  return found == i->second.end()
           ? 0
           : static_cast<std::size_t>(found - i->second.begin()) + 1;
}

std::vector<std::string>
surroundings::believed_first(const node_record& x) const {
  auto result = levels(x);
  std::stable_sort(result.begin(), result.end(),
                   [this, &x](const std::string& a, const std::string& b) {
                     return doubt_of(x.name, a) < doubt_of(x.name, b);
                   });
  return result;
}

std::variant<std::vector<node_record>, refusal>
nodes_named(const std::vector<std::string>& names, const surroundings& w) {
  std::vector<node_record> result;
  std::set<node_name> seen;
  for (const auto& typed : names) {
    auto found = node_named(typed, w);
    if (auto* why = std::get_if<refusal>(&found))
      return std::move(*why);
    const auto& x = *std::get<const node_record*>(found);
    if (seen.insert(x.name).second)
      result.push_back(w.in_force(x));
  }
  sort_naturally(result);
  return result;
}

std::vector<node_record> all_nodes(const surroundings& w) {
  std::vector<node_record> result;
  for (const auto& x : w.picture->nodes)
    result.push_back(w.in_force(x));
  sort_naturally(result);
  return result;
}

std::variant<std::vector<node_record>, refusal>
nodes_of_groups(const std::vector<std::string>& names, const surroundings& w) {
  std::vector<std::string> all;
  for (const auto& x : w.picture->groups)
    all.push_back(x.name);
  for (const auto& typed : names)
    if (std::find(all.begin(), all.end(), typed) == all.end())
      return unknown("node group", typed, all);
  auto nodes = all_nodes(w);
  std::erase_if(nodes, [&names](const node_record& x) {
    return std::find(names.begin(), names.end(), x.group) == names.end();
  });
  return nodes;
}

void add_remark(state& s, std::string text) {
  if (s.remarks.size() < remarks_max)
    s.remarks.push_back(std::move(text));
  else if (s.remarks.size() == remarks_max)
    s.remarks.emplace_back("There is more to say than fits here: see the "
                           "decisions in 'orderly explain' and the log");
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  if (names.size() <= most)
    return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more",
                     fmt::join(names.begin(), names.begin() + most, ", "),
                     names.size() - most);
}

std::string epo_names(const epo_errand& x) {
  if (x.all)
    return "--all";
  return fmt::format("{}{}", x.groups ? "--groups " : "",
                     fmt::join(x.names, " "));
}

std::vector<node_name> nodes_of(const instance_record& x) {
  std::vector<node_name> result{x.primary};
  result.insert(result.end(), x.secondaries.begin(), x.secondaries.end());
  return result;
}

} // namespace orderly::errand
