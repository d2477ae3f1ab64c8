// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/reboot_graph.hpp"

#include "actors/planning/roll/roll.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// Lists grow at their front in the reference: here at their end, and are
/// turned when all edges are there.
class graph_maker {
public:
  graph_maker(const cluster& c, const std::vector<bool>& wanted, int first,
              int last)
    : c_(c), wanted_(wanted), size_(last - first + 1) {
    result_.first = first;
    result_.neighbours.resize(at(size_));
    known_.resize(at(size_) * at(size_));
  }

  void add_pairs() {
    for (const auto& x : c_.instances)
      if (has_mirror(x)) {
        add(x.primary, x.secondary);
        add(x.secondary, x.primary);
      }
  }

  /// Each edge that is not there yet, once.
  void add_cliques() {
    std::vector<std::vector<int>> primaries(c_.nodes.size());
    for (auto i = c_.instances.size(); i-- > 0;)
      if (has_mirror(c_.instances[i]) && !c_.instances[i].forthcoming)
        primaries[at(c_.instances[i].secondary)].push_back(
          c_.instances[i].primary);
    for (const auto& all : primaries)
      for (auto a : all)
        for (auto b : all)
          if (is_wanted(a) && is_wanted(b) && !known_[cell(a, b)])
            add(a, b);
  }

  reboot_graph take() {
    for (auto& x : result_.neighbours)
      std::reverse(x.begin(), x.end());
    return std::move(result_);
  }

private:
  bool is_wanted(int node) const { return wanted_[at(node)]; }

  std::size_t cell(int a, int b) const {
    return at(a - result_.first) * at(size_) + at(b - result_.first);
  }

  void add(int a, int b) {
    if (!is_wanted(a) || !is_wanted(b))
      return;
    known_[cell(a, b)] = true;
    result_.neighbours[at(a - result_.first)].push_back(b);
  }

  const cluster& c_;
  const std::vector<bool>& wanted_;
  int size_;
  reboot_graph result_;
  std::vector<bool> known_;
};

} // namespace

std::optional<reboot_graph>
graph_of(const cluster& c, const std::vector<bool>& wanted, bool running) {
  auto first = std::find(wanted.begin(), wanted.end(), true);
  if (first == wanted.end())
    return std::nullopt;
  auto last = std::find(wanted.rbegin(), wanted.rend(), true);
  graph_maker m{c, wanted, static_cast<int>(first - wanted.begin()),
                static_cast<int>(wanted.rend() - last) - 1};
  m.add_pairs();
  if (running)
    m.add_cliques();
  return m.take();
}

std::string text_of(const reboot_graph& g) {
  std::string lists;
  for (auto v = g.first; v < g.end(); ++v) {
    std::string list;
    for (auto u : g.of(v))
      list += (list.empty() ? "" : ",") + std::to_string(u);
    lists
      += (lists.empty() ? "(" : ",(") + std::to_string(v) + ",[" + list + "])";
  }
  return "array (" + std::to_string(g.first) + ',' + std::to_string(g.end() - 1)
         + ") [" + lists + ']';
}

} // namespace orderly::planning
