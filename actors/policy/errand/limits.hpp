// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How many errands there may be, and how long their steps are waited for.

#pragma once

#include "messages/time.hpp"

#include <cstddef>
#include <cstdint>

namespace orderly::errand {

/// Errands at once: those that act, and as many that only ask.
inline constexpr std::size_t open_max = 20;
inline constexpr std::size_t rows_max = 5000;
inline constexpr std::size_t remarks_max = 500;
/// A power-on waits so long for the one before it, and then no longer: a
/// controller that hangs holds up nobody.
inline constexpr millis patience_in_turn = seconds{15};
/// Rows that are kept under one key of the journal: a step writes its own
/// block only.
inline constexpr std::size_t block_size = 50;
/// A node that was switched on is asked after this, then each interval.
inline constexpr millis probe_first = seconds{5};
inline constexpr millis probe_interval = seconds{30};
inline constexpr millis back_within = minutes{15};
/// A job that our own submitter did not try is asked for again, so often and
/// not after so long.
inline constexpr millis untried_pause = seconds{20};
inline constexpr std::uint32_t untried_max = 3;
inline constexpr millis untried_within = minutes{3};
/// In an epo, and for what is to be recorded, it is asked for until then.
inline constexpr millis queued_within = minutes{15};
/// A job that is not in the queue by then is called back.
inline constexpr millis sent_within = minutes{5};
/// Without the right to act a step waits so long, and then comes to nothing.
inline constexpr millis right_pause = seconds{5};
inline constexpr millis right_within = minutes{1};
/// Whether the cluster was read since, is looked at so often.
inline constexpr millis reading_pause = seconds{2};
/// An errand that stood still for so long, because the daemon did not run, is
/// not gone on with: the world may be another.
inline constexpr millis idle_max = hours{1};
/// A mark that an epo set so long before a restart may be taken for its own
/// after it: nobody switches a node off and on so fast.
inline constexpr millis mark_good = minutes{1};
/// Our mark raises the serial number of a node's record by two. Ganeti may make
/// a node that is no master candidate one before that, which adds one. A mark
/// of somebody else adds two, and ours one more after it, for it changes
/// nothing.
inline constexpr std::uint64_t marked_once = 2;
inline constexpr std::uint64_t promoted_once = 1;
/// Before an epo switches off, its nodes must be empty: so long that is waited
/// for.
inline constexpr millis clear_within = minutes{10};
/// Whoever asks hears within so long that an errand was taken, or nothing of it
/// is begun: shorter than consoles wait before they say that it failed.
inline constexpr millis taken_within = seconds{4};
/// A tag that was written must show within so long.
inline constexpr millis heeded_within = minutes{2};
/// So long a node's keeper may take to judge a person's word.
inline constexpr millis word_within = minutes{12};

} // namespace orderly::errand
