// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What balancing leaves alone, and whether a move is still right.

#include "actors/policy/balance/balance.hpp"
#include "actors/policy/base/utc.hpp"
#include "actors/policy/repair/permission.hpp"
#include "actors/policy/repair/tags.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::balance {

namespace {

template <class Record>
const Record* find(const std::vector<Record>& sorted, const std::string& name) {
  auto i = std::lower_bound(
    sorted.begin(), sorted.end(), name,
    [](const Record& x, const std::string& y) { return x.name < y; });
  return i == sorted.end() || i->name != name ? nullptr : &*i;
}

/// A job of a round of ours that is under way.
bool is_ours(const state& s, const running_job& job) {
  auto intent = intent_in_trail(job.reason);
  return !intent.empty()
         && std::any_of(s.open.begin(), s.open.end(),
                        [&](const move& m) { return m.intent == intent; });
}

std::string flaw_of(const node_record& x) {
  if (x.offline)
    return "is offline";
  if (x.drained)
    return "is drained";
  return x.vm_capable ? std::string{} : "takes no instances";
}

/// Nodes and instances at which somebody else works.
void leave_to_others(taboo& t, const state& s, const cluster_record& picture) {
  for (const auto& job : picture.jobs) {
    if (is_ours(s, job))
      continue;
    auto why = fmt::format("job {} works there", job.id);
    for (const auto& name : job.nodes)
      t.closed.emplace(name, why);
    for (const auto& name : job.instances) {
      t.fixed.emplace(name, fmt::format("job {} works on it", job.id));
      const auto* x = find(picture.instances, name);
      if (x == nullptr)
        continue;
      t.closed.emplace(x->primary, why);
      for (const auto& node : x->secondaries)
        t.closed.emplace(node, why);
    }
  }
}

void leave_repairs(taboo& t, const state& s, const cluster_record& picture) {
  for (const auto& [name, news] : s.seen.repairs) {
    const auto* x = find(picture.instances, name);
    if (x == nullptr)
      continue;
    t.fixed.emplace(name, news.why);
    if (!news.under_way)
      continue;
    t.closed.emplace(x->primary, "a repair of " + name + " concerns it");
    for (const auto& node : x->secondaries)
      t.closed.emplace(node, "a repair of " + name + " concerns it");
  }
}

/// Will it be started elsewhere? Only if somebody means to.
bool is_awaited(const instance_record& x, const state& s) {
  auto i = s.seen.repairs.find(x.name);
  return x.admin == admin_state::up
         && (i == s.seen.repairs.end() || i->second.under_way);
}

/// A node in trouble, or one whose instances are still to be started again:
/// any node of its group may be needed, and a job would hold its locks.
void leave_groups(taboo& t, const state& s, const facts& seen) {
  const auto& picture = *seen.picture;
  std::map<group_name, std::string> shut;
  for (const auto& x : picture.nodes)
    if (!x.offline && seen.unwell.count(x.name) != 0)
      shut.emplace(x.group, fmt::format("is left to what {} may need: it is in "
                                        "trouble",
                                        x.name));
  for (const auto& x : picture.instances) {
    const auto* home = find(picture.nodes, x.primary);
    if (home != nullptr && home->offline && is_awaited(x, s))
      shut.emplace(home->group,
                   fmt::format("is left to the instances of {}, which is "
                               "offline",
                               home->name));
  }
  for (const auto& x : picture.nodes)
    if (auto i = shut.find(x.group); i != shut.end())
      t.closed.emplace(x.name, i->second);
}

/// Where it is known from the start that its mirror tells nothing.
std::string mute(const instance_record& x, const facts& seen) {
  if (x.disks != disk_template::drbd)
    return {};
  if (!seen.mirrors_asked)
    return "nobody asks how its mirror is: autorepair.mirror_interval is 0";
  return x.admin == admin_state::up
           ? std::string{}
           : "is stopped: how its mirror is cannot be asked";
}

/// A tag that says: hands off, or somebody is at it.
std::string tagged(const instance_record& x) {
  for (const auto& text : x.tags) {
    auto tag = tags::parse(text);
    if (!tag)
      continue;
    if (std::holds_alternative<tags::pending>(*tag))
      return "a repair of it is pending by tag " + text;
    const auto* result = std::get_if<tags::result>(&*tag);
    if (result != nullptr && result->outcome == tags::repair_result::failure)
      return "a repair of it failed by tag " + text;
  }
  return {};
}

/// Opinions of groups and cluster, worked out once.
class opinions {
public:
  explicit opinions(const cluster_record& picture)
    : picture_(picture), cluster_(picture.tags, "cluster") {
    for (const auto& x : picture.groups)
      groups_.emplace(x.name, tag_opinion{x.tags, "group " + x.name});
  }

  [[nodiscard]] permission about(const instance_record& x, instant now) const {
    const auto* home = find(picture_.nodes, x.primary);
    auto group = home == nullptr ? group_name{} : home->group;
    auto i = groups_.find(group);
    return permission_of(x.name, tag_opinion{x.tags, "instance " + x.name},
                         group, i == groups_.end() ? tag_opinion{} : i->second,
                         cluster_, now);
  }

private:
  const cluster_record& picture_;
  std::map<group_name, tag_opinion> groups_;
  tag_opinion cluster_;
};

bool lodges(const instance_record& x, const node_name& node) {
  return x.primary == node
         || std::find(x.secondaries.begin(), x.secondaries.end(), node)
              != x.secondaries.end();
}

/// Somebody who is not of the round came to the node or left it.
std::string stirred(const node_name& node, const state& s,
                    const cluster_record& picture) {
  auto i = s.lodgers.find(node);
  static const std::set<instance_name> nobody;
  auto gone = i == s.lodgers.end() ? nobody : i->second;
  for (const auto& x : picture.instances) {
    if (!lodges(x, node))
      continue;
    if (gone.erase(x.name) == 0 && s.in_round.count(x.name) == 0)
      return fmt::format("{} came to {}", x.name, node);
  }
  for (const auto& name : gone)
    if (s.in_round.count(name) == 0)
      return fmt::format("{} left {}", name, node);
  return {};
}

instance_place place_of(const instance_record& x) {
  return {x.primary,
          x.secondaries.empty() ? node_name{} : x.secondaries.front()};
}

} // namespace

taboo taboo_of(const state& s, const facts& seen, instant now, bool sent) {
  taboo t;
  if (!seen.picture)
    return t;
  const auto& picture = *seen.picture;
  for (const auto& x : picture.nodes) {
    if (auto flaw = flaw_of(x); !flaw.empty())
      t.closed.emplace(x.name, flaw);
    else if (auto i = seen.troubled.find(x.name); i != seen.troubled.end())
      t.closed.insert(*i);
    else if (s.silent.count(x.name) != 0)
      t.closed.emplace(x.name, "gives no figures");
  }
  leave_repairs(t, s, picture);
  leave_groups(t, s, seen);
  if (!sent) {
    leave_to_others(t, s, picture);
    for (const auto& name : s.seen.unseen)
      t.fixed.emplace(name, "was not looked at yet");
    for (const auto& x : picture.instances)
      if (auto why = mute(x, seen); !why.empty())
        t.fixed.emplace(x.name, std::move(why));
  }
  opinions say(picture);
  for (const auto& x : picture.instances) {
    if (auto why = tagged(x); !why.empty())
      t.fixed.emplace(x.name, std::move(why));
    else if (auto may = say.about(x, now - seen.ahead);
             may.what == permission::verdict::suspended)
      t.fixed.emplace(x.name, describe(may));
    auto w = s.waits.find(x.name);
    if (w != s.waits.end() && now < w->second.until)
      t.fixed.emplace(x.name,
                      fmt::format("{}; it waits until {}",
                                  w->second.why.empty() ? "its last move failed"
                                                        : w->second.why,
                                  utc_text(w->second.until)));
  }
  return t;
}

std::string forbidden(const move& m, const taboo& t) {
  if (auto i = t.fixed.find(m.what.instance); i != t.fixed.end())
    return i->second;
  for (const auto& node : nodes_of(m.what))
    if (auto i = t.closed.find(node); i != t.closed.end())
      return fmt::format("{} {}", node, i->second);
  return {};
}

std::string started(const move& m, const facts& seen) {
  const auto* x
    = seen.picture ? find(seen.picture->instances, m.what.instance) : nullptr;
  auto stopped = m.admin && *m.admin != admin_state::up;
  return stopped && x != nullptr && x->admin == admin_state::up
           ? x->name + " was started"
           : std::string{};
}

std::string objection(const move& m, const state& s, const facts& seen,
                      const taboo& t) {
  const auto& name = m.what.instance;
  if (!seen.picture)
    return "the cluster was not read yet";
  const auto* x = find(seen.picture->instances, name);
  if (x == nullptr)
    return name + " is gone";
  if (place_of(*x) != m.what.from)
    return name + " is not where it was";
  if (m.admin && x->admin != *m.admin)
    return fmt::format("{} is {} now", name, to_string(x->admin));
  if (auto why = forbidden(m, t); !why.empty())
    return why;
  for (const auto& node : nodes_of(m.what)) {
    if (find(seen.picture->nodes, node) == nullptr)
      return node + " is gone";
    if (auto news = stirred(node, s, *seen.picture); !news.empty())
      return news;
  }
  return {};
}

} // namespace orderly::balance
