// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The switches of host HA: ruled upon by policy/host_ha/switches, kept in the
// journal before whoever turned them is answered, and told on at once.

#include "actors/policy/host_ha/switches.hpp"

#include "actors/desk/errands.hpp"
#include "actors/policy/settings/group_settings.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::desk_parts {

namespace {

constexpr std::string_view node_prefix = "desk:ha:node:";
constexpr std::string_view group_prefix = "desk:ha:group:";
constexpr std::string_view cluster_key = "desk:ha:cluster:";

errand_sheet refuse(const errand_request& asked, std::string why,
                    refused_for kind, instant at) {
  return errand::sheet_of(errand::refusal{std::move(why), kind}, asked, at);
}

/// One that begins and ends in this moment.
errand_sheet sheet_for(const errand_request& asked, instant at) {
  errand::state s;
  s.asked = asked;
  s.began = s.ended = at;
  return errand::sheet_of(s, {});
}

codes::code code_of(ha_action x) {
  return x == ha_action::configure ? codes::ha_configured
         : x == ha_action::enable  ? codes::ha_enabled
                                   : codes::ha_disabled;
}

/// How a node stands. Who is switched off is so from this moment on; who was
/// switched on is looked at in the same second.
ha_card card_of(self_ptr self, const ha_switches& all,
                const node_record& node) {
  auto& st = self->state;
  auto how = host_ha::stand_of(all, *st.picture, node);
  ha_card card;
  card.provider = how.provider;
  card.enabled = how.enabled;
  card.treated = how.off == host_ha::off_by::nothing;
  card.why = how.why;
  if (!card.treated)
    return card;
  card.state = ha_phase::available;
  auto i = st.stood.find(node.name);
  if (i != st.stood.end() && i->second.first != ha_phase::disabled) {
    card.state = i->second.first;
    card.why = i->second.second;
  }
  return card;
}

ha_card upper_card(bool on) {
  ha_card card;
  card.enabled = card.treated = on;
  card.state = on ? ha_phase::available : ha_phase::disabled;
  return card;
}

errand_row row_of(self_ptr self, const host_ha::ruled_row& x,
                  const ha_switches& all) {
  errand_row row;
  row.object = x.object;
  row.kind = x.kind;
  row.text = x.text;
  row.state = x.refused == host_ha::refused_as::nothing ? row_state::done
                                                        : row_state::failed;
  if (row.state == row_state::failed)
    return row;
  if (x.kind == row_kind::node) {
    // The disk took its time: it may be gone by now.
    const auto* record = find_record(self->state.picture->nodes, x.object);
    if (record == nullptr)
      return row;
    row.record = *record;
    row.ha = card_of(self, all, *record);
  } else {
    auto group = all.groups.find(x.uuid);
    row.ha = upper_card(x.kind == row_kind::group ? group->second.on
                                                  : all.cluster->on);
  }
  return row;
}

errand_sheet list_providers(const errand_request& asked, instant at) {
  const auto& names = std::get<ha_errand>(asked.what).names;
  std::vector<host_ha::family> wanted;
  for (const auto& name : names) {
    auto of = host_ha::family_from(name);
    if (!of)
      return refuse(
        asked,
        fmt::format("there is no hypervisor {} that host HA knows", name),
        refused_for::not_found, at);
    wanted.push_back(*of);
  }
  auto sheet = sheet_for(asked, at);
  for (const auto& x : host_ha::providers()) {
    auto fits = std::all_of(wanted.begin(), wanted.end(),
                            [&](auto of) { return host_ha::serves(x, of); });
    if (!fits)
      continue;
    errand_row row;
    row.object = x.name;
    row.kind = row_kind::provider;
    row.state = row_state::done;
    for (auto of : x.families)
      row.text
        += (row.text.empty() ? "" : ", ") + std::string{host_ha::to_string(of)};
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

/// The settings of host HA as they hold for a group, or for all: a row each,
/// its value and where that comes from.
errand_sheet list_settings(self_ptr self, const errand_request& asked,
                           instant at) {
  const auto& st = self->state;
  const auto& names = std::get<ha_errand>(asked.what).names;
  auto group = names.empty() ? group_name{} : names.front();
  if (!names.empty() && find_record(st.picture->groups, group) == nullptr)
    return refuse(asked, fmt::format("there is no node group {}", group),
                  refused_for::not_found, at);
  auto all = st.ctx->rules();
  auto own = settings_of_group(all, group);
  auto sheet = sheet_for(asked, at);
  for (const auto& x : ha_settings()) {
    errand_row row;
    row.object = x.key;
    row.kind = row_kind::setting;
    row.state = row_state::done;
    row.text = value_of(*own, x);
    row.step = to_string(origin_of(*all, group, x));
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

/// The switches above nodes, and the nodes that are meant.
errand_sheet list_nodes(self_ptr self, const errand_request& asked,
                        instant at) {
  const auto& st = self->state;
  const auto& what = std::get<ha_errand>(asked.what);
  auto found = host_ha::select(what, *st.picture);
  if (found.refused != host_ha::refused_as::nothing)
    return refuse(asked, found.text, host_ha::kind_of(found.refused), at);
  auto sheet = sheet_for(asked, at);
  auto all = switches_in_force(self);
  if (what.names.empty()) {
    errand_row row;
    row.object = st.picture->name;
    row.kind = row_kind::cluster;
    row.state = row_state::done;
    row.ha = upper_card(!all.cluster || all.cluster->on);
    sheet.rows.push_back(row);
    row.kind = row_kind::group;
    for (const auto& group : st.picture->groups) {
      row.object = group.name;
      row.ha = upper_card(host_ha::is_on(all, group));
      sheet.rows.push_back(row);
    }
  }
  for (const auto& x : found.rows)
    sheet.rows.push_back(row_of(self, x, all));
  return sheet;
}

/// Where the journal keeps the switch, and what `all` has there.
void keep_as(journal_entry& entry, const host_ha::ruled_row& x,
             const ha_switches& all) {
  auto of = [](const auto& some, const std::string& key) {
    auto i = some.find(key);
    return i == some.end() ? fields{} : host_ha::to_fields(i->second);
  };
  if (x.kind == row_kind::node) {
    entry.state_key = fmt::format("{}{}", node_prefix, x.object);
    entry.state = of(all.nodes, x.object);
  } else if (x.kind == row_kind::group) {
    entry.state_key = fmt::format("{}{}", group_prefix, x.uuid);
    entry.state = of(all.groups, x.uuid);
  } else {
    entry.state_key = cluster_key;
    entry.state = all.cluster ? host_ha::to_fields(*all.cluster) : fields{};
  }
}

/// The rows of the journal for what was ruled.
std::vector<journal_entry> entries_of(self_ptr self,
                                      const errand_request& asked,
                                      const host_ha::ruling& ruled) {
  const auto& what = std::get<ha_errand>(asked.what);
  std::vector<journal_entry> result;
  for (const auto& x : ruled.rows) {
    if (x.refused != host_ha::refused_as::nothing)
      continue;
    auto is_node = x.kind == row_kind::node;
    auto entry = entry_about(
      self, self->state.ctx, is_node ? node_object(x.object) : "desk",
      entry_kind::decision, code_of(what.action),
      fmt::format("host HA of {} {}: {}, by {}{}{}", to_string(x.kind),
                  x.object, x.text, asked.who.empty() ? "somebody" : asked.who,
                  asked.reason.empty() ? "" : ": ", asked.reason));
    keep_as(entry, x, ruled.next);
    result.push_back(std::move(entry));
  }
  return result;
}

/// Those that were ruled upon, as `from` has them.
void copy_ruled(const host_ha::ruling& ruled, const ha_switches& from,
                ha_switches& to) {
  auto copy = [](const auto& all, auto& into, const std::string& key) {
    if (auto i = all.find(key); i != all.end())
      into.insert_or_assign(key, i->second);
    else
      into.erase(key);
  };
  for (const auto& x : ruled.rows) {
    if (x.refused != host_ha::refused_as::nothing)
      continue;
    if (x.kind == row_kind::node)
      copy(from.nodes, to.nodes, x.object);
    else if (x.kind == row_kind::group)
      copy(from.groups, to.groups, x.uuid);
    else
      to.cluster = from.cluster;
  }
}

/// Nobody has ruled otherwise since.
bool is_as_ruled(const host_ha::ruled_row& x, const ha_switches& ruled,
                 const ha_switches& now) {
  auto same = [](const auto& one, const auto& other, const std::string& key) {
    auto i = other.find(key);
    return i != other.end() && i->second == one.at(key);
  };
  if (x.kind == row_kind::node)
    return same(ruled.nodes, now.nodes, x.object);
  if (x.kind == row_kind::group)
    return same(ruled.groups, now.groups, x.uuid);
  return ruled.cluster == now.cluster;
}

/// One row of what is kept, as it is in force.
journal_entry kept_again(self_ptr self, const host_ha::ruled_row& x) {
  auto is_node = x.kind == row_kind::node;
  auto entry = entry_about(
    self, self->state.ctx, is_node ? node_object(x.object) : "desk",
    entry_kind::decision, "ha-dropped",
    fmt::format("host HA of {} {} stays as it was: it took too long to write "
                "it down",
                to_string(x.kind), x.object));
  keep_as(entry, x, self->state.in_force);
  return entry;
}

/// What was ruled is on disk, too late: what is in force is written once more,
/// but for what was ruled otherwise since.
void turn_back(self_ptr self, host_ha::ruling ruled,
               std::function<void()> then) {
  auto& st = self->state;
  std::erase_if(ruled.rows, [&](const auto& x) {
    return x.refused != host_ha::refused_as::nothing
           || !is_as_ruled(x, ruled.next, st.switches);
  });
  std::vector<journal_entry> rows;
  for (const auto& x : ruled.rows)
    rows.push_back(kept_again(self, x));
  copy_ruled(ruled, st.in_force, st.switches);
  if (rows.empty())
    then();
  else
    record(self, st.peers.journal, std::move(rows), std::move(then));
}

errand_sheet answer(self_ptr self, const errand_request& asked,
                    const host_ha::ruling& ruled, instant at) {
  auto sheet = sheet_for(asked, at);
  for (const auto& x : ruled.rows) {
    sheet.rows.push_back(row_of(self, x, ruled.next));
    sheet.failed = sheet.failed || x.refused != host_ha::refused_as::nothing;
  }
  return sheet;
}

} // namespace

caf::result<errand_sheet> turn_switches(self_ptr self,
                                        const errand_request& asked) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  const auto& what = std::get<ha_errand>(asked.what);
  if (!st.picture)
    return refuse(asked, "the cluster was not read yet; ask again in a moment",
                  refused_for::state, at);
  if (what.action == ha_action::providers)
    return list_providers(asked, at);
  if (what.action == ha_action::list)
    return list_nodes(self, asked, at);
  if (what.action == ha_action::settings)
    return list_settings(self, asked, at);
  st.switches.opt_in = st.ctx->rules()->host_ha.opt_in;
  auto ruled = host_ha::rule(what, asked.who, *st.picture, st.switches);
  if (ruled.refused != host_ha::refused_as::nothing)
    return refuse(asked, ruled.text, host_ha::kind_of(ruled.refused), at);
  if (asked.dry)
    return answer(self, asked, ruled, at);
  // The journal of another host would not be asked.
  if (auto why = surroundings_of(self).no_right; !why.empty())
    return refuse(asked, "nothing may be done now: " + why, refused_for::state,
                  at);
  st.switches = ruled.next;
  auto promise = self->make_response_promise<errand_sheet>();
  record(self, st.peers.journal, entries_of(self, asked, ruled),
         [self, asked, at, promise, ruled]() mutable {
           // Whoever asked was told that orderly does not answer, and may have
           // gone to work there. To leave a node alone it is never too late.
           auto age = now(self, self->state.ctx) - at;
           if (age > errand::taken_within
               && std::get<ha_errand>(asked.what).action == ha_action::enable) {
             turn_back(self, ruled, [asked, at, promise]() mutable {
               promise.deliver(refuse(asked,
                                      "it took too long to write it down; "
                                      "nothing was changed, ask again",
                                      refused_for::state, at));
             });
             return;
           }
           copy_ruled(ruled, ruled.next, self->state.in_force);
           publish_holds(self);
           promise.deliver(answer(self, asked, ruled, at));
         });
  return promise;
}

namespace {

/// Kept by the group's UUID; what was kept by its name goes behind that.
void read_group(ha_switches& all, std::string_view key, upper_switch x) {
  auto uuid = x.uuid;
  if (key == uuid)
    all.groups.insert_or_assign(uuid, std::move(x));
  else
    all.groups.emplace(uuid, std::move(x));
}

} // namespace

void read_switches(self_ptr self, const recalled& before) {
  auto& all = self->state.switches;
  for (const auto& [key, f] : before.states)
    if (key.starts_with(node_prefix))
      all.nodes.insert_or_assign(key.substr(node_prefix.size()),
                                 host_ha::node_switch_from(f));
    else if (key.starts_with(group_prefix))
      read_group(all, std::string_view{key}.substr(group_prefix.size()),
                 host_ha::upper_switch_from(f));
    else if (key == cluster_key)
      all.cluster = host_ha::upper_switch_from(f);
  self->state.in_force = all;
}

ha_switches switches_in_force(self_ptr self) {
  auto result = self->state.in_force;
  result.opt_in = self->state.ctx->rules()->host_ha.opt_in;
  return result;
}

} // namespace orderly::desk_parts
