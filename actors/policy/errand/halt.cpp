// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What keeps an errand from going on: a person who stops it, a restart, the
// right to act that is gone, and answers that do not come.

#include "actors/policy/base/utc.hpp"
#include "actors/policy/errand/worker.hpp"
#include "messages/codes.hpp"

#include <algorithm>

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

std::string came_on_since(const state& s, const row& r, const surroundings& w) {
  if (switch_verb(s) != power_verb::off
      || std::holds_alternative<modify_errand>(s.asked.what))
    return {};
  auto off_at = r.switched == never ? r.moved : r.switched;
  auto on = w.read_on->find(r.object);
  if (on == w.read_on->end() || on->second == never || on->second <= off_at)
    return {};
  return fmt::format("it was switched on since: its power reads on since {}, "
                     "and it is not recorded off",
                     utc_text(on->second));
}

std::string against_job(const state& s, const spot& at, const surroundings& w) {
  if (at.row >= s.rows.size())
    return {};
  const auto& r = s.rows[at.row];
  auto steps = steps_of(s, r);
  if (r.at >= steps.size())
    return {};
  if (steps[r.at] == step_kind::mark_offline)
    return against_mark(s, r, w);
  if (steps[r.at] == step_kind::record)
    return came_on_since(s, r, w);
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

/// What stood still for long is not gone on with, nor what an older journal
/// calls open: whoever asked was perhaps told how it ended. What was never
/// begun was perhaps told as refused.
void worker::judge_age(instant adopted) {
  auto last = s().began;
  for (const auto& r : s().rows)
    last = std::max(last, r.moved);
  auto untouched
    = std::all_of(s().rows.begin(), s().rows.end(),
                  [](const row& r) { return r.state == row_state::waiting; });
  auto idle = (now_ - last + minutes{30}) / hours{1};
  if (adopted > last)
    interrupt("interrupted, the journal is an older one",
              fmt::format("{}: the journal was put back from a backup, and "
                          "nobody knows what became of it since; it is not "
                          "gone on with",
                          s().id));
  else if (s().undated)
    interrupt("interrupted, the calendar was set back; ask again",
              fmt::format("{}: by the calendar, which was set back, it is not "
                          "yet, and nobody knows how old it is; it is not gone "
                          "on with",
                          s().id));
  else if (now_ - last >= idle_max)
    interrupt(fmt::format("interrupted for {} h, ask again", idle),
              fmt::format("{}: nothing of it came further for {} h, and "
                          "orderlyd was restarted meanwhile; it is not gone "
                          "on with",
                          s().id, idle));
  else if (untouched && (now_ < s().began || now_ - s().began > taken_within))
    interrupt("not begun in time, ask again",
              fmt::format("{}: it was written down, but not begun in time; "
                          "nothing of it is done",
                          s().id));
}

void worker::interrupt(const std::string& short_text, const std::string& text) {
  if (!s().interrupted.empty())
    return;
  s().interrupted = short_text;
  v_.head = true;
  auto holds = std::any_of(s().rows.begin(), s().rows.end(), [&](const row& r) {
    return w_.holds->count(r.object) != 0;
  });
  auto all = text
             + (is_epo_off(s()) && holds ? ", and automation still leaves its "
                                           "nodes alone"
                                         : "");
  say(entry_kind::alert, "errand:" + s().id, "errand-interrupted", all);
  remark(std::move(all));
}

/// That it is off was read before the restart, and is to be recorded: it is
/// read once more.
bool worker::looks_again(index i) {
  auto& r = at(i);
  auto steps = steps_of(s(), r);
  auto power = std::find(steps.begin(), steps.end(), step_kind::power);
  if (step_at(i) != step_kind::record || power == steps.end()
      || switch_verb(s()) != power_verb::off)
    return false;
  r.at = static_cast<std::uint32_t>(power - steps.begin());
  r.worked = true;
  return true;
}

/// A step that was under way when the daemon ended.
void worker::resume(index i, const resumed& e) {
  auto& r = at(i);
  auto kind = step_at(i);
  auto halts = !halted().empty();
  if (kind == step_kind::power && told_before(i, e))
    return;
  if (looks_again(i))
    kind = step_kind::power;
  if (kind == step_kind::power && verb_of(s().asked) == power_verb::cycle) {
    r.commanded = true; // it may boot
    fail(i, "orderlyd was restarted while the power-cycle was under way: it "
            "is not known whether it was done; look with 'orderly power "
            "status' and ask again");
    return;
  }
  if (kind == step_kind::wait) {
    r.due = now_; // the question was lost
    touch(i);
    return;
  }
  if (kind == step_kind::word && halts) {
    halt(i);
    return;
  }
  // Unseen for longer, it may have been off, and have started anything since.
  if (r.moved > now_ || now_ - r.moved > mark_good)
    r.own_until = 0;
  r.interrupted = true;
  r.moved = now_;
  // A job is sent again under its old name, which does no harm. Where it must
  // not be sent, it is only asked for.
  r.looking = kind == step_kind::power
              || (is_job(kind) && kind != step_kind::record
                  && (halts || !w_.no_right.empty()));
  if (!begin(i, kind))
    advance(i);
}

/// When its command was given before a restart: the wish is written with it.
/// `never`: it was not.
instant worker::given_at(index i) {
  auto wish = w_.wishes->find(at(i).object);
  auto given = wish != w_.wishes->end()
               && wish->second.wanted == state_wanted(s())
               && wish->second.at >= s().began;
  return given ? wish->second.at : never;
}

/// What was commanded before a restart is not asked after any more.
void worker::leave_open(index i) {
  const auto& r = at(i);
  auto verb = to_string(switch_verb(s()));
  auto when = s().undated ? std::string{} : "at " + utc_text(r.switched) + ", ";
  auto text = fmt::format(
    "{}; the {} was given {}before a restart of orderlyd, and whether it was "
    "done is not known: look with 'orderly power status'",
    halted(), verb, when);
  say(entry_kind::alert, node_object(r.object), "errand-interrupted",
      fmt::format("{} of {} {}: {}", verb, r.object, by_whom(), text));
  fail(i, std::move(text));
}

/// It was commanded before the restart, and the world may have moved on since:
/// true if it is not commanded again, and the row came to nothing.
bool worker::given_before(index i, const power_wish& given,
                          const power_report& report) {
  auto& r = at(i);
  auto verb = switch_verb(s());
  auto node = node_now(r);
  auto age = now_ - given.at;
  auto long_ago = age > w_.rules->host_ha.evidence_max_age;
  // That a node is in service speaks for its power-on.
  auto back = node && !node->offline && verb == power_verb::off;
  if (given.at < s().began || (!long_ago && !back))
    return false;
  r.power = report.state;
  auto text = fmt::format(
    "not switched again: the {} was given at {}, before a restart of orderlyd; "
    "{}, and the power reads {}; if it is still wanted: '{}'",
    to_string(verb), utc_text(given.at),
    back ? std::string{"the node is in service"}
         : fmt::format("that is {} min ago", age / minutes{1}),
    to_string(report.state), again_text(s(), r));
  say(
    entry_kind::alert, node_object(r.object), "errand-interrupted",
    fmt::format("{} of {} {}: {}", to_string(verb), r.object, by_whom(), text));
  fail(i, std::move(text));
  return true;
}

/// After a restart the power was read before it is commanded again. True if it
/// is as wanted and nothing is left to be done.
bool worker::found_so(index i, const power_report& report) {
  auto& r = at(i);
  auto wanted = state_wanted(s());
  r.looking = false;
  touch(i);
  auto so = report.confirmed && report.state == wanted;
  if (r.worked) {
    r.power = report.state;
    if (!so)
      fail(i,
           fmt::format("it was switched {} before a restart of orderlyd, and "
                       "its power reads {} by now: that is not recorded; ask "
                       "again if it is still wanted",
                       to_string(wanted), to_string(report.state)));
    return so;
  }
  if (auto when = given_at(i); when != never) {
    r.commanded = true;
    r.switched = when;
  }
  if (!halted().empty()) {
    r.power = report.state;
    if (!so)
      halt(i);
    return so;
  }
  // The wish is written with the command: where there is none, it was not
  // given, and automation does not know what the person wants.
  auto wish = w_.wishes->find(r.object);
  auto given = wish != w_.wishes->end() && wish->second.wanted == wanted;
  if (so && given)
    return true;
  if (!given || !given_before(i, wish->second, report))
    begin_power(i);
  return false;
}

void worker::take(const resumed& e) {
  if (s().ended != never)
    return;
  s().begun = true;
  s().resumed = now_;
  if (is_reading(s().asked)) {
    for (index i = 0; i < s().rows.size(); ++i)
      if (!is_final(at(i).state))
        fail(i, "interrupted by a restart of orderlyd, ask again");
    return;
  }
  judge_age(e.adopted);
  if (halted().empty())
    hold_nodes();
  else
    halt_rows();
  for (index i = 0; i < s().rows.size(); ++i)
    // The others' time comes, as it would have.
    if (at(i).state == row_state::running && at(i).due == never)
      resume(i, e);
}

/// It failed after it had taken the node out of service.
bool worker::is_left_marked(const row& r) {
  auto node = node_now(r);
  return r.state == row_state::failed && r.marked && !is_switched(s(), r)
         && node && node->offline;
}

bool worker::lacks_right(index i) {
  if (w_.no_right.empty())
    return false;
  auto& r = at(i);
  auto kind = step_at(i);
  touch(i);
  // What was switched is to be recorded, even if that takes a while.
  auto is_record = kind == step_kind::record;
  if (now_ - w_.no_right_since >= (is_record ? queued_within : right_within))
    came_to_nothing(i, kind, "not done: " + w_.no_right);
  else
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
