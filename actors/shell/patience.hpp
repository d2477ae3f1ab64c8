// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How long an actor waits for another part of the same process. Nothing is
// decided by these: they end the wait for somebody who died without a word,
// so nobody tunes them. What outside takes, settings say.

#pragma once

#include "messages/time.hpp"

namespace orderly::patience {

/// For another actor, which answers at once or after a row is on disk.
inline constexpr millis neighbour = minutes{2};

/// For whoever asks nodes and controllers: they have queues, and limits.
inline constexpr millis look = minutes{10};

/// For a port whose question has no limit of its own.
inline constexpr millis port = minutes{1};

/// For a port, beyond the limit that stands in the question.
inline constexpr millis slack = seconds{5};

/// For the scheduler, which may have a price to write down first.
inline constexpr millis scheduler = seconds{30};

/// For the same while a job waits to be sent, whose own wait ends first.
inline constexpr millis scheduler_soon = seconds{4};

/// What is under way elsewhere is over by then.
inline constexpr millis moment = seconds{1};

/// Who did not answer is asked again after so long.
inline constexpr millis ask_again = seconds{5};

} // namespace orderly::patience
