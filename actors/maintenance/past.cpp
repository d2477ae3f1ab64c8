// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/past.hpp"

#include "actors/maintenance/strays.hpp"
#include "actors/policy/guards/budget.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <string_view>

namespace orderly::intake_parts {

namespace {

constexpr std::string_view forgot_prefix = "forgot.";
constexpr std::string_view worked_prefix = "worked.";
constexpr std::string_view stray_prefix = "stray.";
constexpr std::string_view stray_at_prefix = "stray-at.";
constexpr std::string_view own_prefix = "own.";

/// No report is older than that.
constexpr millis kept_for = hours{24};

void put_times(fields& f, std::string_view prefix,
               const std::map<node_name, instant>& times, instant at) {
  for (const auto& [node, when] : times)
    if (at - when < kept_for)
      f.put(std::string{prefix} + node, when);
}

} // namespace

void note_past(self_ptr self, const event_standing& x) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  st.forgot[x.node] = at;
  if (x.action == event_action::live_repair && x.begun != never)
    st.worked[x.node] = at;
  if (x.action == event_action::live_repair)
    for (auto job : x.jobs)
      note_own(st, x.node, job);
  std::erase_if(st.past_begun,
                [at](instant then) { return at - then >= counted_within; });
  if (x.begun != never)
    st.past_begun.push_back(std::min(x.begun, at));
  keep_past(self, object_of_event(x.uuid),
            x.node + ": an event of it is forgotten");
}

void keep_past(self_ptr self, const object_id& object, std::string why) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  fields kept;
  kept.put("begun", budget::to_text(st.past_begun));
  put_times(kept, forgot_prefix, st.forgot, at);
  put_times(kept, worked_prefix, st.worked, at);
  for (const auto& [node, x] : st.strays)
    if (at - x.at < kept_for) {
      kept.put(std::string{stray_prefix} + node,
               static_cast<std::int64_t>(x.job));
      kept.put(std::string{stray_at_prefix} + node, x.at);
    }
  for (const auto& [node, job] : st.own_last)
    kept.put(std::string{own_prefix} + node, static_cast<std::int64_t>(job));
  auto entry = entry_about(self, st.ctx, object, entry_kind::note,
                           codes::event_past, std::move(why));
  entry.state = std::move(kept);
  entry.state_key = past_key;
  record(self, st.peers.journal, std::move(entry));
}

void recall_past(intake_state& st, const recalled& before, instant at) {
  auto i = before.states.find(past_key);
  if (i == before.states.end())
    return;
  // By a calendar that was set back it may seem to be from later.
  for (auto begun : budget::from_text(i->second.text("begun")))
    if (at - begun < counted_within)
      st.past_begun.push_back(std::min(begun, at));
  st.begun.insert(st.begun.end(), st.past_begun.begin(), st.past_begun.end());
  for (const auto& [name, value] : i->second.all()) {
    std::string_view key{name};
    auto when = std::min(i->second.when(name), at);
    if (key.substr(0, forgot_prefix.size()) == forgot_prefix)
      st.forgot[name.substr(forgot_prefix.size())] = when;
    else if (key.substr(0, worked_prefix.size()) == worked_prefix)
      st.worked[name.substr(worked_prefix.size())] = when;
    else if (key.substr(0, own_prefix.size()) == own_prefix)
      st.own_last[name.substr(own_prefix.size())]
        = static_cast<job_id>(i->second.number(name));
    else if (key.substr(0, stray_prefix.size()) == stray_prefix)
      st.strays[name.substr(stray_prefix.size())].job
        = static_cast<job_id>(i->second.number(name));
    else if (key.substr(0, stray_at_prefix.size()) == stray_at_prefix) {
      auto& x = st.strays[name.substr(stray_at_prefix.size())];
      x.at = x.since = when;
    }
  }
}

} // namespace orderly::intake_parts
