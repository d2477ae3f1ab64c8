// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/colouring.hpp"

#include <algorithm>
#include <tuple>

namespace orderly::planning {

namespace {

/// Colours of a graph that is being coloured.
class palette {
public:
  explicit palette(const reboot_graph& g)
    : g_(g),
      colour_(g.neighbours.size(), -1),
      seen_(g.neighbours.size()),
      coloured_edges_(g.neighbours.size()),
      saturation_(g.neighbours.size()) {
    // nop
  }

  void colour(int v) {
    auto& seen = seen_[at(v - g_.first)];
    auto free = std::find(seen.begin(), seen.end(), false);
    auto chosen = static_cast<int>(free - seen.begin());
    colour_[at(v - g_.first)] = chosen;
    if (at(chosen) == classes_.size())
      classes_.emplace_back();
    classes_[at(chosen)].push_back(v);
    for (auto u : g_.of(v))
      tell(u, chosen);
  }

  bool is_coloured(int v) const { return colour_[at(v - g_.first)] >= 0; }

  int degree(int v) const { return static_cast<int>(g_.of(v).size()); }

  int saturation(int v) const { return saturation_[at(v - g_.first)]; }

  int coloured_edges(int v) const { return coloured_edges_[at(v - g_.first)]; }

  colouring take(std::string_view name) {
    for (auto& x : classes_)
      std::sort(x.begin(), x.end());
    return {name, std::move(classes_)};
  }

private:
  /// A neighbour of `u` has this colour now.
  void tell(int u, int colour) {
    auto k = at(u - g_.first);
    ++coloured_edges_[k];
    if (seen_[k].size() <= at(colour))
      seen_[k].resize(at(colour) + 1);
    if (!seen_[k][at(colour)])
      ++saturation_[k];
    seen_[k][at(colour)] = true;
  }

  const reboot_graph& g_;
  std::vector<int> colour_;
  std::vector<std::vector<bool>> seen_; ///< colours of neighbours
  std::vector<int> coloured_edges_;
  std::vector<int> saturation_;
  std::vector<std::vector<int>> classes_;
};

/// The next is whoever has the greatest key; of equals the last.
template <class Key>
colouring colour_in_turn(const reboot_graph& g, std::string_view name,
                         Key key) {
  palette p{g};
  for (std::size_t k = 0; k < g.neighbours.size(); ++k) {
    auto best = -1;
    for (auto v = g.first; v < g.end(); ++v)
      if (!p.is_coloured(v) && (best < 0 || key(p, v) >= key(p, best)))
        best = v;
    p.colour(best);
  }
  return p.take(name);
}

std::string sizes_of(const colouring& x) {
  std::string sizes;
  for (const auto& nodes : x.classes)
    sizes += (sizes.empty() ? "" : ",") + std::to_string(nodes.size());
  return std::string{x.name} + ": " + std::to_string(x.classes.size()) + " ("
         + sizes + ')';
}

} // namespace

colouring colour_by_degree(const reboot_graph& g) {
  std::vector<int> order;
  for (auto v = g.end(); v-- > g.first;)
    order.push_back(v);
  std::stable_sort(order.begin(), order.end(), [&g](int a, int b) {
    return g.of(a).size() > g.of(b).size();
  });
  palette p{g};
  for (auto v : order)
    p.colour(v);
  return p.take("LF");
}

colouring colour_by_saturation(const reboot_graph& g) {
  return colour_in_turn(g, "Dsatur", [](const palette& p, int v) {
    return std::tuple{p.saturation(v), p.degree(v)};
  });
}

colouring colour_by_coloured_edges(const reboot_graph& g) {
  return colour_in_turn(g, "Dcolor", [](const palette& p, int v) {
    return std::tuple{p.coloured_edges(v), p.degree(v)};
  });
}

std::array<colouring, 3> all_colourings(const reboot_graph& g) {
  return {colour_by_degree(g), colour_by_saturation(g),
          colour_by_coloured_edges(g)};
}

const colouring& smallest_of(const std::array<colouring, 3>& all) {
  return *std::min_element(all.begin(), all.end(),
                           [](const colouring& a, const colouring& b) {
                             return a.classes.size() < b.classes.size();
                           });
}

std::string text_of(const std::array<colouring, 3>& all) {
  std::vector<const colouring*> order;
  for (const auto& x : all)
    order.push_back(&x);
  std::sort(order.begin(), order.end(),
            [](const colouring* a, const colouring* b) {
              return std::tuple{a->classes.size(), a->name}
                     < std::tuple{b->classes.size(), b->name};
            });
  std::string result;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0)
      result += order[k]->classes.size() == order[k - 1]->classes.size()
                  ? " TIE "
                  : " LOOSE ";
    result += sizes_of(*order[k]);
  }
  return result;
}

} // namespace orderly::planning
