// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who boots, so that it could be seen, does so in peace: S45.

#include "sim/laws/boots.hpp"

#include "sim/laws/laws.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

namespace {

/// From a look to the command that it was for.
constexpr millis look_time = seconds{10};

/// So often a boot is waited for, and not longer: mains flap, and controllers
/// say now this and now that.
constexpr std::size_t boots_most = 3;

/// So long the power of a node in trouble may go unread.
constexpr millis unread_most = seconds{150};

/// An absence counts from two minutes on, and is known to a minute.
constexpr millis absence_least = minutes{4};

} // namespace

void boots_seen::enter(ha_phase next, instant now) {
  auto well = next == ha_phase::available || next == ha_phase::ineligible
              || next == ha_phase::disabled || next == ha_phase::fenced;
  if (well)
    troubled = never;
  else if (troubled == never)
    troubled = now;
}

void boots_seen::note(const power_deed& deed, millis lately) {
  if (!deed.ended && !is_reading(deed.verb))
    before = std::exchange(begun, deed.at);
  if (!deed.ended || deed.lie)
    return;
  if (deed.state == power_state::off)
    off = deed.at;
  std::erase_if(on, [&](instant x) { return deed.at - x > lately; });
  if (deed.state == power_state::on && off > (on.empty() ? never : on.back()))
    on.push_back(deed.at);
}

/// Could whoever commands know that it boots? It was read off in this trouble,
/// or should have been, or it was switched on while nobody was there and fell
/// silent for us only afterwards. A boot that some command of ours began is
/// another matter, and nobody waits for power that comes and goes.
void laws::check_boot(const power_deed& deed, const node_story& story) {
  const auto& real = lab_->truth.node(deed.node);
  const auto& seen = story.boots;
  if (deed.verb == power_verb::on || !real.powered || real.crashed
      || real.boots_until <= now_)
    return;
  auto begun = real.boots_until - world::boot_time;
  if (begun + look_time > now_ || seen.on.size() >= boots_most
      || !story.caught.empty() || seen.before >= begun - look_time)
    return;
  auto watched = std::max({seen.troubled, lab_->daemon_since,
                           lab_->master().since, lab_->luxi_since,
                           lab_->journal.mood_since, lab_->clocks_jumped});
  // A controller that fails does not tell that it came on.
  auto fine = real.bmc.what == controller::ok && real.helpers.empty();
  auto read_off = fine && seen.off != never && seen.off < begun
                  && seen.off >= std::max(seen.troubled, lab_->daemon_since)
                  && !sight_.answered_since(deed.node, seen.off);
  // Its power is read each minute, and readings take their time.
  auto long_off = fine && real.helped_at < real.off_at && real.off_at > watched
                  && begun - real.off_at > unread_most
                  && !levels_of(deed.node).empty() && !lab_->truth.uplink_cut();
  auto back = lab_->daemon_since;
  auto left = lab_->daemon_ended;
  auto away = left != never && begun < back && back - left > absence_least
              && story.hunted_since > back && lab_->master().since < left;
  if (read_off || long_off || away)
    breach("S45", std::string{to_string(deed.verb)} + " of " + deed.node
                    + " in the middle of a boot that could be seen");
}

} // namespace orderly::sim
