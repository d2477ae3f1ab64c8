// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What keeps an errand from going on: a person who stops it, the right to act
// that is gone, and answers that do not come.

#include "actors/policy/base/utc.hpp"
#include "actors/policy/errand/worker.hpp"
#include "actors/policy/settings/group_settings.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

std::string halted(const state& s) {
  return s.stopped_by.empty() ? s.interrupted : "stopped by " + s.stopped_by;
}

std::string in_service_text(const state& s, const row& r,
                            const node_record& node) {
  auto steps = steps_of(s, r);
  auto verb = switch_verb(s);
  auto marks = verb == power_verb::off
               && std::find(steps.begin(), steps.end(), step_kind::mark_offline)
                    != steps.end();
  auto takes_power = verb == power_verb::off || verb == power_verb::cycle;
  if (node.offline || (!marks && !(takes_power && r.was_offline)))
    return {};
  return fmt::format("somebody took it back into service; if it is to go off "
                     "all the same: '{}'",
                     again_text(s, r));
}

std::string against_command(const state& s, const spot& at,
                            const surroundings& w) {
  constexpr const char* not_wanted = "its errand does not want it any more";
  if (at.row >= s.rows.size())
    return not_wanted;
  const auto& r = s.rows[at.row];
  auto steps = steps_of(s, r);
  if (r.state != row_state::running || r.at != at.step || r.tries != at.tries
      || r.at >= steps.size() || steps[r.at] != step_kind::power)
    return not_wanted;
  if (auto why = halted(s); !why.empty())
    return why;
  auto node = w.node(r.object);
  if (!node || !is_meant(r, *node))
    return "it is not in the cluster any more";
  auto why = in_service_text(s, r, *node);
  if (why.empty())
    why = overtaken(s, r, node);
  auto levels = w.levels(*node);
  auto is_its = [&levels](const std::string& program) {
    return std::find(levels.begin(), levels.end(), program) != levels.end();
  };
  if (why.empty() && !std::all_of(r.by.begin(), r.by.end(), is_its))
    return "its power control is another one by now; ask again";
  return why.empty() ? came_since(s, r, w) : why;
}

no_start against_start(const state& s, const row& r, const surroundings& w,
                       const node_lookup& node_of) {
  const auto* x = w.instance(r.object);
  if (x == nullptr)
    return {"it is not in the cluster any more", true};
  if (x->admin != admin_state::up)
    return {"it is not wanted up any more", true};
  if (is_epo_off(s)) // again, on a node that stays on
    return {};
  auto own = nodes_of(*x);
  auto stayed = [&](const row& other) {
    return other.kind == row_kind::node
           && std::count(own.begin(), own.end(), other.object) > 0;
  };
  if (std::none_of(s.rows.begin(), s.rows.end(), stayed))
    return {fmt::format("it is on {} by now", x->primary), true};
  for (const auto& name : own)
    if (auto node = node_of(name); !node || node->offline)
      return {fmt::format("its node {} is offline", name), false};
  return {};
}

namespace {

/// A node that goes off is not said to answer any more by then.
millis fades_within(const surroundings& w) {
  return 2
         * (w.rules->host_ha.check_interval + longest_check_timeout(*w.rules));
}

/// Its power read off again after it was switched on; empty: it did not.
std::string went_off_since(const row& r, const surroundings& w) {
  auto on_at = r.switched == never ? r.moved : r.switched;
  auto off = w.read_off->find(r.object);
  if (off == w.read_off->end() || off->second <= on_at)
    return {};
  return fmt::format("it was switched off since: its power reads off since {}, "
                     "and it is not recorded on",
                     utc_text(off->second));
}

/// Its power read on again after it was switched off; empty: it did not.
std::string came_on_since(const state& s, const row& r, const surroundings& w) {
  if (switch_verb(s) != power_verb::off
      || std::holds_alternative<modify_errand>(s.asked.what))
    return {};
  auto off_at = r.switched == never ? r.moved : r.switched;
  auto on = w.read_on->find(r.object);
  if (on == w.read_on->end())
    return {};
  if (on->second == never)
    return w.read_at - off_at > fades_within(w)
             ? "its daemons answer, and it is not recorded off"
             : std::string{};
  if (on->second <= off_at)
    return {};
  return fmt::format("it was switched on since: its power reads on since {}, "
                     "and it is not recorded off",
                     utc_text(on->second));
}

} // namespace

std::string against_record(const state& s, const row& r,
                           const surroundings& w) {
  if (std::holds_alternative<modify_errand>(s.asked.what))
    return {};
  if (switch_verb(s) == power_verb::on)
    return went_off_since(r, w);
  if (auto why = came_on_since(s, r, w); !why.empty())
    return why;
  if (w.doubt_of(r.object, r.read_by) > 0)
    return unbelieved_text(r.read_by);
  auto node = w.node(r.object);
  return node ? in_service_text(s, r, *node) : std::string{};
}

std::string against_job(const state& s, const spot& at, const surroundings& w) {
  if (at.row >= s.rows.size())
    return {};
  const auto& r = s.rows[at.row];
  auto steps = steps_of(s, r);
  if (r.at >= steps.size())
    return {};
  if (steps[r.at] == step_kind::mark_offline) {
    auto why = against_mark(s, r, w);
    return why.empty() ? overtaken(s, r, w.node(r.object)) : why;
  }
  if (steps[r.at] == step_kind::record)
    return against_record(s, r, w);
  if (steps[r.at] == step_kind::modify || steps[r.at] == step_kind::take_back)
    return overtaken(s, r, w.node(r.object));
  if (steps[r.at] == step_kind::tag)
    return against_tag(s, w);
  if (steps[r.at] == step_kind::start)
    return against_start(s, r, w,
                         [&w](const node_name& name) { return w.node(name); })
      .why;
  auto home
    = steps[r.at] == step_kind::shutdown ? gone_astray(s, r, w) : node_name{};
  return home.empty() ? std::string{}
                      : fmt::format("it is on {} by now, which stays on", home);
}

void worker::halt(index i) {
  const auto& r = at(i);
  if (r.commanded && !is_switched(s(), r))
    leave_open(i);
  else if (r.state == row_state::running && step_at(i) == step_kind::heed)
    done(i, halted() + " after its tag was written");
  else if (r.state == row_state::waiting)
    skip(i, halted(), false);
  else
    skip(i,
         fmt::format("{} before {}", halted(),
                     step_at(i) == step_kind::power
                       ? to_string(switch_verb(s()))
                       : to_string(step_at(i))),
         false);
}

/// Rows for which nothing is under way end, and what waits for its turn, in
/// Ganeti's queue or at the switch, is taken back: how that went is told as
/// ever. What was switched is recorded all the same; a word that is not
/// believed yet is taken back.
void worker::halt_rows() {
  for (index i = 0; i < s().rows.size(); ++i) {
    const auto& r = at(i);
    if (r.state == row_state::waiting) {
      halt(i);
      continue;
    }
    if (r.state != row_state::running)
      continue;
    auto kind = step_at(i);
    if (kind == step_kind::record)
      continue;
    if (kind == step_kind::wait || r.due != never)
      halt(i);
    else if (kind == step_kind::word)
      act(take_word_back{spot_of(i), word_of(i)});
    else if (is_job(kind))
      act(call_back{intent_of(s(), spot_of(i))});
    else if (kind == step_kind::power && !is_reading(s().asked))
      act(take_power_back{{r.object, intent_of(s(), spot_of(i))}});
  }
}

void worker::take(const stopped& e) {
  if (s().ended != never || !s().stopped_by.empty())
    return;
  s().stopped_by = e.who.empty() ? "somebody" : e.who;
  v_.head = true;
  say(entry_kind::decision, "errand:" + s().id, codes::errand_stop,
      fmt::format("{}: {} stops it: nothing more of it is started, and "
                  "what has not begun is taken back",
                  s().id, s().stopped_by));
  halt_rows();
}

/// It failed after it had taken the node out of service.
bool worker::is_left_marked(const row& r) {
  auto node = node_now(r);
  return r.state == row_state::failed && r.marked && !is_switched(s(), r)
         && node && node->offline;
}

bool worker::lacks_right(index i) {
  auto& r = at(i);
  if (w_.no_right.empty() && r.unright == never)
    return false;
  auto kind = step_at(i);
  touch(i);
  // What was switched is to be recorded, even if that takes a while.
  auto is_record = kind == step_kind::record;
  auto since = r.unright == never ? w_.no_right_since : r.unright;
  if (now_ - since >= (is_record ? queued_within : right_within)) {
    came_to_nothing(i, kind,
                    w_.no_right.empty()
                      ? "not done: the right to act came too late"
                      : "not done: " + w_.no_right);
    return true;
  }
  r.unright = w_.no_right.empty() ? never : since;
  if (w_.no_right.empty())
    return false;
  r.due = now_ + (is_record ? untried_pause : right_pause);
  return true;
}

/// No answer came about a job.
void worker::give_up(index i) {
  act(call_back{intent_of(s(), spot_of(i))});
  auto text = fmt::format("what became of its job is not known{}{}; it was "
                          "called back, look with 'gnt-job list'",
                          w_.no_right.empty() ? "" : ": ", w_.no_right);
  if (step_at(i) == step_kind::mark_offline)
    perhaps_marked(i, text);
  else
    came_to_nothing(i, step_at(i), text);
}

} // namespace orderly::errand
