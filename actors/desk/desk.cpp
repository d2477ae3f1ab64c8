// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/desk/desk.hpp"

#include "actors/desk/errands.hpp"
#include "actors/policy/base/job_errors.hpp"

#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace orderly {

using namespace desk_parts;

errand_id desk_parts::id_of(std::uint64_t number) {
  return fmt::format("power-{}", number);
}

std::uint64_t desk_parts::number_of(const errand_id& id) {
  constexpr std::string_view prefix = "power-";
  std::uint64_t result = 0;
  if (!id.starts_with(prefix))
    return 0;
  const auto* end = id.data() + id.size();
  auto [stop, error] = std::from_chars(id.data() + prefix.size(), end, result);
  return error == std::errc{} && stop == end ? result : 0;
}

namespace {

/// Whoever is told how it ended relies on that after a restart, too.
void hide_end(const desk_state& st, std::uint64_t number, errand_sheet& sheet) {
  if (st.ending.count(number) == 0)
    return;
  sheet.ended = never;
  sheet.remarks.clear();
  sheet.failed = false;
  sheet.doing = "its end is written down";
}

} // namespace

errand_list_answer desk_parts::list(const desk_state& st) {
  errand_list_answer result;
  for (const auto& [number, s] : st.errands) {
    errand::state bare;
    bare.id = s.id;
    bare.asked = s.asked;
    bare.began = s.began;
    bare.ended = s.ended;
    bare.remarks = s.remarks;
    auto sheet = errand::sheet_of(bare, {});
    sheet.doing = errand::doing(s);
    sheet.failed = errand::has_failed(s);
    hide_end(st, number, sheet);
    result.errands.push_back(std::move(sheet));
  }
  return result;
}

errand::surroundings desk_parts::surroundings_of(self_ptr self) {
  auto& st = self->state;
  st.rules = st.ctx->rules();
  forget_old_answers(self);
  errand::surroundings w;
  w.picture = st.picture;
  w.read_at = st.read_at;
  w.rules = st.rules.get();
  w.amended = &st.amended;
  w.recorded_off = &st.recorded_off;
  w.holds = &st.held;
  w.wishes = &st.wishes;
  w.rehearsals = &st.rehearsals;
  w.read_on = &st.read_on;
  w.read_off = &st.read_off;
  w.doubted = &st.doubted;
  w.busy = &st.busy;
  auto at = now(self, st.ctx);
  if (st.watcher_rests == never || at >= st.watcher_rests)
    w.watcher_awake = st.watcher_text;
  w.no_right = no_right(st, at);
  if (w.no_right.empty())
    st.right_lost = never;
  else if (st.right_lost == never)
    st.right_lost = at;
  w.no_right_since = st.right_lost;
  return w;
}

void desk_parts::feed(self_ptr self, std::uint64_t number,
                      const errand::event& e, std::function<void()> then) {
  auto& st = self->state;
  auto i = st.errands.find(number);
  if (i == st.errands.end() || !st.picture)
    return;
  auto at = now(self, st.ctx);
  auto v = errand::step(std::move(i->second), e, surroundings_of(self), at);
  i->second = std::move(v.next);
  for (const auto& x : v.actions)
    note(self, x);
  publish_leaving(self);
  auto entries = step_entries(self, i->second, v);
  auto ended = i->second.ended != never && v.head;
  auto acted = !errand::is_reading(i->second.asked);
  if (ended && !acted)
    note_agreed(self, i->second);
  if (ended) {
    auto old = forget_old(self);
    std::move(old.begin(), old.end(), std::back_inserter(entries));
  }
  arm(self);
  publish_orders(self);
  if (ended && !entries.empty())
    st.ending.insert(number);
  auto go = [self, number, at, ended = ended && acted, over = ended,
             actions = std::move(v.actions), then = std::move(then)] {
    if (over)
      self->state.ending.erase(number);
    carry_out(self, number, actions, at);
    if (ended)
      look_again(self);
    if (then)
      then();
  };
  if (entries.empty())
    go();
  else
    record(self, st.peers.journal, std::move(entries), std::move(go));
}

namespace {

errand_sheet not_found(const errand_id& id) {
  errand_sheet sheet;
  sheet.found = false;
  sheet.id = id;
  return sheet;
}

errand_sheet show(self_ptr self, const errand_id& id) {
  auto& st = self->state;
  if (!st.recovered) {
    // Whoever waits for its end shall not believe that it never was.
    errand_sheet sheet;
    sheet.id = id;
    sheet.doing = "the power desk reads its journal after a restart";
    return sheet;
  }
  auto i = st.errands.find(number_of(id));
  if (i == st.errands.end())
    return not_found(id);
  auto sheet = errand::sheet_of(i->second, surroundings_of(self));
  hide_end(st, i->first, sheet);
  return sheet;
}

caf::result<errand_sheet> take(self_ptr self, const errand_request& asked) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (!st.recovered)
    return errand::sheet_of(errand::refusal{"the power desk is still reading "
                                            "its journal; ask again in a "
                                            "moment",
                                            refused_for::state},
                            asked, at);
  if (std::holds_alternative<ha_errand>(asked.what))
    return turn_switches(self, asked);
  if (const auto* what = std::get_if<setting_errand>(&asked.what);
      what != nullptr && what->action == setting_action::list)
    return list_settings(self, asked);
  auto w = surroundings_of(self);
  st.busy.clear();
  for (const auto& [number, s] : st.errands) {
    if (s.ended == never)
      ++(errand::is_reading(s.asked) ? w.reading : w.acting);
    for (auto& node : errand::acts_on(s))
      st.busy.emplace(std::move(node), s.id);
  }
  auto planned = errand::plan(asked, w, at);
  if (const auto* why = std::get_if<errand::refusal>(&planned))
    return errand::sheet_of(*why, asked, at);
  auto& s = std::get<errand::state>(planned);
  if (s.ended != never) // nothing to be done: the rows are the answer
    return errand::sheet_of(s, w);
  auto number = ++st.last_number;
  s.id = id_of(number);
  s.stamp = std::to_string(to_ms(at));
  auto& kept = st.errands.emplace(number, std::move(s)).first->second;
  // What it will switch off takes nothing from now on.
  publish_leaving(self);
  publish_orders(self);
  auto promise = self->make_response_promise<errand_sheet>();
  record(self, st.peers.journal, plan_entries(self, kept),
         [self, number, promise, at, asked]() mutable {
           // The disk was slow, and whoever asked was told that it failed.
           if (now(self, self->state.ctx) - at > errand::taken_within) {
             promise.deliver(errand::sheet_of(drop(self, number), asked, at));
             return;
           }
           feed(self, number, errand::begun{});
           promise.deliver(show(self, id_of(number)));
         });
  return promise;
}

/// Nothing more of it is begun from now on, but whoever stopped it relies on
/// that also after a restart, and hears of it when it is on disk.
caf::result<errand_sheet> stop(self_ptr self, const errand_stop& what) {
  auto& st = self->state;
  auto sheet = show(self, what.id);
  if (!sheet.found || sheet.ended != never)
    return sheet;
  if (!st.going) {
    sheet.refusal = "it was not stopped: after a restart the cluster was not "
                    "read yet; ask again in a moment";
    sheet.refusal_kind = refused_for::state;
    return sheet;
  }
  auto promise = self->make_response_promise<errand_sheet>();
  auto told = [self, id = what.id, promise]() mutable {
    promise.deliver(show(self, id));
  };
  const auto& s = st.errands.at(number_of(what.id));
  // Who stops it a second time waits for the first one's row, too.
  if (s.ended == never && s.stopped_by.empty())
    feed(self, number_of(what.id), errand::stopped{what.who}, std::move(told));
  else
    record(self, st.peers.journal,
           {entry_about(self, st.ctx, "errand:" + what.id, entry_kind::note,
                        "stop-again", what.who + " stops it again")},
           std::move(told));
  return promise;
}

/// luxid answers from its own copy of the configuration, which lags behind.
millis shown_within(const desk_state& st) {
  constexpr millis lag = seconds{10};
  return std::max<millis>(lag, 2 * st.ctx->rules()->cluster.poll_interval);
}

bool is_shown(const cluster_record& picture, const node_name& name,
              const errand::amendment& made) {
  auto i = std::find_if(picture.nodes.begin(), picture.nodes.end(),
                        [&](const auto& x) { return x.name == name; });
  return i == picture.nodes.end()
         || (made.offline.value_or(i->offline) == i->offline
             && made.powered.value_or(i->powered) == i->powered);
}

void take_picture(self_ptr self, const picture_news& news) {
  auto& st = self->state;
  if (!news.poll.answered || !news.picture)
    return;
  auto before = std::exchange(st.picture, news.picture);
  if (before && before != st.picture)
    forget_replaced(self, *before);
  auto read = news.poll.asked_at == never ? news.poll.at : news.poll.asked_at;
  st.read_at = read;
  std::erase_if(st.amended, [&st, read](const auto& x) {
    return is_shown(*st.picture, x.first, x.second)
             ? x.second.at <= read
             : read > x.second.at + shown_within(st);
  });
  ask_for_wishes(self);
  if (st.told_holds && st.told_holds->switches != switches_in_force(self))
    publish_holds(self); // by new settings
  forget_gone(self);
  end_absence(self);
  wake_waiting(self);
  resume(self);
  note_numbers(self);
  judge_holds(self);
}

void take_job(self_ptr self, const job_event& e) {
  errand_id id;
  errand::job_told told;
  if (!errand::split_intent(e.intent, id, told.at))
    return;
  if (e.phase == job_phase::submitted) {
    feed(self, number_of(id), errand::job_queued{told.at});
    return;
  }
  told.done = e.phase == job_phase::ended && e.status == job_status::success;
  told.refused = e.phase == job_phase::refused;
  told.untried = told.refused && (e.untried || is_closed_queue(e.text));
  told.canceled
    = e.phase == job_phase::ended && e.status == job_status::canceled;
  told.open = e.phase == job_phase::overdue;
  told.text = e.text;
  if (!told.done) {
    auto how
      = e.phase == job_phase::ended ? to_string(e.status) : to_string(e.phase);
    told.text
      = fmt::format("job {}{}: {}", e.id == 0 ? "" : fmt::format("{} ", e.id),
                    how, e.text.empty() ? "no reason given" : e.text);
  }
  feed(self, number_of(id), told);
}

void look_at_clock(self_ptr self) {
  auto& st = self->state;
  st.armed = never;
  auto at = now(self, st.ctx);
  if (st.watcher_due != never && st.watcher_due <= at)
    tell_watcher(self);
  std::vector<std::uint64_t> due;
  auto w = surroundings_of(self);
  if (st.going)
    for (const auto& [number, s] : st.errands) {
      auto when = errand::due_at(s, w, at);
      if (when != never && when <= at)
        due.push_back(number);
    }
  for (auto number : due)
    feed(self, number, errand::woken{});
  if (st.holds_due != never && st.holds_due <= at)
    judge_holds(self);
  arm(self);
}

} // namespace

desk_actor::behavior_type power_desk(self_ptr self, context_ptr ctx,
                                     desk_peers peers) {
  die_with_reason(self, "desk");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.rules = st.ctx->rules();
  recall_books(self);
  self->send(st.peers.wishes, caf::actor_cast<wish_client>(self));
  return {
    [self](const errand_request& asked) { return take(self, asked); },
    [self](const errand_query& what) { return show(self, what.id); },
    [self](const errand_stop& what) { return stop(self, what); },
    [self](const errand_list&) -> caf::result<errand_list_answer> {
      auto& state = self->state;
      if (state.recovered)
        return list(state);
      // Whoever asks shall not believe that there are none.
      auto promise = self->make_response_promise<errand_list_answer>();
      state.listers.push_back(promise);
      return promise;
    },
    [self](const picture_news& news) { take_picture(self, news); },
    [self](const cluster_here& where) {
      self->state.cluster = where.cluster;
      self->state.told_holds.reset();
      publish_records(self);
      publish_holds(self);
    },
    [self](power_wishes& all) { take_wishes(self, all); },
    [self](const node_standing& x) { hear(self, x); },
    [self](const job_event& e) { take_job(self, e); },
    [self](const ask_consent& what) { return last_say(self, what.intent); },
    [self](const power_last_look& what) {
      return bear_witness(self, what.intent);
    },
    [self](const lease& right) { take_right(self, right); },
    [self](const tick& t) {
      if (self->state.next.rings(t))
        look_at_clock(self);
    },
  };
}

} // namespace orderly
