// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a restart of orderlyd makes of an errand: what is too old to be gone on
// with, and what was under way and is looked at before it is done again.

#include "actors/policy/base/utc.hpp"
#include "actors/policy/errand/worker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

instant worker::last_moved() {
  auto last = s().began;
  for (const auto& r : s().rows)
    last = std::max(last, r.moved);
  return last;
}

/// Nobody watched for so long.
void worker::judge_absence(millis away) {
  if (away > w_.rules->host_ha.evidence_max_age)
    interrupt(
      fmt::format("interrupted for {} min, ask again", away / minutes{1}),
      fmt::format("{}: nobody watched for {} min, and what was done by "
                  "hand meanwhile is not known; it is not gone on with",
                  s().id, away / minutes{1}));
}

/// What stood still for long is not gone on with, nor what an older journal
/// calls open: whoever asked was perhaps told how it ended. What was never
/// begun was perhaps told as refused. While nobody watched people go on by
/// hand.
void worker::judge_age(const resumed& e) {
  auto last = last_moved();
  // An emergency power-off begins with its holds.
  auto untouched
    = std::all_of(s().rows.begin(), s().rows.end(),
                  [](const row& r) { return r.state == row_state::waiting; })
      && std::none_of(w_.holds->begin(), w_.holds->end(), [&](const auto& kv) {
           return kv.second.errand == s().id;
         });
  auto idle = (now_ - last + minutes{30}) / hours{1};
  auto away = now_ - std::max(e.watched, last);
  if (e.adopted > last)
    interrupt("interrupted, the journal is an older one",
              fmt::format("{}: the journal was put back from a backup, and "
                          "nobody knows what became of it since; it is not "
                          "gone on with",
                          s().id));
  else if (s().undated)
    interrupt("interrupted, nobody knows how old it is; ask again",
              fmt::format("{}: the machine of orderlyd was started anew, or "
                          "its calendar was set back, and nobody knows how "
                          "long ago it was asked for; it is not gone on with",
                          s().id));
  else if (now_ - last >= idle_max)
    interrupt(fmt::format("interrupted for {} h, ask again", idle),
              fmt::format("{}: nothing of it came further for {} h, and "
                          "orderlyd was restarted meanwhile; it is not gone "
                          "on with",
                          s().id, idle));
  else if (judge_absence(away); !s().interrupted.empty())
    return;
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

/// How it reads was seen before the restart, and is to be recorded.
bool worker::rests_on_a_reading(index i) {
  auto steps = steps_of(s(), at(i));
  return step_at(i) == step_kind::record
         && std::find(steps.begin(), steps.end(), step_kind::power)
              != steps.end();
}

/// ... It is read once more.
bool worker::looks_again(index i) {
  if (!rests_on_a_reading(i))
    return false;
  auto& r = at(i);
  auto steps = steps_of(s(), r);
  auto power = std::find(steps.begin(), steps.end(), step_kind::power);
  r.at = static_cast<std::uint32_t>(power - steps.begin());
  r.worked = true;
  return true;
}

/// What is done next rests on a reading from before the restart, or on what was
/// seen of the node while its turn had not come.
bool worker::looks_first(index i) {
  return rests_on_a_reading(i)
         || (step_at(i) == step_kind::power
             && switch_verb(s()) == power_verb::off);
}

/// Unseen for longer, it may have been off, and have started anything since.
void worker::pick_up(row& r) {
  if (r.moved > now_ || now_ - r.moved > mark_good)
    r.own_until = 0;
  r.interrupted = true;
}

/// Its intent is written before a command leaves, unless the journal is an
/// older one.
bool worker::may_have_left(index i, const resumed& e) {
  const auto& r = at(i);
  auto last = e.given.find(r.object);
  return e.adopted > r.moved
         || (last != e.given.end()
             && last->second == intent_of(s(), spot_of(i)));
}

/// The helper of a command that left may run on, and nothing that is read by
/// then proves anything. Whoever gave it an hour is not believed so long.
void worker::await_helper(index i) {
  constexpr millis longest = minutes{5};
  auto& r = at(i);
  auto limit = helper_limit(s());
  const auto& power = w_.rules->power;
  auto run = limit == millis{0} ? power.command_timeout : limit;
  auto given = r.switched == never ? now_ : std::min(r.switched, now_);
  auto ends = given + std::min(run + power.kill_delay, longest);
  r.interrupted = r.interrupted || ends > now_;
  if (ends > now_)
    r.until = ends;
}

/// A reset is given once: whoever asked for it looks, and asks again.
void worker::resume_cycle(index i, const resumed& e) {
  auto& r = at(i);
  r.commanded = may_have_left(i, e); // it may boot
  fail(i, r.commanded
            ? "orderlyd was restarted while the power-cycle was under way: it "
              "is not known whether it was done; look with 'orderly power "
              "status' and ask again"
            : "orderlyd was restarted before the power-cycle was commanded: "
              "nothing was done; ask again");
  await_helper(i);
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
    resume_cycle(i, e);
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
  pick_up(r);
  r.due = never;
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
  await_helper(i);
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
  judge_age(e);
  note_unseen_turns();
  if (halted().empty())
    hold_nodes();
  else
    halt_rows();
  for (index i = 0; i < s().rows.size(); ++i) {
    if (at(i).state != row_state::running)
      continue;
    if (at(i).due == never || looks_first(i))
      resume(i, e);
    else
      pick_up(at(i)); // its time comes, as it would have
  }
}

bool worker::asks_after_its_job(index i) {
  auto& r = at(i);
  if (!r.interrupted || r.asked_after)
    return false;
  r.asked_after = r.looking = true;
  act(call_back{intent_of(s(), spot_of(i))});
  order_jobs(i, {}, "it is not wanted any more");
  return true;
}

/// The same daemon goes on, and what it had to do with it: people, or the
/// daemon of another master, may have gone on without it.
void worker::take(const watched_again& e) {
  if (s().ended != never || is_reading(s().asked) || !halted().empty())
    return;
  // What moved meanwhile says nothing of what was done by other hands.
  auto away = now_ - std::max(e.since, s().began);
  judge_absence(away);
  if (e.others && away > right_within)
    interrupt("interrupted, another host was the master",
              fmt::format("{}: another host was the master meanwhile, and what "
                          "was ordered there is not known; it is not gone on "
                          "with",
                          s().id));
  note_unseen_turns();
  if (!halted().empty())
    halt_rows();
}

/// A word that is believed by a host which is no master any more helps nobody.
void worker::take(const right_gone&) {
  for (index i = 0; i < s().rows.size(); ++i)
    if (at(i).state == row_state::running && step_at(i) == step_kind::word
        && at(i).due == never)
      act(take_word_back{spot_of(i), word_of(i)});
}

} // namespace orderly::errand
