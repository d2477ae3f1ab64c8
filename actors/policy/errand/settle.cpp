// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whose turn it is, which rows must be given up, and how an errand ends.

#include "actors/policy/errand/worker.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

using k = step_kind;

constexpr std::array off_steps{k::mark_offline, k::power, k::record};
constexpr std::array on_steps{k::power, k::record};
constexpr std::array back_steps{k::power, k::record, k::wait, k::take_back};
constexpr std::array switch_steps{k::power};
constexpr std::array shutdown_steps{k::shutdown, k::start};
constexpr std::array start_steps{k::start};
constexpr std::array modify_steps{k::modify, k::record};
constexpr std::array check_steps{k::check};
constexpr std::array word_steps{k::word};
constexpr std::array setting_steps{k::tag, k::heed};

std::span<const step_kind> power_steps(const power_errand& x) {
  if (x.verb == power_verb::on)
    return on_steps;
  if (x.verb != power_verb::off)
    return switch_steps;
  return x.mark_offline && !x.bare ? std::span<const step_kind>{off_steps}
                                   : std::span<const step_kind>{on_steps};
}

} // namespace

std::span<const step_kind> steps_of(const state& s, const row& r) {
  if (r.kind == row_kind::program)
    return check_steps;
  if (const auto* x = epo_of(s)) {
    if (r.kind == row_kind::instance)
      return x->on ? std::span<const step_kind>{start_steps}
                   : std::span<const step_kind>{shutdown_steps};
    return x->on ? std::span<const step_kind>{back_steps}
                 : std::span<const step_kind>{off_steps};
  }
  if (const auto* x = std::get_if<power_errand>(&s.asked.what))
    return power_steps(*x);
  if (std::holds_alternative<modify_errand>(s.asked.what))
    return modify_steps;
  if (std::holds_alternative<confirm_errand>(s.asked.what))
    return word_steps;
  if (std::holds_alternative<setting_errand>(s.asked.what))
    return setting_steps;
  if (std::holds_alternative<verify_errand>(s.asked.what))
    return switch_steps;
  return {};
}

std::size_t places_taken(const state& s) {
  return static_cast<std::size_t>(
    std::count_if(s.rows.begin(), s.rows.end(), [&s](const row& r) {
      return r.state == row_state::running
             && steps_of(s, r)[r.at] != step_kind::wait
             && !waits_for_acts(s, r);
    }));
}

std::size_t places(const state& s, const surroundings& w) {
  // Half of what may be open, so that repairs find room beside an epo.
  auto most = w.rules->power.concurrency;
  if (!is_reading(s.asked))
    most = std::min(most, w.rules->cluster.jobs_open_max / 2);
  return std::max<std::size_t>(most, 1);
}

bool is_paced(const state& s, const row& r) {
  if (r.kind != row_kind::node)
    return false;
  const auto* x = std::get_if<power_errand>(&s.asked.what);
  return is_epo_on(s) || (x != nullptr && x->verb == power_verb::on);
}

instant next_start(const state& s) {
  if (s.last_start == never || s.last_started >= s.rows.size()
      || s.rows[s.last_started].state == row_state::failed)
    return never;
  auto pause = millis{0};
  if (const auto* x = epo_of(s))
    pause = x->power_delay;
  else if (const auto* p = std::get_if<power_errand>(&s.asked.what))
    pause = p->power_delay;
  auto from
    = s.last_answer == never ? s.last_start + patience_in_turn : s.last_answer;
  return from + pause;
}

std::optional<node_record> worker::node_now(const row& r) const {
  auto result = node_now(r.object);
  return result && is_meant(r, *result) ? result : std::nullopt;
}

std::optional<node_record> worker::node_now(const node_name& name) const {
  auto result = w_.node(name);
  if (!result)
    return result;
  for (const auto& x : v_.actions) {
    if (const auto* a = std::get_if<amend>(&x); a && a->node == name) {
      result->offline = a->offline.value_or(result->offline);
      result->powered = a->powered.value_or(result->powered);
    } else if (const auto* p = std::get_if<keep_powered>(&x);
               p && p->node == name) {
      result->powered = p->powered;
    }
  }
  return result;
}

/// Gives up rows whose needs came to nothing.
bool worker::skip_the_lost() {
  bool any = false;
  for (index i = 0; i < s().rows.size(); ++i) {
    if (at(i).state != row_state::waiting)
      continue;
    for (auto need : at(i).needs) {
      if (need >= s().rows.size())
        continue;
      const auto& other = at(need);
      if (!is_final(other.state) || other.met)
        continue;
      skip(i, fmt::format("its node {} is not back", other.object), false);
      any = true;
      break;
    }
  }
  return any;
}

namespace {

/// No job of the errand has changed its mark, or may be about to.
bool is_as_found(const state& s, const row& r) {
  if (is_final(r.state) || r.marked || r.own_until != 0)
    return false;
  if (r.state == row_state::waiting)
    return true;
  auto kind = steps_of(s, r)[r.at];
  return kind == k::power || kind == k::wait;
}

bool turns_now(const state& s, const row& r, const surroundings& w) {
  // One that waits again had a mark of ours, which a late reading may show.
  auto again = r.state == row_state::waiting && r.moved != never;
  if (r.kind != row_kind::node || r.turned || again || !is_as_found(s, r))
    return false;
  auto node = w.node(r.object);
  return node && node->offline != r.was_offline;
}

} // namespace

bool turns(const state& s, const surroundings& w) {
  return s.ended == never && !is_reading(s.asked)
         && std::any_of(s.rows.begin(), s.rows.end(),
                        [&](const row& r) { return turns_now(s, r, w); });
}

void worker::note_turns() {
  if (!turns(s(), w_))
    return;
  for (index i = 0; i < s().rows.size(); ++i)
    if (turns_now(s(), at(i), w_)) {
      at(i).turned = true;
      touch(i);
    }
}

std::set<std::uint32_t> note_numbers(state& s, const surroundings& w) {
  std::set<std::uint32_t> changed;
  if (s.ended != never || is_reading(s.asked) || turns(s, w))
    return changed;
  for (std::size_t i = 0; i < s.rows.size(); ++i) {
    auto& r = s.rows[i];
    if (r.kind != row_kind::node || r.serial == 0 || !is_as_found(s, r))
      continue;
    auto node = w.node(r.object);
    if (!node || node->serial_no <= r.serial)
      continue;
    r.serial = node->serial_no;
    changed.insert(static_cast<std::uint32_t>(i / block_size));
  }
  return changed;
}

/// Where nobody watched the number of the record tells: out of service, and
/// back, raise it by two each.
void worker::note_unseen_turns() {
  for (index i = 0; i < s().rows.size(); ++i) {
    auto& r = at(i);
    auto node = node_now(r);
    if (r.kind != row_kind::node || is_final(r.state) || r.turned
        || r.serial == 0 || !node || node->offline != r.was_offline
        || node->serial_no < r.serial + 2 * marked_once)
      continue;
    r.turned = true;
    touch(i);
  }
}

std::string overtaken(const state& s, const row& r,
                      const std::optional<node_record>& node) {
  const auto* modify = std::get_if<modify_errand>(&s.asked.what);
  auto minds = modify == nullptr || modify->offline;
  if (!r.turned || !node || node->offline != r.was_offline || !minds)
    return {};
  return fmt::format("somebody {} meanwhile; if it is still wanted: '{}'",
                     node->offline ? "took it back into service, and out again"
                                   : "took it out of service, and back again",
                     again_text(s, r));
}

/// Whoever asked has done it by hand meanwhile, and undone it: true if so.
bool worker::was_overtaken(index i) {
  auto why = overtaken(s(), at(i), node_now(at(i)));
  if (why.empty())
    return false;
  fail(i, std::move(why));
  return true;
}

bool worker::start_some() {
  auto barred = is_epo_off(s()) && bar_nodes();
  auto room = places(s(), w_);
  auto taken = places_taken(s());
  bool any = false;
  for (index i = 0; i < s().rows.size() && taken < room; ++i) {
    auto& r = at(i);
    if (r.state != row_state::waiting || (barred && r.kind == row_kind::node))
      continue;
    if (!std::all_of(r.needs.begin(), r.needs.end(), [this](index need) {
          return need >= s().rows.size()
                 || (is_final(at(need).state) && at(need).met);
        }))
      continue;
    if (was_overtaken(i)) {
      any = true;
      continue;
    }
    if (is_paced(s(), r)) {
      if (now_ < next_start(s()))
        continue;
      s().last_start = now_;
      s().last_started = i;
      s().last_answer = never;
      v_.head = true;
    }
    r.state = row_state::running;
    r.moved = now_;
    touch(i);
    enter(i);
    any = true;
    if (at(i).state == row_state::running)
      ++taken;
  }
  return any;
}

void worker::finish() {
  if (s().ended != never
      || !std::all_of(s().rows.begin(), s().rows.end(),
                      [](const row& r) { return is_final(r.state); }))
    return;
  advise();
  end_vain_holds();
  for (const auto& r : s().rows)
    if (!halted().empty() || is_left_marked(r))
      if (auto text = undo_text(s(), r); !text.empty())
        remark(std::move(text));
  s().ended = now_;
  v_.head = true;
  v_.why = account(s());
}

void worker::settle() {
  if (s().ended != never || !s().begun)
    return;
  note_turns();
  while (skip_the_lost() || start_some())
    ;
  lift_holds();
  finish();
}

instant due_at(const state& s, const surroundings& w, instant now) {
  if (s.ended != never || !s.begun)
    return never;
  auto due = instant::max();
  bool paced = false;
  for (const auto& r : s.rows) {
    if (r.state == row_state::running && r.due != never)
      due = std::min(due, r.due);
    else if (r.state == row_state::running && r.until != never
             && is_job(steps_of(s, r)[r.at]))
      due = std::min(due, r.until);
    paced = paced || (r.state == row_state::waiting && is_paced(s, r));
  }
  if (s.barred != never)
    due = std::min(due, s.barred + clear_within);
  if (paced && places_taken(s) < places(s, w))
    due = std::min(due, std::max(next_start(s), now));
  return due == instant::max() ? never : due;
}

bool is_reading(const errand_request& x) {
  if (const auto* p = std::get_if<power_errand>(&x.what))
    return orderly::is_reading(p->verb);
  if (const auto* h = std::get_if<ha_errand>(&x.what))
    return h->action != ha_action::configure && h->action != ha_action::enable
           && h->action != ha_action::disable;
  if (const auto* c = std::get_if<setting_errand>(&x.what))
    return c->action == setting_action::list;
  return std::holds_alternative<info_errand>(x.what)
         || std::holds_alternative<verify_errand>(x.what);
}

power_verb verb_of(const errand_request& x) {
  const auto* p = std::get_if<power_errand>(&x.what);
  return p == nullptr ? power_verb::status : p->verb;
}

std::vector<node_name> acts_on(const state& s) {
  std::vector<node_name> result;
  if (s.ended != never || is_reading(s.asked))
    return result;
  for (const auto& r : s.rows)
    if (r.kind == row_kind::node || r.kind == row_kind::setting)
      result.push_back(r.object);
  return result;
}

bool has_failed(const state& s) {
  return std::any_of(s.rows.begin(), s.rows.end(), [&s](const row& r) {
    switch (r.state) {
    case row_state::failed:
      return true;
    case row_state::unsupported:
      return epo_of(s) == nullptr;
    case row_state::skipped:
      return !r.met;
    default:
      return false;
    }
  });
}

} // namespace orderly::errand
