// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/hail/answer.hpp"

#include "actors/planning/place/choose_group.hpp"
#include "actors/planning/place/dedicated.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/hail/all_groups.hpp"
#include "io/htools/hail/text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const auto& t : texts)
    result += (&t == &texts.front() ? "" : ", ") + t;
  return result;
}

std::string refuse(const std::string& why, const std::string& groups = {}) {
  return reply_line(false, why, "[]", groups);
}

/// A number of nodes that the kernel understands, or refuses.
int small(std::int64_t nodes) {
  return static_cast<int>(std::clamp<std::int64_t>(nodes, 0, 3));
}

class answerer {
public:
  answerer(placement& p, const tool_options& o) : p_(p), o_(o) {
    // nop
  }

  std::string operator()(const allocate_request& r) {
    auto choice = choose(r.what);
    if (auto* wrong = std::get_if<std::string>(&choice))
      return refuse(*wrong);
    const auto& c = std::get<group_choice>(choice);
    const auto& name = r.what.spec.name;
    auto groups = o_.all_groups ? ask_all(r.what) : std::string{};
    if (r.what.group && !c.tried.empty() && !c.tried.front().error.empty())
      return refuse(c.tried.front().error, groups);
    if (!c.best)
      return refuse(joined(describe(p_, c, name)), groups);
    const auto& best = c.tried[*c.best];
    auto log = describe(p_, c, name);
    if (!r.what.group)
      log.insert(log.begin(),
                 "Selected group: " + p_.source->groups[at(best.group)].name);
    auto names = node_names(p_, best.found.best->what.where);
    settle(best.found.best->what);
    return reply_line(true, joined(log), text_list(names), groups);
  }

  std::string operator()(const multi_allocate_request& r) {
    std::vector<std::string> good;
    std::vector<std::string> bad;
    for (const auto& one : r.what) {
      auto choice = choose(one);
      if (auto* wrong = std::get_if<std::string>(&choice))
        return refuse(*wrong);
      const auto& c = std::get<group_choice>(choice);
      if (!c.best && (!one.group || !c.unconnected.empty()))
        return refuse(joined(describe(p_, c, one.spec.name)));
      if (!c.best) {
        bad.push_back(
          text_list({one.spec.name, describe(p_, c.tried.front().found)}));
        ++next_;
        continue;
      }
      const auto& found = c.tried[*c.best].found.best->what;
      good.push_back("[" + json_text(one.spec.name) + ","
                     + text_list(node_names(p_, found.where)) + "]");
      settle(found);
      ++next_;
    }
    auto info = fmt::format("{} instances failed to allocate and {} were "
                            "allocated successfully",
                            bad.size(), good.size());
    return reply_line(
      true, info, fmt::format("[[{}],[{}]]", join(good, ','), join(bad, ',')));
  }

  std::string operator()(const relocate_request& r) {
    auto i = instance_of(r.instance);
    if (i < 0)
      return refuse(unknown(r.instance));
    if (r.nodes != 1)
      return refuse(
        fmt::format("Exchange {} nodes mode is not implemented", r.nodes));
    const auto& spec = p_.source->instances[at(i)];
    if (spec.disks == disk_template::plain || spec.disks == disk_template::file)
      return refuse("Can't relocate non-mirrored instances");
    auto mirrored = spec.disks == disk_template::drbd;
    auto expected = mirrored ? spec.secondary : spec.primary;
    std::vector<std::string> from;
    for (const auto& n : r.from)
      from.push_back(std::to_string(node_of(n)));
    if (from != std::vector{std::to_string(expected)})
      return refuse(fmt::format("Unsupported request: excluded nodes not equal "
                                "to instance's {}({} versus [{}])",
                                mirrored ? "secondary" : "primary", expected,
                                join(from, ',')));
    auto x = evacuate(p_, {i}, mirrored ? leave::secondary : leave::primary,
                      o_.rules.ignore_soft);
    if (!x.failed.empty())
      return refuse(x.failed.front().why);
    auto names = node_names(p_, x.moved.front().where);
    return reply_line(true, "success",
                      text_list({mirrored ? names.back() : names.front()}));
  }

  std::string operator()(const node_evacuate_request& r) {
    auto chosen = instances_of(r.instances);
    if (!chosen)
      return refuse(chosen.why().text);
    auto what = r.mode == evacuation_mode::primary     ? leave::primary
                : r.mode == evacuation_mode::secondary ? leave::secondary
                                                       : leave::all;
    return told(evacuate(p_, *chosen, what, o_.rules.ignore_soft));
  }

  std::string operator()(const change_group_request& r) {
    auto chosen = instances_of(r.instances);
    if (!chosen)
      return refuse(chosen.why().text);
    std::vector<int> groups;
    for (const auto& uuid : r.groups) {
      const auto& all = p_.source->groups;
      auto found
        = std::find_if(all.begin(), all.end(),
                       [&](const node_group& g) { return g.uuid == uuid; });
      if (found == all.end())
        return refuse("Wrong number of elems found with name " + uuid);
      groups.push_back(static_cast<int>(found - all.begin()));
    }
    auto why = [this](const group_choice& c) {
      if (c.none_allowed)
        return std::string{"no groups for evacuation: the instances are in all "
                           "groups that may be used"};
      return joined(describe(p_, c, ""));
    };
    return told(change_group(p_, *chosen, groups, rules({}), why));
  }

  std::string operator()(const allocate_secondary_request& r) {
    auto i = instance_of(r.instance);
    if (i < 0)
      return refuse(unknown(r.instance));
    if (p_.places[at(i)].secondary >= 0)
      return refuse("Instance already has a secondary");
    auto found = allocate_secondary(p_, i, rules({}));
    if (!found)
      return refuse(found.why().text);
    auto info = describe(p_, *found);
    if (!found->best)
      return refuse(info);
    auto names = node_names(p_, found->best->what.where);
    return reply_line(true, info, json_text(names.back()));
  }

private:
  static std::string unknown(const std::string& name) {
    return fmt::format("Unknown instance '{}'", name);
  }

  int instance_of(const std::string& name) const {
    const auto& all = p_.source->instances;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name == name && all[i].primary >= 0)
        return static_cast<int>(i);
    return -1;
  }

  int node_of(const std::string& name) const {
    const auto& all = p_.source->nodes;
    for (std::size_t n = 0; n < all.size(); ++n)
      if (all[n].name == name)
        return static_cast<int>(n);
    return -1;
  }

  result<std::vector<int>>
  instances_of(const std::vector<std::string>& names) const {
    std::vector<int> found;
    for (const auto& name : names) {
      found.push_back(instance_of(name));
      if (found.back() < 0)
        return fault{fault_kind::not_found, unknown(name)};
    }
    return found;
  }

  room_rules rules(const std::optional<std::vector<std::string>>& more) const {
    room_rules r;
    r.ignore_soft = o_.rules.ignore_soft;
    r.capacity = o_.capacity_checks;
    // As in the reference the option replaces what a request says; so whoever
    // starts the allocator can close nodes to all requests.
    r.restricted = o_.restricted ? o_.restricted : more;
    return r;
  }

  int number() const {
    const auto& all = p_.source->instances;
    auto first = std::find_if(all.begin(), all.end(),
                              [](const auto& i) { return i.primary < 0; });
    return static_cast<int>(first - all.begin()) + next_;
  }

  /// Where the next new instance should be.
  std::variant<group_choice, std::string> choose(const new_instance& x) {
    auto group = group_of(x);
    if (x.group && !group)
      return "Wrong number of elems found with name " + *x.group;
    auto r = rules(x.restricted);
    r.dedicated = is_dedicated(*p_.source, group);
    if (group)
      return ask_group(p_, number(), small(x.nodes), *group, r);
    return choose_group(p_, number(), small(x.nodes), std::nullopt, r);
  }

  /// Also those that the request does not ask for.
  std::string ask_all(const new_instance& x) {
    if (x.group)
      return all_groups(p_, ask_each(x), number());
    auto r = rules(x.restricted);
    r.dedicated = is_dedicated(*p_.source, std::nullopt);
    auto all = choose_group(p_, number(), small(x.nodes), std::nullopt, r);
    return all_groups(p_, all, number());
  }

  /// As if each had been named in its turn: by what its own nodes score, and
  /// their N+1. So the one that the request names says what the answer says.
  group_choice ask_each(const new_instance& x) {
    group_choice all;
    for (int g = 0; g < static_cast<int>(p_.source->groups.size()); ++g) {
      const auto& nodes = p_.source->nodes;
      if (std::none_of(nodes.begin(), nodes.end(),
                       [g](const node_spec& n) { return n.group == g; }))
        continue;
      auto r = rules(x.restricted);
      r.dedicated = is_dedicated(*p_.source, g);
      auto one = ask_group(p_, number(), small(x.nodes), g, r);
      std::move(one.tried.begin(), one.tried.end(),
                std::back_inserter(all.tried));
      all.unconnected.insert(all.unconnected.end(), one.unconnected.begin(),
                             one.unconnected.end());
    }
    return all;
  }

  /// The group that it asks for, if there is such a one.
  std::optional<int> group_of(const new_instance& x) const {
    const auto& all = p_.source->groups;
    auto found = std::find_if(all.begin(), all.end(), [&](const node_group& g) {
      return g.name == x.group || g.uuid == x.group;
    });
    if (found == all.end())
      return std::nullopt;
    return static_cast<int>(found - all.begin());
  }

  void settle(const outcome& x) {
    make_move(p_, {number(), move_kind::failover, -1}, x);
  }

  std::string told(const evacuation& x) {
    return reply_line(true, evacuation_info(x), evacuation_list(p_, x));
  }

  placement& p_;
  const tool_options& o_;
  int next_ = 0; ///< of the new instances
};

} // namespace

void add_new_instances(allocator_request& r) {
  auto add
    = [&r](const new_instance& x) { r.nodes.instances.push_back(x.spec); };
  if (auto* one = std::get_if<allocate_request>(&r.what))
    add(one->what);
  if (auto* many = std::get_if<multi_allocate_request>(&r.what))
    for (const auto& x : many->what)
      add(x);
}

std::string answer(placement& p, const allocator_request& r,
                   const tool_options& o) {
  return std::visit(answerer{p, o}, r.what);
}

} // namespace orderly::io::htools
