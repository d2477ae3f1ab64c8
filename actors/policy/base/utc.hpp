// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Points in time, and ages, as people read them in sentences.

#pragma once

#include "messages/time.hpp"

#include <string>

namespace orderly {

/// `2023-11-14 22:13:20 UTC`; beyond the year 9999 `second N`.
std::string utc_text(instant t);

/// `3s`, `4m 10s`, `2h 5m` or `3d 4h`; `0s` for anything negative.
std::string age_text(millis age);

} // namespace orderly
