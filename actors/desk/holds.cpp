// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Holds of emergency power-offs that look as if they were forgotten: automation
// leaves such nodes alone, and Ganeti's watcher rests for them, until a person
// ends it. So the person is told.

#include "actors/desk/errands.hpp"
#include "actors/policy/base/utc.hpp"
#include "actors/scheduler/leader.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::desk_parts {

namespace {

constexpr millis living_for = minutes{10}; ///< in service, all that time
constexpr millis silent_for = minutes{1};
constexpr millis rest_max = hours{4}; ///< of Ganeti's watcher
constexpr std::size_t named_max = 10;

struct judge {
  self_ptr self;
  instant at;
  std::vector<journal_entry> rows{};
  bool news = false; ///< what the holds say is to be told anew

  void due(instant when) const {
    auto& next = self->state.holds_due;
    next = next == never ? when : std::min(next, when);
  }

  /// True if that is so since `since` for long enough; else it is due later.
  bool lasts(instant since, millis span) const {
    if (at - since >= span)
      return true;
    due(since + span);
    return false;
  }

  void alert(const node_name& node, const errand::hold& h,
             const std::string& text) {
    auto row = keep_hold(self, node, h);
    row.kind = entry_kind::alert;
    row.object = node_object(node);
    row.incident = h.errand;
    row.code = codes::hold;
    row.why
      = fmt::format("{}: emergency power-off {} by {} is in force, so "
                    "automation leaves it alone; 'orderly epo --on {}' "
                    "ends that",
                    text, h.errand, h.who.empty() ? "somebody" : h.who, node);
    rows.push_back(std::move(row));
  }

  /// Somebody put an older journal back: the hold may have ended since.
  void adopted(const node_name& node, errand::hold& h) {
    auto when = self->state.adopted;
    auto older = when != never && (h.at == never || h.at <= when);
    if (h.at == never)
      h.at = at; // from an older version
    if (!older || h.told_adopted == when)
      return;
    h.told_adopted = when;
    alert(node, h,
          fmt::format("The hold of {} is from a journal that was put back at "
                      "{}, and may be over",
                      node, utc_text(when)));
  }

  void lives(const node_name& node, errand::hold& h, instant since) {
    if ((h.told_living && !h.told_silent) || !lasts(since, living_for))
      return;
    auto again = h.told_living;
    h.told_living = true;
    h.told_silent = false;
    if (again)
      rows.push_back(keep_hold(self, node, h));
    else
      alert(node, h, fmt::format("Node {} is in service and answers", node));
  }

  void is_silent(const node_name& node, errand::hold& h, instant since) {
    auto known = h.told_living || h.told_adopted != never;
    if (!known || h.told_silent || !lasts(since, silent_for))
      return;
    h.told_silent = true;
    alert(node, h,
          fmt::format("Node {} is in service and no longer answers", node));
  }

  /// It came back, if not by `epo --on`: in service, heard, or on after it was
  /// off. One that hangs is on by the very power-on that was tried in vain.
  void returned(const node_name& node, errand::hold& h) {
    const auto& st = self->state;
    const auto& all = st.picture->nodes;
    auto in_service = std::any_of(all.begin(), all.end(), [&](const auto& x) {
      return x.name == node && !x.offline;
    });
    auto on = st.read_on.find(node);
    auto is_back = in_service
                   || (on != st.read_on.end()
                       && (on->second == never || h.off_since_then));
    if (!h.unreturned || !is_back)
      return;
    h.unreturned = false;
    news = true;
  }

  /// What a node says that the emergency power-off left, or that somebody took
  /// back past us.
  void service(const node_name& node, errand::hold& h) {
    const auto& st = self->state;
    auto heard = st.heard.find(node);
    // The master of an emergency power-off of all stays on to the end.
    if (heard == st.heard.end() || st.picture->master == node)
      return;
    auto errand = st.errands.find(number_of(h.errand));
    auto ended = errand == st.errands.end() ? h.at : errand->second.ended;
    if (auto since = heard->second.answers_since; since != never)
      lives(node, h, std::max(since, ended));
    else if (auto silent = heard->second.silent_since; silent != never)
      is_silent(node, h, silent);
  }

  /// For whom does the watcher rest so long?
  void watcher() {
    auto& held = self->state.held;
    auto is_news = false;
    for (const auto& [node, h] : held)
      if (!h.told_long)
        is_news = lasts(h.at, rest_max) || is_news;
    if (!is_news)
      return;
    std::string names;
    std::size_t count = 0;
    for (auto& [node, h] : held) {
      if (++count <= named_max)
        names += fmt::format("{}{} ({} by {})", count == 1 ? "" : ", ", node,
                             h.errand, h.who.empty() ? "somebody" : h.who);
      h.told_long = true;
      rows.push_back(keep_hold(self, node, h));
    }
    if (count > named_max)
      names += fmt::format(" and {} others", count - named_max);
    rows.push_back(entry_about(
      self, self->state.ctx, "desk", entry_kind::alert, "watcher",
      fmt::format("Ganeti's watcher rests in the whole cluster for more than "
                  "{} hours, because emergency power-offs hold {}: no instance "
                  "is restarted meanwhile; 'orderly epo --on' with their names "
                  "ends that",
                  rest_max / hours{1}, names)));
  }
};

} // namespace

void judge_holds(self_ptr self) {
  auto& st = self->state;
  st.holds_due = never;
  auto at = now(self, st.ctx);
  if (!st.going || st.held.empty() || st.ctx->rules()->autorepair.single_pass
      || !why_no_right(*st.ctx, st.right.value_or(lease{}), at).empty())
    return;
  forget_old_answers(self);
  std::set<node_name> busy; // a person works on them
  for (const auto& [number, s] : st.errands)
    for (auto& node : errand::acts_on(s))
      busy.insert(std::move(node));
  judge j{self, at};
  for (auto& [node, h] : st.held) {
    j.adopted(node, h);
    j.returned(node, h);
    if (busy.count(node) == 0)
      j.service(node, h);
  }
  j.watcher();
  if (j.news)
    publish_holds(self);
  arm(self);
  if (!j.rows.empty())
    record(self, st.peers.journal, std::move(j.rows), [] {});
}

namespace {

/// So long an answer of a node that is not looked at counts.
millis answers_count(const desk_state& st) {
  const auto& r = st.ctx->rules()->host_ha;
  return 2 * (r.check_interval + r.check_timeout);
}

/// What answered once may be dead since; and what answered before its power-on
/// was tried in vain did not come back by that.
bool still_counts(self_ptr self, const node_standing& x) {
  auto& st = self->state;
  if (x.answered_at == never)
    return true;
  auto held = st.held.find(x.node);
  auto in_vain = held != st.held.end() && held->second.unreturned
                 && x.answered_at <= held->second.unreturned_at;
  if (in_vain || now(self, st.ctx) - x.answered_at > answers_count(st))
    return false;
  st.answered.insert_or_assign(x.node, x.answered_at);
  return true;
}

} // namespace

void forget_old_answers(self_ptr self) {
  auto& st = self->state;
  auto oldest = now(self, st.ctx) - answers_count(st);
  std::erase_if(st.answered, [&st, oldest](const auto& x) {
    if (x.second >= oldest)
      return false;
    st.read_on.erase(x.first);
    return true;
  });
}

void hear(self_ptr self, const node_standing& x) {
  auto& st = self->state;
  st.rehearsals[x.node] = x.power_control;
  st.stood.insert_or_assign(x.node, std::pair{x.phase, x.reason});
  st.answered.erase(x.node);
  if (x.unbelieved.empty())
    st.doubted.erase(x.node);
  else
    st.doubted.insert_or_assign(x.node, x.unbelieved);
  if (x.power == power_state::off)
    st.read_off.insert_or_assign(x.node, x.power_since);
  else
    st.read_off.erase(x.node);
  if (x.power == power_state::on)
    st.read_on.insert_or_assign(x.node, x.power_since);
  else if (x.answers && still_counts(self, x))
    st.read_on.insert_or_assign(x.node, never);
  else if (x.power == power_state::unknown && !x.power_control.mismatch.empty()
           && x.power_control.seen == power_state::on)
    st.read_on.insert_or_assign(x.node, x.power_control.at);
  else
    st.read_on.erase(x.node);
  // Once it was off, whatever runs there was started since.
  if (auto i = st.held.find(x.node);
      i != st.held.end() && x.power == power_state::off) {
    i->second.own_until = 0;
    i->second.off_since_then = i->second.unreturned;
  }
  if (x.held.empty()) {
    st.heard.erase(x.node);
    return;
  }
  st.heard.insert_or_assign(x.node, x);
  judge_holds(self);
}

} // namespace orderly::desk_parts
