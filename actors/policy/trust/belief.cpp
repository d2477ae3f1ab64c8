// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/trust/belief.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orderly::trust {

bool belief::is_counted() const {
  return around_.known && !around_.offline && around_.recorded_on;
}

bool belief::is_left() const {
  return !around_.held.empty() || s_.wish.wanted == power_state::off
         || s_.ordered_off != never;
}

/// What its daemons said is about what is so now.
bool belief::is_known() const {
  return is_counted() && !around_.leaving && s_.verdict != health::unknown;
}

bool belief::should_live() const {
  if (!is_counted())
    return false;
  if (!is_left())
    return true;
  return is_known() && is_life(s_.lived_at);
}

bool belief::is_life(instant answer) const {
  auto wished = s_.wish.wanted == power_state::off ? s_.wish.at : never;
  wished = std::max(wished, s_.ordered_off);
  return answer != never && (wished == never || answer > wished);
}

instant belief::answers_since() const {
  return is_known() ? s_.answers_since : never;
}

instant belief::silent_since() const {
  return is_known() ? s_.silent_since : never;
}

bool belief::fails_untreated(instant at) const {
  if (!should_live() || s_.verdict != health::unhealthy)
    return false;
  // Whoever was not treated until now fails its own check only in a while.
  auto phase = around_.machine->phase;
  return phase == ha_phase::ineligible || phase == ha_phase::disabled
         || (phase == ha_phase::available && at - s_.verdict_at <= r_.recent());
}

bool belief::is_vouched() const {
  return around_.known && around_.offline && !around_.has_program
         && r_.offline_vouches;
}

bool belief::is_watched() const {
  auto phase = around_.machine->phase;
  if (phase != ha_phase::ineligible && phase != ha_phase::disabled)
    return false;
  if (around_.offline)
    return around_.given_up
           || (is_vouched() && around_.stranded != nullptr
               && !around_.stranded->empty());
  return true; // off by the record alone it may run, and host instances
}

bool belief::is_well() const {
  return around_.machine->phase == ha_phase::available
         || around_.machine->phase == ha_phase::ineligible;
}

bool belief::is_unprotected() const {
  return s_.check.result == protection::unproven
         && r_.rehearsal_interval > millis{0};
}

std::string belief::unprotected() const {
  return is_well() && is_unprotected() ? s_.check.why : std::string{};
}

bool belief::is_dead() const {
  const auto& m = *around_.machine;
  // What an order of before had switched off is no death, unless a person has
  // said since that it is.
  const auto& wish = s_.wish;
  auto switched = wish.switched_at != never ? wish.switched_at : wish.at;
  auto by_order = !wish.switched_off.empty() && switched < m.since;
  auto lived = m.lived != never && s_.wish.at > m.lived;
  auto given_up = m.given_up > s_.wish.at;
  return m.maintenance && (given_up || (!lived && !by_order));
}

std::string belief::wished_off() const {
  if (s_.wish.wanted != power_state::off || is_dead())
    return {};
  return fmt::format("{} wants it off{}{}", s_.wish.who,
                     s_.wish.why.empty() ? "" : ": ", s_.wish.why);
}

std::string belief::switched_off() const {
  auto text = wished_off();
  const auto& m = *around_.machine;
  // Fenced while a person had it switched off: who ordered that works on it.
  auto worked_on = s_.wish.wanted == power_state::off && s_.wish.at < m.since
                   && m.given_up <= s_.wish.at;
  if (text.empty() && worked_on)
    return fmt::format("{} had it switched off{}{}", s_.wish.who,
                       s_.wish.why.empty() ? "" : ": ", s_.wish.why);
  // The wish may be over while what it switched off still is: after somebody
  // tried it by its button, or after an order to switch it on that failed.
  return text.empty() && !is_dead() ? s_.wish.switched_off : text;
}

std::string belief::closed() const {
  // It may be dead, and that is nobody's trouble: who would be sent there
  // would not start.
  if (!around_.known || around_.offline)
    return {};
  if (!around_.recorded_on)
    return "it is recorded powered off";
  if (around_.leaving)
    return "an order is under way that will switch it off";
  return wished_off();
}

bool belief::is_caught(const std::string& program) const {
  return s_.doubted.count(program) != 0 || s_.doubted.count({}) != 0;
}

void belief::sort_by_trust(std::vector<std::string>& programs,
                           std::uint32_t tries) const {
  auto doubted = std::stable_partition(
    programs.begin(), programs.end(),
    [this](const std::string& program) { return !is_doubted(program); });
  if (auto n = programs.end() - doubted; n > 0)
    std::rotate(doubted, doubted + tries % n, programs.end());
}

bool belief::is_doubted(const std::string& program) const {
  return !s_.doubted.empty() && s_.cleared.count(program) == 0;
}

std::string belief::doubt() const {
  if (s_.doubted.empty())
    return {};
  auto named = s_.doubted;
  named.erase(std::string{});
  if (named.empty())
    return "its controller said off while the node's daemons answered";
  return fmt::format("{} said off while the node's daemons answered",
                     fmt::join(named, " and "));
}

bool belief::is_looked_at() const {
  auto phase = around_.machine->phase;
  if (!around_.known)
    return false;
  auto treated = phase != ha_phase::ineligible && phase != ha_phase::disabled;
  return treated || is_watched();
}

bool belief::is_raised_since(instant at) const {
  return at <= s_.ordered_on || (around_.known && around_.rising);
}

bool belief::wants_reading(instant at) const {
  const auto& m = *around_.machine;
  auto held_off = (m.phase == ha_phase::ineligible && around_.offline)
                  || (m.phase == ha_phase::fenced && m.maintenance);
  // A wish to have it off may end, and only a reading tells.
  auto left_alone = s_.wish.wanted == power_state::off;
  if ((!held_off && !left_alone && !may_be_switched()) || !around_.has_program)
    return false;
  return at - s_.read_at >= reading_pause();
}

/// It is silent, and no command of ours is under way: people may switch it off,
/// or off and on, and only a reading tells.
bool belief::may_be_switched() const {
  const auto& m = *around_.machine;
  if (s_.unheard_since == never)
    return false;
  switch (m.phase) {
  case ha_phase::suspect:
  case ha_phase::checking:
  case ha_phase::recovered:
    return true;
  case ha_phase::degraded:
    return true;
  case ha_phase::fenced:
    return !m.maintenance;
  case ha_phase::recovering:
    return !m.recovery_dispatched;
  case ha_phase::fencing:
    return !m.fence_dispatched;
  default:
    return false;
  }
}

bool belief::only_boots_count() const {
  const auto& m = *around_.machine;
  // Whom its neighbours have just seen at work is not fenced for one reading.
  if (m.phase == ha_phase::degraded)
    return m.held.empty() && s_.unheard_since <= m.since;
  return m.phase == ha_phase::fenced && !m.maintenance;
}

millis belief::reading_pause() const {
  return std::min<millis>(minutes{1}, r_.proof_max_age / 3);
}

bool belief::may_rehearse() const {
  // Or a person works on it, and its record may be under way.
  return is_well() && around_.known && r_.rehearsal_interval > millis{0}
         && around_.has_program && around_.held.empty();
}

bool belief::is_waited_for() const {
  if (!around_.known)
    return false;
  if (around_.offline)
    return around_.stranded != nullptr && !around_.stranded->empty();
  // Fenced, not marked yet, and without a proof it will not be.
  return around_.machine->phase == ha_phase::fenced
         && around_.machine->maintenance;
}

} // namespace orderly::trust
