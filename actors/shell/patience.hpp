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

} // namespace orderly::patience
