// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/group_load.hpp"

#include "actors/planning/groups/arrivals.hpp"
#include "actors/planning/groups/crossed_steps.hpp"
#include "actors/planning/groups/group_healing.hpp"
#include "actors/planning/groups/load_sums.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// What found no place is chosen anew so often, without those places.
constexpr int most_rounds = 6;

/// Groups with the least use that are tried for each instance.
constexpr std::size_t coldest_tried = 4;

/// Who goes where, by the sums alone; places are found afterwards.
struct wanted_crossing {
  int instance = -1;
  int to = -1;
};

class chooser {
public:
  chooser(const load_sums& sums, const crossing_map& map,
          const load_rules& rules, const std::set<int>& settled,
          const std::set<std::pair<int, int>>& banned, double nodes,
          std::int64_t& effort)
    : sums_(sums),
      map_(map),
      banned_(banned),
      effort_(effort),
      least_(rules.least_gain / nodes),
      movable_(sums.groups()) {
    for (auto i : sums.movable())
      if (settled.count(i) == 0)
        movable_[at(map.home(i))].push_back(i);
  }

  std::vector<wanted_crossing> run() {
    std::vector<wanted_crossing> result;
    std::set<int> done; // groups that nothing more leaves
    while (effort_ > 0) {
      auto from = hottest(done);
      if (from < 0)
        return result;
      if (!one_from(from, result))
        done.insert(from);
    }
    return result;
  }

private:
  int hottest(const std::set<int>& done) const {
    auto best = -1;
    for (int g = 0; g < static_cast<int>(sums_.groups()); ++g)
      if (done.count(g) == 0 && !movable_[at(g)].empty()
          && (best < 0 || sums_.heat(g) > sums_.heat(best)))
        best = g;
    return best;
  }

  std::vector<int> coldest(int from) const {
    std::vector<std::pair<double, int>> all;
    for (int g = 0; g < static_cast<int>(sums_.groups()); ++g)
      if (g != from && sums_.is_open(g))
        all.emplace_back(sums_.heat(g), g);
    std::sort(all.begin(), all.end());
    std::vector<int> result;
    for (const auto& [heat, g] : all)
      result.push_back(g);
    return result;
  }

  /// Of those who may leave, who gains most for what it costs.
  bool one_from(int from, std::vector<wanted_crossing>& result) {
    auto best_worth = least_;
    wanted_crossing best;
    std::size_t best_at = 0;
    auto& all = movable_[at(from)];
    auto targets = coldest(from);
    for (std::size_t k = 0; k < all.size(); ++k) {
      auto tried = std::size_t{0};
      for (auto to : targets) {
        if (tried == coldest_tried)
          break;
        if (!map_.may_enter(all[k], to) || banned_.count({all[k], to}) > 0)
          continue;
        ++tried;
        --effort_;
        auto worth = sums_.gain(all[k], from, to) / sums_.cost(all[k]);
        if (worth <= best_worth)
          continue;
        best_worth = worth;
        best = {all[k], to};
        best_at = k;
      }
    }
    if (best.instance < 0)
      return false;
    sums_.shift(best.instance, from, best.to);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(best_at));
    result.push_back(best);
    return true;
  }

  load_sums sums_;
  const crossing_map& map_;
  const std::set<std::pair<int, int>>& banned_;
  std::int64_t& effort_;
  double least_;                          ///< to gain for a migration
  std::vector<std::vector<int>> movable_; ///< of each group
};

/// Places for those that were chosen, group by group; who finds none is banned
/// from there.
std::vector<step> places_for(const cluster& c, const crossing_map& map,
                             const build_options& build,
                             const std::vector<wanted_crossing>& chosen,
                             std::set<std::pair<int, int>>& banned) {
  group_cuts cuts{c};
  std::map<int, std::vector<int>> coming;
  for (const auto& x : chosen)
    coming[x.to].push_back(x.instance);
  std::vector<step> result;
  for (const auto& [to, instances] : coming) {
    arrival_question q{c, map, cuts, build, instances, {to}};
    arrivals a{q};
    a.place_all(fit::roomy);
    for (auto i : a.left())
      banned.insert({i, to});
    auto steps = a.steps();
    result.insert(result.end(), steps.begin(), steps.end());
  }
  return result;
}

bool has_outlier(const std::vector<load_state>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const load_state& x) { return !x.outliers.empty(); });
}

} // namespace

double load_answer::reached() const {
  auto gap = 0.0;
  auto gone = 0.0;
  for (std::size_t k = 0; k < before.size(); ++k) {
    gap += before[k].score - before[k].bound;
    gone += before[k].score - after[k].score;
  }
  constexpr double nothing = 1e-9;
  return gap > nothing ? gone / gap : 1;
}

std::vector<load_state> loads_of(const cluster& c, const crossing_map& map,
                                 const load_rules& rules) {
  return load_sums{c, map, rules}.states();
}

load_answer even_load(const cluster& c, const crossing_map& map,
                      const load_rules& rules, const build_options& build,
                      std::int64_t effort) {
  load_answer r;
  r.before = r.after = loads_of(c, map, rules);
  if (!has_outlier(r.before))
    return r;
  auto now = c;
  std::set<int> settled;
  std::set<std::pair<int, int>> banned;
  for (int k = 0; k < most_rounds && effort > 0; ++k) {
    crossing_map here{now, map.rules()};
    load_sums sums{now, here, rules};
    auto chosen = chooser{sums,    here,   rules,
                          settled, banned, static_cast<double>(c.nodes.size()),
                          effort}
                    .run();
    if (chosen.empty())
      break;
    auto steps = places_for(now, here, build, chosen, banned);
    for (const auto& s : steps)
      settled.insert(s.what.instance);
    auto after = crossed_cluster(now, steps);
    now = std::move(after);
    r.steps.insert(r.steps.end(), steps.begin(), steps.end());
  }
  r.after = loads_of(now, crossing_map{now, map.rules()}, rules);
  r.rounds = levels_of(r.steps);
  r.moved = traffic_of(c, moves_of_crossings(c, r.steps));
  return r;
}

} // namespace orderly::planning
