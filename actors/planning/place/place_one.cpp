// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/place_one.hpp"

#include "actors/planning/place/evacuate.hpp"
#include "actors/planning/place/losses.hpp"
#include "actors/planning/place/refresh.hpp"

#include <algorithm>
#include <limits>

namespace orderly::planning {

namespace {

/// One question about one instance on a fresh model.
class one_search {
public:
  one_search(const target_question& q, const cluster& c, int instance)
    : q_(q),
      spec_(c.instances[at(instance)]),
      group_(c.nodes[at(spec_.primary)].group),
      p_(c, group_, {}) {
    auto found
      = std::find(p_.instance_index.begin(), p_.instance_index.end(), instance);
    i_ = static_cast<int>(found - p_.instance_index.begin());
  }

  target_answer run() {
    if (!q_.leaves_primary && !q_.leaves_secondary)
      return no("nothing says which node it leaves");
    if (is_failover())
      return fail_over();
    loss_count losses{p_};
    auto least = std::numeric_limits<int>::max();
    auto answer = evacuate([&](const outcome& x) {
      auto lost = losses.after(i_, x);
      least = std::min(least, lost);
      return lost == 0;
    });
    if (answer.found)
      return said(answer, "no node loses N+1 by it");
    if (least == std::numeric_limits<int>::max())
      return answer;
    answer = evacuate(
      [&](const outcome& x) { return losses.after(i_, x) <= least; });
    return said(answer, std::to_string(least)
                          + (least == 1 ? " node loses" : " nodes lose")
                          + " N+1 by it, and by any other place as many or "
                            "more");
  }

private:
  target_answer no(const std::string& why) const {
    target_answer result;
    result.text = q_.instance + ": " + why;
    return result;
  }

  static target_answer said(target_answer x, const std::string& more) {
    x.text += "; " + more;
    return x;
  }

  bool is_failover() const {
    return p_.instances[at(i_)].mirrored && !q_.leaves_secondary
           && p_.places[at(i_)].secondary >= 0;
  }

  const node_name& name(int node) const {
    return p_.source->nodes[at(p_.node_index[at(node)])].name;
  }

  bool is_closed(int node) const { return q_.closed.count(name(node)) > 0; }

  /// Its mirror is where it goes, if that is any use.
  target_answer fail_over() {
    auto to = p_.places[at(i_)].secondary;
    if (!p_.facts[at(to)].online || is_closed(to))
      return no("its mirror is on " + name(to)
                + ", which takes no instances now");
    return evacuate({});
  }

  target_answer evacuate(const good_end& is_good) {
    auto old = p_.places[at(i_)];
    auto what = !q_.leaves_secondary ? leave::primary
                : q_.leaves_primary  ? leave::all
                                     : leave::secondary;
    std::vector<int> except{old.primary, old.secondary};
    for (int n = 0; n < p_.node_count(); ++n)
      if (is_closed(n))
        except.push_back(n);
    // What would be a wish on a quiet day does not hold an evacuation.
    constexpr bool ignore_soft = true;
    auto found
      = evacuate_one(p_, i_, what, group_, nodes_of_group(p_, group_, except),
                     ignore_soft, is_good);
    if (auto* why = std::get_if<std::string>(&found))
      return no(*why);
    auto to = p_.places[at(i_)];
    target_answer result;
    result.found = true;
    result.to.primary = name(to.primary);
    result.text = q_.instance + " goes to " + result.to.primary;
    if (to.secondary >= 0) {
      result.to.secondary = name(to.secondary);
      result.text += ":" + result.to.secondary;
    }
    return result;
  }

  const target_question& q_;
  const instance_spec& spec_;
  int group_;
  placement p_;
  int i_ = -1;
};

} // namespace

target_answer place_one(const target_question& q) {
  target_answer result;
  result.text = q.model ? fault_of(*q.model) : "there is no model";
  if (!result.text.empty())
    return result;
  auto fresh = refresh(*q.model, q.picture, q.under_way);
  auto i = instance_named(fresh.now, q.instance);
  if (i < 0) {
    result.text = q.instance + ": there is no such instance";
    return result;
  }
  const auto& x = fresh.now.instances[at(i)];
  if (x.secondary >= 0
      && fresh.now.nodes[at(x.primary)].group
           != fresh.now.nodes[at(x.secondary)].group) {
    result.text = q.instance + ": its nodes lie in different groups";
    return result;
  }
  return one_search{q, fresh.now, i}.run();
}

} // namespace orderly::planning
