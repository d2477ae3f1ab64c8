// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is in trouble, could be helped, and is not, for long. Each thing that
// waits has its own reason and mostly its own alert; this is the last net: no
// wait, whatever it is for, lasts for ever in silence.

#pragma once

#include "messages/standing.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::foresight {

/// What is wrong with the node and goes on, a clause; empty: nothing, or only
/// what somebody wants so. A fenced node is over: its instances tell the rest.
std::string trouble_of(const node_standing& x);

/// Likewise of an instance that is down, or whose data is lost, and that may be
/// started elsewhere by its tags. A failed repair of the same kind has had its
/// alert, and permits nothing.
std::string trouble_of(const instance_standing& x);

/// Since when it is so, over restarts, as far as its node's standing knows;
/// `never`: it does not.
instant troubled_since(const node_standing& x);

/// Likewise of what is at home there.
instant home_lost_since(const node_standing& home);

class lasting_troubles {
public:
  /// A trouble that has lasted so long is told.
  static constexpr auto patience = minutes{40};

  /// Whoever was told hears of others so much later: many troubles that begin
  /// one after the other are one call.
  static constexpr auto pause = minutes{15};

  struct row {
    std::string what;
    instant since;
  };

  /// Was told of in a former life, if there was anybody to tell.
  static constexpr auto told_before = patience + pause;

  /// So long after the first look of a life what lasted before it turns up.
  static constexpr auto found_within = minutes{5};

  /// All that there are now, by object: who is missing is out of trouble. What
  /// says that it has lasted since before this life counts from then; of all
  /// else (`never`: it does not know) we know since when we see it.
  void note(const std::map<object_id, row>& all, instant now);

  /// Nobody acted until now: all begins here.
  void begin_anew() {
    *this = {};
    first_ = instant::min();
  }

  /// Those who were not told and have waited long enough; they count as told
  /// from now on. Empty while the pause lasts. The oldest come first.
  std::vector<row> due(instant now);

  /// Of the objects whose id begins so, those who were not told yet, whatever
  /// the patience: a switch has left them. If it lasts that is told as well.
  [[nodiscard]] std::vector<row> left(std::string_view kind) const;

private:
  struct trouble {
    std::string what;
    instant since;
    bool told = false;
  };

  std::map<object_id, trouble> open_;
  instant first_ = never; ///< note of this life
  instant told_at_ = never;
};

/// Names the first few, with what each waits for, and counts the others.
std::string text_of(const std::vector<lasting_troubles::row>& due, instant now);

} // namespace orderly::foresight
