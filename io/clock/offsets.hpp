// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How far the system's other clocks are ahead of the one that actors see: the
// live clock source of a context. Linux slows the steady clock and the calendar
// alike when they are disciplined, so that the offsets change by a suspend and
// by a step only.

#pragma once

#include "messages/clock.hpp"

#include <string>

namespace orderly::io {

/// CLOCK_BOOTTIME and CLOCK_REALTIME against CLOCK_MONOTONIC. The three are
/// read again if we were held up in between.
clock_offsets read_clock_offsets();

/// Since this machine was started, sleeps with it.
millis read_uptime();

/// As the kernel names the time since this machine was started; empty: it does
/// not say.
std::string read_boot_name();

} // namespace orderly::io
